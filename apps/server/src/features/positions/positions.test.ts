import {
  clientObservations,
  clientRows,
  clients,
  dueItems,
  practiceTotals,
  taxPositions,
  type PracticeTotals,
} from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { RULES_VERSION } from '@portal/domain/positions/rules-version.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, desc, eq, sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { addPortfolio } from '../../testing/add-portfolio.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { countTotals, WHOLE_PRACTICE, type CountedTotals } from './count-totals.ts';
import { enqueueTotals } from './refresh-totals.ts';
import { sweepPositions } from './positions-jobs.ts';
import { rebuildPositions, rebuildTaxes } from './rebuild-position.ts';
import { recordObservation } from '../../testing/record-observation.ts';

let portal: TestPortal;
let practice: TestPractice;
beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
  practice = await addPractice(portal);
});
afterAll(() => portal.close());

const getDb = () => portal.deps.database.db;
const QUARTER = { start: plainDate('2026-07-01'), end: plainDate('2026-09-30') };

/** Records that a client owes VAT for a quarter (£1,000 by default), due on the given date. */
async function recordVatCharge(clientId: string, due: string, pounds = 1000, takenAt = portal.deps.clock.now()): Promise<void> {
  const amount = pence(pounds * 100);
  const charges = [{ type: 'VAT Return Debit Charge', original: amount, outstanding: amount, due: plainDate(due), period: QUARTER }];
  await getDb().transaction(async (tx) => {
    const scope = { companyId: practice.companyId, clientId, source: 'hmrc' as const, takenAt };
    await recordObservation(tx, { ...scope, kind: 'vat_liabilities', body: { charges, olderCharges: [] } });
    await rebuild(tx, [clientId]);
  });
}

function rebuild(tx: Parameters<typeof rebuildPositions>[0], clientIds: readonly string[], tax: Tax = 'vat'): Promise<void> {
  const { clock } = portal.deps;
  return rebuildPositions(tx, { companyId: practice.companyId, tax, clientIds, today: clock.today(), now: clock.now() });
}

const loadVatPosition = async (clientId: string) =>
  (
    await getDb()
      .select()
      .from(taxPositions)
      .where(and(eq(taxPositions.clientId, clientId), eq(taxPositions.tax, 'vat')))
  )[0];
const loadClientRow = async (clientId: string) => (await getDb().select().from(clientRows).where(eq(clientRows.clientId, clientId)))[0];

describe('rebuilding positions', () => {
  const listDueItems = (clientId: string) => getDb().select().from(dueItems).where(eq(dueItems.clientId, clientId));

  it('of the same clients concurrently, in any order, gives one consistent result', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 12; count += 1) ids.push(await addClient(portal, practice.companyId, { taxes: ['vat', 'ct'] }));
    for (const id of ids) await recordVatCharge(id, '2026-11-07');
    const { clock } = portal.deps;
    const scope = { companyId: practice.companyId, today: clock.today(), now: clock.now() };
    const orders = [ids, ids.toReversed(), ids.toSorted(), [...ids.slice(6), ...ids.slice(0, 6)]];
    const work = Array.from({ length: 16 }, (_, index) => {
      const order = orders[index % orders.length] ?? ids;
      return getDb().transaction((tx) => rebuildTaxes(tx, scope, { vat: order, ct: order.toReversed() }));
    });
    await Promise.all(work);
    for (const id of ids) {
      expect(await loadVatPosition(id)).toMatchObject({ owedPence: 100_000 });
      expect((await listDueItems(id)).filter(({ tax, what }) => tax === 'vat' && what === 'payment')).toHaveLength(1);
    }
  });

  it('uses observations that a concurrent transaction has just stored', async () => {
    const clientId = await addClient(portal, practice.companyId);
    const pounds = [100, 200, 300, 400, 500, 600];
    await Promise.all(
      pounds.map((amount, index) =>
        recordVatCharge(clientId, '2026-11-07', amount, addMilliseconds(portal.deps.clock.now(), index * 1_000)),
      ),
    );
    const [newestObservation] = await getDb()
      .select()
      .from(clientObservations)
      .where(eq(clientObservations.clientId, clientId))
      .orderBy(desc(clientObservations.takenAt));
    const body = newestObservation?.body as { charges: { outstanding: number }[] } | undefined;
    expect((await loadVatPosition(clientId))?.owedPence).toBe(body?.charges[0]?.outstanding);
  });

  it('keeps the observations of concurrent transactions whose clock is behind the newest one', async () => {
    const clientId = await addClient(portal, practice.companyId);
    const now = portal.deps.clock.now();
    await recordVatCharge(clientId, '2026-11-07', 50, addMilliseconds(now, 60_000));
    await Promise.all([100, 200, 300, 400, 500, 600].map((amount) => recordVatCharge(clientId, '2026-11-07', amount, now)));
    expect(await getDb().select().from(clientObservations).where(eq(clientObservations.clientId, clientId))).toHaveLength(7);
  });

  it('writes a due item only when it changed, and deletes it when it no longer applies', async () => {
    const clientId = await addClient(portal, practice.companyId);
    await recordVatCharge(clientId, '2026-11-20');
    const loadWrittenItems = () =>
      getDb().execute(sql`select key, xmin::text as by from due_items where client_id = ${clientId} and what = 'payment'`);
    const before = (await loadWrittenItems()).rows;
    await getDb().transaction((tx) => rebuild(tx, [clientId]));
    expect((await loadWrittenItems()).rows).toEqual(before);
    await recordVatCharge(clientId, '2026-11-20', 0);
    expect((await loadWrittenItems()).rows).toEqual([]);
  });

  it('deletes the position of a tax that the client no longer has', async () => {
    const clientId = await addClient(portal, practice.companyId);
    await recordVatCharge(clientId, '2026-11-20');
    await getDb().update(clients).set({ hasVat: false }).where(eq(clients.id, clientId));
    await getDb().transaction((tx) => rebuild(tx, [clientId]));
    expect([await loadVatPosition(clientId), await listDueItems(clientId)]).toEqual([undefined, []]);
    expect(await loadClientRow(clientId)).toMatchObject({ owedPence: 0, attention: 'no_data' });
  });
});

