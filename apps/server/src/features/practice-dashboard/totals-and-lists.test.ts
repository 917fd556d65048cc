/** Every total on the dashboard equals the sum of the list that it links to: for each tax, viewer and filter, over generated portfolios. */
import type { ClientRow } from '@portal/contract/clients.ts';
import type { ClientFilters } from '@portal/contract/client-filters.ts';
import { listMatched, MATCHED_FILTERS, type MatchedItems } from '@portal/contract/figures.ts';
import { getMonthFilters, getTotalFilters, TOTAL_NAMES, type TotalName, type Totals } from '@portal/contract/practice-totals.ts';
import { clientRows, clients, dueItems, practiceTotals, taxPositions } from '@portal/db/schema/schema.ts';
import { addDays, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { getDueKind, ITEM_KINDS, type PositionDetail } from '@portal/domain/positions/position.ts';
import { getFiguresState } from '@portal/domain/positions/figures-state.ts';
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import { and, eq, or } from '@portal/db/sql.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { addPortfolio, portfolio } from '../../testing/add-portfolio.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import type { Browser } from '../../testing/test-trader.ts';
import { sweepPositions } from '../positions/positions-jobs.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const TABS = {
  all: ['dashboard', {}],
  vat: ['dashboard', { tax: 'vat' }],
  paye: ['paye-dashboard', {}],
  ct: ['corp-dashboard', {}],
  sa: ['self-assessment-dashboard', {}],
} as const;
type Tab = keyof typeof TABS;
const TAB_NAMES = Object.keys(TABS) as readonly Tab[];

/** One user's view: their dashboard with the list that they see, or with an admin's list filtered to that user. */
type View = { readonly dashboard: Browser; readonly list: Browser; readonly extra: ClientFilters };

async function readTotals({ companyId }: TestPractice, { dashboard }: View, tab: Tab): Promise<Totals> {
  const [path, query] = TABS[tab];
  const { status, body } = await dashboard.get(`/open-tax/${path}`, { company_id: companyId, ...query });
  expect(status).toBe(200);
  return body['totals'] as Totals;
}

async function readList({ companyId }: TestPractice, { list, extra }: View, filters: ClientFilters) {
  const query = { company_id: companyId, ...filters, ...extra } as Record<string, string>;
  const { body: count } = await list.get('/open-tax/client-companies/count', query);
  const { status, body } = await list.get('/open-tax/client-companies', { ...query, limit: '200' });
  expect(status).toBe(200);
  return { rows: body['clients'] as ClientRow[], count: count as { count: number; matched: MatchedItems | null } };
}

type Item = typeof dueItems.$inferSelect;

const loadItems = ({ companyId }: TestPractice): Promise<Item[]> =>
  portal.deps.database.db.select().from(dueItems).where(eq(dueItems.companyId, companyId));

/** Asserts that each row names exactly the client's items that the filter counted, adds up to their amounts, and comes in date order. */
function expectCountedItems(label: string, rows: readonly ClientRow[], countedItems: readonly Item[]): void {
  const byClient = Map.groupBy(countedItems, ({ clientId }) => clientId);
  for (const { client_id: id, matched } of rows) {
    const clientPositions = byClient.get(id) ?? [];
    expect([label, matched?.due.map(toItemText).toSorted()]).toEqual([
      label,
      clientPositions
        .map((item) => toItemText({ ...item, due_on: item.dueOn, amount_pence: item.amountPence && Math.abs(item.amountPence) }))
        .toSorted(),
    ]);
    expect([label, matched?.items, matched?.amount_pence ?? 0]).toEqual([
      label,
      clientPositions.length,
      sum(matched?.due.map((item) => item.amount_pence) ?? []),
    ]);
  }
  const firstDates = rows.map(({ matched }) => matched?.due[0]?.due_on ?? '');
  expect([label, firstDates]).toEqual([label, firstDates.toSorted()]);
}

