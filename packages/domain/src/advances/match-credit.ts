import type { Pence } from '../money.ts';

/** How HMRC names itself on a Bacs credit: "HMRC VAT", "HM REVENUE & CUSTOMS". */
const HMRC_REMITTER = /\bHMRC\b|\bHM REVENUE\b/i;

/**
 * Whether a credit on a collection account is taken for HMRC's repayment of this refund. A sum that covers the refund is; a smaller
 * one only from HMRC, for whoever knows the account's number could otherwise make a shortfall with a penny.
 */
export function repaysRefund(credit: { readonly amount: Pence; readonly remitter: string }, refund: Pence): boolean {
  return credit.amount >= refund || HMRC_REMITTER.test(credit.remitter);
}
