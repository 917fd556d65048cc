/** Tests changes since yesterday, based on reads from the HMRC simulator. */
import { clients, positionChanges, taxPositions } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { eq } from '@portal/db/sql.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { addPortfolio, addReadings, generatedTax, portfolio } from '../../testing/add-portfolio.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createSyncSteps } from '../../testing/sync-steps.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

type ChangesBody = {
  totals: { changed: number; first: number };
  changes: { client_id: string; tax: string; details: { kind: string; text: string }[] }[];
};

it('lists what a reading changed, first figures separately, and nothing from before yesterday', async () => {
  const steps = createSyncSteps(portal);
  const db = portal.deps.database.db;
  const practice = await steps.addOwingPractice();
  const query = { company_id: practice.companyId };
  const load = async (client = practice.admin, group = 'changed') =>
    (await client.get('/open-tax/position-changes', { ...query, group })).body as ChangesBody;
  const NOTHING = { changed: 0, first: 0 };
  expect(await load()).toMatchObject({ totals: NOTHING, changes: [] });
  await steps.sync(practice);
  const clientId = practice.list[0]?.id ?? '';
  // A first read isn't a change in the client's position.
  expect(await load()).toMatchObject({ totals: { changed: 0, first: 1 }, changes: [] });
  expect(await load(practice.admin, 'first')).toMatchObject({
    totals: { changed: 0, first: 1 },
    changes: [{ client_id: clientId, tax: 'vat', details: [{ kind: 'first_figures' }] }],
  });
  await steps.sync(practice);
  // An identical response isn’t a change.
  expect(await db.select().from(positionChanges).where(eq(positionChanges.companyId, practice.companyId))).toHaveLength(1);
  const [first] = await db.select().from(positionChanges).where(eq(positionChanges.companyId, practice.companyId));
  if (!first) throw new Error('no change was recorded');
  // The first read was three days ago. Since then, the client has paid a pound.
  await db
    .update(positionChanges)
    .set({ changedAt: addMilliseconds(first.changedAt, -3 * 86_400_000) })
    .where(eq(positionChanges.companyId, practice.companyId));
  expect((await load()).totals).toEqual(NOTHING);
  const after = { ...first.after, owed: pence(first.after.owed - 100) };
  await db.insert(positionChanges).values({ ...first, before: first.after, after });
  expect((await load()).changes[0]?.details).toEqual([{ kind: 'owed', text: expect.stringMatching(/^Owed: £.* \(was £.*\)$/) }]);
  // The payment bounced, so the figure is back to yesterday's.
  await db.insert(positionChanges).values({ ...first, changedAt: addMilliseconds(first.changedAt, 1), before: after, after: first.after });
  expect((await load()).totals).toEqual(NOTHING);
  expect((await load(practice.member)).totals).toEqual(NOTHING);
  await db.delete(positionChanges).where(eq(positionChanges.changedAt, addMilliseconds(first.changedAt, 1)));
  expect([(await load()).totals.changed, (await load(practice.member)).totals.changed]).toEqual([1, 0]);
  await assignClient(portal, practice.companyId, clientId, practice.memberId);
  expect((await load(practice.member)).totals.changed).toBe(1);
  const otherPractice = await addPractice(portal);
  expect((await otherPractice.admin.get('/open-tax/position-changes', query)).status).toBe(404);
});

type Position = typeof taxPositions.$inferSelect;
type ListedChange = ChangesBody['changes'][number];

async function loadPositions({ companyId }: TestPractice): Promise<Map<string, Position>> {
  const rows = await portal.deps.database.db.select().from(taxPositions).where(eq(taxPositions.companyId, companyId));
  return new Map(rows.map((row) => [`${row.clientId} ${row.tax}`, row]));
}

/** Loads all pages of a group, with the count shown on its button. */
async function loadGroup(browser: TestPractice['admin'], query: Record<string, string>, group: 'changed' | 'first') {
  const listedChanges: ListedChange[] = [];
  for (;;) {
    const { body } = await browser.get('/open-tax/position-changes', { ...query, group, from: String(listedChanges.length) });
    const { totals, changes } = body as ChangesBody;
    listedChanges.push(...changes);
    if (changes.length === 0 || listedChanges.length >= totals[group]) return { count: totals[group], listed: listedChanges };
  }
}

