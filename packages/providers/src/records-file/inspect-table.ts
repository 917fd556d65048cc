/** Works out the contents of a table from unknown software: its sheet, its header, and what its columns mean. */
import type { MappedTable, TableSheet } from '@portal/domain/tables/mapped-table.ts';
import { type ColumnRecogniser, findHeaderRow, type RememberedTargets, suggestTargets } from '@portal/domain/tables/recognise-columns.ts';
import type { OpenTable } from './open-table.ts';
import type { TableRow } from './table-row.ts';
import { UnreadableFileError } from './unreadable-file-error.ts';

/** A file's contents. `isSettled`: the user doesn't need to decide anything. */
export type InspectedTable<Target extends string> = { readonly table: MappedTable<Target>; readonly isSettled: boolean };

type InspectOptions<Target extends string> = {
  readonly recogniser: ColumnRecogniser<Target>;
  /** The user's earlier choices for headings. */
  readonly remembered: RememberedTargets<Target>;
  /** What messages call a row: “client”. */
  readonly row: string;
  /** The user's choice of sheet and header. */
  readonly chosen?: Partial<TableSheet>;
};

const ROWS_SEARCHED_FOR_HEADER = 40;
/** Few files have formatted but empty rows before a list's first row, and never this many. */
const BYTES_SEARCHED_FOR_HEADER = 20_000_000;
const FIRST_LINES = 12;
const SAMPLES = 3;

/** Throws UnreadableFileError for a file without rows. */
export async function inspectTable<Target extends string>(
  table: OpenTable,
  options: InspectOptions<Target>,
): Promise<InspectedTable<Target>> {
  const { recogniser, remembered, row, chosen = {} } = options;
  const foundSheets: { readonly sheet: number; readonly name: string; readonly rows: readonly TableRow[] }[] = [];
  for (const [sheet, name] of table.sheets.entries()) {
    const rows = await readFirstRows(table, sheet);
    if (rows.length > 0) foundSheets.push({ sheet, name, rows });
  }
  const scoredTables = foundSheets.map((candidate) => ({ candidate, ...findHeader(candidate.rows, recogniser, remembered) }));
  const [bestTable] =
    chosen.sheet === undefined
      ? scoredTables.toSorted((item, other) => other.recognised - item.recognised)
      : scoredTables.filter(({ candidate }) => candidate.sheet === chosen.sheet);
  if (!bestTable) throw new UnreadableFileError(1, '', `the file has no rows: choose a file with a list of ${row}s`);
  const { sheet, rows } = bestTable.candidate;
  const headerLine = chosen.headerLine ?? bestTable.line;
  const header = rows.find(({ line }) => line === headerLine)?.cells ?? [];
  const samples = await collectSamples(table, { sheet, headerLine });
  const hasNoChoice = chosen.sheet === undefined && chosen.headerLine === undefined;
  if (hasNoChoice && samples.every((values) => values.length === 0))
    throw new UnreadableFileError(headerLine + 1, '', `the file has no ${row}s below its header row`);
  const width = Math.max(header.length, samples.length);
  const headings = Array.from({ length: width }, (_, index) => (header[index] ?? '').trim().slice(0, 100));
  const lastUsedColumn = headings.findLastIndex((heading, index) => heading !== '' || (samples[index] ?? []).length > 0) + 1;
  const suggestedTargets = suggestTargets(headings.slice(0, lastUsedColumn), samples, recogniser, remembered);
  const describedTable: MappedTable<Target> = {
    sheet,
    headerLine,
    sheets: foundSheets.map(({ sheet: index, name }) => ({ sheet: index, name })),
    firstLines: rows.slice(0, FIRST_LINES).map(({ line, cells }) => ({ line, text: describeLine(cells) })),
    headings: headings.slice(0, lastUsedColumn),
    samples: headings.slice(0, lastUsedColumn).map((_, index) => samples[index] ?? []),
    columns: suggestedTargets.columns,
  };
  return {
    table: describedTable,
    isSettled: suggestedTargets.isSettled && scoredTables.filter(({ isComplete }) => isComplete).length === 1,
  };
}

async function readFirstRows(table: OpenTable, sheet: number): Promise<readonly TableRow[]> {
  const rows: TableRow[] = [];
  for await (const batch of table.readRows(sheet, BYTES_SEARCHED_FOR_HEADER)) {
    rows.push(...batch.slice(0, ROWS_SEARCHED_FOR_HEADER - rows.length));
    if (rows.length === ROWS_SEARCHED_FOR_HEADER) break;
  }
  return rows;
}

function findHeader<Target extends string>(
  rows: readonly TableRow[],
  recogniser: ColumnRecogniser<Target>,
  rememberedTargets: RememberedTargets<Target>,
) {
  const cells = rows.map((row) => row.cells);
  const header = rows[findHeaderRow(cells, recogniser, rememberedTargets)];
  const { columns } = suggestTargets(header?.cells ?? [], [], recogniser, rememberedTargets);
  return {
    line: header?.line ?? 0,
    recognised: columns.filter((target) => target !== null).length,
    isComplete: recogniser.isComplete(columns),
  };
}

/** Reads until every column in the header has samples, because a column that is empty at first may have values later. */
async function collectSamples(table: OpenTable, { sheet, headerLine }: TableSheet): Promise<readonly (readonly string[])[]> {
  const samples: string[][] = [];
  for await (const batch of table.readRows(sheet)) {
    for (const { line, cells } of batch) {
      if (line <= headerLine) continue;
      for (const [index, cell] of cells.entries()) {
        const values = (samples[index] ??= []);
        const cellText = values.length < SAMPLES ? cell.trim().slice(0, 60) : '';
        if (cellText !== '' && !values.includes(cellText)) values.push(cellText.toWellFormed());
      }
    }
  }
  return Array.from(samples, (values) => values ?? []);
}

function describeLine(cells: readonly string[]): string {
  const filledCells = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return filledCells.slice(0, 6).join(', ').slice(0, 120).toWellFormed();
}
