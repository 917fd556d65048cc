import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';

export type Migration = {
  /** The name of the migration's file, without the extension. */
  readonly name: string;
  readonly statements: readonly string[];
  readonly hash: string;
  /** In milliseconds. */
  readonly createdAt: number;
  readonly isOutsideTransaction: boolean;
};

const MIGRATIONS_FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

/** The first line of a migration whose statements can't run in a transaction, such as `create index concurrently`. */
const OUTSIDE_TRANSACTION = /^-- outside a transaction\b/;

/** Returns the migrations of this version, or of another folder, in journal order. */
export function readMigrations(migrationsFolder = MIGRATIONS_FOLDER): Migration[] {
  const journal: { entries: { when: number; tag: string }[] } = JSON.parse(
    readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8'),
  );
  // Drizzle returns one migration per entry, in the same order.
  return readMigrationFiles({ migrationsFolder }).map(({ sql: statements, hash, folderMillis }, index) => ({
    name: journal.entries[index]?.tag ?? '',
    statements,
    hash,
    createdAt: folderMillis,
    isOutsideTransaction: OUTSIDE_TRANSACTION.test(statements[0] ?? ''),
  }));
}
