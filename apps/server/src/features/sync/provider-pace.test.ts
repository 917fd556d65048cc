/** The turns of a provider on a real database: two instances, each with connections of its own where the engine allows it. */
import type { Database } from '@portal/db/database.ts';
import { openPostgres } from '@portal/db/postgres/open-postgres.ts';
import { openTestDatabase } from '@portal/db/testing/open-test-database.ts';
import { testServerUrl } from '@portal/db/testing/test-postgres.ts';
import { openPace } from '@portal/providers/http/pace-calls.ts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { holdProvider, turnsInDatabase } from './provider-pace.ts';

const LIMIT = 10;
const PER_SECOND = 9.6;
const GAP_MS = 1000 / PER_SECOND;

let first: Database;
let second: Database;
beforeAll(async () => {
  first = await openTestDatabase();
  second = await secondInstance(first);
});
beforeEach(() => first.db.execute(sql`delete from provider_pace`));
afterAll(async () => {
  if (second !== first) await second.close();
  await first.close();
});

/** The embedded engine has one process: there the second instance is a second pace on the same database. */
async function secondInstance(database: Database): Promise<Database> {
  const server = testServerUrl();
  if (!server) return database;
  const { rows } = await database.db.execute<{ name: string }>(sql`select current_database() as name`);
  const url = new URL(server);
  url.pathname = `/${rows[0]?.name ?? ''}`;
  return openPostgres({ url: url.href, poolSize: 2 }, () => undefined);
}

const instance = (database: Database) =>
  openPace({ perSecond: PER_SECOND, limit: LIMIT, shared: turnsInDatabase(database, 'hmrc', GAP_MS) });

describe('the turns of a provider', () => {
  // How near they come to it is measured (bench sync-rate): on a busy machine a turn is let go now and then.
  it('of two instances never come faster than its limit', async () => {
    const leftAt: number[] = [];
    const run = (database: Database) => {
      const pace = instance(database);
      return Promise.all(Array.from({ length: 24 }, () => pace.take('run').then(() => leftAt.push(performance.now()))));
    };
    await Promise.all([run(first), run(second)]);
    leftAt.sort((a, b) => a - b);
    const inOneSecond = leftAt.map((from) => leftAt.filter((at) => at >= from && at < from + 1000).length);
    // An instance whose timers fire late lets its turn go; what is less late than that may still meet the other's call: one at most.
    expect(Math.max(...inOneSecond)).toBeLessThanOrEqual(LIMIT + 1);
  });

  it('are handed out once each, whoever asks', async () => {
    const gapMs = 60_000;
    const turns = [first, second].map((database) => turnsInDatabase(database, 'hmrc', gapMs));
    const waitsMs = await Promise.all(Array.from({ length: 10 }, async (_, index) => (await turns[index % 2]?.reserve()) ?? 0));
    // What passes between the askings is little against the gap.
    const gaps = waitsMs.map((ms) => Math.ceil(ms / gapMs)).toSorted((a, b) => a - b);
    expect(gaps).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('come later for everybody by as much as one instance puts them off', async () => {
    const turns = [first, second].map((database) => turnsInDatabase(database, 'hmrc', GAP_MS));
    await turns[0]?.reserve();
    await turns[0]?.putOff(60_000);
    const waitMs = await turns[1]?.reserve();
    expect(waitMs).toBeGreaterThan(30_000);
    expect(waitMs).toBeLessThanOrEqual(60_000 + GAP_MS);
  });

  it('stop for everybody when the provider asks to slow down', async () => {
    await holdProvider(first, 'hmrc', 60_000);
    const waitMs = await turnsInDatabase(second, 'hmrc', GAP_MS).reserve();
    expect(waitMs).toBeGreaterThan(30_000);
    expect(waitMs).toBeLessThanOrEqual(60_000);
    expect(await turnsInDatabase(second, 'another', GAP_MS).reserve()).toBe(0);
  });
});