/** Describes the difference between two positions in the words of the list, without using the list's own code. */
function describeDifference(before: Position, after: Position): string[] {
  const describeAmountChange = (name: string, from: Position['owedPence'], to: Position['owedPence']) =>
    from === to ? [] : [`${name}: ${formatPounds(to)} (was ${formatPounds(from)})`];
  const describeNumberChange = (name: string, from: number, to: number) => (from === to ? [] : [`${name}: ${to} (was ${from})`]);
  return [
    ...describeAmountChange('Overdue', before.overduePence, after.overduePence),
    ...describeAmountChange('Owed', before.owedPence, after.owedPence),
    ...describeAmountChange('Refund due', before.refundPence, after.refundPence),
    ...describeNumberChange('Overdue returns', before.overdueReturns, after.overdueReturns),
    ...describeNumberChange('Overdue quarterly updates', before.overdueUpdates, after.overdueUpdates),
    ...describeAmountChange('Penalties', before.penaltyPence, after.penaltyPence),
    ...(before.penaltyPoints === after.penaltyPoints || after.penaltyPoints === null
      ? []
      : [`Penalty points: ${after.penaltyPoints} (was ${before.penaltyPoints ?? 'unknown'})`]),
    ...(before.nextDueOn === after.nextDueOn || after.nextDueOn === null ? [] : ['Next']),
  ];
}

const toTexts = ({ details }: ListedChange): string[] => details.map(({ kind, text }) => (kind === 'next_due' ? 'Next' : text));

it('lists exactly the positions that differ from yesterday’s, with both amounts, and the first readings separately', async () => {
  const readings = fc.array(generatedTax, { minLength: 40, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(portfolio, readings, readings, async (generatedClients, laterReading, latest) => {
      const db = portal.deps.database.db;
      const practice = await addPractice(portal);
      const ids = await addPortfolio(portal, practice, generatedClients);
      const before = await loadPositions(practice);
      // Of every three taxes, one gets different figures, one gets different figures and then the original ones back, and one isn't read
      // again.
      const places = generatedClients.flatMap(({ taxes }, client) => taxes.map((first) => ({ clientId: ids[client] ?? '', first })));
      const read = async (list: typeof laterReading, choose: (place: number) => boolean) =>
        addReadings(
          portal,
          practice,
          places.flatMap(({ clientId, first }, place) => {
            const reading = list[place % list.length];
            return choose(place) && reading ? [{ clientId, reading: { ...reading, tax: first.tax } }] : [];
          }),
        );
      await read(laterReading, (place) => place % 3 < 2);
      await read(latest, (place) => place % 6 === 0);
      await addReadings(
        portal,
        practice,
        places.flatMap(({ clientId, first }, place) =>
          place % 3 === 1 && first.readDaysAgo !== null ? [{ clientId, reading: first }] : [],
        ),
      );
      const after = await loadPositions(practice);
      const current = await db.select().from(clients).where(eq(clients.companyId, practice.companyId));
      const assignedIds = new Set(ids.filter((_id, place) => generatedClients[place]?.isAssigned));
      for (const [browser, canSee] of [
        [practice.admin, () => true],
        [practice.member, (id: string) => assignedIds.has(id)],
      ] as const) {
        for (const tax of [undefined, 'vat', 'paye', 'ct', 'sa']) {
          const expected = { changed: new Map<string, string[]>(), first: new Map<string, string[]>() };
          for (const [key, now] of after) {
            const status = current.find(({ id }) => id === now.clientId)?.status;
            if (now.asOf === null || status === 'inactive' || status === 'closed' || !canSee(now.clientId)) continue;
            if (tax !== undefined && now.tax !== tax) continue;
            const previousChange = before.get(key);
            if (!previousChange || previousChange.asOf === null) expected.first.set(key, []);
            else if (describeDifference(previousChange, now).length > 0) expected.changed.set(key, describeDifference(previousChange, now));
          }
          const query = { company_id: practice.companyId, ...(tax === undefined ? {} : { tax }) };
          const changedGroup = await loadGroup(browser, query, 'changed');
          expect(new Map(changedGroup.listed.map((item) => [`${item.client_id} ${item.tax}`, toTexts(item)]))).toEqual(expected.changed);
          const first = await loadGroup(browser, query, 'first');
          expect(first.listed.map((item) => `${item.client_id} ${item.tax}`).toSorted()).toEqual([...expected.first.keys()].toSorted());
          // The counts on the buttons match the rows.
          expect([changedGroup.count, first.count]).toEqual([changedGroup.listed.length, first.listed.length]);
          expect([changedGroup.count, first.count]).toEqual([expected.changed.size, expected.first.size]);
        }
      }
    }),
    { numRuns: 2, endOnFailure: true },
  );
}, 120_000);
