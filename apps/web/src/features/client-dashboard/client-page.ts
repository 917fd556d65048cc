/** What the pieces of a client's page share. */
import type { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import type { OutputOf } from '@portal/contract/endpoint.ts';
import type { positionsApi } from '@portal/contract/positions.ts';

/** Whose page it is. */
export type OfClient = { readonly companyId: string; readonly clientId: string };
export type ClientProfile = OutputOf<typeof clientDashboardApi.profile>;

type Summary = OutputOf<typeof positionsApi.vatSummary>;
export type TaxFigures = NonNullable<Summary['figures']>;
export type PositionDetail = NonNullable<Summary['detail']>;
export type Charge = PositionDetail['charges'][number];
export type Payment = PositionDetail['payments'][number];
export type Period = PositionDetail['periods'][number];

/** The client as the calls take it. */
export const inputOf = ({ companyId, clientId }: OfClient) => ({ company_id: companyId, client_id: clientId });
