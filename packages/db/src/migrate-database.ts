import { sql } from './sql.ts';
import type { Database, Db, Tx } from './database.ts';
import { readMigrations, type Migration } from './read-migrations.ts';
import { runWithLocks, type LockOptions } from './run-with-locks.ts';
import { getSqlState } from './sql-errors.ts';

/** Work that `npm run migrate` does on every run after the migrations, so it must be repeatable. */
export type MigrationStep = { readonly name: string; readonly run: (database: Database) => Promise<void> };

export type MigrationOptions = LockOptions & {
  /** Defaults to the migrations of this version. */
  readonly migrations?: readonly Migration[];
  readonly steps?: readonly MigrationStep[];
};

/**
 * Migrates the database to this version's schema, and returns the names of the migrations it applied. Several processes may call it at the
 * same time, but only one does the work.
 */
export async function migrateDatabase(database: Database, options: MigrationOptions = {}): Promise<readonly string[]> {
  const { migrations = readMigrations(), steps = [], report = () => undefined } = options;
  if (steps.length === 0 && (await listMissingMigrations(database.db, migrations)).length === 0) return [];
  return database.runExclusively('migrations', async () => {
    const appliedMigrations = await applyMigrations(database, migrations, options);
    for (const { name, run } of steps) {
      await run(database);
      report(`done: ${name}`);
    }
    return appliedMigrations;
  });
}

/** Returns how many of this version's migrations the database lacks, without changing anything. */
export async function countMissingMigrations(database: Database): Promise<number> {
  return (await listMissingMigrations(database.db, readMigrations())).length;
}

/** Applies the missing migrations in journal order. */
async function applyMigrations(database: Database, migrations: readonly Migration[], options: MigrationOptions): Promise<string[]> {
  const missingMigrations = await listMissingMigrations(database.db, migrations);
  if (missingMigrations.length === migrations.length) {
    await database.executeSql(
      'create schema if not exists drizzle; create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
    );
  }
  for (const migration of missingMigrations) {
    try {
      if (migration.isOutsideTransaction) await applyOutsideTransaction(database.db, migration);
      else await applyInTransaction(database.db, migration, options);
    } catch (error) {
      throw new Error(`Migration ${migration.name} failed, and nothing after it was applied: ${describeCause(error)}`, { cause: error });
    }
    options.report?.(`applied: ${migration.name}`);
  }
  return missingMigrations.map(({ name }) => name);
}

/** Applies the migration and records it in one transaction. */
function applyInTransaction(db: Db, migration: Migration, options: MigrationOptions): Promise<void> {
  const change = async (tx: Tx): Promise<void> => {
    for (const statement of migration.statements) await tx.execute(sql.raw(statement));
    await recordMigration(tx, migration);
  };
  return runWithLocks(db, migration.name, change, options);
}

/**
 * Runs each statement separately, for concurrent index builds, which wait for other transactions without blocking them, so they need no
 * lock timeout. A migration that fails midway starts again from its first statement, so each statement must be repeatable
 * (testing/find-migration-problems.ts).
 */
async function applyOutsideTransaction(db: Db, migration: Migration): Promise<void> {
  for (const statement of migration.statements) await db.execute(sql.raw(statement));
  await recordMigration(db, migration);
}

async function recordMigration(db: Db, { hash, createdAt }: Migration): Promise<void> {
  await db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${createdAt})`);
}

/** Compares hashes rather than the latest date. Drizzle's migrator compares dates, which silently skips a migration merged late. */
async function listMissingMigrations(db: Db, migrations: readonly Migration[]): Promise<Migration[]> {
  const appliedHashes = new Set(await listAppliedHashes(db));
  return migrations.filter((migration) => !appliedHashes.has(migration.hash));
}

async function listAppliedHashes(db: Db): Promise<string[]> {
  try {
    const { rows } = await db.execute<{ hash: string }>(sql`select hash from drizzle.__drizzle_migrations`);
    return rows.map((row) => row.hash);
  } catch (error) {
    // Expected before the first migration: 42P01 undefined_table, 3F000 invalid_schema_name.
    if (getSqlState(error) === '42P01' || getSqlState(error) === '3F000') return [];
    throw error;
  }
}

/** Drizzle's own message only repeats the statement. The database's message describes the error. */
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? describeCause(error.cause) : error.message;
}
