/** What the operators' calls answer, by the names that their screens use. */
import type { OutputOf } from '@portal/contract/endpoint.ts';
import type { operatorApi, OperatorAdvanceOutput } from '@portal/contract/operator.ts';
import type { operatorPartnersApi } from '@portal/contract/partners.ts';

export type Queues = OutputOf<typeof operatorApi.queues>;
export type QueuedAdvance = Queues['advances'][number];

export type Ledger = OutputOf<typeof operatorApi.ledger>;
export type Posting = Ledger['postings'][number];

export type Partner = OutputOf<typeof operatorPartnersApi.list>['partners'][number];

/** What each part of an advance's page is given. */
export type OperatorPartProps = { data: OperatorAdvanceOutput };
