import type { Deadline } from '../positions/position.ts';
import type { Tax } from '../uk-tax/tax.ts';

const TAX_WORDS: Readonly<Record<Tax, string>> = { vat: 'VAT', paye: 'PAYE', ct: 'corporation tax', sa: 'Self Assessment' };

/** What is due, in the middle of a sentence to a client: “VAT return”. */
export function describeDeadline(tax: Tax, what: Deadline): string {
  return `${TAX_WORDS[tax]} ${what}`;
}
