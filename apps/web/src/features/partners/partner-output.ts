import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { operatorPartnersApi } from '@portal/contract/partners.ts';

export type Partner = EndpointOutput<typeof operatorPartnersApi.list>['partners'][number];
