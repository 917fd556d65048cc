/** The shared rate limiter on a real database, with two instances that have connections of their own where the engine allows it. */
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

/** The embedded engine has one process, so the second instance is a second limiter on the same database. */
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

describe('the shared rate limiter', () => {
  // `npm run bench -- sync-rate` measures how close it comes to the limit: on a busy machine an unused slot is lost now and then.
  it("keeps two instances within the provider's limit", async () => {
    const leftAt: number[] = [];
    const run = (database: Database) => {
      const pace = instance(database);
      return Promise.all(Array.from({ length: 24 }, () => pace.take('run').then(() => leftAt.push(performance.now()))));
    };
    await Promise.all([run(first), run(second)]);
    leftAt.sort((a, b) => a - b);
    const inOneSecond = leftAt.map((from) => leftAt.filter((at) => at >= from && at < from + 1000).length);
    // An instance whose timer fires late gives its slot up. A smaller delay can still coincide with one call of the other instance.
    expect(Math.max(...inOneSecond)).toBeLessThanOrEqual(LIMIT + 1);
  });

  it('gives each slot to one caller only', async () => {
    const gapMs = 60_000;
    const turns = [first, second].map((database) => turnsInDatabase(database, 'hmrc', gapMs));
    const waitsMs = await Promise.all(Array.from({ length: 10 }, async (_, index) => (await turns[index % 2]?.reserve()) ?? 0));
    // The time between the calls is small compared with the interval.
    const gaps = waitsMs.map((ms) => Math.ceil(ms / gapMs)).toSorted((a, b) => a - b);
    expect(gaps).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('delays every instance when one postpones the slots', async () => {
    const turns = [first, second].map((database) => turnsInDatabase(database, 'hmrc', GAP_MS));
    await turns[0]?.reserve();
    await turns[0]?.putOff(60_000);
    const waitMs = await turns[1]?.reserve();
    expect(waitMs).toBeGreaterThan(30_000);
    expect(waitMs).toBeLessThanOrEqual(60_000 + GAP_MS);
  });

  it('pauses every instance when the provider asks to slow down', async () => {
    await holdProvider(first, 'hmrc', 60_000);
    const waitMs = await turnsInDatabase(second, 'hmrc', GAP_MS).reserve();
    expect(waitMs).toBeGreaterThan(30_000);
    expect(waitMs).toBeLessThanOrEqual(60_000);
    expect(await turnsInDatabase(second, 'another', GAP_MS).reserve()).toBe(0);
  });
});
