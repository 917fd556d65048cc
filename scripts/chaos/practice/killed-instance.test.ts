/**
 * Kills whichever of two portals on PostgreSQL is reading clients. The other one continues once the jobs' heartbeat has stopped, and
 * nothing is lost or duplicated.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { syncApi } from '@portal/contract/sync.ts';
import { PRESENCE_LOCK_CLASS } from '@portal/db/postgres/presence-lock.ts';
import { createPortalDatabase } from '../../../apps/server/src/testing/create-portal-database.ts';
import { sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import { startPortal, type PortalProcess } from '../processes.ts';
import { createRandom } from '../random.ts';
import { crashTestImport } from './crash-test-import.ts';
import { verifyPositions } from './verify-positions.ts';
import { verifySync } from './verify-sync.ts';
import { openPracticeTestBed, type PracticeTestBed } from './practice-test-bed.ts';
import { BUSY_JOBS_SQL, findClients, toEndOfDay } from './run-practice-round.ts';

/** HMRC allows twelve calls a second here and a client needs six, so the refresh is long enough to be killed midway. */
const CLIENT_COUNT = 40;
const REFRESHED_CLIENTS = 20;
const TIMEOUT_MS = 60_000;

let testBed: PracticeTestBed;
let otherPortal: PortalProcess | undefined;
let dropDatabase: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  const database = await createPortalDatabase();
  dropDatabase = database.drop;
  testBed = await openPracticeTestBed(database.url);
}, 240_000);

afterAll(async () => {
  await otherPortal?.kill();
  await testBed.close();
  await dropDatabase();
}, 60_000);

const count = async (condition: string): Promise<number> => {
  const [row] = (await testBed.queryRunning(`select count(*)::int as n from client_syncs where ${condition}`)) as { n: number }[];
  return row?.n ?? 0;
};

/** Returns the id of the only running portal, which holds it as a lock, as does this test's own connection. */
async function findOnlyInstance(): Promise<number> {
  const { rows } = await testBed.queryPostgres(({ db, holder }) =>
    db.execute<{ id: number }>(sql`select objid::int as id from pg_locks where locktype = 'advisory' and classid = ${PRESENCE_LOCK_CLASS}
      and objid::bigint <> ${holder.id} and database = (select oid from pg_database where datname = current_database())`),
  );
  const [lock, ...otherRows] = rows;
  if (!lock || otherRows.length > 0) throw new Error(`there are ${rows.length} instances`);
  return lock.id;
}

async function waitFor(condition: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedAt > TIMEOUT_MS) throw new Error(`the condition was not met within ${TIMEOUT_MS / 1000} s`);
    await pause(100);
  }
  return performance.now() - startedAt;
}

it('another portal takes over within a minute when one is killed while it reads clients', async () => {
  const { companyId, caller } = testBed.admin;
  const today = await testBed.startNextDay();
  await testBed.ensureConnected();
  const { portfolio } = await crashTestImport(testBed, createRandom(1), {
    clients: CLIENT_COUNT,
    seed: 11,
    today,
    maxKills: 0,
    shouldCancel: false,
    limitMs: TIMEOUT_MS,
  });
  const killedHolder = await findOnlyInstance();
  const port = await findFreePort();
  otherPortal = await startPortal({ ...testBed.site, environment: { ...testBed.site.environment, PORT: String(port) } });
  const clients = await testBed.queryPostgres(async ({ db }) =>
    (await findClients(db, companyId, portfolio)).vat.slice(0, REFRESHED_CLIENTS),
  );
  const params = { company_id: companyId, tax_type: 'vat' } as const;
  await caller.call(syncApi.start, { ...params, client_ids: clients.map(({ id }) => id) });
  // The portal that received the request starts the refresh, because it wakes its own workers first.
  await waitFor(async () => (await count(`state = 'importing' and holder_id = ${killedHolder}`)) >= 1);
  await testBed.kill();
  expect(await count(`holder_id = ${killedHolder}`)).toBeGreaterThan(0);
  const takeoverMs = await waitFor(async () => (await count(`holder_id = ${killedHolder}`)) === 0);
  // The other portal must take over before the two-minute lease expires.
  expect(takeoverMs).toBeLessThan(60_000);
  await waitFor(async () => (await testBed.queryRunning('select from sync_runs where ended_at is null')).length === 0);
  await waitFor(async () => (await testBed.queryRunning(BUSY_JOBS_SQL)).length === 0);
  const violations = await testBed.queryPostgres(async ({ db }) => [
    ...(await verifySync(db, companyId, 'vat', clients)),
    ...(await verifyPositions(
      db,
      companyId,
      clients.map(({ id }) => id),
      { today, now: toEndOfDay(today) },
    )),
  ]);
  expect(violations).toEqual([]);
  expect((await testBed.readStatistics()).refresh_refused).toBe(0);
}, 240_000);
