/**
 * Reads a file of business records from any software: first its structure, then its rows according to the meaning of the columns. Amounts,
 * dates and values are converted to the template's format, then parsed by the same code.
 */
import {
  BOOKS_FILE_COLUMNS,
  type BooksTable,
  isTemplateHeader,
  recogniseKind,
  recogniseTreatment,
  type RememberedBooksColumns,
  type ValueMeaning,
} from '@portal/domain/books/books-mapping.ts';
import type { BooksTarget } from '@portal/domain/books/books-targets.ts';
import { BOOKS_COLUMNS, type BooksRow } from '@portal/domain/books/books-row.ts';
import { explainGross } from '@portal/domain/books/explain-gross.ts';
import { createCellNormaliser } from '@portal/domain/books/tidy-books-cells.ts';
import type { TableSheet } from '@portal/domain/tables/mapped-table.ts';
import { inspectTable } from '../records-file/inspect-table.ts';
import type { OpenTable } from '../records-file/open-table.ts';
import { explainFormula } from '../records-file/read-xlsx.ts';
import type { TableRow } from '../records-file/table-row.ts';
import { UnreadableFileError } from '../records-file/unreadable-file-error.ts';
import type { BooksFile } from './read-books-file.ts';
import { RowCollector } from './row-collector.ts';

/** A file's contents. `isSettled`: its columns and values don't need a user's decision. */
export type InspectedBooks = { readonly table: BooksTable; readonly isSettled: boolean; readonly isTemplate: boolean };

/** A column with more distinct values than this can't be the kind or treatment column. */
const MAX_VALUES = 40;
/** The number of errors that are grouped; enough for a large file. */
const MAX_LISTED_ERRORS = 20_000;

/** Throws UnreadableFileError for a file without rows. */
export async function inspectBooksTable(
  openedTable: OpenTable,
  rememberedColumns: RememberedBooksColumns,
  chosenSheet: Partial<TableSheet> = {},
): Promise<InspectedBooks> {
  const inspectedTable = await inspectTable(openedTable, {
    recogniser: BOOKS_FILE_COLUMNS,
    remembered: rememberedColumns.columns,
    row: 'transaction',
    chosen: chosenSheet,
  });
  const table: BooksTable = { ...inspectedTable.table, fixedKind: null, fixedTreatment: null, kinds: [], treatments: [], gaps: [] };
  const isTemplate = isTemplateHeader(table.headings);
  // Columns beyond those of the template are the user's own, and have always been ignored.
  if (isTemplate) return { table, isSettled: true, isTemplate };
  const values = await listBooksValues(openedTable, table, rememberedColumns);
  const isKnown = [...values.kinds, ...values.treatments].every(({ meaning }) => meaning !== null);
  return { table: { ...table, ...values }, isSettled: inspectedTable.isSettled && isKnown, isTemplate };
}

/** Returns the distinct values in the kind and treatment columns, with the meanings that are certain or were chosen earlier. */
export async function listBooksValues(
  openedTable: OpenTable,
  table: BooksTable,
  rememberedColumns: RememberedBooksColumns,
): Promise<Pick<BooksTable, 'kinds' | 'treatments'>> {
  const kinds = new Map<string, string>();
  const treatments = new Map<string, string>();
  const findColumnIndex = (target: BooksTarget) => table.columns.indexOf(target);
  for await (const { cells } of readDataRows(openedTable, table)) {
    addValue(kinds, cells[findColumnIndex('kind')]);
    addValue(treatments, cells[findColumnIndex('treatment')]);
  }
  const toMeanings = <Meaning>(values: ReadonlyMap<string, string>, find: (text: string) => Meaning | undefined) =>
    [...values.values()].map((text): ValueMeaning<Meaning> => ({ text, meaning: find(text) ?? null }));
  return {
    kinds: toMeanings(kinds, (text) => recogniseKind(text, rememberedColumns.kinds)),
    treatments: toMeanings(treatments, (text) => recogniseTreatment(text, rememberedColumns.treatments)),
  };
}

