/** The schema of this version: brought about by `npm run migrate`, and required by a portal on PostgreSQL. */
import type { Database } from '@portal/db/database.ts';
import { countMissingMigrations, migrateDatabase, type MigrationOptions } from '@portal/db/migrate-database.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Logger } from 'pino';
import { migrateJobTables } from '../jobs/open-jobs.ts';

/** Migrates our tables and the job queue's. Returns the names of the migrations that it applied. */
export function migratePortal(
  database: Database,
  logger: Logger,
  options: Omit<MigrationOptions, 'steps'> = {},
): Promise<readonly string[]> {
  return migrateDatabase(database, { ...options, steps: [{ name: 'job queue', run: () => migrateJobTables(database, logger) }] });
}

/** A portal that shares its database with others doesn't change the schema under them. */
export async function requireMigrated(database: Database): Promise<void> {
  const missing = await countMissingMigrations(database);
  if (missing === 0) return;
  throw new AppError(
    'conflict',
    'database.not_migrated',
    `The database at DATABASE_URL lacks ${missing} of this version’s migrations. Run \`npm run migrate\`, then start the portal again.`,
  );
}
