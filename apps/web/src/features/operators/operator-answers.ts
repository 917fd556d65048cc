/** Output types of the operators' endpoints, by the names that the screens use. */
import type { OutputOf } from '@portal/contract/endpoint.ts';
import type { operatorApi, OperatorAdvanceOutput } from '@portal/contract/operator.ts';
import type { operatorPartnersApi } from '@portal/contract/partners.ts';

export type Queues = OutputOf<typeof operatorApi.queues>;
export type QueuedAdvance = Queues['advances'][number];

export type Ledger = OutputOf<typeof operatorApi.ledger>;
export type Posting = Ledger['postings'][number];

export type Partner = OutputOf<typeof operatorPartnersApi.list>['partners'][number];

/** Props shared by the parts of the advance screen. */
export type OperatorPartProps = { data: OperatorAdvanceOutput };
