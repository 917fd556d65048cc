/**
 * Five of the kills that `npm run campaign -- kills` performs during an import and a refresh, using the real portal on each database
 * engine.
 */
import { getTestServerUrl } from '@portal/db/testing/test-postgres.ts';
import { createPortalDatabase } from '../../../apps/server/src/testing/create-portal-database.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { openPracticeTestBed, type PracticeTestBed } from './practice-test-bed.ts';
import { runPracticeRound, type ChaosPartResult } from './run-practice-round.ts';

const IMPORT_KILLS = 3;
const SYNC_KILLS = 2;

let testBed: PracticeTestBed;
let dropDatabase: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  const database = getTestServerUrl() === undefined ? undefined : await createPortalDatabase();
  testBed = await openPracticeTestBed(database?.url);
  if (database) dropDatabase = database.drop;
}, 240_000);

afterAll(async () => {
  await testBed.close();
  await dropDatabase();
}, 60_000);

it('a practice loses and duplicates nothing when its portal is killed three times in an import and twice in a refresh', async () => {
  const parts: ChaosPartResult[] = [];
  const seed = Math.floor(Math.random() * 1_000_000);
  await runPracticeRound(
    testBed,
    createRandom(seed),
    {
      seed,
      clients: 1_200,
      importKills: IMPORT_KILLS,
      syncKills: SYNC_KILLS,
      refreshedClients: 20,
      taxes: ['vat'],
      shouldCancel: false,
      refreshesAgain: false,
    },
    (part) => parts.push(part),
  );
  const violations = parts.flatMap((part) => part.violations);
  if (violations.length > 0) expect.fail(`seed ${seed}: ${violations.join('; ')}`);
  const [killsInImport, killsInRefresh] = parts.map(({ killCount }) => killCount);
  expect(killsInImport).toBeGreaterThanOrEqual(IMPORT_KILLS);
  expect(killsInRefresh).toBeGreaterThanOrEqual(SYNC_KILLS);
}, 600_000);
