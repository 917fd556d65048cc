/** What a reader of files asks of whoever understands their rows: books of a company, clients of a practice. */

/** What is wrong with one cell of a record, as far as the file's format can tell. */
export type RecordFault = { readonly column: string; readonly reason: string };

/** A column that is read: `date` has the serial days of a sheet written as dates. */
export type ReadColumn = { readonly name: string; readonly holds: 'date' | 'text' };

/** Turns records of text cells, from whichever format, into rows. */
export type RecordCollector<Row> = {
  /** Cells of a record; undefined before the header. */
  readonly width: number | undefined;
  /** The columns that are read, by their place (0 is the first); none before the header. */
  readonly columns: ReadonlyMap<number, ReadColumn>;
  /** No more rows are handed on: the file is read to its end only to tell what else is wrong. */
  readonly isRefused: boolean;
  /** Throws UnreadableFile where no row of the file can be read. */
  takeHeader(cells: readonly string[]): void;
  /** Undefined where the record makes no row. */
  takeRow(cells: readonly string[], line: number): Row | undefined;
  /** A record whose cells may not be believed. */
  refuseRow(line: number, faults: readonly RecordFault[], cells: readonly string[]): Row | undefined;
};
