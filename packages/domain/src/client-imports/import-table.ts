/** The table of an import file. */
import type { MappedTable, TableSheet } from '../tables/mapped-table.ts';
import type { ImportTarget } from './import-columns.ts';

/** The sheet that lists the clients, and the line of its header; 0 without a header. */
export type ClientsSheet = TableSheet;

export type ImportTable = MappedTable<ImportTarget>;
