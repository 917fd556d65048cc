import { eq, type SQL } from '@portal/db/sql.ts';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

/** A table in a user's download. */
export type PersonTable = {
  readonly title: string;
  /** The file's name, if another part of the download is from the same table. By default, the table's name. */
  readonly fileName?: string;
  readonly table: PgTable;
  /** The column that holds the user's ID. Null if `where` finds the rows through another table. */
  readonly person: PgColumn | null;
  readonly where: (userId: string) => SQL | undefined;
  /** Only these columns are in the download. */
  readonly columns: readonly PgColumn[];
};

/** Selects the rows whose column refers to the user. */
export const matchUser = (person: PgColumn) => ({ person, where: (userId: string) => eq(person, userId) });
