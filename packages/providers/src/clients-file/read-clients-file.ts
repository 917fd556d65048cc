/** Reads a client list of any origin: first what it contains, then its rows as a person has mapped its columns. */
import type { ColumnMapping } from '@portal/domain/client-imports/import-columns.ts';
import type { ClientsSheet, ImportTable } from '@portal/domain/client-imports/import-table.ts';
import type { ImportedClient, RowProblem } from '@portal/domain/client-imports/imported-client.ts';
import { mapCells, type RawValues } from '@portal/domain/client-imports/map-cells.ts';
import { validateImportRow } from '@portal/domain/client-imports/parse-import-row.ts';
import { findHeaderRow, hasNameColumn, type RememberedColumns, suggestMapping } from '@portal/domain/client-imports/recognise-columns.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { OpenTable } from '../records-file/open-table.ts';
import type { TableRow } from '../records-file/table-row.ts';
import { UnreadableFileError } from '../records-file/unreadable-file-error.ts';

/** What a file contains. `isSettled`: nothing needs a person's decision. */
export type InspectedClients = { readonly table: ImportTable; readonly isSettled: boolean };

/** A row and its line in the file. `client` is null if it cannot be imported. */
export type ClientsFileRow = {
  readonly row: number;
  readonly rawValues: RawValues;
  readonly client: ImportedClient | null;
  readonly problems: readonly RowProblem[];
};

const ROWS_SEARCHED_FOR_HEADER = 40;
const FIRST_LINES = 12;
const SAMPLES = 3;

/**
 * Finds sheet, header and columns. Those in `chosen` are a person's choice. Throws UnreadableFileError for a file without rows.
 */
export async function inspectClientsFile(
  table: OpenTable,
  remembered: RememberedColumns,
  chosen: Partial<ClientsSheet> = {},
): Promise<InspectedClients> {
  const found: { readonly sheet: number; readonly name: string; readonly rows: readonly TableRow[] }[] = [];
  for (const [sheet, name] of table.sheets.entries()) {
    const rows = await readFirstRows(table, sheet);
    if (rows.length > 0) found.push({ sheet, name, rows });
  }
  const scored = found.map((candidate) => ({ candidate, ...findHeader(candidate.rows, remembered) }));
  const [best] =
    chosen.sheet === undefined
      ? scored.toSorted((one, other) => other.recognised - one.recognised)
      : scored.filter(({ candidate }) => candidate.sheet === chosen.sheet);
  if (!best) throw new UnreadableFileError(1, '', 'the file has no rows: choose a file with a list of clients');
  const { sheet, rows } = best.candidate;
  const headerLine = chosen.headerLine ?? best.line;
  const header = rows.find(({ line }) => line === headerLine)?.cells ?? [];
  const samples = await collectSamples(table, { sheet, headerLine });
  const isUnchosen = chosen.sheet === undefined && chosen.headerLine === undefined;
  if (isUnchosen && samples.every((values) => values.length === 0))
    throw new UnreadableFileError(headerLine + 1, '', 'the file has no clients below its header');
  const width = Math.max(header.length, samples.length);
  const headings = Array.from({ length: width }, (_, index) => (header[index] ?? '').trim().slice(0, 100));
  const used = headings.findLastIndex((heading, index) => heading !== '' || (samples[index] ?? []).length > 0) + 1;
  const suggested = suggestMapping(headings.slice(0, used), samples, remembered);
  const described: ImportTable = {
    sheet,
    headerLine,
    sheets: found.map(({ sheet: index, name }) => ({ sheet: index, name })),
    firstLines: rows.slice(0, FIRST_LINES).map(({ line, cells }) => ({ line, text: describeLine(cells) })),
    headings: headings.slice(0, used),
    samples: headings.slice(0, used).map((_, index) => samples[index] ?? []),
    columns: suggested.columns,
  };
  return { table: described, isSettled: suggested.isSettled && scored.filter(({ hasName }) => hasName).length === 1 };
}

