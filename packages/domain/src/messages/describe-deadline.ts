import type { Deadline } from '../positions/position.ts';
import { type Tax, TAX_NAMES_IN_SENTENCE } from '../uk-tax/tax.ts';

/** What is due, in the middle of a sentence to a client: “VAT return”. */
export function describeDeadline(tax: Tax, what: Deadline): string {
  return `${TAX_NAMES_IN_SENTENCE[tax]} ${what}`;
}
