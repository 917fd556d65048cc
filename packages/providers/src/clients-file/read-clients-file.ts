/** Reads a file of clients (CSV or XLSX) into validated rows. */
import { parseImportHeader, type ImportColumn, type ImportPositions } from '@portal/domain/practice/client-import/import-columns.ts';
import { parseImportRow, type ParsedImportRow } from '@portal/domain/practice/client-import/parse-import-row.ts';
import { readRecords } from '../records-file/read-records.ts';
import type { ReadColumn, RecordCollector, RecordFault } from '../records-file/record-collector.ts';
import { UnreadableFile } from '../records-file/unreadable-file.ts';

/** A row and its line in the file (the header is line 1). */
export type ClientsFileRow = ParsedImportRow & { readonly row: number };

/** A file that is being read. Read all rows, then call `ignoredColumns` for the columns that are not used. */
export type ClientsFile = {
  readonly rows: AsyncIterable<readonly ClientsFileRow[]>;
  ignoredColumns(): readonly string[];
};

/**
 * Throws UnreadableFileError when no row can be read or the file has more than `maxRows` rows. A faulty row is returned with its problems.
 */
export function readClientsFile(
  stream: AsyncIterable<Uint8Array>,
  { fileName, mostRows }: { readonly fileName: string; readonly mostRows: number },
): ClientsFile {
  const collector = new ClientCollector(mostRows);
  return { rows: readRecords(stream, fileName, collector), ignoredColumns: () => collector.ignored };
}

const DATES: ReadonlySet<ImportColumn> = new Set(['vat_registered_on', 'year_end']);

class ClientCollector implements RecordCollector<ClientsFileRow> {
  readonly isRefused = false;
  width: number | undefined;
  columns: ReadonlyMap<number, ReadColumn> = new Map();
  ignored: readonly string[] = [];
  readonly #mostRows: number;
  #positions: ImportPositions = {};
  #rows = 0;

  constructor(mostRows: number) {
    this.#mostRows = mostRows;
  }

  takeHeader(cells: readonly string[]): void {
    const header = parseImportHeader(cells);
    if (!header.ok) throw new UnreadableFile(1, '', header.reason);
    this.#positions = header.positions;
    this.ignored = header.ignored;
    this.width = cells.length;
    this.columns = columnsOf(header.positions);
  }

  takeRow(cells: readonly string[], line: number): ClientsFileRow | undefined {
    const row = parseImportRow(cells, this.#positions);
    if (row === undefined) return undefined;
    this.#rows += 1;
    if (this.#rows > this.#mostRows) {
      throw new UnreadableFile(line, '', `the file has more than ${this.#mostRows.toLocaleString('en-GB')} rows: split it`);
    }
    return { ...row, row: line };
  }

  refuseRow(line: number, faults: readonly RecordFault[], cells: readonly string[]): ClientsFileRow | undefined {
    const row = this.takeRow(cells, line);
    const problems = faults.map(({ column, reason }) => ({
      field: column,
      problem: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`,
    }));
    return row && { ...row, client: null, problems: [...problems, ...row.problems] };
  }
}

function columnsOf(positions: ImportPositions): ReadonlyMap<number, ReadColumn> {
  const columns = Object.entries(positions) as [ImportColumn, number][];
  return new Map(columns.map(([name, at]) => [at, { name, holds: DATES.has(name) ? 'date' : 'text' }]));
}
