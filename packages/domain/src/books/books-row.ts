/** One document from the books in parsed form, with its allowed kinds, treatments and columns. */
import type { Pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';

/** A sale or purchase by the trader; a credit note keeps the kind and has negative amounts. */
export const BOOKS_KINDS = ['sale', 'purchase'] as const;
export type BooksKind = (typeof BOOKS_KINDS)[number];

/** The VAT treatments of the published table; treatment-table.ts defines their effect on the boxes. */
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

/** The columns of a books file, in template order. */
export const BOOKS_COLUMNS = ['date', 'kind', 'reference', 'counterparty', 'description', 'net', 'vat', 'treatment'] as const;
export type BooksColumn = (typeof BOOKS_COLUMNS)[number];

/**
 * A valid row. `line` is the line in the file (CSV) or the row in the sheet (XLSX) where it starts; `date` is the tax point (accrual basis)
 * or payment date (cash basis); amounts are negative on a credit note; `vat_pence` is as given or, if empty on a self-accounted purchase,
 * calculated.
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

/** Why a row (or, at line 0, the whole file) was rejected and how to fix it, in a sentence. */
export type RowError = { readonly line: number; readonly column: string; readonly reason: string };