describe('a release with a new rules version', () => {
  it('rebuilds positions of older versions and leaves those of newer versions', async () => {
    const [olderClientId, newerClientId] = [await addClient(portal, practice.companyId), await addClient(portal, practice.companyId)];
    for (const id of [olderClientId, newerClientId]) await recordVatCharge(id, '2026-11-20');
    const setRulesVersion = (id: string, rulesVersion: number) =>
      getDb()
        .update(taxPositions)
        .set({ rulesVersion, owedPence: pence(1) })
        .where(eq(taxPositions.clientId, id));
    await setRulesVersion(olderClientId, RULES_VERSION - 1);
    await setRulesVersion(newerClientId, RULES_VERSION + 1);
    await sweepPositions(portal.deps);
    await portal.runJobs();
    expect(await loadVatPosition(olderClientId)).toMatchObject({ owedPence: 100_000, rulesVersion: RULES_VERSION });
    expect(await loadVatPosition(newerClientId)).toMatchObject({ owedPence: 1, rulesVersion: RULES_VERSION + 1 });
  });
});

describe('observations', () => {
  it('are stored once when repeated, and again when they differ', async () => {
    const clientId = await addClient(portal, practice.companyId);
    await recordVatCharge(clientId, '2026-11-07');
    await recordVatCharge(clientId, '2026-11-07');
    expect(await getDb().select().from(clientObservations).where(eq(clientObservations.clientId, clientId))).toHaveLength(1);
    await recordVatCharge(clientId, '2026-11-07', 400);
    expect(await getDb().select().from(clientObservations).where(eq(clientObservations.clientId, clientId))).toHaveLength(2);
    expect(await loadVatPosition(clientId)).toMatchObject({ owedPence: 40_000, source: 'hmrc' });
  });
});

