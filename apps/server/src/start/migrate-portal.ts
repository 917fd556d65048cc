/** This version's database schema: created by `npm run migrate`, and required by a portal on PostgreSQL. */
import type { Database } from '@portal/db/database.ts';
import { applyAccess } from '@portal/db/access/apply-access.ts';
import { countMissingMigrations, migrateDatabase, type MigrationOptions } from '@portal/db/migrate-database.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Logger } from 'pino';
import { migrateJobTables } from '../jobs/open-jobs.ts';

type PortalMigrationOptions = Omit<MigrationOptions, 'steps'> & {
  /** The user in DATABASE_URL, if it isn't the database's owner. */
  readonly loginRole?: string | undefined;
};

/** Migrates our tables and the job queue's, as the database's owner. Returns the names of the migrations that were applied. */
export function migratePortal(
  database: Database,
  logger: Logger,
  { loginRole, ...options }: PortalMigrationOptions = {},
): Promise<readonly string[]> {
  const steps = [
    { name: 'roles, privileges and policies', run: () => applyAccess(database, { ...options, loginRole }) },
    { name: 'job queue', run: () => migrateJobTables(database, logger) },
  ];
  return migrateDatabase(database, { ...options, steps });
}

/** A portal that shares its database with other portals must not change the schema. */
export async function requireMigrated(database: Database): Promise<void> {
  const missingCount = await countMissingMigrations(database);
  if (missingCount === 0) return;
  throw new AppError(
    'conflict',
    'database.not_migrated',
    `The database at DATABASE_URL is missing ${missingCount} of this version’s migrations. Run \`npm run migrate\`, then start the portal again.`,
  );
}
