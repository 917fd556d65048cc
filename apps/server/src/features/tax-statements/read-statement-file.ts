/** Reads a statement file (CSV or XLSX) into validated rows. */
import { MAX_STATEMENT_ROWS } from '@portal/contract/tax-statements.ts';
import type { StatementRow } from '@portal/domain/tax-statements/combine-statements.ts';
import { parseStatementRow } from '@portal/domain/tax-statements/parse-statement-row.ts';
import {
  parseStatementHeader,
  STATEMENT_DATE_COLUMNS,
  type StatementColumn,
  type StatementPositions,
  type StatementTax,
} from '@portal/domain/tax-statements/statement-columns.ts';
import { readRecords } from '@portal/providers/records-file/read-records.ts';
import type { ReadColumn, RecordCollector, RecordFault } from '@portal/providers/records-file/record-collector.ts';
import { UnreadableFileError } from '@portal/providers/records-file/unreadable-file-error.ts';

/**
 * Yields batches of at least `atLeast` rows as the stream arrives; the last one may be smaller. Throws UnreadableFileError if the file
 * can't be read or has too many rows.
 */
export async function* readStatementFile(
  stream: AsyncIterable<Uint8Array>,
  { fileName, tax, atLeast }: { readonly fileName: string; readonly tax: StatementTax; readonly atLeast: number },
): AsyncGenerator<readonly StatementRow[]> {
  let rows: StatementRow[] = [];
  for await (const batch of readRecords(stream, fileName, new StatementCollector(tax))) {
    for (const row of batch) rows.push(row);
    if (rows.length < atLeast) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

class StatementCollector implements RecordCollector<StatementRow> {
  readonly isRejected = false;
  width: number | undefined;
  columns: ReadonlyMap<number, ReadColumn> = new Map();
  readonly #tax: StatementTax;
  #positions: StatementPositions = {};
  #rows = 0;

  constructor(tax: StatementTax) {
    this.#tax = tax;
  }

  readHeader(cells: readonly string[]): void {
    const header = parseStatementHeader(cells);
    if (!header.ok) throw new UnreadableFileError(1, '', header.reason);
    this.#positions = header.positions;
    this.width = cells.length;
    const columns = Object.entries(header.positions) as [StatementColumn, number][];
    this.columns = new Map(
      columns.map(([name, index]) => [index, { name, valueType: STATEMENT_DATE_COLUMNS.has(name) ? 'date' : 'text' }]),
    );
  }

  readRow(cells: readonly string[], line: number): StatementRow | undefined {
    const row = parseStatementRow(cells, this.#positions, this.#tax);
    if (row === undefined) return undefined;
    this.#rows += 1;
    if (this.#rows > MAX_STATEMENT_ROWS) {
      throw new UnreadableFileError(
        line,
        '',
        `the file has more than ${MAX_STATEMENT_ROWS.toLocaleString('en-GB')} rows: split it by client`,
      );
    }
    return { ...row, row: line };
  }

  rejectRow(line: number, faults: readonly RecordFault[], cells: readonly string[]): StatementRow | undefined {
    const row = this.readRow(cells, line);
    const problems = faults.map(({ column, reason }) => ({
      field: column,
      problem: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`,
    }));
    return row && { ...row, entry: null, problems: [...problems, ...row.problems] };
  }
}
