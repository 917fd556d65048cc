import { setTimeout as pause } from 'node:timers/promises';
import { sql } from './sql.ts';
import type { Database, Db } from './database.ts';
import { readMigrations, type Migration } from './read-migrations.ts';
import { getSqlState } from './sql-errors.ts';

/** Work after the migrations, at every run of `npm run migrate`, so it must be repeatable. */
export type MigrationStep = { readonly name: string; readonly run: (database: Database) => Promise<void> };

export type MigrationOptions = {
  /**
   * How long a migration waits for a table's lock. While it waits, the portal's calls to that table wait behind it, so it then gives up,
   * lets them pass and tries again. Undefined: it waits until it has the lock.
   */
  readonly lockTimeoutMs?: number;
  /** Default: this version's. */
  readonly migrations?: readonly Migration[];
  /** How often a migration tries to get its locks. */
  readonly lockAttempts?: number;
  readonly steps?: readonly MigrationStep[];
  /** Receives a line for each thing that was done or is waited for. */
  readonly report?: (line: string) => void;
};

const DEFAULT_LOCK_ATTEMPTS = 30;

/** 55P03 lock_not_available, 40P01 deadlock_detected: another transaction was in the way, and nothing was changed. */
const LOCK_STATES: readonly (string | undefined)[] = ['55P03', '40P01'];

/**
 * Migrates the database to this version's schema, and returns the names of the migrations that it applied. Any number of processes may call
 * it at once; one does the work.
 */
export async function migrateDatabase(database: Database, options: MigrationOptions = {}): Promise<readonly string[]> {
  const { migrations = readMigrations(), steps = [], report = () => undefined } = options;
  if (steps.length === 0 && (await listMissing(database.db, migrations)).length === 0) return [];
  return database.runExclusively('migrations', async () => {
    const applied = await applyMigrations(database, migrations, options);
    for (const { name, run } of steps) {
      await run(database);
      report(`done: ${name}`);
    }
    return applied;
  });
}

/** How many of this version's migrations the database lacks. Changes nothing. */
export async function countMissingMigrations(database: Database): Promise<number> {
  return (await listMissing(database.db, readMigrations())).length;
}

/** Applies the missing migrations in journal order. */
async function applyMigrations(database: Database, migrations: readonly Migration[], options: MigrationOptions): Promise<string[]> {
  const missing = await listMissing(database.db, migrations);
  if (missing.length === migrations.length) {
    await database.executeSql(
      'create schema if not exists drizzle; create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
    );
  }
  for (const migration of missing) {
    try {
      if (migration.isOutsideTransaction) await applyOutsideTransaction(database.db, migration);
      else await applyInTransaction(database.db, migration, options);
    } catch (error) {
      throw new Error(`Migration ${migration.name} failed, and nothing after it was applied: ${describeCause(error)}`, { cause: error });
    }
    options.report?.(`applied: ${migration.name}`);
  }
  return missing.map(({ name }) => name);
}

/** The migration and its record in one transaction, again and again until it gets its locks. */
async function applyInTransaction(db: Db, migration: Migration, options: MigrationOptions): Promise<void> {
  const { lockTimeoutMs, lockAttempts = DEFAULT_LOCK_ATTEMPTS, report } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      await db.transaction(async (tx) => {
        if (lockTimeoutMs !== undefined) await tx.execute(sql.raw(`set local lock_timeout = ${lockTimeoutMs}`));
        for (const statement of migration.statements) await tx.execute(sql.raw(statement));
        await recordMigration(tx, migration);
      });
      return;
    } catch (error) {
      if (!LOCK_STATES.includes(getSqlState(error)) || attempt >= lockAttempts) throw error;
      report?.(`waiting for a lock: ${migration.name} (attempt ${attempt} of ${lockAttempts})`);
      // The calls that waited behind the migration have as much time as they lost.
      await pause(lockTimeoutMs ?? 0);
    }
  }
}

/**
 * Statement by statement, for concurrent index builds: they wait for other transactions without blocking them, so there is no lock timeout.
 * A migration that fails midway starts again from its first statement, so each must be repeatable (testing/find-migration-problems.ts).
 */
async function applyOutsideTransaction(db: Db, migration: Migration): Promise<void> {
  for (const statement of migration.statements) await db.execute(sql.raw(statement));
  await recordMigration(db, migration);
}

async function recordMigration(db: Db, { hash, createdAt }: Migration): Promise<void> {
  await db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${createdAt})`);
}

/** Compares hashes rather than the latest date as Drizzle's migrator does, because that silently skips a migration merged late. */
async function listMissing(db: Db, migrations: readonly Migration[]): Promise<Migration[]> {
  const appliedHashes = new Set(await listAppliedHashes(db));
  return migrations.filter((migration) => !appliedHashes.has(migration.hash));
}

async function listAppliedHashes(db: Db): Promise<string[]> {
  try {
    const { rows } = await db.execute<{ hash: string }>(sql`select hash from drizzle.__drizzle_migrations`);
    return rows.map((row) => row.hash);
  } catch (error) {
    // Before the first migration: 42P01 undefined_table, 3F000 invalid_schema_name.
    if (getSqlState(error) === '42P01' || getSqlState(error) === '3F000') return [];
    throw error;
  }
}

/** Drizzle's own message repeats the statement; the database's says what is wrong with it. */
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? describeCause(error.cause) : error.message;
}
