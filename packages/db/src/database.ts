/** The database type that the rest of the product uses, regardless of the engine. */
import type { ExtractTablesWithRelations, SQL, SQLWrapper } from './sql.ts';
import type { PgDatabase, PgQueryResultHKT, PgTransaction } from 'drizzle-orm/pg-core';
import type * as schema from './schema/schema.ts';

export type Schema = typeof schema;
type Relations = ExtractTablesWithRelations<Schema>;

/**
 * Result of a plain `execute` on both engines: the rows, and the number of rows read or changed. Dates are text; int8 values are numbers.
 */
type QueryRows<Row> = { readonly rows: Row[]; readonly rowCount: number | null };

// Must be an interface, because Drizzle fills in the row type through `this`.
interface QueryRowsHKT extends PgQueryResultHKT {
  type: QueryRows<this['row']>;
}

/** The first argument of every query: the database or the current transaction. */
export type Db = PgDatabase<QueryRowsHKT, Schema, Relations>;

/** The current transaction, for functions that require one. Inside `db.transaction`, always use this, never the outer database. */
export type Tx = PgTransaction<QueryRowsHKT, Schema, Relations>;

export type DatabaseSetting =
  | { readonly kind: 'embedded'; readonly dataDir: string }
  | {
      readonly kind: 'postgres';
      readonly url: string;
      readonly poolSize: number;
      readonly statementTimeoutMs?: number;
      readonly role?: 'runtime' | 'owner';
    };

/**
 * Identifies this process among those sharing the database. The process marks the rows it is working on with this ID, so that other
 * processes can take them over if it dies.
 */
export type Holder = {
  readonly id: number;
  /** Returns a condition that is true if the process whose ID is in the column has died. Never true for a row without an ID. */
  hasDied(holderId: SQLWrapper): SQL;
};

export type Database = {
  readonly kind: DatabaseSetting['kind'];
  readonly db: Db;
  /**
   * Runs plain SQL for libraries that generate their own (jobs): either several statements without parameters, or one with parameters.
   * Dates are `Date` objects.
   */
  executeSql(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>;
  /** Runs the work in only one of the connected processes at a time; the rest wait. */
  runExclusively<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  readonly holder: Holder;
  /** Resolves if the server responds, even while all connections of the pool are busy; otherwise rejects. */
  ping(): Promise<void>;
  /** When the certificate that the server showed on the newest connection ends. Undefined if it isn't verified. */
  findCertificateEnd(): Date | undefined;
  close(): Promise<void>;
};
