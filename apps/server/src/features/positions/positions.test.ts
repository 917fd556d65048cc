import { clientObservations, clientRows, dueItems, practiceTotals, taxPositions } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { countTotals } from './count-totals.ts';
import { sweepPositions } from './position-jobs.ts';
import { rebuildPositions } from './rebuild-position.ts';
import { recordObservation } from './record-observations.ts';

let portal: TestPortal;
let practice: TestPractice;
beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
  practice = await addPractice(portal);
});
afterAll(() => portal.close());

const db = () => portal.deps.database.db;
const QUARTER = { start: plainDate('2026-07-01'), end: plainDate('2026-09-30') };

/** A client whose VAT of a quarter, 1,000 pounds, is due on a day. */
async function observe(clientId: string, due: string, pounds = 1000): Promise<void> {
  const { clock } = portal.deps;
  const amount = pence(pounds * 100);
  const charges = [{ type: 'VAT Return Debit Charge', original: amount, outstanding: amount, due: plainDate(due), period: QUARTER }];
  await db().transaction(async (tx) => {
    const of = { companyId: practice.companyId, clientId, source: 'hmrc' as const, takenAt: clock.now() };
    await recordObservation(tx, { ...of, kind: 'vat_liabilities', body: { charges, olderCharges: [] } });
    await rebuild(tx, [clientId]);
  });
}

function rebuild(tx: Parameters<typeof rebuildPositions>[0], clientIds: readonly string[], tax: 'vat' | 'ct' = 'vat'): Promise<void> {
  const { clock } = portal.deps;
  return rebuildPositions(tx, { companyId: practice.companyId, tax, clientIds, today: clock.today(), now: clock.now() });
}

const positionOf = async (clientId: string) =>
  (
    await db()
      .select()
      .from(taxPositions)
      .where(and(eq(taxPositions.clientId, clientId), eq(taxPositions.tax, 'vat')))
  )[0];
const rowOf = async (clientId: string) => (await db().select().from(clientRows).where(eq(clientRows.clientId, clientId)))[0];

describe('an observation', () => {
  it('that says the same again is not kept twice; one that differs is kept beside it', async () => {
    const clientId = await addClient(portal, practice.companyId);
    await observe(clientId, '2026-11-07');
    await observe(clientId, '2026-11-07');
    expect(await db().select().from(clientObservations).where(eq(clientObservations.clientId, clientId))).toHaveLength(1);
    await observe(clientId, '2026-11-07', 400);
    expect(await db().select().from(clientObservations).where(eq(clientObservations.clientId, clientId))).toHaveLength(2);
    expect(await positionOf(clientId)).toMatchObject({ owedPence: 40_000, source: 'hmrc' });
  });
});

describe('a position', () => {
  it('reaches the client’s row, its due items and its sum over the taxes', async () => {
    const clientId = await addClient(portal, practice.companyId, { taxes: ['vat', 'ct'], yearEndOn: plainDate('2026-03-31') });
    await observe(clientId, '2026-11-07');
    await db().transaction((tx) => rebuild(tx, [clientId], 'ct'));
    expect(await rowOf(clientId)).toMatchObject({
      nextDueOn: '2026-11-07',
      nextDueTax: 'vat',
      nextDueWhat: 'payment',
      nextDuePence: 100_000,
      owedPence: 100_000,
      overduePence: 100_000,
      attention: 'overdue_payment',
    });
    const items = await db().select().from(dueItems).where(eq(dueItems.clientId, clientId)).orderBy(dueItems.dueOn);
    expect(items.map(({ tax, what, dueOn, source }) => [tax, what, dueOn, source])).toEqual([
      ['vat', 'payment', '2026-11-07', 'hmrc'],
      ['ct', 'payment', '2027-01-01', 'rule'],
      ['ct', 'return', '2027-03-31', 'rule'],
    ]);
  });

  it('goes when the client no longer has the tax', async () => {
    const clientId = await addClient(portal, practice.companyId, { taxes: ['ct'] });
    await observe(clientId, '2026-11-07');
    expect(await positionOf(clientId)).toBeUndefined();
    expect(await db().select().from(dueItems).where(eq(dueItems.clientId, clientId))).toEqual([]);
  });

  it('of another practice’s client is never written', async () => {
    const other = await addPractice(portal);
    const clientId = await addClient(portal, other.companyId);
    await db().transaction((tx) => rebuild(tx, [clientId]));
    expect(await positionOf(clientId)).toBeUndefined();
  });
});