const toItemText = (item: { due_on: string; tax: string; kind: string; amount_pence: number | null }): string =>
  [item.due_on, item.tax, item.kind, item.amount_pence].join(' ');

const sum = (values: readonly (number | null | undefined)[]): number => values.reduce<number>((total, value) => total + (value ?? 0), 0);

/** Returns the figures on the card: clients, and items or amount if it shows them. */
function getCard(totals: Totals, name: TotalName): { clients: number; items?: number | null; amount?: number | null } {
  switch (name) {
    case 'clients':
      return { clients: totals.clients };
    case 'incomplete':
      return { clients: totals.incomplete_clients };
    case 'stale':
      return { clients: totals.stale_clients };
    case 'owed':
      return { clients: totals.owed_clients, amount: totals.owed_pence };
    case 'overdue':
      return { clients: totals.overdue_clients, amount: totals.overdue_pence };
    case 'refund':
      return { clients: totals.refund_clients, amount: totals.refund_pence };
    case 'overdue_returns':
      return { clients: totals.overdue_return_clients, items: totals.overdue_returns };
    case 'overdue_updates':
      return { clients: totals.overdue_update_clients, items: totals.overdue_updates };
    case 'at_risk':
      return { clients: totals.at_risk_clients, amount: totals.at_risk_pence };
    case 'due_7':
    case 'due_30':
    case 'due_90': {
      const { clients: dueClients, items, amount_pence: amount } = totals.due[name.slice(4) as unknown as 7];
      return { clients: dueClients, items, amount };
    }
  }
}

const PARTIAL_STATES: ReadonlySet<string> = new Set(['unread', 'partial']);
const PAYMENT_KINDS: ReadonlySet<string> = new Set(ITEM_KINDS.filter((kind) => getDueKind(kind) === 'payment'));

/** Asserts that a VAT group's VAT counts once: its members other than the representative member have no VAT position and no VAT item. */
async function expectGroupsOnce({ companyId }: TestPractice): Promise<void> {
  const { db } = portal.deps.database;
  const members = await db
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), eq(clients.vatGroupRole, 'member')));
  expect(members.length).toBeGreaterThan(0);
  for (const table of [taxPositions, dueItems]) {
    const ofMembers = members.map(({ id }) => and(eq(table.companyId, companyId), eq(table.clientId, id), eq(table.tax, 'vat')));
    expect(await db.$count(table, or(...ofMembers))).toBe(0);
  }
}

/** Asserts that the practice's totals are the sums of its active clients' positions and of their open charges of every kind. */
async function expectPositionsBehind(practice: TestPractice, tab: Tab, totals: Totals): Promise<void> {
  const { db } = portal.deps.database;
  const rows = await db.select().from(clientRows).where(eq(clientRows.companyId, practice.companyId));
  const activeIds = new Set(rows.filter(({ status }) => status !== 'inactive' && status !== 'closed').map(({ clientId }) => clientId));
  const positions = (await db.select().from(taxPositions).where(eq(taxPositions.companyId, practice.companyId))).filter(
    ({ clientId, tax, asOf }) => activeIds.has(clientId) && asOf !== null && (tab === 'all' || tax === tab),
  );
  const charges = positions.flatMap(({ detail }) => (detail as PositionDetail).charges);
  const getOutstandingPence = ({ outstanding_pence: rest, set_off_pence: setOff }: (typeof charges)[number]): number =>
    Math.abs(rest) - setOff;
  const openCharges = charges.filter(({ kind }) => kind !== 'credit');
  const costs = sum(positions.map(({ penaltyPence, interestPence }) => penaltyPence + interestPence));
  const expected = {
    owed: sum(openCharges.map(getOutstandingPence)),
    refund: sum(charges.filter(({ kind }) => kind === 'credit').map(getOutstandingPence)),
    at_risk: costs,
    overdue: sum(positions.map(({ overduePence }) => overduePence)),
  };
  for (const [name, amount] of Object.entries(expected)) {
    expect([`${name} of ${tab}`, getCard(totals, name as TotalName).amount ?? 0]).toEqual([`${name} of ${tab}`, amount]);
  }
}

