/** A user's possible answers about a tax rate that can't be mapped. */
import type { BooksKind, Treatment } from '../books/books-row.ts';
import { findBoxRule } from '../vat-returns/treatment-table.ts';

/** At a rate of 0%, the amount on a line with one of these treatments is the VAT itself: a payment to customs, or a correction. */
export const VAT_ONLY_TREATMENTS: ReadonlySet<Treatment> = new Set<Treatment>([
  'import_vat_paid',
  'adjustment_output',
  'adjustment_input',
  'bad_debt_relief',
]);

/**
 * Returns true for purchases whose VAT the customer accounts for. Xero states 0% for them whether they stand for 20% or for zero-rated
 * supplies, so the answer includes which.
 */
export function canBeZeroRated(kind: BooksKind, treatment: Treatment): boolean {
  return findBoxRule(kind, treatment)?.emptyVat === 'computed';
}

/**
 * Returns true if the answer is possible for the rate: QuickBooks' codes have a side ("purchase 12"), and an answer for the other side
 * would put the VAT on purchases into the boxes for sales.
 */
export function isAnswerPossible(code: string, kind: BooksKind): boolean {
  const side = /^(sale|purchase) /.exec(code)?.[1];
  return side === undefined || side === kind;
}
