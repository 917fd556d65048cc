import { eq, type SQL } from '@portal/db/sql.ts';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

/** A table of a person's download. */
export type PersonTable = {
  readonly title: string;
  readonly table: PgTable;
  /** The column that holds the person's id. Null if `where` finds the rows by another table. */
  readonly person: PgColumn | null;
  readonly where: (userId: string) => SQL | undefined;
  /** The only columns that are in the download. */
  readonly columns: readonly PgColumn[];
};

/** The rows whose column names the person. */
export const of = (person: PgColumn) => ({ person, where: (userId: string) => eq(person, userId) });
