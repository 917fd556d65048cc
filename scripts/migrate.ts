/** `npm run migrate`: updates the database to this version's schema, before portals of this version start. */
import { openDatabase } from '@portal/db/open-database.ts';
import { getSqlState } from '@portal/db/sql-errors.ts';
import { createLogger } from '../apps/server/src/start/create-logger.ts';
import { findUnencryptedDatabase } from '../apps/server/src/check-production.ts';
import { findProvidersInUse } from '../apps/server/src/find-real-providers.ts';
import { readSettingValues, type SettingValues } from '../apps/server/src/setting-values.ts';
import { describeInnermost, findAppError } from '../apps/server/src/start/find-app-error.ts';
import { migratePortal } from '../apps/server/src/start/migrate-portal.ts';

const HELP = `npm run migrate

Brings the PostgreSQL database to this version's schema: the missing migrations in order, then the roles that portals
run as with their privileges and policies, and the job queue's tables. The user in DATABASE_URL joins these roles.
Portals of the previous version may continue to serve: run it first, then restart them one after the other.
Any number of copies may run at once; one does the work.

MIGRATION_DATABASE_URL               the database, as the role that owns its tables (default: DATABASE_URL)
DATABASE_URL                         the database, as the portals have it: its user is given access
MIGRATION_LOCK_TIMEOUT_SECONDS       how long a migration holds up others while it waits for a table (default: 2)
MIGRATION_LOCK_ATTEMPTS              how often it tries (default: 30)
MIGRATION_STATEMENT_TIMEOUT_SECONDS  how long one statement may take (default: 900)

Exit code 0: the schema is this version's. 1: the message says what is wrong. What was printed as applied stays
applied, and running it again continues from there.
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function run(url: string, values: SettingValues, loginRole: string | undefined): Promise<void> {
  const statementTimeoutMs = values.MIGRATION_STATEMENT_TIMEOUT_SECONDS * 1000;
  const logger = createLogger({ logLevel: values.LOG_LEVEL });
  const database = await openDatabase({ kind: 'postgres', url, poolSize: 2, role: 'owner', statementTimeoutMs }, (error) =>
    logger.error({ err: error }, 'database: connection lost'),
  );
  try {
    const appliedMigrations = await migratePortal(database, logger, {
      lockTimeoutMs: values.MIGRATION_LOCK_TIMEOUT_SECONDS * 1000,
      lockAttempts: values.MIGRATION_LOCK_ATTEMPTS,
      loginRole,
      report: print,
    });
    print(`The schema matches this version. Migrations applied now: ${appliedMigrations.length}.`);
    if (values.DATABASE_URL === undefined) {
      print(
        'DATABASE_URL isn’t set, so no user of the portals was given access. Unless they log in as this owner, set it as they have it and run this again.',
      );
    }
  } finally {
    await database.close();
  }
}

function fail(problems: readonly string[]): void {
  process.stderr.write(`The database isn’t this version’s yet.\n${problems.map((problem) => `  ${problem}\n`).join('')}`);
  process.exitCode = 1;
}

function findUser(url: string | undefined): string | undefined {
  return url === undefined ? undefined : decodeURIComponent(new URL(url).username) || undefined;
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return void process.stdout.write(HELP);
  const parsed = readSettingValues(process.env);
  if (!parsed.ok) return fail(parsed.problems);
  const { MIGRATION_DATABASE_URL: ownerUrl, DATABASE_URL: portalUrl } = parsed.values;
  const url = ownerUrl ?? portalUrl;
  if (url === undefined) {
    return fail([
      'Neither MIGRATION_DATABASE_URL nor DATABASE_URL is set. Set one to the PostgreSQL database. (The portal migrates the embedded database itself.)',
    ]);
  }
  const name = ownerUrl === undefined ? 'DATABASE_URL' : 'MIGRATION_DATABASE_URL';
  const isProduction = ownerUrl !== undefined || findProvidersInUse(parsed.values).real.length > 0;
  const problems = isProduction ? findUnencryptedDatabase(name, url, process.env) : [];
  if (problems.length > 0) return fail(problems);
  await run(url, parsed.values, ownerUrl === undefined ? undefined : findUser(portalUrl));
}

/** 42501 insufficient_privilege: the portals' user isn't the owner. */
function describeFailure(error: unknown): string[] {
  const message =
    findAppError(error)?.message ??
    (error instanceof Error && error.message.startsWith('Migration ') ? error.message : describeInnermost(error));
  if (getSqlState(error) !== '42501') return [message];
  return [
    message,
    'Set MIGRATION_DATABASE_URL to the database as the role that owns its tables: the portals’ user in DATABASE_URL may not change them.',
  ];
}

await main().catch((error: unknown) => fail(describeFailure(error)));
