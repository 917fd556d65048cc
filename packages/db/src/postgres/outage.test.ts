/** Tests which errors of a real server mean that the database can't work now. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { findDatabaseOutage } from '../database-outage.ts';
import { sql } from '../sql.ts';
import { createTestPostgresDatabase } from '../testing/test-postgres.ts';
import { openPostgres } from './open-postgres.ts';

let createdDatabase: Awaited<ReturnType<typeof createTestPostgresDatabase>>;
let database: Database;
beforeAll(async () => {
  createdDatabase = await createTestPostgresDatabase('empty');
  database = await openPostgres({ url: createdDatabase.url, poolSize: 2, role: 'owner' }, () => undefined);
});
afterAll(async () => {
  await database.close();
  await createdDatabase.drop();
});

const getOutage = (work: Promise<unknown>) => work.then(() => 'no error', findDatabaseOutage);

/** Runs a statement in another session that doesn't come from this pool. */
async function runAsAdministrator(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: createdDatabase.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

const END_OTHER_SESSIONS_SQL =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

describe('an outage', () => {
  it('is a session that the server ends, alone and in a transaction', async () => {
    expect(await getOutage(database.db.execute(sql`select pg_terminate_backend(pg_backend_pid())`))).toBe('unreachable');
    expect(await getOutage(database.executeSql('select pg_terminate_backend(pg_backend_pid())'))).toBe('unreachable');
    const interruptedTransaction = database.db.transaction(async (tx) => {
      await runAsAdministrator(END_OTHER_SESSIONS_SQL);
      await tx.execute(sql`select 1`);
    });
    expect(await getOutage(interruptedTransaction)).toBe('unreachable');
    expect(await getOutage(database.db.execute(sql`select 1`))).toBe('no error');
  });

  it('is a server without a free connection', async () => {
    const role = 'crowded';
    await runAsAdministrator(`create role ${role} login connection limit 1`);
    const url = new URL(createdDatabase.url);
    url.username = role;
    // The only connection is taken by the session that shows this process is alive.
    const singleConnectionDatabase = await openPostgres({ url: url.href, poolSize: 1, role: 'owner' }, () => undefined);
    try {
      expect(await getOutage(singleConnectionDatabase.db.execute(sql`select 1`))).toBe('busy');
      expect(await getOutage(singleConnectionDatabase.db.transaction((tx) => tx.execute(sql`select 1`)))).toBe('busy');
    } finally {
      await singleConnectionDatabase.close();
      await runAsAdministrator(`drop role ${role}`);
    }
  });

  it('is a read-only transaction, but not a wrong statement', async () => {
    const readOnly = database.db.transaction((tx) => tx.execute(sql`create table x ()`), { accessMode: 'read only' });
    expect(await getOutage(readOnly)).toBe('read_only');
    expect(await getOutage(database.db.execute(sql`select 1 / 0`))).toBeUndefined();
    expect(
      await getOutage(Promise.reject(new Error('Connection refused by a provider', { cause: { code: 'ECONNREFUSED' } }))),
    ).toBeUndefined();
  });
});
