/** The rules of one row: cells of text become a typed row, or every reason against it is told. */
import { type Pence, pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import { type BooksColumn, type BooksRow, type BooksKind, type Treatment, BOOKS_COLUMNS, TREATMENTS } from './books-row.ts';
import { findNearestName } from './nearest-name.ts';
import { explainAmount, parseAmount } from './parse-amount.ts';
import { createDateParser, explainDate, parseBooksDate } from './parse-books-date.ts';
import type { ColumnPositions } from './parse-header.ts';
import { quoteText } from './quote-text.ts';
import { type BoxRule, TREATMENT_TABLE } from './treatment-table.ts';

/**
 * Hears of the rows: `refuse` makes the row an error, `note` only tells the reader, `meetDate` comes once for each different
 * date. A reason is worded only on demand: of a file with a million errors nobody reads a million sentences.
 */
export type RowListener = {
  refuse(line: number, column: BooksColumn | '', explain: () => string): void;
  note(line: number, column: BooksColumn, explain: () => string): void;
  meetDate(date: PlainDate): void;
};

/** Turns the cells of one row into a row; undefined when it was refused (the listener has then heard each reason). */
export type RowParser = (cells: readonly string[], line: number) => BooksRow | undefined;

type TreatmentEntry = { readonly name: Treatment; readonly sale: BoxRule | undefined; readonly purchase: BoxRule | undefined };

/** By the length of the name: comparing the one to three candidates costs a fraction of hashing every cell for a Map. */
const ENTRIES_BY_LENGTH: readonly (readonly TreatmentEntry[])[] = Array.from({ length: 32 }, (_, length) =>
  TREATMENTS.filter((name) => name.length === length).map((name) => ({ name, ...TREATMENT_TABLE[name] })),
);
const LONGEST_CELL = 10_000;
/** Beyond these the columns of a row are a broken file rather than a table. */
const MOST_CELLS = 1_000;

/** Makes the parser of a file's rows from the positions its header gave. */
export function createRowParser(at: ColumnPositions, listener: RowListener): RowParser {
  const parseDate = createDateParser((date) => listener.meetDate(date));
  return (cells, line) => {
    if (cells.length !== at.width && !fitsWidth(cells, at, line, listener)) return undefined;
    const date = parseDate(cells[at.date] ?? '');
    const kindText = cells[at.kind] ?? '';
    const kind = kindText === 'sale' ? 'sale' : kindText === 'purchase' ? 'purchase' : readKind(kindText);
    const treatmentText = cells[at.treatment] ?? '';
    const entry = findEntry(treatmentText) ?? findEntry(treatmentText.trim().toLowerCase());
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
        if (vat !== 0 && rule.vat.length === 0) listener.note(line, 'vat', () => explainIgnoredVat(entry.name));
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

function findEntry(text: string): TreatmentEntry | undefined {
  const candidates = ENTRIES_BY_LENGTH[text.length];
  if (candidates !== undefined) for (const entry of candidates) if (entry.name === text) return entry;
  return undefined;
}

function readKind(text: string): BooksKind | undefined {
  const bare = text.trim().toLowerCase();
  return bare === 'sale' || bare === 'purchase' ? bare : undefined;
}

/** Trailing empty cells are harmless; a missing or a surplus value has moved the columns. */
function fitsWidth(cells: readonly string[], at: ColumnPositions, line: number, { refuse }: RowListener): boolean {
  const count = cells.length;
  if (count > MOST_CELLS) {
    refuse(line, '', () => `the row has ${count} values, more than ${MOST_CELLS}: is this a table with the portal's columns?`);
    return false;
  }
  if (count > at.width) {
    if (cells.slice(at.width).every(isBlank)) return true;
    refuse(line, '', () => `the row has ${count} values under ${at.width} columns: put quotes around a value that holds a comma`);
    return false;
  }
  const missing = BOOKS_COLUMNS.filter((column) => at[column] >= count);
  if (missing.length === 0) return true;
  refuse(line, missing[0] ?? '', () => `the row ends after ${count} values, before ${missing.join(', ')}: add the missing commas`);
  return false;
}

type Found = { readonly kind: BooksKind | undefined; readonly entry: TreatmentEntry | undefined; readonly rule: BoxRule | undefined };

/** Tells every reason against a row; only refused rows pay for it. */
function refuseCells(cells: readonly string[], at: ColumnPositions, line: number, listener: RowListener, found: Found): void {
  const cell = (column: BooksColumn): string => cells[at[column]] ?? '';
  const refuse = (column: BooksColumn, explain: (text: string) => string) => listener.refuse(line, column, () => explain(cell(column)));
  const { kind, entry, rule } = found;
  if (parseBooksDate(cell('date')) === undefined) refuse('date', explainDate);
  if (!kind) refuse('kind', explainKind);
  for (const column of ['reference', 'counterparty', 'description'] as const) if (!fits(cell(column))) refuse(column, explainLength);
  const needsNet = !rule || rule.net.length > 0 || rule.emptyVat === 'computed';
  if (isBlank(cell('net'))) {
    if (needsNet) refuse('net', () => 'the net amount is empty: write it in pounds, such as 1234.50');
  } else if (Number.isNaN(parseAmount(cell('net')))) refuse('net', explainAmount);
  if (isBlank(cell('vat'))) {
    if (rule?.emptyVat === 'refused') refuse('vat', () => `the VAT amount is empty: ${entry?.name} needs it (0.00 where there is none)`);
  } else if (Number.isNaN(parseAmount(cell('vat')))) refuse('vat', explainAmount);
  if (!entry) refuse('treatment', explainTreatment);
  else if (kind && !rule)
    refuse('treatment', () => `a ${kind} cannot be ${entry.name}: only a ${kind === 'sale' ? 'purchase' : 'sale'} can`);
}

function explainKind(text: string): string {
  return isBlank(text) ? 'the kind is empty: write sale or purchase' : `${quoteText(text)} is neither sale nor purchase`;
}

function explainLength(text: string): string {
  return `the text has ${text.length} characters, more than ${LONGEST_CELL}: is a closing quote missing?`;
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
