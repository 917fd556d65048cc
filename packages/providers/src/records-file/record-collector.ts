/** The interface between the file readers and the code that interprets their rows: a company's records or a practice's clients. */

/** A fault in one cell of a record, detected from the file format. */
export type RecordFault = { readonly column: string; readonly reason: string };

/** A column that is read. For `date`, a sheet's serial numbers become dates. */
export type ReadColumn = { readonly name: string; readonly valueType: 'date' | 'text' };

/** Converts records of text cells, from CSV or XLSX, to rows. */
export type RecordCollector<Row> = {
  /** The number of cells in a record; undefined before the header is read. */
  readonly width: number | undefined;
  /** The columns that are read, by zero-based index; empty before the header is read. */
  readonly columns: ReadonlyMap<number, ReadColumn>;
  /** True if the file is rejected. It is still read to its end to report further errors, but no rows are returned. */
  readonly isRejected: boolean;
  /** Throws UnreadableFileError if no row in the file can be read. */
  readHeader(cells: readonly string[]): void;
  /** Returns undefined if the record doesn't produce a row. */
  readRow(cells: readonly string[], line: number): Row | undefined;
  /** Handles a record whose cells can't be trusted. */
  rejectRow(line: number, faults: readonly RecordFault[], cells: readonly string[]): Row | undefined;
};