const COLUMNS: Partial<Record<TotalName, 'owed_pence' | 'overdue_pence' | 'refund_pence'>> = {
  owed: 'owed_pence',
  overdue: 'overdue_pence',
  refund: 'refund_pence',
};

async function expectListBehind(practice: TestPractice, view: View, tab: Tab, totals: Totals, today: PlainDate): Promise<void> {
  const items = await loadItems(practice);
  for (const name of TOTAL_NAMES) {
    const { rows, count } = await readList(practice, view, getTotalFilters(name, tab, today));
    const card = getCard(totals, name);
    const label = `${name} of ${tab}`;
    expect([label, rows.length, count.count]).toEqual([label, card.clients, card.clients]);
    if (card.items !== undefined) {
      const items = card.items ?? 0;
      expect([label, sum(rows.map((row) => row.matched?.items)), count.matched?.items ?? 0]).toEqual([label, items, items]);
    }
    if (name.startsWith('due_')) {
      const untilDate = addDays(today, Number(name.slice(4)));
      const isCounted = ({ what, tax, dueOn }: Item): boolean =>
        what !== 'refund' && (tab === 'all' || tax === tab) && dueOn >= today && dueOn <= untilDate;
      expectCountedItems(label, rows, items.filter(isCounted));
    }
    if (card.amount === undefined) continue;
    const amount = card.amount ?? 0;
    expect([label, sum(rows.map((row) => row.matched?.amount_pence)), count.matched?.amount_pence ?? 0]).toEqual([label, amount, amount]);
    // The sum says whether any amount is missing from it.
    const isUnknown = ({ figures_state: state, matched }: ClientRow): boolean =>
      state === 'unread' ||
      state === 'partial' ||
      matched?.due.some((item) => PAYMENT_KINDS.has(item.kind) && item.amount_pence === null) === true;
    expect([label, count.matched?.is_partial]).toEqual([label, rows.some(isUnknown)]);
    const column = COLUMNS[name];
    if (column) expect([label, sum(rows.map((row) => row[column]))]).toEqual([label, amount]);
  }
}

/**
 * Asserts that each amount of the twelve months links to the clients whose payments or refunds add up to it, one item for each, and is “at
 * least” exactly if the list's sum is.
 */
async function expectListBehindMonths(practice: TestPractice, view: View, tab: Tab, totals: Totals, today: PlainDate): Promise<void> {
  const items = await loadItems(practice);
  for (const { month, ...monthTotals } of totals.by_month) {
    for (const [flow, itemKind, amount, isPartial] of [
      ['pay_in', 'payment', monthTotals.to_pay_pence, monthTotals.to_pay_is_partial],
      ['refund_in', 'refund', monthTotals.to_receive_pence, monthTotals.to_receive_is_partial],
    ] as const) {
      const { rows, count } = await readList(practice, view, getMonthFilters(flow, month, tab));
      const label = `${flow} ${month} of ${tab}`;
      expect([label, sum(rows.map((row) => row.matched?.amount_pence)), count.matched?.amount_pence ?? 0]).toEqual([label, amount, amount]);
      const itemsInMonth = items.filter(
        (item) =>
          item.what === itemKind &&
          item.amountPence !== 0 &&
          (itemKind === 'payment' || item.amountPence !== null) &&
          (tab === 'all' || item.tax === tab) &&
          rows.some((row) => row.client_id === item.clientId) &&
          (item.dueOn.slice(0, 7) === month.slice(0, 7) || (item.dueOn < month && month.slice(0, 7) === today.slice(0, 7))),
      );
      expect([label, count.count, count.matched?.items ?? 0]).toEqual([label, rows.length, itemsInMonth.length]);
      expectCountedItems(label, rows, itemsInMonth);
      const missesSomething =
        itemsInMonth.some((item) => item.amountPence === null) || rows.some(({ figures_state: state }) => PARTIAL_STATES.has(state));
      expect([label, count.matched?.is_partial, isPartial]).toEqual([label, missesSomething, missesSomething]);
      // Clients without such an item aren't listed.
      expect(rows.every((row) => itemsInMonth.some((item) => item.clientId === row.client_id))).toBe(true);
    }
  }
}

