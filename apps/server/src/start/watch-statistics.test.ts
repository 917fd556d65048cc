import { openTestDatabase } from '@portal/db/testing/open-test-database.ts';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { watchStatistics } from './watch-statistics.ts';

it('the planner’s statistics of a table that grows while the server runs are updated', async () => {
  const database = await openTestDatabase();
  onTestFinished(() => database.close());
  const statistics = watchStatistics(database, pino({ level: 'silent' }));
  await database.executeSql(`insert into reconciliation_notes (company_id, id, subject_id, text, by, at)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'a note', gen_random_uuid(), now() from generate_series(1, 3000)`);
  await vi.waitFor(
    async () => {
      const { rows } = await database.executeSql(
        `select reltuples::int as believed from pg_class where oid = 'reconciliation_notes'::regclass`,
      );
      expect(rows).toEqual([{ believed: 3000 }]);
    },
    { timeout: 30_000, interval: 200 },
  );
  await statistics.stop();
});
