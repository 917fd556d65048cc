/** The rules of one row: cells of text become a typed row, or every reason against it is told. */
import type { Pence } from '../money.ts';
import { pence } from '../money.ts';
import type { BooksColumn, BooksRow, Kind, Treatment } from './books-row.ts';
import { BOOKS_COLUMNS, TREATMENTS } from './books-row.ts';
import { findNearestName } from './nearest-name.ts';
import { explainAmount, parseAmount } from './parse-amount.ts';
import { createDateParser, explainDate, parseBooksDate } from './parse-books-date.ts';
import type { ColumnPositions } from './parse-header.ts';
import { quoteText } from './quote-text.ts';
import type { BoxRule } from './treatment-table.ts';
import { TREATMENT_TABLE } from './treatment-table.ts';

/** Where a row's reasons go: `refuse` makes the row an error, `note` only tells the reader. */
export type RowListener = {
  refuse(line: number, column: BooksColumn | '', reason: string): void;
  note(line: number, column: BooksColumn, reason: string): void;
};

/** Turns the cells of one row into a row; undefined when it was refused (the listener has then heard each reason). */
export type RowParser = (cells: readonly string[], line: number) => BooksRow | undefined;

type TreatmentEntry = { readonly name: Treatment; readonly sale: BoxRule | undefined; readonly purchase: BoxRule | undefined };

const ENTRIES: ReadonlyMap<string, TreatmentEntry> = new Map(
  TREATMENTS.map((name) => [name, { name, sale: TREATMENT_TABLE[name].sale, purchase: TREATMENT_TABLE[name].purchase }]),
);
const LONGEST_CELL = 10_000;
/** Beyond these the columns of a row are a broken file rather than a table. */
const MOST_CELLS = 1_000;

/** Makes the parser of a file's rows from the positions its header gave. */
export function createRowParser(at: ColumnPositions, listener: RowListener): RowParser {
  const parseDate = createDateParser();
  return (cells, line) => {
    if (cells.length !== at.width && !fitsWidth(cells, at, line, listener)) return undefined;
    const date = parseDate(cells[at.date] ?? '');
    const kindText = cells[at.kind] ?? '';
    const kind = kindText === 'sale' ? 'sale' : kindText === 'purchase' ? 'purchase' : readKind(kindText);
    const treatmentText = cells[at.treatment] ?? '';
    const entry = ENTRIES.get(treatmentText) ?? ENTRIES.get(treatmentText.trim().toLowerCase());
    const rule = entry && kind && (kind === 'sale' ? entry.sale : entry.purchase);
    const netText = cells[at.net] ?? '';
    const vatText = cells[at.vat] ?? '';
    let net = parseAmount(netText);
    let vat = parseAmount(vatText);
    const reference = cells[at.reference] ?? '';
    const counterparty = cells[at.counterparty] ?? '';
    const description = cells[at.description] ?? '';
    if (rule) {
      if (net !== net && isBlank(netText) && rule.net.length === 0 && rule.emptyVat !== 'computed') net = 0;
      if (vat !== vat && net === net && rule.emptyVat !== 'refused' && isBlank(vatText))
        vat = rule.emptyVat === 'zero' ? 0 : standardRateVat(net);
      // NaN is the only value that differs from itself: both amounts are known.
      if (date !== undefined && net === net && vat === vat && fits(reference) && fits(counterparty) && fits(description)) {
        if (vat !== 0 && rule.vat.length === 0) listener.note(line, 'vat', explainIgnoredVat(entry.name));
        const net_pence = net as Pence;
        const vat_pence = vat as Pence;
        return { line, date, kind, reference, counterparty, description, net_pence, vat_pence, treatment: entry.name };
      }
    }
    refuseCells(cells, at, line, listener, { kind, entry, rule });
    return undefined;
  };
}

/**
 * The VAT that a self-accounted purchase owes where its cell is empty: 20%, the standard rate since 4 January 2011
 * (Value Added Tax Act 1994 section 2), to the penny, half away from zero.
 */
