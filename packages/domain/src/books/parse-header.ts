/** Parses the header of a books file: line 1, with the columns in any order. Extra columns are ignored and reported. */
import type { BooksColumn, RowError } from './books-row.ts';
import { BOOKS_COLUMNS } from './books-row.ts';
import { findNearestName } from './find-nearest-name.ts';
import { quoteText } from './quote-text.ts';

/** Index of each column (0 is the first) and the number of cells in the header. */
export type ColumnPositions = Readonly<Record<BooksColumn, number>> & { readonly width: number };

/** The column positions, or the errors in line 1. `ignoredHeadings` are columns that the portal doesn't read. */
export type ParsedHeader =
  | { readonly ok: true; readonly positions: ColumnPositions; readonly ignoredHeadings: readonly string[] }
  | { readonly ok: false; readonly errors: readonly RowError[] };

const HEADER_LINE = 1;

/** Ignores letter case, surrounding spaces and a byte order mark. Rejects the file if a column is missing or duplicated. */
export function parseHeader(cells: readonly string[]): ParsedHeader {
  const names = cells.map((cell) =>
    cell
      .replace(/^\uFEFF/, '')
      .trim()
      .toLowerCase(),
  );
  const headerError = findHeaderError(names);
  if (headerError) return { ok: false, errors: [{ line: HEADER_LINE, column: '', reason: headerError }] };
  const unknownNames = names.filter((name) => name !== '' && !BOOKS_COLUMNS.some((column) => column === name));
  const errors = BOOKS_COLUMNS.flatMap((column) => {
    const count = names.filter((name) => name === column).length;
    if (count === 1) return [];
    const reason = count > 1 ? `the header has ${count} columns called “${column}”: keep one` : explainMissingColumn(column, unknownNames);
    return [{ line: HEADER_LINE, column, reason }];
  });
  if (errors.length > 0) return { ok: false, errors };
  const getColumnIndex = (column: BooksColumn) => names.indexOf(column);
  const positions = {
    date: getColumnIndex('date'),
    kind: getColumnIndex('kind'),
    reference: getColumnIndex('reference'),
    counterparty: getColumnIndex('counterparty'),
    description: getColumnIndex('description'),
    net: getColumnIndex('net'),
    vat: getColumnIndex('vat'),
    treatment: getColumnIndex('treatment'),
    width: cells.length,
  };
  return { ok: true, positions, ignoredHeadings: unknownNames };
}

function findHeaderError(names: readonly string[]): string | undefined {
  const expectedHeader = BOOKS_COLUMNS.join(',');
  if (names.every((name) => name === '')) return `line 1 is empty: it must contain the header ${expectedHeader}`;
  const [onlyName = ''] = names;
  if (names.length === 1 && onlyName.includes(';')) return 'the columns are separated by semicolons: save the file as CSV with commas';
  if (names.length === 1 && onlyName.includes('\t')) return 'the columns are separated by tabs: save the file as CSV with commas';
  if (!names.some((name) => BOOKS_COLUMNS.some((column) => column === name)))
    return `line 1 isn’t the header: it must be ${expectedHeader}`;
  return undefined;
}

function explainMissingColumn(column: BooksColumn, unknownHeadings: readonly string[]): string {
  const nearestName = unknownHeadings.find((name) => findNearestName(name, [column]) === column);
  return `the column “${column}” is missing from the header${nearestName === undefined ? ': add it' : `: rename ${quoteText(nearestName)} to “${column}”`}`;
}
