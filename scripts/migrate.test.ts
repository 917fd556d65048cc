/** Runs `npm run migrate` as a process, on an empty PostgreSQL database. */
import { openPostgres } from '@portal/db/postgres/open-postgres.ts';
import { createTestPostgresDatabase } from '@portal/db/testing/test-postgres.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from './testing/run-command.ts';

let url: string;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ url, drop } = await createTestPostgresDatabase('empty'));
});
afterAll(() => drop());

/** Creates the login described in the documentation, which can log in and nothing else. */
async function createLogin(url: string, name: string): Promise<void> {
  const database = await openPostgres({ url, poolSize: 1, role: 'owner' }, () => undefined);
  await database.executeSql(`drop role if exists ${name}; create role ${name} login noinherit`);
  await database.close();
}

const runMigrate = (environment: Record<string, string>) => runCommand(process.execPath, ['scripts/migrate.ts'], { environment });

describe('npm run migrate', () => {
  it('prints what it applied, and applies nothing the second time', async () => {
    const first = await runMigrate({ DATABASE_URL: 'postgres://portal@127.0.0.1:1/elsewhere', MIGRATION_DATABASE_URL: url });
    expect(first.output).toMatch(
      /^applied: 0000_start\n(applied: \d{4}_\S+\n)+done: roles, privileges and policies\ndone: job queue\nThe schema matches this version\./,
    );
    expect(first.exitCode).toBe(0);
    const second = await runMigrate({ DATABASE_URL: url });
    expect(second.output).toBe(
      'done: roles, privileges and policies\ndone: job queue\nThe schema matches this version. Migrations applied now: 0.\n',
    );
  });

  it('names what gives the portals’ user access, and who must migrate', async () => {
    const empty = await createTestPostgresDatabase('empty');
    try {
      const owners = await runMigrate({ DATABASE_URL: '', MIGRATION_DATABASE_URL: empty.url });
      expect(owners.output).toContain('DATABASE_URL isn’t set, so no user of the portals was given access');
      await createLogin(empty.url, 'portal_app_of_migrate_test');
      const migrateResult = await runMigrate({ DATABASE_URL: empty.url.replace('portal@', 'portal_app_of_migrate_test@') });
      expect(migrateResult.exitCode).toBe(1);
      expect(migrateResult.output).toContain('Set MIGRATION_DATABASE_URL to the database as the role that owns its tables');
      expect(migrateResult.output).not.toContain('Failed query');
    } finally {
      await empty.drop();
    }
  });

  it.each([
    ['a database', { DATABASE_URL: '' }, /Neither MIGRATION_DATABASE_URL nor DATABASE_URL is set/],
    ['an encrypted connection', { MIGRATION_DATABASE_URL: 'postgres://owner:hush@db.example/portal' }, /Add \?sslmode=verify-full/],
    ['a valid setting', { MIGRATION_LOCK_ATTEMPTS: 'many' }, /MIGRATION_LOCK_ATTEMPTS is “many”/],
    ['a server that answers', { DATABASE_URL: 'postgres://owner:hush@127.0.0.1:1/portal' }, /ECONNREFUSED/],
  ])('requires %s', async (_case, environment, message) => {
    const { exitCode, output } = await runMigrate(environment);
    expect(exitCode).toBe(1);
    expect(output).toMatch(message);
    expect(output).not.toContain('hush');
  });
});