/**
 * Asserts that every row's state equals the domain's, calculated from the positions, and that each filter by state shows exactly those
 * clients.
 */
async function expectStates(practice: TestPractice, view: View, tab: Tab, today: PlainDate): Promise<void> {
  const positions = await portal.deps.database.db.select().from(taxPositions).where(eq(taxPositions.companyId, practice.companyId));
  const taxFilter = tab === 'all' ? {} : { tax: tab };
  const { rows } = await readList(practice, view, taxFilter);
  for (const row of rows) {
    const taxes = tab === 'all' ? row.taxes : [tab];
    const rowPositions = positions.filter(({ clientId, tax, asOf }) => clientId === row.client_id && taxes.includes(tax) && asOf !== null);
    const staleOn =
      rowPositions
        .flatMap((position) => position.staleOn ?? [])
        .toSorted()
        .at(0) ?? null;
    const readTaxes = rowPositions.map(({ tax }) => tax);
    expect(row.figures_state).toBe(getFiguresState({ taxes, readTaxes, staleOn }, today));
    expect(row.unread_taxes).toEqual(TAXES.filter((tax) => taxes.includes(tax) && !readTaxes.includes(tax)));
    expect(row.owed_pence).toBe(rowPositions.length === 0 ? null : sum(rowPositions.map(({ owedPence }) => owedPence)));
  }
  for (const figures of ['unread', 'partial', 'incomplete', 'stale', 'current'] as const) {
    const foundList = await readList(practice, view, { ...taxFilter, figures });
    const expectedRows = rows.filter(({ figures_state: state }) =>
      figures === 'incomplete' ? state === 'unread' || state === 'partial' : state === figures,
    );
    expect([figures, foundList.rows.map(({ client_id: id }) => id)]).toEqual([figures, expectedRows.map(({ client_id: id }) => id)]);
  }
}

/**
 * Asserts that with several filters by dates and amounts, the list has the clients that each of them finds, with what each counts of them,
 * and that the sums are those of the rows.
 */
async function expectEveryFilter(practice: TestPractice, view: View, filters: ClientFilters): Promise<void> {
  const singleColumnTargets = MATCHED_FILTERS.filter((name) => filters[name] !== undefined);
  const { rows, count } = await readList(practice, view, filters);
  const singleFilterLists = await Promise.all(
    singleColumnTargets.map((name) => readList(practice, view, { ...(filters.tax && { tax: filters.tax }), [name]: filters[name] })),
  );
  const byClient = singleFilterLists.map((list) => new Map(list.rows.map((row) => [row.client_id, row.matched])));
  const inAll = singleFilterLists[0]?.rows.map((row) => row.client_id).filter((id) => byClient.every((found) => found.has(id))) ?? [];
  const label = JSON.stringify(filters);
  expect([label, rows.map((row) => row.client_id).toSorted()]).toEqual([label, inAll.toSorted()]);
  expect(count.count).toBe(rows.length);
  for (const row of rows) {
    const expectedMatches = byClient.map((found) => found.get(row.client_id)).map((matched) => matched && { ...matched, further: [] });
    expect([label, listMatched(row.matched).map((found) => ({ ...found, further: [] }))]).toEqual([label, expectedMatches]);
  }
  for (const [place, sums] of listMatched(count.matched).entries()) {
    const countedItems = rows.flatMap((row) => listMatched(row.matched)[place] ?? []);
    expect([label, sums.filter, sums.amount_pence ?? 0, sums.items ?? 0]).toEqual([
      label,
      singleColumnTargets[place],
      sum(countedItems.map((found) => found.amount_pence)),
      sum(countedItems.map((found) => found.items)),
    ]);
  }
  expect(listMatched(count.matched)).toHaveLength(singleColumnTargets.length);
}

