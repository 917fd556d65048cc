/** The table that an uploaded file contains, as far as a person needs it to say what its columns hold. */

/** The sheet to read, and the line of its header; 0 if it has none. */
export type TableSheet = { readonly sheet: number; readonly headerLine: number };

/** What each column holds, in file order; null for a column that is not read. Several columns may have the same target. */
export type ColumnTargets<Target extends string> = readonly (Target | null)[];

export type MappedTable<Target extends string> = TableSheet & {
  /** The sheets with content, by index. */
  readonly sheets: readonly { readonly sheet: number; readonly name: string }[];
  /** The first lines with content, from which a person can choose the header. */
  readonly firstLines: readonly { readonly line: number; readonly text: string }[];
  readonly headings: readonly string[];
  /** Up to three values of each column. */
  readonly samples: readonly (readonly string[])[];
  readonly columns: ColumnTargets<Target>;
};
