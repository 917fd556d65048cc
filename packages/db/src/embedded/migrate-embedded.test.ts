import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { migrateDatabase } from '../migrate-database.ts';
import { readMigrations } from '../read-migrations.ts';
import { openTestDatabase } from '../testing/open-test-database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it('a concurrent index is built on the embedded database too', async () => {
  const statements = ['drop index concurrently if exists users_name', 'create index concurrently users_name on users (full_name)'];
  const migration = { name: 'index', statements, hash: 'index', createdAt: 0, isOutsideTransaction: true };
  expect(await migrateDatabase(database, { migrations: [...readMigrations(), migration] })).toEqual(['index']);
});
