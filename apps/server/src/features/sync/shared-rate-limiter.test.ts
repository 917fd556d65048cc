/** Tests the shared rate limiter on a real database, with two instances that have separate connections if the engine allows it. */
import type { Database } from '@portal/db/database.ts';
import { openPostgres } from '@portal/db/postgres/open-postgres.ts';
import { openTestDatabase } from '@portal/db/testing/open-test-database.ts';
import { getTestServerUrl } from '@portal/db/testing/test-postgres.ts';
import { createRateLimiter } from '@portal/providers/http/rate-limiter.ts';
import { sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pauseProvider, createSharedRateLimiter } from './shared-rate-limiter.ts';

const LIMIT = 10;
const PER_SECOND = 9.6;
const INTERVAL_MS = 1000 / PER_SECOND;

let first: Database;
let second: Database;
beforeAll(async () => {
  first = await openTestDatabase();
  second = await openSecondInstance(first);
});
beforeEach(() => first.db.execute(sql`delete from provider_rate_limits`));
afterAll(async () => {
  if (second !== first) await second.close();
  await first.close();
});

/** The embedded engine has one process, so the second instance is a second limiter on the same database. */
async function openSecondInstance(database: Database): Promise<Database> {
  const server = getTestServerUrl();
  if (!server) return database;
  const { rows } = await database.db.execute<{ name: string }>(sql`select current_database() as name`);
  const url = new URL(server);
  url.pathname = `/${rows[0]?.name ?? ''}`;
  return openPostgres({ url: url.href, poolSize: 2 }, () => undefined);
}

const createLimiter = (database: Database) =>
  createRateLimiter({ perSecond: PER_SECOND, limit: LIMIT, shared: createSharedRateLimiter(database, 'hmrc', INTERVAL_MS) });

describe('the shared rate limiter', () => {
  // `npm run bench -- sync-rate` measures how close this comes to the limit: on a busy machine, a slot is occasionally left unused.
  it("keeps two instances within the provider's limit", async () => {
    const callTimes: number[] = [];
    const run = (database: Database) => {
      const limiter = createLimiter(database);
      return Promise.all(Array.from({ length: 24 }, () => limiter.acquireSlot('background').then(() => callTimes.push(performance.now()))));
    };
    await Promise.all([run(first), run(second)]);
    callTimes.sort((a, b) => a - b);
    const callsInOneSecond = callTimes.map((from) => callTimes.filter((at) => at >= from && at < from + 1000).length);
    // An instance whose timer fires late gives up its slot. With a smaller delay, its call can still coincide with one of the other
    // instance's.
    expect(Math.max(...callsInOneSecond)).toBeLessThanOrEqual(LIMIT + 1);
  });

  it('gives each slot to one caller only', async () => {
    const intervalMs = 60_000;
    const limiters = [first, second].map((database) => createSharedRateLimiter(database, 'hmrc', intervalMs));
    const waitsMs = await Promise.all(Array.from({ length: 10 }, async (_, index) => (await limiters[index % 2]?.reserve()) ?? 0));
    // The time between these calls is negligible compared with the interval.
    const slots = waitsMs.map((ms) => Math.ceil(ms / intervalMs)).toSorted((a, b) => a - b);
    expect(slots).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('delays every instance when one postpones the slots', async () => {
    const limiters = [first, second].map((database) => createSharedRateLimiter(database, 'hmrc', INTERVAL_MS));
    await limiters[0]?.reserve();
    await limiters[0]?.postpone(60_000);
    const waitMs = await limiters[1]?.reserve();
    expect(waitMs).toBeGreaterThan(30_000);
    // PostgreSQL rounds to microseconds.
    expect(waitMs).toBeLessThanOrEqual(60_000 + INTERVAL_MS + 1);
  });

  it('pauses every instance when the provider asks to slow down', async () => {
    await pauseProvider(first, 'hmrc', 60_000);
    const waitMs = await createSharedRateLimiter(second, 'hmrc', INTERVAL_MS).reserve();
    expect(waitMs).toBeGreaterThan(30_000);
    expect(waitMs).toBeLessThanOrEqual(60_000);
    expect(await createSharedRateLimiter(second, 'another', INTERVAL_MS).reserve()).toBe(0);
  });
});
