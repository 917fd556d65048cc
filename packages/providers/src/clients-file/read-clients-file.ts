/** Reads a client list from any source: first its structure, then its rows by the user's column mapping. */
import type { ColumnMapping, ImportTarget } from '@portal/domain/client-imports/import-columns.ts';
import type { ClientsSheet } from '@portal/domain/client-imports/import-table.ts';
import type { ImportedClient, RowProblem } from '@portal/domain/client-imports/imported-client.ts';
import { mapCells, type RawValues } from '@portal/domain/client-imports/map-cells.ts';
import { validateImportRow } from '@portal/domain/client-imports/parse-import-row.ts';
import { CLIENT_COLUMNS, type RememberedColumns } from '@portal/domain/client-imports/recognise-columns.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { type InspectedTable, inspectTable } from '../records-file/inspect-table.ts';
import type { OpenTable } from '../records-file/open-table.ts';
import { UnreadableFileError } from '../records-file/unreadable-file-error.ts';

/** A row and its line in the file. `client` is null if the row can't be imported. */
export type ClientsFileRow = {
  readonly row: number;
  readonly rawValues: RawValues;
  readonly client: ImportedClient | null;
  readonly problems: readonly RowProblem[];
};

/** Finds the sheet, header and columns. `chosenSheet`: the user's own column choices. Throws UnreadableFileError for a file without rows. */
export function inspectClientsFile(
  table: OpenTable,
  rememberedColumns: RememberedColumns,
  chosenSheet: Partial<ClientsSheet> = {},
): Promise<InspectedTable<ImportTarget>> {
  return inspectTable(table, { recogniser: CLIENT_COLUMNS, remembered: rememberedColumns, row: 'client', chosen: chosenSheet });
}

type ReadOptions = ClientsSheet & { readonly columns: ColumnMapping; readonly maxRows: number; readonly today: PlainDate };

/** Returns the rows below the header, mapped and validated. Throws UnreadableFileError for a file with more than `maxRows` rows. */
export async function* readClientsFile(
  table: OpenTable,
  { sheet, headerLine, columns, maxRows, today }: ReadOptions,
): AsyncGenerator<readonly ClientsFileRow[]> {
  let count = 0;
  for await (const batch of table.readRows(sheet)) {
    const rows: ClientsFileRow[] = [];
    for (const { line, cells, isMisquoted } of batch) {
      if (line <= headerLine) continue;
      // A row with content only in columns that aren't imported is reported too, so that no row is lost.
      const rawValues = mapCells(cells, columns) ?? {};
      const reason = isMisquoted ? MISQUOTED_MESSAGE : isReportLine(cells) ? REPORT_LINE : undefined;
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

const MISQUOTED_MESSAGE: RowProblem = {
  field: '',
  problem:
    'This row has a missing opening or closing quote. Re-enter its values, or put quotes around the whole value in the file and double any quotes within the text.',
};

const REPORT_LINE: RowProblem = {
  field: 'name',
  problem: 'This looks like a line from a report, not a client. If it’s a client, enter its name.',
};

function reject(rawValues: RawValues, problem: RowProblem): Omit<ClientsFileRow, 'row'> {
  return { rawValues, client: null, problems: [problem] };
}

/** Detects the lines at the end of exports, such as “Total clients: 120” or “Generated on 3 March 2026”. */
function isReportLine(cells: readonly string[]): boolean {
  const filledCells = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const [first = ''] = filledCells;
  return (
    cells.length > 2 &&
    filledCells.length <= 2 &&
    /^(?:(?:grand )?totals?(?: (?:clients|records|rows))?\b|(?:report|exported|generated|printed|created) (?:on|by|at)\b|page \d)/i.test(
      first,
    )
  );
}
