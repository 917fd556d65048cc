/** Reads a file of clients (CSV or XLSX) into validated rows. */
import { parseImportHeader, type ImportColumn, type ImportPositions } from '@portal/domain/client-imports/import-columns.ts';
import { parseImportRow, type ParsedImportRow } from '@portal/domain/client-imports/parse-import-row.ts';
import { readRecords } from '../records-file/read-records.ts';
import type { ReadColumn, RecordCollector, RecordFault } from '../records-file/record-collector.ts';
import { UnreadableFileError } from '../records-file/unreadable-file-error.ts';

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
  { fileName, maxRows }: { readonly fileName: string; readonly maxRows: number },
): ClientsFile {
  const collector = new ClientCollector(maxRows);
  return { rows: readRecords(stream, fileName, collector), ignoredColumns: () => collector.ignored };
}

const DATE_COLUMNS: ReadonlySet<ImportColumn> = new Set(['vat_registered_on', 'year_end']);

class ClientCollector implements RecordCollector<ClientsFileRow> {
  readonly isRejected = false;
  width: number | undefined;
  columns: ReadonlyMap<number, ReadColumn> = new Map();
  ignored: readonly string[] = [];
  readonly #maxRows: number;
  #positions: ImportPositions = {};
  #rows = 0;

  constructor(maxRows: number) {
    this.#maxRows = maxRows;
  }

  readHeader(cells: readonly string[]): void {
    const header = parseImportHeader(cells);
    if (!header.ok) throw new UnreadableFileError(1, '', header.reason);
    this.#positions = header.positions;
    this.ignored = header.ignored;
    this.width = cells.length;
    this.columns = toReadColumns(header.positions);
  }

  readRow(cells: readonly string[], line: number): ClientsFileRow | undefined {
    const row = parseImportRow(cells, this.#positions);
    if (row === undefined) return undefined;
    this.#rows += 1;
    if (this.#rows > this.#maxRows) {
      throw new UnreadableFileError(
        line,
        '',
        `the file has more than ${this.#maxRows.toLocaleString('en-GB')} rows: split it into smaller files`,
      );
    }
    return { ...row, row: line };
  }

  rejectRow(line: number, faults: readonly RecordFault[], cells: readonly string[]): ClientsFileRow | undefined {
    const row = this.readRow(cells, line);
    const problems = faults.map(({ column, reason }) => ({
      field: column,
      problem: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`,
    }));
    return row && { ...row, client: null, problems: [...problems, ...row.problems] };
  }
}

function toReadColumns(positions: ImportPositions): ReadonlyMap<number, ReadColumn> {
  const columns = Object.entries(positions) as [ImportColumn, number][];
  return new Map(columns.map(([name, index]) => [index, { name, valueType: DATE_COLUMNS.has(name) ? 'date' : 'text' }]));
}
