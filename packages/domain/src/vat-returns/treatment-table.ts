/**
 * Assigns a row's amounts to its boxes. Source: VAT Notice 700/12 (how to fill in the return), Notice 735 (domestic reverse charge), GOV.UK
 * "Complete your VAT Return to account for import VAT" (postponed accounting).
 */
import type { BooksKind, Treatment } from '../books/books-row.ts';

/** The boxes that rows add to; boxes 3 and 5 are always calculated from the others. */
export const SUMMED_BOXES = [1, 2, 4, 6, 7, 8, 9] as const;
export type SummedBox = (typeof SUMMED_BOXES)[number];

/**
 * How a row of one kind and treatment affects the boxes. `emptyVat` is the meaning of an empty VAT cell: `refused` (required, because a box
 * includes it), `computed` (the trader accounts for it at the standard rate on the net amount) or `zero` (no box includes VAT).
 */
export type BoxRule = {
  readonly vat: readonly (1 | 2 | 4)[];
  readonly net: readonly (6 | 7 | 8 | 9)[];
  readonly emptyVat: 'refused' | 'computed' | 'zero';
};

const NO_BOXES: BoxRule = { vat: [], net: [], emptyVat: 'zero' };
const SALE_WITH_VAT: BoxRule = { vat: [1], net: [6], emptyVat: 'refused' };
const SALE_WITHOUT_VAT: BoxRule = { vat: [], net: [6], emptyVat: 'zero' };
const PURCHASE_WITH_VAT: BoxRule = { vat: [4], net: [7], emptyVat: 'refused' };
const PURCHASE_WITHOUT_VAT: BoxRule = { vat: [], net: [7], emptyVat: 'zero' };
const SALE_ADJUSTMENT: BoxRule = { vat: [1], net: [], emptyVat: 'refused' };
const PURCHASE_ADJUSTMENT: BoxRule = { vat: [4], net: [], emptyVat: 'refused' };

/** The published table; `undefined` marks an impossible combination. */
export const TREATMENT_TABLE: Readonly<Record<Treatment, Readonly<Record<BooksKind, BoxRule | undefined>>>> = {
  standard: { sale: SALE_WITH_VAT, purchase: PURCHASE_WITH_VAT },
  reduced: { sale: SALE_WITH_VAT, purchase: PURCHASE_WITH_VAT },
  zero: { sale: SALE_WITHOUT_VAT, purchase: PURCHASE_WITHOUT_VAT },
  exempt: { sale: SALE_WITHOUT_VAT, purchase: PURCHASE_WITHOUT_VAT },
  no_vat: { sale: NO_BOXES, purchase: NO_BOXES },
  outside_uk: { sale: SALE_WITHOUT_VAT, purchase: PURCHASE_WITHOUT_VAT },
  // The customer accounts for the VAT, and the net amount doesn't go into the customer's box 6 (Notice 735).
  domestic_reverse_charge: { sale: SALE_WITHOUT_VAT, purchase: { vat: [1, 4], net: [7], emptyVat: 'computed' } },
  // The buyer of a service from abroad also counts as its supplier, so the net amount goes into boxes 6 and 7 (Notice 700/12).
  imported_services: { sale: undefined, purchase: { vat: [1, 4], net: [6, 7], emptyVat: 'computed' } },
  postponed_import_vat: { sale: undefined, purchase: { vat: [1, 4], net: [7], emptyVat: 'computed' } },
  import_vat_paid: { sale: undefined, purchase: PURCHASE_WITH_VAT },
  ni_acquisition: { sale: undefined, purchase: { vat: [2, 4], net: [7, 9], emptyVat: 'computed' } },
  ni_dispatch: { sale: { vat: [], net: [6, 8], emptyVat: 'zero' }, purchase: undefined },
  capital: { sale: SALE_WITH_VAT, purchase: PURCHASE_WITH_VAT },
  blocked: { sale: undefined, purchase: PURCHASE_WITHOUT_VAT },
  bad_debt_relief: { sale: undefined, purchase: PURCHASE_ADJUSTMENT },
  adjustment_output: { sale: SALE_ADJUSTMENT, purchase: PURCHASE_ADJUSTMENT },
  adjustment_input: { sale: SALE_ADJUSTMENT, purchase: PURCHASE_ADJUSTMENT },
};

/** Returns the rule for a kind and treatment; undefined if they can't be combined. */
export function findBoxRule(kind: BooksKind, treatment: Treatment): BoxRule | undefined {
  return TREATMENT_TABLE[treatment][kind];
}