export function standardRateVat(net_pence: number): Pence {
  // A fifth: in whole numbers, because BigInt arithmetic on every row would cost as much as reading the file.
  const magnitude = Math.trunc((2 * Math.abs(net_pence) + 5) / 10);
  return pence(net_pence < 0 ? -magnitude : magnitude);
}

const isBlank = (text: string): boolean => text === '' || text.trim() === '';
const fits = (text: string): boolean => text.length <= LONGEST_CELL;

function readKind(text: string): Kind | undefined {
  const bare = text.trim().toLowerCase();
  return bare === 'sale' || bare === 'purchase' ? bare : undefined;
}

/** Trailing empty cells are harmless; a missing or a surplus value has moved the columns. */
function fitsWidth(cells: readonly string[], at: ColumnPositions, line: number, { refuse }: RowListener): boolean {
  if (cells.length > MOST_CELLS) {
    refuse(line, '', `the row has ${cells.length} values, more than ${MOST_CELLS}: is this a table with the portal's columns?`);
    return false;
  }
  if (cells.length > at.width) {
    if (cells.slice(at.width).every(isBlank)) return true;
    refuse(line, '', `the row has ${cells.length} values under ${at.width} columns: put quotes around a value that holds a comma`);
    return false;
  }
  const missing = BOOKS_COLUMNS.filter((column) => at[column] >= cells.length);
  if (missing.length === 0) return true;
  refuse(line, missing[0] ?? '', `the row ends after ${cells.length} values, before ${missing.join(', ')}: add the missing commas`);
  return false;
}

type Found = { readonly kind: Kind | undefined; readonly entry: TreatmentEntry | undefined; readonly rule: BoxRule | undefined };

/** Tells every reason against a row; only refused rows pay for the sentences. */
function refuseCells(cells: readonly string[], at: ColumnPositions, line: number, listener: RowListener, found: Found): void {
  const cell = (column: BooksColumn): string => cells[at[column]] ?? '';
  const refuse = (column: BooksColumn, reason: string) => listener.refuse(line, column, reason);
  const { kind, entry, rule } = found;
  if (parseBooksDate(cell('date')) === undefined) refuse('date', explainDate(cell('date')));
  if (!kind)
    refuse(
      'kind',
      isBlank(cell('kind')) ? 'the kind is empty: write sale or purchase' : `${quoteText(cell('kind'))} is neither sale nor purchase`,
    );
  for (const column of ['reference', 'counterparty', 'description'] as const) {
    if (!fits(cell(column)))
      refuse(column, `the text has ${cell(column).length} characters, more than ${LONGEST_CELL}: is a closing quote missing?`);
  }
  const netMissing = isBlank(cell('net'));
  if (netMissing) {
    if (!rule || rule.net.length > 0 || rule.emptyVat === 'computed')
      refuse('net', 'the net amount is empty: write it in pounds, such as 1234.50');
  } else if (Number.isNaN(parseAmount(cell('net')))) refuse('net', explainAmount(cell('net')));
  if (isBlank(cell('vat'))) {
    if (rule?.emptyVat === 'refused') refuse('vat', `the VAT amount is empty: ${entry?.name} needs it (0.00 where there is none)`);
  } else if (Number.isNaN(parseAmount(cell('vat')))) refuse('vat', explainAmount(cell('vat')));
  if (!entry) refuse('treatment', explainTreatment(cell('treatment')));
  else if (kind && !rule) refuse('treatment', `a ${kind} cannot be ${entry.name}: only a ${kind === 'sale' ? 'purchase' : 'sale'} can`);
}

function explainTreatment(text: string): string {
  if (isBlank(text)) return `the treatment is empty: write one of ${TREATMENTS.join(', ')}`;
  const near = findNearestName(text, TREATMENTS);
  return near
    ? `${quoteText(text)} is not a treatment: is ${near} meant?`
    : `${quoteText(text)} is not a treatment: write one of ${TREATMENTS.join(', ')}`;
}

function explainIgnoredVat(treatment: Treatment): string {
  return `the VAT amount is left out of the boxes, because ${treatment} carries none: check the treatment`;
}
