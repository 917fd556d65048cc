/** Types shared by the parts of the client page. */
import type { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { positionsApi } from '@portal/contract/positions.ts';

/** Identifies the client shown on the page. */
export type ClientIds = { readonly companyId: string; readonly clientId: string };
export type ClientProfile = EndpointOutput<typeof clientDashboardApi.profile>;

type Summary = EndpointOutput<typeof positionsApi.vatSummary>;
export type TaxFigures = NonNullable<Summary['figures']>;
export type PositionDetail = NonNullable<Summary['detail']>;
export type Charge = PositionDetail['charges'][number];
export type Payment = PositionDetail['payments'][number];
export type Period = PositionDetail['periods'][number];

/** Converts the client's IDs to the input of an API request. */
export const toClientInput = ({ companyId, clientId }: ClientIds) => ({ company_id: companyId, client_id: clientId });
