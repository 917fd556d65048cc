import type { AdvanceOutput } from '@portal/contract/advances.ts';
import { STATES_BEFORE_PAYOUT, STATES_BEFORE_REPAYMENT } from '@portal/domain/advances/advance-states.ts';
import { isUsableMandate } from '@portal/domain/shortfalls/direct-debit.ts';

/** Returns whether the trader still has to give HMRC the collection account. Nothing is paid out until they do. */
export function needsHmrcAccount({ state, collection_account: account }: AdvanceOutput): boolean {
  return account !== null && account.confirmed_at === null && STATES_BEFORE_REPAYMENT.includes(state);
}

/** Returns what else the trader must do before the payout, besides giving HMRC the account, as parts of a sentence. */
export function listOtherSteps({ state, identity_needed, mandate }: AdvanceOutput): readonly string[] {
  if (!STATES_BEFORE_PAYOUT.includes(state)) return [];
  const needsMandate = mandate !== null && (mandate.status === null || !isUsableMandate(mandate.status));
  return [...(identity_needed ? ['verify your identity'] : []), ...(needsMandate ? ['set up a Direct Debit'] : [])];
}
