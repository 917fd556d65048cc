/** Converts records of text cells, from CSV or XLSX, to rows, errors and the file's summary. */
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { BooksRow, RowError } from '@portal/domain/books/books-row.ts';
import { BOOKS_COLUMNS } from '@portal/domain/books/books-row.ts';
import { parseHeader } from '@portal/domain/books/parse-header.ts';
import type { ColumnPositions } from '@portal/domain/books/parse-header.ts';
import type { RowParser } from '@portal/domain/books/parse-books-row.ts';
import { createRowParser } from '@portal/domain/books/parse-books-row.ts';
import type { ReadColumn, RecordCollector, RecordFault } from '../records-file/record-collector.ts';
import { UnreadableFileError } from '../records-file/unreadable-file-error.ts';

/** Something the user may want to know about the file. A note doesn't prevent the import. */
export type FileNote = RowError;

/**
 * The result of reading a file. `rows` counts every data row, accepted or rejected. A file with any error must not be
 * applied. `errors` lists the first thousand and ends with a line that counts the rest; so does `notes`.
 */
export type BooksFileSummary = {
  readonly rows: number;
  readonly errors: readonly RowError[];
  readonly notes: readonly FileNote[];
  readonly firstDate: PlainDate | undefined;
  readonly lastDate: PlainDate | undefined;
};

const MAX_LISTED = 1_000;

/** Collects the rows, errors and notes of one file. */
export class RowCollector implements RecordCollector<BooksRow> {
  readonly errors: CappedList;
  readonly notes = new CappedList('notes', MAX_LISTED);
  #rows = 0;
  #firstDate: PlainDate | undefined;
  #lastDate: PlainDate | undefined;
  #width: number | undefined;
  #columns: ReadonlyMap<number, ReadColumn> = new Map();
  #parseRow: RowParser | undefined;

  constructor(maxErrors = MAX_LISTED) {
    this.errors = new CappedList('errors', maxErrors);
  }

  get width(): number | undefined {
    return this.#width;
  }

  get columns(): ReadonlyMap<number, ReadColumn> {
    return this.#columns;
  }

  /** A file with an error isn't applied, so no further rows are needed. */
  get isRejected(): boolean {
    return this.errors.count > 0;
  }

  /** Reads the header. Throws UnreadableFileError if a required column is missing, because no row could then be read. */
  readHeader(cells: readonly string[]): void {
    const header = parseHeader(cells);
    if (!header.ok) {
      for (const { line, column, reason } of header.errors.slice(0, -1)) this.errors.add(line, column, reason);
      const last = header.errors.at(-1);
      throw new UnreadableFileError(1, last?.column ?? '', last?.reason ?? '');
    }
    for (const name of header.ignoredHeadings) this.notes.add(1, name, 'the portal ignores this column');
    this.#width = header.positions.width;
    this.#columns = toReadColumns(header.positions);
    this.#parseRow = createRowParser(header.positions, {
      reject: (line, column, explain) => this.errors.add(line, column, explain),
      note: (line, column, explain) => this.notes.add(line, column, explain),
      onDate: (date) => this.#onDate(date),
    });
  }

  /** Parses one record into a row. Returns undefined if the record is rejected. */
  readRow(cells: readonly string[], line: number): BooksRow | undefined {
    this.#rows += 1;
    return this.#parseRow?.(cells, line);
  }

  #onDate(date: PlainDate): void {
    if (this.#firstDate === undefined || date < this.#firstDate) this.#firstDate = date;
    if (this.#lastDate === undefined || date > this.#lastDate) this.#lastDate = date;
  }

  /** Counts a record that was rejected before its cells were read. */
  rejectRow(line: number, faults: readonly RecordFault[]): undefined {
    this.#rows += 1;
    for (const { column, reason } of faults) this.errors.add(line, column, reason);
  }

  summary(): BooksFileSummary {
    return {
      rows: this.#rows,
      errors: this.errors.list(),
      notes: this.notes.list(),
      firstDate: this.#firstDate,
      lastDate: this.#lastDate,
    };
  }
}

function toReadColumns(positions: ColumnPositions): ReadonlyMap<number, ReadColumn> {
  return new Map(BOOKS_COLUMNS.map((name) => [positions[name], { name, valueType: name === 'date' ? 'date' : 'text' }]));
}

/** Lists the first entries and counts the rest, so that a hostile file can't exhaust the memory. */
class CappedList {
  readonly #word: string;
  readonly #max: number;
  readonly #kept: RowError[] = [];
  #count = 0;

  constructor(entryName: string, max: number) {
    this.#word = entryName;
    this.#max = max;
  }

  get count(): number {
    return this.#count;
  }

  add(line: number, column: string, reason: string | (() => string)): void {
    this.#count += 1;
    if (this.#kept.length < this.#max) this.#kept.push({ line, column, reason: typeof reason === 'string' ? reason : reason() });
  }

  list(): RowError[] {
    const droppedCount = this.#count - this.#kept.length;
    if (droppedCount === 0) return [...this.#kept];
    return [...this.#kept, { line: 0, column: '', reason: `and ${droppedCount.toLocaleString('en-GB')} more ${this.#word}` }];
  }
}
