import type { AdvanceOutput } from '@portal/contract/advances.ts';

/** The trader has to tell HMRC only while there is an agreement whose money has not come back. */
const OPEN_STATES: ReadonlySet<AdvanceOutput['state']> = new Set([
  'accepted',
  'in_review',
  'approved',
  'paying',
  'paid',
  'awaiting_hmrc',
  'payout_failed',
]);

/** Whether the trader's next step is to give HMRC the collection account: nothing is paid before. */
export function mustTellHmrc({ state, collection_account: account }: AdvanceOutput): boolean {
  return account !== null && account.confirmed_at === null && OPEN_STATES.has(state);
}
