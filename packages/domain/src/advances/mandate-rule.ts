import type { Pence } from '../money.ts';
import type { AdvanceTerms } from './advance-terms.ts';

/** Returns true if the payout needs a Direct Debit mandate at the trader's bank: after an earlier difference, or for a large refund. */
export function isMandateRequired(facts: { readonly refund: Pence; readonly hadShortfall: boolean }, terms: AdvanceTerms): boolean {
  return facts.hadShortfall || facts.refund > terms.mandateAbovePence;
}
