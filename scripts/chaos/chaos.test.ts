/** Kills the real portal at a few of the points, while the simulators keep running. `npm run campaign -- kills` covers all of them. */
import { getTestServerUrl } from '@portal/db/testing/test-postgres.ts';
import { createPortalDatabase } from '../../apps/server/src/testing/create-portal-database.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KillPoint } from './kill-plan.ts';
import { RUN_TIMEOUT_MS } from './run-to-settlement.ts';
import { killAt } from './kill-portal.ts';
import { openFilingTestBed, type FilingTestBed } from './filing-test-bed.ts';

// HMRC has the return, the bank has the payment, and HMRC’s money has arrived: the portal has stored none of it.
const KILL_POINTS: readonly KillPoint[] = [
  { phase: 'after', label: 'call POST /hmrc/organisations/vat/*/returns', nth: 1 },
  { phase: 'after', label: 'call POST /truelayer/v3/payouts', nth: 1 },
  { phase: 'before', label: 'commit advances + bank_credits + credit_allocations + ledger_postings', nth: 1 },
];

// On PostgreSQL, a restart waits until no other instance can be filing, and until the dead worker's heartbeat expires. One kill point is
// enough here.
const POSTGRES_KILL_POINTS = KILL_POINTS.filter(({ label }) => label.endsWith('/v3/payouts'));

const server = getTestServerUrl();
let testBed: FilingTestBed;
let dropDatabase: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  const database = server === undefined ? undefined : await createPortalDatabase();
  testBed = await openFilingTestBed(database?.url);
  if (database) dropDatabase = database.drop;
}, 120_000);

afterAll(async () => {
  await testBed.close();
  await dropDatabase();
}, 30_000);

describe('after a kill, the portal', () => {
  it.each(server === undefined ? KILL_POINTS : POSTGRES_KILL_POINTS)(
    'files once and pays once: $phase $label',
    async (point) => {
      const { killCount, violations, findings } = await killAt(testBed, point, { limitMs: RUN_TIMEOUT_MS, shouldRepeatKeys: false });
      expect(violations).toEqual([]);
      expect({ deaths: killCount, returns: findings.returnsAtHmrc, payouts: findings.payoutsAtBank }).toEqual({
        deaths: 1,
        returns: 1,
        payouts: 1,
      });
    },
    RUN_TIMEOUT_MS + 60_000,
  );
});
