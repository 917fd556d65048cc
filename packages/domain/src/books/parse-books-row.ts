/** Validates one row: converts text cells to a typed row, or reports every error. */
import { type Pence, pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import { type BooksColumn, type BooksRow, type BooksKind, type Treatment, BOOKS_COLUMNS, TREATMENTS } from './books-row.ts';
import { findNearestName } from './find-nearest-name.ts';
import { explainAmount, parseAmount } from './parse-amount.ts';
import { createDateParser, explainDate, parseBooksDate } from './parse-books-date.ts';
import type { ColumnPositions } from './parse-header.ts';
import { quoteText } from './quote-text.ts';
import { type BoxRule, TREATMENT_TABLE } from '../vat-returns/treatment-table.ts';

/**
 * Receives the results of parsing: `reject` makes the row an error, `note` adds a warning, `onDate` runs once per different date. Reasons
 * are functions, so that a file with a million errors doesn't build a million sentences.
 */
export type RowListener = {
  reject(line: number, column: BooksColumn | '', explain: () => string): void;
  note(line: number, column: BooksColumn, explain: () => string): void;
  onDate(date: PlainDate): void;
};

/** Parses the cells of one row; undefined if it was rejected (the listener has received every reason). */
export type RowParser = (cells: readonly string[], line: number) => BooksRow | undefined;

type TreatmentEntry = { readonly name: Treatment; readonly sale: BoxRule | undefined; readonly purchase: BoxRule | undefined };

/** Indexed by name length: comparing one to three candidates is much faster than hashing every cell for a Map. */
const ENTRIES_BY_LENGTH: readonly (readonly TreatmentEntry[])[] = Array.from({ length: 32 }, (_, length) =>
  TREATMENTS.filter((name) => name.length === length).map((name) => ({ name, ...TREATMENT_TABLE[name] })),
);
const MAX_CELL_LENGTH = 10_000;
/** A row with more cells than this means the file is broken. */
const MAX_CELLS = 1_000;

/** Creates a row parser for a file from the column positions in its header. */
export function createRowParser(positions: ColumnPositions, listener: RowListener): RowParser {
  const parseDate = createDateParser((date) => listener.onDate(date));
  return (cells, line) => {
    if (cells.length !== positions.width && !hasExpectedCellCount(cells, positions, line, listener)) return undefined;
    const date = parseDate(cells[positions.date] ?? '');
    const kindText = cells[positions.kind] ?? '';
    const kind = kindText === 'sale' ? 'sale' : kindText === 'purchase' ? 'purchase' : parseKind(kindText);
    const treatmentText = cells[positions.treatment] ?? '';
    const entry = findEntry(treatmentText) ?? findEntry(treatmentText.trim().toLowerCase());
    const rule = entry && kind && (kind === 'sale' ? entry.sale : entry.purchase);
    const netText = cells[positions.net] ?? '';
    const vatText = cells[positions.vat] ?? '';
    let net = parseAmount(netText);
    let vat = parseAmount(vatText);
    const reference = cells[positions.reference] ?? '';
    const counterparty = cells[positions.counterparty] ?? '';
    const description = cells[positions.description] ?? '';
    if (rule) {
      if (net !== net && isBlank(netText) && rule.net.length === 0 && rule.emptyVat !== 'computed') net = 0;
      if (vat !== vat && net === net && rule.emptyVat !== 'refused' && isBlank(vatText))
        vat = rule.emptyVat === 'zero' ? 0 : calculateStandardRateVat(net);
      // Only NaN differs from itself, so this checks that both amounts are valid.
      if (
        date !== undefined &&
        net === net &&
        vat === vat &&
        fitsInCell(reference) &&
        fitsInCell(counterparty) &&
        fitsInCell(description)
      ) {
        if (vat !== 0 && rule.vat.length === 0) listener.note(line, 'vat', () => explainIgnoredVat(entry.name));
        const net_pence = net as Pence;
        const vat_pence = vat as Pence;
        return { line, date, kind, reference, counterparty, description, net_pence, vat_pence, treatment: entry.name };
      }
    }
    reportCellErrors(cells, positions, line, listener, { kind, entry, rule });
    return undefined;
  };
}

/**
 * Returns the VAT on a self-accounted purchase with an empty VAT cell: 20%, the standard rate since 4 January 2011 (Value Added Tax Act
 * 1994 section 2), rounded to the penny, half away from zero.
 */
export function calculateStandardRateVat(net_pence: number): Pence {
  // One fifth in integers, because BigInt arithmetic on every row would cost as much as reading the file.
  const magnitude = Math.trunc((2 * Math.abs(net_pence) + 5) / 10);
  return pence(net_pence < 0 ? -magnitude : magnitude);
}

const isBlank = (text: string): boolean => text === '' || text.trim() === '';
const fitsInCell = (text: string): boolean => text.length <= MAX_CELL_LENGTH;

function findEntry(text: string): TreatmentEntry | undefined {
  const candidates = ENTRIES_BY_LENGTH[text.length];
  if (candidates !== undefined) for (const entry of candidates) if (entry.name === text) return entry;
  return undefined;
}

function parseKind(text: string): BooksKind | undefined {
  const trimmed = text.trim().toLowerCase();
  return trimmed === 'sale' || trimmed === 'purchase' ? trimmed : undefined;
}

/** Trailing empty cells are harmless; a missing or extra value means that the columns have shifted. */
function hasExpectedCellCount(cells: readonly string[], positions: ColumnPositions, line: number, { reject }: RowListener): boolean {
  const count = cells.length;
  if (count > MAX_CELLS) {
    reject(line, '', () => `the row has ${count} values, but the maximum is ${MAX_CELLS}: check that the columns match the template`);
    return false;
  }
  if (count > positions.width) {
    if (cells.slice(positions.width).every(isBlank)) return true;
    reject(
      line,
      '',
      () => `the row has ${count} values but only ${positions.width} columns: put quotes around values that contain a comma`,
    );
    return false;
  }
  const missingColumns = BOOKS_COLUMNS.filter((column) => positions[column] >= count);
  if (missingColumns.length === 0) return true;
  reject(
    line,
    missingColumns[0] ?? '',
    () => `the row ends after ${count} values, before ${missingColumns.join(', ')}: add the missing commas`,
  );
  return false;
}

type ParsedTreatment = {
  readonly kind: BooksKind | undefined;
  readonly entry: TreatmentEntry | undefined;
  readonly rule: BoxRule | undefined;
};

/** Reports every error in a row. Runs only for rejected rows, so valid rows stay fast. */
function reportCellErrors(
  cells: readonly string[],
  positions: ColumnPositions,
  line: number,
  listener: RowListener,
  parsedTreatment: ParsedTreatment,
): void {
  const getCell = (column: BooksColumn): string => cells[positions[column]] ?? '';
  const reject = (column: BooksColumn, explain: (text: string) => string) => listener.reject(line, column, () => explain(getCell(column)));
  const { kind, entry, rule } = parsedTreatment;
  if (parseBooksDate(getCell('date')) === undefined) reject('date', explainDate);
  if (!kind) reject('kind', explainKind);
  for (const column of ['reference', 'counterparty', 'description'] as const)
    if (!fitsInCell(getCell(column))) reject(column, explainLength);
  const needsNet = !rule || rule.net.length > 0 || rule.emptyVat === 'computed';
  if (isBlank(getCell('net'))) {
    if (needsNet) reject('net', () => 'the net amount is missing: enter it in pounds, such as 1234.50');
  } else if (Number.isNaN(parseAmount(getCell('net')))) reject('net', explainAmount);
  if (isBlank(getCell('vat'))) {
    if (rule?.emptyVat === 'refused') reject('vat', () => `the VAT amount is missing: ${entry?.name} needs one (0.00 if there is none)`);
  } else if (Number.isNaN(parseAmount(getCell('vat')))) reject('vat', explainAmount);
  if (!entry) reject('treatment', explainTreatment);
  else if (kind && !rule)
    reject('treatment', () => `a ${kind} can’t be ${entry.name}: only a ${kind === 'sale' ? 'purchase' : 'sale'} can`);
}

function explainKind(text: string): string {
  return isBlank(text) ? 'the kind is missing: enter sale or purchase' : `${quoteText(text)} isn’t sale or purchase`;
}

function explainLength(text: string): string {
  return `the text has ${text.length} characters, but the maximum is ${MAX_CELL_LENGTH}: check for a missing closing quote`;
}

function explainTreatment(text: string): string {
  if (isBlank(text)) return `the treatment is missing: enter one of ${TREATMENTS.join(', ')}`;
  const nearestName = findNearestName(text, TREATMENTS);
  return nearestName
    ? `${quoteText(text)} isn’t a VAT treatment: did you mean ${nearestName}?`
    : `${quoteText(text)} isn’t a treatment: enter one of ${TREATMENTS.join(', ')}`;
}

function explainIgnoredVat(treatment: Treatment): string {
  return `the VAT amount isn’t included in the boxes, because ${treatment} has no VAT: check the treatment`;
}
