import type { Deadline } from '../positions/position.ts';
import { type Tax, TAX_NAMES_IN_SENTENCE } from '../uk-tax/tax.ts';

/** Returns the name of a due item for use in a sentence to a client: “VAT return”. */
export function describeDeadline(tax: Tax, what: Deadline): string {
  return `${TAX_NAMES_IN_SENTENCE[tax]} ${what}`;
}
