/** What the rest of the product knows of a database: one Drizzle type whichever engine is behind it. */
import type { ExtractTablesWithRelations, SQL, SQLWrapper } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT, PgTransaction } from 'drizzle-orm/pg-core';
import type * as schema from './schema/schema.ts';

export type Schema = typeof schema;
type Relations = ExtractTablesWithRelations<Schema>;

/** What both engines answer to a bare `execute`: rows, and how many were read or changed. Dates are texts, int8 are numbers. */
type Rows<Row> = { readonly rows: Row[]; readonly rowCount: number | null };

// An interface, because only there `this` names the row type that Drizzle fills in.
interface RowsHKT extends PgQueryResultHKT {
  type: Rows<this['row']>;
}

/** The first argument of every query: the database, or the transaction it runs in. */
export type Db = PgDatabase<RowsHKT, Schema, Relations>;

/** For functions that make no sense outside a transaction. Use it, never the outer database, inside `db.transaction`. */
export type Tx = PgTransaction<RowsHKT, Schema, Relations>;

export type DatabaseSetting =
  | { readonly kind: 'embedded'; readonly dataDir: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly poolSize: number };

/** This process among those that share the database: what it puts on a row that it works on, so that others take the row over once it is dead. */
export type Holder = {
  readonly id: number;
  /** The condition that whoever put its number there is no longer alive. Not true of a row without a number. */
  hasDied(heldBy: SQLWrapper): SQL;
};

export type Database = {
  readonly kind: DatabaseSetting['kind'];
  readonly db: Db;
  /** Bare SQL for libraries that bring their own (jobs): several statements without parameters, or one with; dates as `Date`. */
  executeSql(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>;
  /** Runs the work while no other process does, however many are connected; the others wait. */
  alone<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  readonly holder: Holder;
  close(): Promise<void>;
};
