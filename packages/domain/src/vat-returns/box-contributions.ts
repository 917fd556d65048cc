import type { Pence } from '../money.ts';
import type { BooksRow } from '../books/books-row.ts';
import type { SummedBox } from './treatment-table.ts';
import { findBoxRule } from './treatment-table.ts';

/** The amount, in pence, that a row adds to one box (negative on a credit note). */
export type BoxContribution = { readonly box: SummedBox; readonly amount_pence: Pence };

/**
 * Lists the amounts a row adds to each box, VAT boxes before net boxes. Throws a RangeError for an impossible combination. The transaction
 * lists behind each box use this.
 */
export function listBoxContributions(row: Pick<BooksRow, 'kind' | 'treatment' | 'net_pence' | 'vat_pence'>): BoxContribution[] {
  const rule = findBoxRule(row.kind, row.treatment);
  if (!rule) throw new RangeError(`${row.treatment} cannot be a ${row.kind}`);
  return [
    ...rule.vat.map((box) => ({ box, amount_pence: row.vat_pence })),
    ...rule.net.map((box) => ({ box, amount_pence: row.net_pence })),
  ];
}
