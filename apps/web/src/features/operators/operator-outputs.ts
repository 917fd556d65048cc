/** Output types of the operators' endpoints, by the names that the screens use. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { operatorsApi, OperatorAdvanceOutput } from '@portal/contract/operators.ts';
import type { operatorPartnersApi } from '@portal/contract/partners.ts';

export type Queues = EndpointOutput<typeof operatorsApi.queues>;
export type QueuedAdvance = Queues['advances'][number];

export type Ledger = EndpointOutput<typeof operatorsApi.ledger>;
export type Posting = Ledger['postings'][number];

export type Partner = EndpointOutput<typeof operatorPartnersApi.list>['partners'][number];

/** Props shared by the parts of the advance screen. */
export type OperatorPartProps = { data: OperatorAdvanceOutput };
