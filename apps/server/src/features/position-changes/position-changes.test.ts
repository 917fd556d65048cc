/** What changed since yesterday, from readings of the HMRC simulator. */
import { positionChanges } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPractice, assignClient } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createSyncSteps } from '../../testing/sync-steps.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

type Changes = {
  totals: { changed: number; first: number };
  changes: { client_id: string; tax: string; details: { kind: string; text: string }[] }[];
};

it('lists what a reading changed, first figures apart from it, and nothing from before yesterday', async () => {
  const steps = createSyncSteps(portal);
  const db = portal.deps.database.db;
  const practice = await steps.addOwingPractice();
  const query = { company_id: practice.companyId };
  const load = async (client = practice.admin, group = 'changed') =>
    (await client.get('/open-tax/position-changes', { ...query, group })).body as Changes;
  const NOTHING = { changed: 0, first: 0 };
  expect(await load()).toMatchObject({ totals: NOTHING, changes: [] });
  await steps.sync(practice);
  const clientId = practice.list[0]?.id ?? '';
  // A first reading isn't a change of the client's position.
  expect(await load()).toMatchObject({ totals: { changed: 0, first: 1 }, changes: [] });
  expect(await load(practice.admin, 'first')).toMatchObject({
    totals: { changed: 0, first: 1 },
    changes: [{ client_id: clientId, tax: 'vat', details: [{ kind: 'first_figures' }] }],
  });
  await steps.sync(practice);
  // The same answer again isn’t a change.
  expect(await db.select().from(positionChanges).where(eq(positionChanges.companyId, practice.companyId))).toHaveLength(1);
  const [first] = await db.select().from(positionChanges).where(eq(positionChanges.companyId, practice.companyId));
  if (!first) throw new Error('no change was recorded');
  // The first reading was three days ago; since then the client paid a pound.
  await db
    .update(positionChanges)
    .set({ changedAt: addMilliseconds(first.changedAt, -3 * 86_400_000) })
    .where(eq(positionChanges.companyId, practice.companyId));
  expect((await load()).totals).toEqual(NOTHING);
  const after = { ...first.after, owed: pence(first.after.owed - 100) };
  await db.insert(positionChanges).values({ ...first, before: first.after, after });
  expect((await load()).changes[0]?.details).toEqual([{ kind: 'owed', text: expect.stringMatching(/^Owed: £.* \(was £.*\)$/) }]);
  // And the payment bounced: back to the figure of yesterday.
  await db.insert(positionChanges).values({ ...first, changedAt: addMilliseconds(first.changedAt, 1), before: after, after: first.after });
  expect((await load()).totals).toEqual(NOTHING);
  expect((await load(practice.member)).totals).toEqual(NOTHING);
  await db.delete(positionChanges).where(eq(positionChanges.changedAt, addMilliseconds(first.changedAt, 1)));
  expect([(await load()).totals.changed, (await load(practice.member)).totals.changed]).toEqual([1, 0]);
  await assignClient(portal, practice.companyId, clientId, practice.memberId);
  expect((await load(practice.member)).totals.changed).toBe(1);
  const stranger = await addPractice(portal);
  expect((await stranger.admin.get('/open-tax/position-changes', query)).status).toBe(404);
});
