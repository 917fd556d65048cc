/** Five of the kills that `npm run chaos` performs during an import and a refresh, on each database engine, with the real portal. */
import { createTestPostgresDatabase, testServerUrl } from '@portal/db/testing/test-postgres.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createChance } from '../shake.ts';
import { openPracticeWorld, type PracticeWorld } from './practice-world.ts';
import { shakePractice, type Shaken } from './shake-practice.ts';

const IMPORT_KILLS = 3;
const SYNC_KILLS = 2;

let world: PracticeWorld;
let dropDatabase: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  const database = testServerUrl() === undefined ? undefined : await createTestPostgresDatabase('empty');
  world = await openPracticeWorld(database?.url);
  if (database) dropDatabase = database.drop;
}, 240_000);

afterAll(async () => {
  await world.close();
  await dropDatabase();
}, 60_000);

it('a practice loses and duplicates nothing when its portal is killed three times in an import and twice in a refresh', async () => {
  const parts: Shaken[] = [];
  const seed = Math.floor(Math.random() * 1_000_000);
  await shakePractice(
    world,
    createChance(seed),
    {
      seed,
      clients: 1_200,
      importKills: IMPORT_KILLS,
      syncKills: SYNC_KILLS,
      reads: 20,
      taxes: ['vat'],
      cancels: false,
      readsAgain: false,
    },
    (part) => parts.push(part),
  );
  expect({ seed, violations: parts.flatMap(({ violations }) => violations) }).toEqual({ seed, violations: [] });
  const [inImport, inRefresh] = parts.map(({ deaths }) => deaths);
  expect(inImport).toBeGreaterThanOrEqual(IMPORT_KILLS);
  expect(inRefresh).toBeGreaterThanOrEqual(SYNC_KILLS);
}, 600_000);
