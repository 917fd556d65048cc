/** Tests that jobs queued by an earlier version of the portal under a kind's former name run after the update. */
import { practiceTotals } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enqueueTotals } from '../features/positions/refresh-totals.ts';
import { jobHandlers } from '../job-handlers.ts';
import { addClient, addPractice } from '../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';
import { FORMER_JOB_KINDS } from './job-kinds.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

it('a queued job with a former name still runs', async () => {
  const { deps } = portal;
  const { companyId } = await addPractice(portal);
  await addClient(portal, companyId, { name: 'Kestrel Joinery Ltd', taxes: ['vat'] });
  await portal.runJobs();
  await deps.database.db.delete(practiceTotals).where(eq(practiceTotals.companyId, companyId));
  await enqueueTotals(deps, deps.database.db, companyId);
  // Reads the row as the earlier version stored it.
  const { rows } = await deps.database.executeSql(
    `update pgboss.job set data = jsonb_set(data, '{kind}', '"practice.totals"') where data ->> 'kind' = 'practice.refresh-totals' and state = 'created' returning id`,
  );
  expect(rows).toHaveLength(1);
  await portal.runJobs();
  expect(await deps.database.db.select().from(practiceTotals).where(eq(practiceTotals.companyId, companyId))).not.toEqual([]);
});

it.each(Object.entries(FORMER_JOB_KINDS))('%s runs as %s', (formerKind, kind) => {
  const handlers: Readonly<Record<string, unknown>> = jobHandlers(portal.deps);
  expect(handlers[formerKind]).toBeTypeOf('function');
  expect(Object.keys(handlers)).toContain(kind);
});