describe('a position', () => {
  it('updates the client row, the due items and the totals over taxes', async () => {
    const clientId = await addClient(portal, practice.companyId, { taxes: ['vat', 'ct'], yearEndOn: plainDate('2026-03-31') });
    await recordVatCharge(clientId, '2026-11-07');
    await getDb().transaction((tx) => rebuild(tx, [clientId], 'ct'));
    expect(await loadClientRow(clientId)).toMatchObject({
      nextDueOn: '2026-11-07',
      nextDueTax: 'vat',
      nextDueWhat: 'payment',
      nextDuePence: 100_000,
      owedPence: 100_000,
      overduePence: 100_000,
      attention: 'overdue_payment',
    });
    const items = await getDb().select().from(dueItems).where(eq(dueItems.clientId, clientId)).orderBy(dueItems.dueOn);
    expect(items.map(({ tax, what, dueOn, source }) => [tax, what, dueOn, source])).toEqual([
      ['vat', 'payment', '2026-11-07', 'hmrc'],
      ['ct', 'payment', '2027-01-01', 'rule'],
      ['ct', 'return', '2027-03-31', 'rule'],
    ]);
  });

  it('names a penalty as the next item, rather than a payment of the tax', async () => {
    const clientId = await addClient(portal, practice.companyId, { taxes: ['paye'] });
    await getDb().transaction(async (tx) => {
      const scope = { companyId: practice.companyId, clientId, source: 'statement' as const, takenAt: portal.deps.clock.now() };
      const penalty = {
        kind: 'penalty',
        title: 'Late filing penalty',
        original: 10_000,
        outstanding: 10_000,
        due: plainDate('2026-11-07'),
      };
      await recordObservation(tx, { ...scope, kind: 'paye_statement', body: { charges: [penalty], payments: [], pays: 'monthly' } });
      await rebuild(tx, [clientId], 'paye');
    });
    expect(await loadClientRow(clientId)).toMatchObject({ nextDueTax: 'paye', nextDueWhat: 'penalty', nextDuePence: 10_000 });
  });

  it('does not exist for a tax that the client does not have', async () => {
    const clientId = await addClient(portal, practice.companyId, { taxes: ['ct'] });
    await recordVatCharge(clientId, '2026-11-07');
    expect(await loadVatPosition(clientId)).toBeUndefined();
    expect(await getDb().select().from(dueItems).where(eq(dueItems.clientId, clientId))).toEqual([]);
  });

  it("is never written for another practice's client", async () => {
    const otherPractice = await addPractice(portal);
    const clientId = await addClient(portal, otherPractice.companyId);
    await getDb().transaction((tx) => rebuild(tx, [clientId]));
    expect(await loadVatPosition(clientId)).toBeUndefined();
  });
});

describe('a new day', () => {
  it('marks due amounts as overdue and adds interest, only where something changes', async () => {
    const [due, laterClient] = [await addClient(portal, practice.companyId), await addClient(portal, practice.companyId)];
    await recordVatCharge(due, '2026-11-11');
    await recordVatCharge(laterClient, '2026-12-24');
    expect(await loadVatPosition(due)).toMatchObject({ overduePence: 0 });
    portal.moveClock('2026-11-12T09:00:00.000Z');
    await sweepPositions(portal.deps);
    // 1,000 × 7.75% × 1/365 = 0.21.
    expect(await loadVatPosition(due)).toMatchObject({ overduePence: 100_000, interestPence: 21, computedOn: '2026-11-12' });
    expect(await loadVatPosition(laterClient)).toMatchObject({ computedOn: '2026-11-10' });
    portal.moveClock('2026-11-13T09:00:00.000Z');
    await sweepPositions(portal.deps);
    expect(await loadVatPosition(due)).toMatchObject({ interestPence: 42 });
    portal.moveClock('2026-11-10T09:00:00.000Z');
    await sweepPositions(portal.deps);
    expect(await loadVatPosition(due)).toMatchObject({ overduePence: 0, interestPence: 0 });
  });
});

