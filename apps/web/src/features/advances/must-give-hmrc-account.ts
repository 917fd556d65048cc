import type { AdvanceOutput } from '@portal/contract/advances.ts';

/** States in which an agreement exists and HMRC has not repaid yet. Only then must the trader give HMRC the account. */
const STATES_BEFORE_REPAYMENT: ReadonlySet<AdvanceOutput['state']> = new Set([
  'accepted',
  'in_review',
  'approved',
  'paying',
  'paid',
  'awaiting_hmrc',
  'payout_failed',
]);

/** Whether the trader must still give HMRC the collection account. Nothing is paid out before that. */
export function mustGiveHmrcAccount({ state, collection_account: account }: AdvanceOutput): boolean {
  return account !== null && account.confirmed_at === null && STATES_BEFORE_REPAYMENT.has(state);
}
