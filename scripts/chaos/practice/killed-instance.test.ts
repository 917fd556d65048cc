/** Two portals on one PostgreSQL, of which the one that reads is killed: the other goes on once the heartbeat of its jobs has stopped, and nothing is lost or doubled. */
import { setTimeout as pause } from 'node:timers/promises';
import { syncApi } from '@portal/contract/sync.ts';
import { createTestPostgresDatabase } from '@portal/db/testing/test-postgres.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '@portal/sandbox/testing/free-port.ts';
import { startPortal, type PortalProcess } from '../processes.ts';
import { createChance } from '../shake.ts';
import { importUnderFire } from './import-under-fire.ts';
import { judgePositions } from './judge-positions.ts';
import { judgeSync } from './judge-sync.ts';
import { openPracticeWorld, type PracticeWorld } from './practice-world.ts';
import { BUSY, findClients, lateOn } from './shake-practice.ts';

/** HMRC allows twelve calls a second here and a client needs six, so the refresh lasts long enough to kill it midway. */
const CLIENTS = 40;
const READS = 20;
const LIMIT_MS = 60_000;

let world: PracticeWorld;
let other: PortalProcess | undefined;
let dropDatabase: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  const database = await createTestPostgresDatabase('empty');
  dropDatabase = database.drop;
  world = await openPracticeWorld(database.url);
}, 240_000);

afterAll(async () => {
  await other?.kill();
  await world.close();
  await dropDatabase();
}, 60_000);

const count = async (condition: string): Promise<number> => {
  const [row] = (await world.queryAlive(`select count(*)::int as n from client_syncs where ${condition}`)) as { n: number }[];
  return row?.n ?? 0;
};

async function until(isSo: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startedAt > LIMIT_MS) throw new Error(`the condition was not met within ${LIMIT_MS / 1000} s`);
    await pause(100);
  }
  return performance.now() - startedAt;
}

it('a portal that is killed while it reads clients is taken over from by another within a minute', async () => {
  const { companyId, caller } = world.admin;
  const today = await world.beginDay();
  await world.connect();
  const { portfolio } = await importUnderFire(world, createChance(1), {
    clients: CLIENTS,
    seed: 11,
    today,
    mostKills: 0,
    cancels: false,
    limitMs: LIMIT_MS,
  });
  const port = await freePort();
  other = await startPortal({ ...world.site, environment: { ...world.site.environment, PORT: String(port) } });
  const clients = await world.look(async ({ db }) => (await findClients(db, companyId, portfolio)).vat.slice(0, READS));
  const of = { company_id: companyId, tax_type: 'vat' } as const;
  await caller.call(syncApi.start, { ...of, client_ids: clients.map(({ id }) => id) });
  // The portal that received the request starts the refresh, because it wakes its own workers.
  await until(async () => (await count(`state = 'importing'`)) >= 2);
  const [{ held_by: dead }] = (await world.queryAlive(`select held_by from client_syncs where state = 'importing' limit 1`)) as [
    { held_by: number },
  ];
  const readers = await count(`state = 'importing' and held_by <> ${dead}`);
  await world.kill();
  const inHand = await count(`held_by = ${dead}`);
  expect({ readers, isInHand: inHand > 0 }).toEqual({ readers: 0, isInHand: true });
  const takenOverMs = await until(async () => (await count(`held_by = ${dead}`)) === 0);
  // Earlier than the two-minute lease would expire.
  expect(takenOverMs).toBeLessThan(60_000);
  await until(async () => (await world.queryAlive('select from sync_runs where ended_at is null')).length === 0);
  await until(async () => (await world.queryAlive(BUSY)).length === 0);
  const violations = await world.look(async ({ db }) => [
    ...(await judgeSync(db, companyId, 'vat', clients)),
    ...(await judgePositions(
      db,
      companyId,
      clients.map(({ id }) => id),
      { today, now: lateOn(today) },
    )),
  ]);
  expect(violations).toEqual([]);
  expect((await world.readStatistics()).refresh_refused).toBe(0);
}, 240_000);