describe('every total of the dashboard', () => {
  it('equals the sum of the list behind it, for every tax, person and filter', async () => {
    const filters = fc.record({ attention: fc.constantFrom(undefined, 'none', 'due_soon'), kind: fc.constantFrom(undefined, 'company') });
    await fc.assert(
      fc.asyncProperty(portfolio, portfolio, filters, async (practicePortfolio, others, { attention, kind }) => {
        const practice = await addPractice(portal);
        await addPortfolio(portal, practice, [...practicePortfolio, ...others]);
        await expectGroupsOnce(practice);
        const today = portal.deps.clock.today();
        const practiceView: View = { dashboard: practice.admin, list: practice.admin, extra: {} };
        const views: readonly View[] = [
          practiceView,
          { dashboard: practice.member, list: practice.member, extra: {} },
          { dashboard: practice.member, list: practice.admin, extra: { member: practice.memberId } },
        ];
        for (const view of views) {
          for (const tab of TAB_NAMES) {
            const totals = await readTotals(practice, view, tab);
            await expectListBehind(practice, view, tab, totals, today);
            await expectListBehindMonths(practice, view, tab, totals, today);
            if (view === practiceView) await expectPositionsBehind(practice, tab, totals);
          }
        }
        for (const tab of TAB_NAMES) await expectStates(practice, practiceView, tab, today);
        // With any further filter, the count's sums equal the sums of the rows.
        const extra = { ...(attention === undefined ? {} : { attention }), ...(kind === undefined ? {} : { kind }) } as ClientFilters;
        for (const name of TOTAL_NAMES) {
          const { rows, count } = await readList(practice, { ...practiceView, extra }, getTotalFilters(name, 'all', today));
          expect(count.count).toBe(rows.length);
          expect(count.matched?.amount_pence ?? 0).toBe(sum(rows.map((row) => row.matched?.amount_pence)));
        }
        const due_before = addDays(today, 60);
        for (const combinedQuery of [
          { due_before, has: 'owed' },
          { due_before, has: 'at_risk', tax: 'vat' },
          { due_before, refund_in: today },
          { pay_in: today, refund_in: today, has: 'overdue_any' },
        ] as const)
          await expectEveryFilter(practice, practiceView, combinedQuery);
      }),
      // One large portfolio covers the cases of two smaller ones, with half the requests.
      { numRuns: 1, endOnFailure: true },
    );
  }, 120_000);
});