describe('totals', () => {
  const findVatTotals = (countedTotals: CountedTotals | undefined): PracticeTotals => {
    const vat = countedTotals?.totals.find(({ tax }) => tax === 'vat');
    if (!vat) throw new Error('no VAT totals were counted');
    return vat;
  };

  it("equal the sums of the positions; a team member's cover only assigned clients", async () => {
    const ownPractice = await addPractice(portal);
    const ids = [
      await addClient(portal, ownPractice.companyId),
      await addClient(portal, ownPractice.companyId),
      await addClient(portal, ownPractice.companyId),
    ];
    const before = practice;
    practice = ownPractice;
    await recordVatCharge(ids[0] ?? '', '2026-11-07', 1000);
    await recordVatCharge(ids[1] ?? '', '2026-11-16', 200);
    await recordVatCharge(ids[2] ?? '', '2026-12-24', 30);
    practice = before;
    await assignClient(portal, ownPractice.companyId, ids[1] ?? '', ownPractice.memberId);
    const today = portal.deps.clock.today();
    const [ofPractice] = await countTotals(getDb(), ownPractice.companyId, today, WHOLE_PRACTICE);
    const all = findVatTotals(ofPractice);
    expect(all).toMatchObject({ tax: 'vat', clients: 3, owed_pence: 123_000, overdue_pence: 100_000, overdue_clients: 1, refund_pence: 0 });
    expect(all.due).toEqual({
      '7': { clients: 1, items: 1, amount_pence: 20_000 },
      '30': { clients: 1, items: 1, amount_pence: 20_000 },
      '90': { clients: 2, items: 2, amount_pence: 23_000 },
    });
    expect(all.by_month).toHaveLength(12);
    // Overdue amounts count in the current month.
    expect(all.by_month.slice(0, 2)).toEqual([
      { month: '2026-11-01', to_pay_pence: 120_000, to_pay_is_partial: false, to_receive_pence: 0, to_receive_is_partial: false },
      { month: '2026-12-01', to_pay_pence: 3_000, to_pay_is_partial: false, to_receive_pence: 0, to_receive_is_partial: false },
    ]);
    const [member] = await countTotals(getDb(), ownPractice.companyId, today, ownPractice.memberId);
    expect(findVatTotals(member)).toMatchObject({ clients: 1, owed_pence: 20_000 });
    await enqueueTotals(portal.deps, getDb(), ownPractice.companyId);
    await portal.runJobs();
    const storedTotals = await getDb().select().from(practiceTotals).where(eq(practiceTotals.companyId, ownPractice.companyId));
    const findStoredTotals = (viewerId: string) => storedTotals.find((totals) => totals.viewerId === viewerId);
    expect(findStoredTotals(WHOLE_PRACTICE)).toMatchObject({ totals: ofPractice?.totals, overall: ofPractice?.overall });
    expect(findStoredTotals(ownPractice.memberId)).toMatchObject({ totals: member?.totals, overall: member?.overall });
    expect(storedTotals).toHaveLength(2);
    expect(storedTotals[0]?.totals.map(({ tax }) => tax)).toEqual(['vat', 'paye', 'ct', 'sa', 'all']);
  });
});

describe('a PAYE year', () => {
  it('adds up every charge of the year, including one for the whole year and two for one month', async () => {
    const id = await addClient(portal, practice.companyId, { taxes: ['paye'] });
    const createCharge = (title: string, start: string, end: string, due: string, pounds: number, outstandingPounds = pounds) => ({
      title,
      kind: 'tax' as const,
      original: pence(pounds * 100),
      outstanding: pence(outstandingPounds * 100),
      due: plainDate(due),
      period: { start: plainDate(start), end: plainDate(end) },
    });
    const charges = [
      createCharge('Month 12', '2026-03-06', '2026-04-05', '2026-04-22', 100, 0),
      createCharge('Quarter 4', '2026-01-06', '2026-04-05', '2026-04-22', 20),
      createCharge('Class 1A', '2025-04-06', '2026-04-05', '2026-07-22', 50),
    ];
    await getDb().transaction(async (tx) => {
      const scope = { companyId: practice.companyId, clientId: id, source: 'statement' as const, takenAt: portal.deps.clock.now() };
      await recordObservation(tx, { ...scope, kind: 'paye_statement', body: { charges, payments: [], pays: 'monthly' } });
      await rebuild(tx, [id], 'paye');
    });
    const query = { company_id: practice.companyId, client_id: id, tax_year: '2025-26' };
    const { body } = await practice.admin.get('/open-tax/paye-summary', query);
    expect(body).toMatchObject({ charged_pence: 170_00, outstanding_pence: 70_00 });
    expect((body['months'] as unknown[])[11]).toMatchObject({
      month: 12,
      charged_pence: 120_00,
      outstanding_pence: 20_00,
      due_on: '2026-04-22',
    });
    expect(body['others']).toMatchObject([{ start: '2025-04-06', charged_pence: 50_00, outstanding_pence: 50_00, due_on: '2026-07-22' }]);
  });
});

describe('the day on which a debt is due', () => {
  it('sets a credit off against it', async () => {
    const today = portal.deps.clock.now();
    const charges = [
      { pounds: -300, due: -5 },
      { pounds: 100, due: 2 },
    ];
    const [id = ''] = await addPortfolio(portal, practice, [
      {
        status: 'active',
        kind: 'company',
        isAssigned: false,
        hasYearEnd: false,
        taxes: [{ tax: 'vat', readDaysAgo: 0, hasFailed: false, charges, returns: [] }],
      },
    ]);
    expect(await loadVatPosition(id)).toMatchObject({ owedPence: 100_00, refundPence: 300_00 });
    try {
      portal.moveClock('2026-11-12T09:00:00.000Z');
      await sweepPositions(portal.deps);
      expect(await loadVatPosition(id)).toMatchObject({ owedPence: 0, refundPence: 200_00 });
      expect(await loadClientRow(id)).toMatchObject({ owedPence: 0, refundPence: 200_00 });
    } finally {
      portal.moveClock(today);
    }
  });
});
