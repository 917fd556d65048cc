import type { Database } from '@portal/db/database.ts';
import { migrateDatabase } from '@portal/db/migrate-database.ts';
import { openTestDatabase } from '@portal/db/testing/open-test-database.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDatabaseChecks } from './check-database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const runChecks = () =>
  Promise.all(
    listDatabaseChecks(database).map(({ name, run }) =>
      run().then(
        (text) => `${name}: ${text}`,
        (error: Error) => error.message,
      ),
    ),
  );

describe('the doctor’s checks of a database', () => {
  it('pass for a migrated one, and change nothing', async () => {
    expect(await runChecks()).toEqual([
      expect.stringMatching(/^PostgreSQL’s version: 1[5-9]$/),
      'the database’s schema: matches this version',
      'the database’s clock: matches this computer’s clock',
      'the database’s certificate: not known, because the connection doesn’t verify it',
    ]);
  });

  it('count the migrations that are missing', async () => {
    await database.executeSql('alter table drizzle.__drizzle_migrations rename to elsewhere');
    expect(await runChecks()).toContainEqual(expect.stringMatching(/^\d+ migrations are missing$/));
    await database.executeSql('alter table drizzle.elsewhere rename to __drizzle_migrations');
    await migrateDatabase(database);
    expect(await runChecks()).toContain('the database’s schema: matches this version');
  });
});
