/** Output types of the operators' endpoints, by the names that the screens use. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { operatorApi, OperatorAdvanceOutput } from '@portal/contract/operator.ts';
import type { operatorPartnersApi } from '@portal/contract/partners.ts';

export type Queues = EndpointOutput<typeof operatorApi.queues>;
export type QueuedAdvance = Queues['advances'][number];

export type Ledger = EndpointOutput<typeof operatorApi.ledger>;
export type Posting = Ledger['postings'][number];

export type Partner = EndpointOutput<typeof operatorPartnersApi.list>['partners'][number];

/** Props shared by the parts of the advance screen. */
export type OperatorPartProps = { data: OperatorAdvanceOutput };
