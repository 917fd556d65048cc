import type { AdvanceOutput } from '@portal/contract/advances.ts';
import { STATES_BEFORE_REPAYMENT } from '@portal/domain/advances/advance-states.ts';

/** Whether the trader must still give HMRC the collection account. Nothing is paid out before that. */
export function mustGiveHmrcAccount({ state, collection_account: account }: AdvanceOutput): boolean {
  return account !== null && account.confirmed_at === null && STATES_BEFORE_REPAYMENT.includes(state);
}
