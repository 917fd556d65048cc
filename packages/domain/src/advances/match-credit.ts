import type { Pence } from '../money.ts';

/** How HMRC names itself on a Bacs credit: "HMRC VAT" or "HM REVENUE & CUSTOMS". */
const HMRC_REMITTER = /\bHMRC\b|\bHM REVENUE\b/i;

/**
 * Whether we treat a credit on a collection account as HMRC's repayment of this refund. An amount that covers the refund always counts.
 * A smaller amount counts only if HMRC sent it; otherwise anyone who knows the account number could create a shortfall with a penny.
 */
export function isRefundRepayment(credit: { readonly amount: Pence; readonly remitter: string }, refund: Pence): boolean {
  return credit.amount >= refund || HMRC_REMITTER.test(credit.remitter);
}
