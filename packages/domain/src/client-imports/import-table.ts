/** The table that an import file contains, as far as a person needs it to choose its columns. */
import type { ColumnMapping } from './import-columns.ts';

/** The sheet whose rows are clients, and the line of its header; 0 if it has none. */
export type ClientsSheet = { readonly sheet: number; readonly headerLine: number };

export type ImportTable = ClientsSheet & {
  /** The sheets with content, by index. */
  readonly sheets: readonly { readonly sheet: number; readonly name: string }[];
  /** The first lines with content, from which a person can choose the header. */
  readonly firstLines: readonly { readonly line: number; readonly text: string }[];
  readonly headings: readonly string[];
  /** Up to three values of each column. */
  readonly samples: readonly (readonly string[])[];
  readonly columns: ColumnMapping;
};