function addValue(values: Map<string, string>, cell = ''): void {
  const cellText = cell.trim().slice(0, 60).toWellFormed();
  const key = cellText.toLowerCase();
  if (cellText !== '' && values.size < MAX_VALUES && !values.has(key)) values.set(key, cellText);
}

/** A file read by its columns. `leftOut` contains the lines of totals and other report lines. */
export type BooksTableFile = BooksFile & { readonly leftOut: readonly number[] };

/** Reads the rows below the header. Errors are in the summary, and no rows follow the first error. */
export function readBooksTable(openedTable: OpenTable, table: BooksTable): BooksTableFile {
  const collector = new RowCollector(MAX_LISTED_ERRORS);
  collector.readHeader(BOOKS_COLUMNS);
  const leftOut: number[] = [];
  return { batches: readBatches(openedTable, table, collector, leftOut), summary: () => collector.summary(), leftOut };
}

async function* readBatches(
  openedTable: OpenTable,
  table: BooksTable,
  collector: RowCollector,
  leftOut: number[],
): AsyncGenerator<readonly BooksRow[]> {
  const normaliseCells = createCellNormaliser(table);
  const grossColumn = table.columns.indexOf('gross');
  const isRead = (column: number) => (table.columns[column] ?? null) !== null;
  let rows: BooksRow[] = [];
  try {
    for await (const row of readDataRows(openedTable, table)) {
      const formulas = row.formulas?.filter(isRead) ?? [];
      if (isReportLine(row, table)) leftOut.push(row.line);
      else if (row.isMisquoted) collector.rejectRow(row.line, [{ column: '', reason: MISQUOTED_MESSAGE }]);
      else if (formulas.length > 0)
        collector.rejectRow(
          row.line,
          formulas.map((column) => ({ column: table.headings[column] ?? '', reason: explainFormula(column, row.line) })),
        );
      else if (row.cells.slice(table.columns.length).some((cell) => cell.trim() !== ''))
        collector.rejectRow(row.line, [{ column: '', reason: explainTooManyCells(row, table) }]);
      else {
        const read = collector.readRow(normaliseCells(row.cells), row.line);
        const reason = read && grossColumn >= 0 ? explainGross(row.cells[grossColumn] ?? '', read) : undefined;
        if (reason !== undefined) collector.errors.add(row.line, 'gross', reason);
        else if (read !== undefined) rows.push(read);
      }
      if (rows.length < BATCH_ROWS) continue;
      if (!collector.isRejected) yield rows;
      rows = [];
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    collector.errors.add(error.line, error.column, error.message);
  }
  if (rows.length > 0 && !collector.isRejected) yield rows;
}

const BATCH_ROWS = 2_000;
const MISQUOTED_MESSAGE =
  'this row has a missing opening or closing quote: put quotes around the whole value, and double any quotes within the text';

function explainTooManyCells({ cells }: TableRow, { columns }: BooksTable): string {
  return `the row has ${cells.length} values but only ${columns.length} columns: put quotes around values that contain a comma`;
}

async function* readDataRows(openedTable: OpenTable, { sheet, headerLine }: TableSheet): AsyncGenerator<TableRow> {
  for await (const batch of openedTable.readRows(sheet)) for (const row of batch) if (row.line > headerLine) yield row;
}

/** Reports end with lines such as “Total” or “Printed on 3 March”: few cells, without a date or treatment. */
function isReportLine({ cells }: TableRow, { columns }: BooksTable): boolean {
  const isBlank = (target: BooksTarget) => columns.every((column, index) => column !== target || (cells[index] ?? '').trim() === '');
  const first = cells.find((cell) => cell.trim() !== '')?.trim() ?? '';
  const isTotal = /^(?:(?:grand |sub-?)?totals?\b|(?:report|exported|generated|printed|created) (?:on|by|at)\b|page \d)/i.test(first);
  const isInDateColumn = columns.some((column, index) => column === 'date' && (cells[index] ?? '').trim() === first);
  return isTotal && (isBlank('date') || isInDateColumn) && isBlank('treatment');
}
