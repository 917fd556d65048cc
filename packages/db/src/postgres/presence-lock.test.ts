/** Tests which processes count as dead after the server, and with it all locks, was lost. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../sql.ts';
import { createTestPostgresDatabase } from '../testing/test-postgres.ts';
import { openPostgres } from './open-postgres.ts';
import { openPresenceLock, PRESENCE_LOCK_CLASS } from './presence-lock.ts';

let createdDatabase: Awaited<ReturnType<typeof createTestPostgresDatabase>>;
let adminClient: pg.Client;
beforeAll(async () => {
  createdDatabase = await createTestPostgresDatabase('empty');
  adminClient = new pg.Client({ connectionString: createdDatabase.url });
  await adminClient.connect();
});
afterAll(async () => {
  await adminClient.end();
  await createdDatabase.drop();
});

const PRESENCE_LOCKS_SQL = `from pg_locks where locktype = 'advisory' and classid = ${PRESENCE_LOCK_CLASS}
  and database = (select oid from pg_database where datname = current_database())`;

async function findSession(id: number): Promise<number | undefined> {
  const { rows } = await adminClient.query<{ pid: number }>(`select pid ${PRESENCE_LOCKS_SQL} and objid = ${id} and granted`);
  return rows[0]?.pid;
}

/** Ends the session that holds a lock, and waits until its process has opened a new one. */
async function terminateSession(id: number): Promise<void> {
  const lostSession = await findSession(id);
  await adminClient.query('select pg_terminate_backend($1)', [lostSession]);
  await expect.poll(async () => (await findSession(id)) ?? lostSession, { timeout: 30_000 }).not.toBe(lostSession);
}

it('reports whether the server is reachable while every connection of the pool is busy', async () => {
  const database = await openPostgres({ url: createdDatabase.url, poolSize: 1, role: 'owner' }, () => undefined);
  const end = Promise.withResolvers<void>();
  const longTransaction = database.db.transaction(() => end.promise);
  try {
    await expect(database.ping()).resolves.toBeUndefined();
  } finally {
    end.resolve();
    await longTransaction;
    await database.close();
  }
});

it('treats a process without a lock as dead, but not while the others may still be reconnecting', async () => {
  const database = await openPostgres({ url: createdDatabase.url, poolSize: 1, role: 'owner' }, () => undefined);
  const ownLock = await openPresenceLock(createdDatabase.url, () => undefined, { reconnectGraceMs: Infinity });
  const closedLock = await openPresenceLock(createdDatabase.url, () => undefined);
  await closedLock.close();
  const isDead = async (id: number): Promise<boolean | undefined> => {
    const { rows } = await database.db.execute<{ dead: boolean }>(sql`select ${ownLock.holder.hasDied(sql`${id}::int`)} as dead`);
    return rows[0]?.dead;
  };
  try {
    expect(await isDead(ownLock.holder.id)).toBe(false);
    await expect.poll(() => isDead(closedLock.holder.id)).toBe(true);
    await terminateSession(ownLock.holder.id);
    expect(await isDead(closedLock.holder.id)).toBe(false);
  } finally {
    await ownLock.close();
    await database.close();
  }
});
