/** One document of the books as the portal reads it, and the words it is written in. */
import type { Pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';

/** Whether the trader sold or bought; a credit note keeps the kind and turns the amounts negative. */
export const BOOKS_KINDS = ['sale', 'purchase'] as const;
export type BooksKind = (typeof BOOKS_KINDS)[number];

/** The VAT treatments of the published table; what each adds to the boxes stands in treatment-table.ts. */
export const TREATMENTS = [
  'standard',
  'reduced',
  'zero',
  'exempt',
  'no_vat',
  'outside_uk',
  'domestic_reverse_charge',
  'imported_services',
  'postponed_import_vat',
  'import_vat_paid',
  'ni_acquisition',
  'ni_dispatch',
  'capital',
  'blocked',
  'bad_debt_relief',
  'adjustment_output',
  'adjustment_input',
] as const;
export type Treatment = (typeof TREATMENTS)[number];

/** The columns a books file names in its header, in the order of the template. */
export const BOOKS_COLUMNS = ['date', 'kind', 'reference', 'counterparty', 'description', 'net', 'vat', 'treatment'] as const;
export type BooksColumn = (typeof BOOKS_COLUMNS)[number];

/**
 * A row that passed every rule. `line` is the line of the file (CSV) or the row of the sheet (XLSX) on which it starts;
 * `date` the tax point (accrual basis) or the payment date (cash basis); amounts are the document's own, negative on a
 * credit note; `vat_pence` is as given or, where a self-accounted purchase leaves it empty, computed.
 */
export type BooksRow = {
  readonly line: number;
  readonly date: PlainDate;
  readonly kind: BooksKind;
  readonly reference: string;
  readonly counterparty: string;
  readonly description: string;
  readonly net_pence: Pence;
  readonly vat_pence: Pence;
  readonly treatment: Treatment;
};

/** Why a row (or, at line 0, the whole file) was refused: a sentence that names the mend. */
export type RowError = { readonly line: number; readonly column: string; readonly reason: string };