async function readFirstRows(table: OpenTable, sheet: number): Promise<readonly TableRow[]> {
  const rows: TableRow[] = [];
  for await (const batch of table.readRows(sheet)) {
    rows.push(...batch.slice(0, ROWS_SEARCHED_FOR_HEADER - rows.length));
    if (rows.length === ROWS_SEARCHED_FOR_HEADER) break;
  }
  return rows;
}

function findHeader(rows: readonly TableRow[], remembered: RememberedColumns) {
  const header =
    rows[
      findHeaderRow(
        rows.map(({ cells }) => cells),
        remembered,
      )
    ];
  const { columns } = suggestMapping(header?.cells ?? [], [], remembered);
  return {
    line: header?.line ?? 0,
    recognised: columns.filter((target) => target !== null).length,
    hasName: hasNameColumn(columns),
  };
}

/** Reads until every column of the header has samples, because a column that is empty at first may have values later. */
async function collectSamples(table: OpenTable, { sheet, headerLine }: ClientsSheet): Promise<readonly (readonly string[])[]> {
  const samples: string[][] = [];
  for await (const batch of table.readRows(sheet)) {
    for (const { line, cells } of batch) {
      if (line <= headerLine) continue;
      for (const [index, cell] of cells.entries()) {
        const values = (samples[index] ??= []);
        const text = values.length < SAMPLES ? cell.trim().slice(0, 60) : '';
        if (text !== '' && !values.includes(text)) values.push(text.toWellFormed());
      }
    }
  }
  return Array.from(samples, (values) => values ?? []);
}

function describeLine(cells: readonly string[]): string {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return filled.slice(0, 6).join(', ').slice(0, 120).toWellFormed();
}

type ReadOptions = ClientsSheet & { readonly columns: ColumnMapping; readonly maxRows: number; readonly today: PlainDate };

/** The rows below the header, mapped and validated. Throws UnreadableFileError for a file with more than `maxRows`. */
export async function* readClientsFile(
  table: OpenTable,
  { sheet, headerLine, columns, maxRows, today }: ReadOptions,
): AsyncGenerator<readonly ClientsFileRow[]> {
  let count = 0;
  for await (const batch of table.readRows(sheet)) {
    const rows: ClientsFileRow[] = [];
    for (const { line, cells, isMisquoted } of batch) {
      if (line <= headerLine) continue;
      // A row with content only in columns that are not imported is reported too: no row is lost.
      const rawValues = mapCells(cells, columns) ?? {};
      const reason = isMisquoted ? MISQUOTED : isReportLine(cells) ? REPORT_LINE : undefined;
      rows.push({ row: line, ...(reason === undefined ? validateImportRow(rawValues, today) : reject(rawValues, reason)) });
    }
    count += rows.length;
    if (count > maxRows) {
      const [first] = rows.slice(maxRows - count);
      const limit = maxRows.toLocaleString('en-GB');
      throw new UnreadableFileError(first?.row ?? 1, '', `the file has more than ${limit} rows: split it into smaller files`);
    }
    if (rows.length > 0) yield rows;
  }
}

const MISQUOTED: RowProblem = {
  field: '',
  problem:
    'This row has an opening or closing quote missing. Enter its values again, or put quotes around the whole value in the file, and double any quotes that belong to the text.',
};

const REPORT_LINE: RowProblem = {
  field: 'name',
  problem: 'This looks like a line of the report, not a client. If it’s a client, enter its name.',
};

function reject(rawValues: RawValues, problem: RowProblem): Omit<ClientsFileRow, 'row'> {
  return { rawValues, client: null, problems: [problem] };
}

/** Exports end with lines such as “Total clients: 120” or “Generated on 3 March 2026”. */
function isReportLine(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const [first = ''] = filled;
  return (
    cells.length > 2 &&
    filled.length <= 2 &&
    /^(?:(?:grand )?totals?(?: (?:clients|records|rows))?\b|(?:report|exported|generated|printed|created) (?:on|by|at)\b|page \d)/i.test(
      first,
    )
  );
}