describe('a new day', () => {
  it('makes what was due overdue and lets interest grow, for those it changes and no others', async () => {
    const [due, later] = [await addClient(portal, practice.companyId), await addClient(portal, practice.companyId)];
    await observe(due, '2026-11-11');
    await observe(later, '2026-12-24');
    expect(await positionOf(due)).toMatchObject({ overduePence: 0 });
    portal.moveClock('2026-11-12T09:00:00.000Z');
    await sweepPositions(portal.deps);
    // 1,000 x 7.75% x 1/365 = 0.21.
    expect(await positionOf(due)).toMatchObject({ overduePence: 100_000, interestPence: 21, computedOn: '2026-11-12' });
    expect(await positionOf(later)).toMatchObject({ computedOn: '2026-11-10' });
    portal.moveClock('2026-11-13T09:00:00.000Z');
    await sweepPositions(portal.deps);
    expect(await positionOf(due)).toMatchObject({ interestPence: 42 });
    portal.moveClock('2026-11-10T09:00:00.000Z');
    await sweepPositions(portal.deps);
    expect(await positionOf(due)).toMatchObject({ overduePence: 0, interestPence: 0 });
  });
});

describe('the totals', () => {
  it('are those of the positions; a team_member’s those of the assigned clients alone', async () => {
    const own = await addPractice(portal);
    const ids = [await addClient(portal, own.companyId), await addClient(portal, own.companyId), await addClient(portal, own.companyId)];
    const before = practice;
    practice = own;
    await observe(ids[0] ?? '', '2026-11-07', 1000);
    await observe(ids[1] ?? '', '2026-11-16', 200);
    await observe(ids[2] ?? '', '2026-12-24', 30);
    practice = before;
    await assignClient(portal, own.companyId, ids[1] ?? '', own.memberId);
    const today = portal.deps.clock.today();
    const all = await countTotals(db(), own.companyId, 'vat', today);
    expect(all).toMatchObject({ tax: 'vat', clients: 3, owed_pence: 123_000, overdue_pence: 100_000, overdue_clients: 1, refund_pence: 0 });
    expect(all.due).toEqual({
      '7': { items: 1, amount_pence: 20_000 },
      '30': { items: 1, amount_pence: 20_000 },
      '90': { items: 2, amount_pence: 23_000 },
    });
    expect(all.by_month).toHaveLength(12);
    // What is overdue is to be paid now.
    expect(all.by_month.slice(0, 2)).toEqual([
      { month: '2026-11-01', to_pay_pence: 120_000, to_receive_pence: 0 },
      { month: '2026-12-01', to_pay_pence: 3_000, to_receive_pence: 0 },
    ]);
    expect(await countTotals(db(), own.companyId, 'vat', today, own.memberId)).toMatchObject({ clients: 1, owed_pence: 20_000 });
    await portal.deps.enqueue(db(), 'practice.totals', { company_id: own.companyId });
    await portal.runJobs();
    const [kept] = await db().select().from(practiceTotals).where(eq(practiceTotals.companyId, own.companyId));
    expect(kept?.totals).toEqual([all, ...(kept?.totals.slice(1) ?? [])]);
    expect(kept?.totals.map(({ tax }) => tax)).toEqual(['vat', 'paye', 'ct', 'sa']);
  });
});
