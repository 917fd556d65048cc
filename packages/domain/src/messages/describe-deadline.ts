import { getItemName } from '../positions/item-names.ts';
import type { NextDueKind } from '../positions/position.ts';
import { type Tax, TAX_NAMES_IN_SENTENCE } from '../uk-tax/tax.ts';

/** Returns what a sentence to a client calls a due item: “VAT return”. */
export function describeDeadline(tax: Tax, kind: NextDueKind): string {
  return `${TAX_NAMES_IN_SENTENCE[tax]} ${getItemName(kind)}`;
}
