/** A few of the kill points that `npm run chaos` covers: the real portal is killed at a step while the simulators keep running. */
import { createTestPostgresDatabase, testServerUrl } from '@portal/db/testing/test-postgres.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KillPoint } from './kill-plan.ts';
import { LIFE_LIMIT_MS } from './live.ts';
import { killAt } from './shake.ts';
import { openWorld, type World } from './world.ts';

const HANDFUL: readonly KillPoint[] = [
  { phase: 'before', label: 'call POST /hmrc/organisations/vat/*/returns', nth: 1 },
  { phase: 'after', label: 'call POST /hmrc/organisations/vat/*/returns', nth: 1 },
  { phase: 'after', label: 'commit payouts + advances + job payout.submit', nth: 1 },
  { phase: 'after', label: 'call POST /truelayer/v3/payouts', nth: 1 },
  { phase: 'before', label: 'commit payouts + ledger_postings + advances', nth: 1 },
  { phase: 'before', label: 'commit bank_credits + ledger_postings + advances', nth: 1 },
];

// On PostgreSQL a restart waits until no other instance can be filing, and until the dead worker's heartbeat expires. One kill point is
// enough here; `npm run chaos` covers all of them.
const ON_POSTGRES = HANDFUL.filter(({ label }) => label.endsWith('/v3/payouts'));

const server = testServerUrl();
const limitMs = LIFE_LIMIT_MS[server === undefined ? 'embedded' : 'postgres'];
let world: World;
let dropDatabase: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  const database = server === undefined ? undefined : await createTestPostgresDatabase('empty');
  world = await openWorld(database?.url);
  if (database) dropDatabase = database.drop;
}, 120_000);

afterAll(async () => {
  await world.close();
  await dropDatabase();
}, 30_000);

describe('after a kill, the portal', () => {
  it.each(server === undefined ? HANDFUL : ON_POSTGRES)(
    'files once and pays once: $phase $label',
    async (point) => {
      const { deaths, violations, findings } = await killAt(world, point, { limitMs, repeatsKeys: false });
      expect(violations).toEqual([]);
      expect({ deaths, returns: findings.returnsAtHmrc, payouts: findings.payoutsAtBank }).toEqual({ deaths: 1, returns: 1, payouts: 1 });
    },
    limitMs + 60_000,
  );
});