describe('due within 7 days', () => {
  const today = plainDate('2026-11-10');

  it('lists a client that is also overdue, with only the amount that is due', async () => {
    const practice = await addPractice(portal);
    const read = { readDaysAgo: 0, hasFailed: false, returns: [] };
    const client = { status: 'active', kind: 'company', isAssigned: false, hasYearEnd: false } as const;
    const [id] = await addPortfolio(portal, practice, [
      {
        ...client,
        taxes: [
          { ...read, tax: 'ct', charges: [{ pounds: 900, due: -20 }] },
          { ...read, tax: 'vat', charges: [{ pounds: 40, due: 0 }] },
        ],
      },
    ]);
    const view = { dashboard: practice.admin, list: practice.admin, extra: {} };
    const { rows, count } = await readList(practice, view, { due_before: addDays(today, 7) });
    expect(rows).toMatchObject([{ client_id: id, overdue_pence: 900_00, matched: { items: 1, amount_pence: 40_00 } }]);
    expect(count).toMatchObject({ count: 1, matched: { items: 1, amount_pence: 40_00 } });
    expect((await readTotals(practice, view, 'all')).due[7]).toEqual({ clients: 1, items: 1, amount_pence: 40_00 });
  });

  it('becomes a reason for attention once the date is near', async () => {
    const practice = await addPractice(portal);
    const { db } = portal.deps.database;
    const [id = ''] = await addPortfolio(portal, practice, [
      {
        status: 'active',
        kind: 'company',
        isAssigned: false,
        hasYearEnd: false,
        taxes: [{ tax: 'vat', readDaysAgo: 0, hasFailed: false, charges: [{ pounds: 40, due: 5 }], returns: [] }],
      },
    ]);
    // The figure was calculated four days ago, when the payment was nine days away.
    await db
      .update(taxPositions)
      .set({ computedOn: addDays(today, -4) })
      .where(eq(taxPositions.clientId, id));
    await db.update(clientRows).set({ attention: 'none' }).where(eq(clientRows.clientId, id));
    await sweepPositions(portal.deps);
    const [row] = await db.select().from(clientRows).where(eq(clientRows.clientId, id));
    expect(row?.attention).toBe('due_soon');
  });
});

describe('several filters by dates and amounts', () => {
  it('show what each of them found, so that no amount is mistaken for another', async () => {
    const practice = await addPractice(portal);
    const today = portal.deps.clock.today();
    const read = { readDaysAgo: 0, hasFailed: false, returns: [] };
    const client = { status: 'active', kind: 'company', isAssigned: false, hasYearEnd: false } as const;
    const lateClient = { ...read, tax: 'ct', charges: [{ pounds: 900, due: -20 }] } as const;
    const soon = { ...read, tax: 'vat', charges: [{ pounds: 40, due: 3 }] } as const;
    const [both] = await addPortfolio(portal, practice, [
      { ...client, taxes: [lateClient, soon] },
      { ...client, taxes: [soon] },
      { ...client, taxes: [lateClient] },
    ]);
    const view = { dashboard: practice.admin, list: practice.admin, extra: {} };
    const { rows, count } = await readList(practice, view, { due_before: addDays(today, 7), has: 'overdue' });
    const due = { filter: 'due_before', items: 1, amount_pence: 40_00 };
    const overdueMatch = { filter: 'has', items: null, amount_pence: 900_00 };
    expect(rows).toMatchObject([{ client_id: both, matched: { ...due, further: [{ ...overdueMatch, due: [] }] } }]);
    expect(count).toMatchObject({
      count: 1,
      matched: { ...due, is_partial: false, further: [{ ...overdueMatch, is_partial: false }] },
    });
  });
});

describe('a practice whose figures were never read', () => {
  it('has unknown totals, not zero; and zero once everything has been read', async () => {
    const practice = await addPractice(portal);
    const client = { status: 'active', kind: 'company', isAssigned: false, hasYearEnd: true } as const;
    const ct = { tax: 'ct', readDaysAgo: null, hasFailed: false, charges: [], returns: [] } as const;
    const vat = { ...ct, tax: 'vat', readDaysAgo: 0 } as const;
    await addPortfolio(portal, practice, [{ ...client, taxes: [ct] }]);
    const view = { dashboard: practice.admin, list: practice.admin, extra: {} };
    const unknownFigures = {
      owed_pence: null,
      overdue_pence: null,
      refund_pence: null,
      overdue_returns: null,
      at_risk_pence: null,
      by_month: [],
    };
    expect(await readTotals(practice, view, 'all')).toMatchObject({
      clients: 1,
      incomplete_clients: 1,
      unread_clients: 1,
      ...unknownFigures,
    });
    // Dates that follow from rules are known, but their amounts aren't.
    expect((await readTotals(practice, view, 'ct')).due[90]).toMatchObject({ amount_pence: null });
    expect((await readList(practice, view, {})).rows).toMatchObject([
      { figures_state: 'unread', owed_pence: null, attention: expect.not.stringMatching(/^none$/) },
    ]);

    await addPortfolio(portal, practice, [{ ...client, taxes: [vat] }]);
    await portal.deps.database.db.delete(practiceTotals).where(eq(practiceTotals.companyId, practice.companyId));
    expect(await readTotals(practice, view, 'all')).toMatchObject({ clients: 2, incomplete_clients: 1, owed_pence: 0 });
    expect(await readTotals(practice, view, 'vat')).toMatchObject({ clients: 1, incomplete_clients: 0, owed_pence: 0, overdue_returns: 0 });
    expect(await readTotals(practice, view, 'ct')).toMatchObject({ clients: 1, incomplete_clients: 1, owed_pence: null });
  });
});

