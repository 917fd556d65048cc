import { sql } from './sql.ts';
import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator';
import { fileURLToPath } from 'node:url';
import type { Database, Db } from './database.ts';
import { getSqlState } from './sql-errors.ts';

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** Migrates the database to this version's schema. Any number of processes may call it at once; one does the work. */
export async function migrateDatabase(database: Database): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder });
  if ((await listMissing(database.db, migrations)).length === 0) return;
  await database.runExclusively('migrations', () => applyMigrations(database, migrations));
}

/** How many of this version's migrations the database lacks. Changes nothing. */
export async function countMissingMigrations(database: Database): Promise<number> {
  return (await listMissing(database.db, readMigrationFiles({ migrationsFolder }))).length;
}

/** Applies each migration in its own transaction together with its record, in journal order. */
async function applyMigrations(database: Database, migrations: readonly MigrationMeta[]): Promise<void> {
  await database.executeSql(
    'create schema if not exists drizzle; create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  );
  for (const migration of await listMissing(database.db, migrations)) {
    await database.db.transaction(async (tx) => {
      for (const statement of migration.sql) await tx.execute(sql.raw(statement));
      await tx.execute(
        sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${migration.hash}, ${migration.folderMillis})`,
      );
    });
  }
}

/** Compares hashes rather than the latest date as Drizzle's migrator does, because that silently skips a migration merged late. */
async function listMissing(db: Db, migrations: readonly MigrationMeta[]): Promise<MigrationMeta[]> {
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
