/** The parts of an uploaded table that a user needs in order to map its columns. */

/** The sheet to read and the line number of its header, or 0 without a header. */
export type TableSheet = { readonly sheet: number; readonly headerLine: number };

/** The target of each column in file order, or null for an ignored column. Several columns can have the same target. */
export type ColumnTargets<Target extends string> = readonly (Target | null)[];

export type MappedTable<Target extends string> = TableSheet & {
  /** The sheets that have content, in order. */
  readonly sheets: readonly { readonly sheet: number; readonly name: string }[];
  /** The first non-empty lines, so that a user can choose the header. */
  readonly firstLines: readonly { readonly line: number; readonly text: string }[];
  readonly headings: readonly string[];
  /** Up to three sample values from each column. */
  readonly samples: readonly (readonly string[])[];
  readonly columns: ColumnTargets<Target>;
};