describe('a sum over clients', () => {
  const client = { status: 'active', kind: 'company', isAssigned: false, hasYearEnd: false } as const;
  const read = { readDaysAgo: 0, hasFailed: false, returns: [], charges: [] };

  it('is “at least” while one of their taxes was never read, or one of the amounts isn’t known', async () => {
    const practice = await addPractice(portal);
    const today = portal.deps.clock.today();
    const view = { dashboard: practice.admin, list: practice.admin, extra: {} };
    const isPartial = async (filters: ClientFilters) => (await readList(practice, view, filters)).count.matched?.is_partial;
    await addPortfolio(portal, practice, [{ ...client, taxes: [{ ...read, tax: 'vat', charges: [{ pounds: 40, due: 3 }] }] }]);
    expect([await isPartial({ has: 'owed' }), await isPartial({ due_before: addDays(today, 7) })]).toEqual([false, false]);
    const unreadClient = { ...read, tax: 'paye', readDaysAgo: null } as const;
    await addPortfolio(portal, practice, [{ ...client, taxes: [{ ...read, tax: 'vat', charges: [{ pounds: 5, due: 2 }] }, unreadClient] }]);
    expect(await Promise.all([isPartial({ has: 'owed' }), isPartial({ has: 'owed', tax: 'vat' })])).toEqual([true, false]);
    // The date of corporation tax follows from rules, but its amount is unknown.
    await addPortfolio(portal, practice, [{ ...client, hasYearEnd: true, taxes: [{ ...read, tax: 'ct' }] }]);
    const [payment] = (await loadItems(practice)).filter(({ tax, what }) => tax === 'ct' && what === 'payment');
    expect(await isPartial({ tax: 'ct', due_before: payment?.dueOn ?? today })).toBe(true);
    const { rows, count } = await readList(practice, view, { tax: 'ct', pay_in: payment?.dueOn ?? today });
    expect(rows.map(({ matched }) => matched?.due.map(({ amount_pence: amount }) => amount))).toEqual([[null]]);
    expect(count.matched).toEqual({ filter: 'pay_in', items: 1, amount_pence: null, is_partial: true, further: [] });
    // The bar of that month says so too, and that of another month doesn't.
    const dueIn = payment?.dueOn.slice(0, 7);
    for (const tab of ['ct', 'all'] as const) {
      const { by_month: months } = await readTotals(practice, view, tab);
      expect(months.find((monthTotals) => monthTotals.month.startsWith(`${dueIn}`))).toMatchObject({
        to_pay_is_partial: true,
        to_receive_is_partial: false,
      });
    }
    const { by_month: ofVat } = await readTotals(practice, view, 'vat');
    expect(ofVat.filter((monthTotals) => monthTotals.to_pay_is_partial)).toEqual([]);
    const month = payment?.dueOn.slice(0, 7) ?? '';
    const { body } = await practice.admin.get('/open-tax/calendar', { company_id: practice.companyId, month, tax: 'ct' });
    expect(body['days']).toMatchObject([{ due_on: payment?.dueOn, items: 1, amount_pence: null, unknown_amounts: 1 }]);
  });
});
