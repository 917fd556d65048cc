import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
/** Output types of the operators' endpoints, with the names that the screens use. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { operatorPeopleApi } from '@portal/contract/operator-people.ts';
import type { operatorsApi, OperatorAdvanceOutput } from '@portal/contract/operators.ts';

export type Ledger = EndpointOutput<typeof operatorsApi.ledger>;
export type Posting = Ledger['postings'][number];

/** Props shared by the parts of the advance screen. */
export type OperatorPartProps = { data: OperatorAdvanceOutput };

export type OperatorPerson = EndpointOutput<typeof operatorPeopleApi.list>['people'][number];

export type DirectDebitPayout = EndpointOutput<typeof reconciliationExceptionsApi.directDebitPayouts>['payouts'][number];
