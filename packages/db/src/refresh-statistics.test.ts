import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { refreshStatistics } from './refresh-statistics.ts';
import { openTestDatabase } from './testing/open-test-database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Returns the planner's row estimate for the table, or -1 if it has never been analysed. */
async function estimateRows(): Promise<number> {
  const { rows } = await database.executeSql(
    `select reltuples::int as believed from pg_class where oid = 'reconciliation_notes'::regclass`,
  );
  return (rows[0] as { believed: number }).believed;
}

const addNotes = (count: number) =>
  database.executeSql(`insert into reconciliation_notes (company_id, id, subject_id, text, by, at)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'a note', gen_random_uuid(), now() from generate_series(1, ${count})`);

it('analyses a table that has grown and skips one that has hardly changed', async () => {
  await refreshStatistics(database);
  await addNotes(5_000);
  expect(await estimateRows()).toBeLessThan(5_000);
  expect(await refreshStatistics(database)).toContain('public.reconciliation_notes');
  expect(await estimateRows()).toBe(5_000);
  await addNotes(100);
  expect(await refreshStatistics(database)).toEqual([]);
  expect(await estimateRows()).toBe(5_000);
});
