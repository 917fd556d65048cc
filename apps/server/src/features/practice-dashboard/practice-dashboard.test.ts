/** Tests totals, calendar and feed for an admin and a team member of the same practice. */
import {
  calendarFeeds,
  clientRows,
  clients,
  dueItems,
  memberships,
  practices,
  practiceTotals,
  taxPositions,
} from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { getDueKind, type ItemKind } from '@portal/domain/positions/position.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestBrowser } from '../../testing/test-browser.ts';
import type { Browser } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { formatCalendar } from './format-calendar.ts';

let portal: TestPortal;
let practice: TestPractice;
let otherPractice: TestPractice;
let assignedClientId: string;
beforeAll(async () => {
  portal = await openTestPortal();
  practice = await addPractice(portal);
  otherPractice = await addPractice(portal);
  assignedClientId = await addClientWithFigures('Mine Ltd', 'vat', { owed: 500_00, overdue: 200_00, dueOn: '2026-11-14' });
  await addClientWithFigures('Theirs Ltd', 'paye', { owed: 70_00, overdue: 0, dueOn: '2026-12-26' });
  const closedId = await addClientWithFigures('Gone Ltd', 'vat', { owed: 9_999_00, overdue: 9_999_00, dueOn: '2026-11-14' });
  const { db } = portal.deps.database;
  for (const table of [clients, clientRows] as const) {
    const id = table === clients ? clients.id : clientRows.clientId;
    await db.update(table).set({ status: 'closed' }).where(eq(id, closedId));
  }
  await assignClient(portal, practice.companyId, assignedClientId, practice.memberId);
});
afterAll(() => portal.close());

async function addClientWithFigures(name: string, tax: Tax, figures: { owed: number; overdue: number; dueOn: string }): Promise<string> {
  const id = await addClient(portal, practice.companyId, { name, taxes: [tax] });
  const { db } = portal.deps.database;
  const asOf = portal.deps.clock.now();
  const commonFields = { companyId: practice.companyId, clientId: id, tax, source: 'hmrc' as const, asOf };
  const [owedPence, overduePence, dueOn] = [pence(figures.owed), pence(figures.overdue), plainDate(figures.dueOn)];
  await db.insert(taxPositions).values({
    ...commonFields,
    owedPence,
    overduePence,
    refundPence: pence(0),
    overdueReturns: 0,
    penaltyPence: pence(3_00),
    interestPence: pence(1_00),
    computedOn: plainDate('2026-11-10'),
    isEstimate: false,
    detail: {},
  });
  await db.insert(dueItems).values({ ...commonFields, key: '1', what: 'payment', dueOn, amountPence: owedPence, title: `${name} pays` });
  await db
    .update(clientRows)
    .set({ owedPence, overduePence, nextDueOn: dueOn, asOf, readTaxes: [tax] })
    .where(eq(clientRows.clientId, id));
  return id;
}

const getCompanyKey = () => ({ company_id: practice.companyId });

async function getTotals(browser: Browser, path: string, query: Record<string, string> = {}) {
  const { status, body } = await browser.get(`/open-tax/${path}`, { ...getCompanyKey(), ...query });
  expect(status).toBe(200);
  return body as { state: string; scope: string; totals: Record<string, unknown> };
}

describe('the dashboard', () => {
  it("sums an admin's active clients over all taxes and for each tax", async () => {
    await portal.deps.database.db.delete(practiceTotals);
    const all = await getTotals(practice.admin, 'dashboard');
    expect([all.state, all.scope]).toEqual(['ready', 'practice']);
    expect(all.totals).toMatchObject({ clients: 2, owed_pence: 570_00, overdue_pence: 200_00, overdue_clients: 1, at_risk_pence: 8_00 });
    expect(all.totals['due']).toEqual({
      7: { clients: 1, items: 1, amount_pence: 500_00 },
      30: { clients: 1, items: 1, amount_pence: 500_00 },
      90: { clients: 2, items: 2, amount_pence: 570_00 },
    });
    expect(all.totals['by_month']).toHaveLength(12);
    expect((await getTotals(practice.admin, 'dashboard', { tax: 'vat' })).totals).toMatchObject({ clients: 1, owed_pence: 500_00 });
    expect((await getTotals(practice.admin, 'paye-dashboard')).totals).toMatchObject({ clients: 1, owed_pence: 70_00 });
    expect((await getTotals(practice.admin, 'corp-dashboard')).totals).toMatchObject({ clients: 0, owed_pence: 0 });
    expect((await getTotals(practice.admin, 'self-assessment-dashboard')).totals).toMatchObject({ clients: 0 });
  });

  it('shows an admin the same totals from the stored count', async () => {
    await portal.deps.database.db.delete(practiceTotals);
    const countedTotals = await getTotals(practice.admin, 'dashboard');
    await portal.runJobs();
    const rows = await portal.deps.database.db.select().from(practiceTotals).where(eq(practiceTotals.companyId, practice.companyId));
    // One row for the practice and one for the team member, who has an assigned client.
    expect(rows).toHaveLength(2);
    const storedTotals = await getTotals(practice.admin, 'dashboard');
    expect(storedTotals.totals).toEqual(countedTotals.totals);
  });

  it('recounts months that an earlier release stored without “at least”', async () => {
    const { db } = portal.deps.database;
    await db.delete(practiceTotals);
    const countedTotals = await getTotals(practice.admin, 'dashboard');
    await portal.runJobs();
    const ofPractice = eq(practiceTotals.companyId, practice.companyId);
    for (const row of await db.select().from(practiceTotals).where(ofPractice)) {
      const earlierTotals = row.totals.map((totals) => ({
        ...totals,
        by_month: totals.by_month.map(({ to_pay_is_partial: _pay, to_receive_is_partial: _receive, ...month }) => month),
      }));
      await db
        .update(practiceTotals)
        .set({ totals: earlierTotals as unknown as typeof row.totals })
        .where(and(ofPractice, eq(practiceTotals.viewerId, row.viewerId)));
    }
    expect((await getTotals(practice.admin, 'dashboard')).totals).toEqual(countedTotals.totals);
  });

  it('sums only assigned clients for a team member', async () => {
    const { scope, totals } = await getTotals(practice.member, 'dashboard');
    expect(scope).toBe('assigned');
    expect(totals).toMatchObject({ clients: 1, owed_pence: 500_00, overdue_clients: 1 });
    expect((await getTotals(practice.member, 'paye-dashboard')).totals).toMatchObject({ clients: 0, owed_pence: 0 });
  });

  it('reports a practice without clients, and returns 404 for another practice', async () => {
    const { body } = await otherPractice.admin.get('/open-tax/dashboard', { company_id: otherPractice.companyId });
    expect(body['state']).toBe('nothing_imported');
    for (const path of [
      'dashboard',
      'paye-dashboard',
      'corp-dashboard',
      'self-assessment-dashboard',
      'calendar',
      'calendar/day',
      'calendar/feed',
    ]) {
      expect([
        path,
        (await otherPractice.admin.get(`/open-tax/${path}`, { ...getCompanyKey(), month: '2026-11', day: '2026-11-14' })).status,
      ]).toEqual([path, 404]);
    }
  });
});

describe('the calendar', () => {
  it('sums due items by day, lists bank holidays and shows when a payment must clear', async () => {
    const { body } = await practice.admin.get('/open-tax/calendar', { ...getCompanyKey(), month: '2026-12' });
    expect(body).toMatchObject({
      days: [{ due_on: '2026-12-26', tax: 'paye', what: 'payment', items: 1, amount_pence: 70_00 }],
      // Boxing Day 2026 is a Saturday, so Monday is the substitute bank holiday (GOV.UK bank holidays).
      bank_holidays: ['2026-12-25', '2026-12-28'],
      pay_before: [{ due_on: '2026-12-26', cleared_by: '2026-12-24', is_certain: true }],
    });
  });

  it("shows the practice's own dates with HMRC's date", async () => {
    const { db } = portal.deps.database;
    await db
      .update(practices)
      .set({ leadDays: { paye_payment: 3 } })
      .where(eq(practices.companyId, practice.companyId));
    const { body } = await practice.admin.get('/open-tax/calendar', { ...getCompanyKey(), month: '2026-12' });
    // Three working days before Saturday 26 December: the 24th, 23rd and 22nd.
    expect(body['own_days']).toMatchObject([{ on: '2026-12-22', due_on: '2026-12-26', tax: 'paye', what: 'payment', items: 1 }]);
    const { body: member } = await practice.member.get('/open-tax/calendar', { ...getCompanyKey(), month: '2026-12' });
    expect(member['own_days']).toEqual([]);
    await db.update(practices).set({ leadDays: {} }).where(eq(practices.companyId, practice.companyId));
  });

  it('shows a team member only assigned clients, by month and by day', async () => {
    const readMonth = async (name: string) =>
      (await practice.member.get('/open-tax/calendar', { ...getCompanyKey(), month: name })).body['days'];
    expect(await readMonth('2026-12')).toEqual([]);
    expect(await readMonth('2026-11')).toMatchObject([{ items: 1, amount_pence: 500_00 }]);
    const readDay = async (browser: Browser, date: string, extra = {}) =>
      (await browser.get('/open-tax/calendar/day', { ...getCompanyKey(), day: date, ...extra })).body['items'];
    expect(await readDay(practice.member, '2026-12-26')).toEqual([]);
    expect(await readDay(practice.member, '2026-11-14')).toMatchObject([{ client_id: assignedClientId, title: 'Mine Ltd pays' }]);
    expect(await readDay(practice.admin, '2026-12-26')).toMatchObject([{ client_name: 'Theirs Ltd' }]);
    expect(await readDay(practice.admin, '2026-12-26', { tax: 'vat' })).toEqual([]);
    expect(await readDay(practice.admin, '2026-11-14', { member: practice.memberId })).toHaveLength(1);
    expect(await readDay(practice.admin, '2026-11-14', { member: practice.adminId })).toEqual([]);
  });

  it('counts quarterly updates and final declarations apart from returns, and payments on account apart from balancing payments', async () => {
    const office = await addPractice(portal);
    const { db } = portal.deps.database;
    const clientId = await addClient(portal, office.companyId, { name: 'Jo Example' });
    const commonFields = {
      companyId: office.companyId,
      clientId,
      tax: 'sa' as const,
      source: 'hmrc' as const,
      asOf: portal.deps.clock.now(),
    };
    const add = (kind: ItemKind, dueOn: string, amount: number | null, count = 1) =>
      Array.from({ length: count }, (_, index) => ({
        ...commonFields,
        key: `${kind} ${index}`,
        what: getDueKind(kind),
        kind,
        dueOn: plainDate(dueOn),
        amountPence: amount === null ? null : pence(amount),
        title: kind,
      }));
    await db
      .insert(dueItems)
      .values([
        ...add('quarterly_update', '2027-02-07', null, 3),
        ...add('final_declaration', '2027-01-31', null),
        ...add('balancing_payment', '2027-01-31', 120_000),
        ...add('payment_on_account', '2027-01-31', 150_000),
      ]);
    const input = { company_id: office.companyId };
    const readDays = async (month: string) => (await office.admin.get('/open-tax/calendar', { ...input, month })).body['days'];
    expect(await readDays('2027-02')).toMatchObject([{ kind: 'quarterly_update', items: 3, amount_pence: null }]);
    expect(await readDays('2027-01')).toMatchObject([
      { kind: 'balancing_payment', items: 1, amount_pence: 120_000 },
      { kind: 'payment_on_account', items: 1, amount_pence: 150_000 },
      { kind: 'final_declaration', items: 1, amount_pence: null },
    ]);
    const { body } = await office.admin.get('/open-tax/calendar/day', { ...input, day: '2027-01-31', kind: 'payment_on_account' });
    expect(body['items']).toMatchObject([{ kind: 'payment_on_account', amount_pence: 150_000 }]);
  });

  it('pages through a long day and returns each item once', async () => {
    const busyPractice = await addPractice(portal);
    const { db } = portal.deps.database;
    const id = await addClient(portal, busyPractice.companyId, { name: 'Busy Ltd' });
    const items = Array.from({ length: 230 }, (_, index) => ({
      companyId: busyPractice.companyId,
      clientId: id,
      tax: 'vat' as const,
      key: `k${index}`,
      what: 'return' as const,
      dueOn: plainDate('2026-11-20'),
      title: '',
      source: 'rule' as const,
      asOf: portal.deps.clock.now(),
    }));
    await db.insert(dueItems).values(items);
    const keys: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const extra: Record<string, string> = cursor === '' ? {} : { cursor };
      const { body } = await busyPractice.admin.get('/open-tax/calendar/day', {
        company_id: busyPractice.companyId,
        day: '2026-11-20',
        ...extra,
      });
      keys.push(...(body['items'] as { key: string }[]).map(({ key }) => key));
      cursor = body['next_cursor'] as string | null;
    }
    expect(keys.toSorted()).toEqual(items.map(({ key }) => key).toSorted());
    const listByKind = (itemKind: string) =>
      busyPractice.admin.get('/open-tax/calendar/day', {
        company_id: busyPractice.companyId,
        day: '2026-11-20',
        what: itemKind,
        limit: '20',
      });
    expect((await listByKind('payment')).body['items']).toEqual([]);
    expect((await listByKind('return')).body['items']).toHaveLength(20);
    const badCursorResponse = await busyPractice.admin.get('/open-tax/calendar/day', {
      company_id: busyPractice.companyId,
      day: '2026-11-20',
      cursor: 'x',
    });
    expect(badCursorResponse.status).toBe(400);
  });
});

describe('a calendar feed', () => {
  const read = async (url: string) => {
    const { pathname } = new URL(url);
    const response = await portal.app.inject({ url: pathname });
    return { status: response.statusCode, text: response.body.replaceAll('\r\n ', '') };
  };

  it('shows what its owner may see without client names, and stops when revoked, replaced or the owner leaves', async () => {
    const createdResponse = await practice.member.post('/open-tax/calendar/feed', getCompanyKey());
    const url = String(createdResponse.body['url']);
    const { status, text } = await read(url);
    expect(status).toBe(200);
    expect(text).toContain('SUMMARY:VAT: 1 payment due');
    expect(text).toContain('DTSTART;VALUE=DATE:20261114\r\nDTEND;VALUE=DATE:20261115');
    expect(text).not.toContain('PAYE');
    expect(text).not.toContain('Mine Ltd');
    const [storedFeed] = await portal.deps.database.db.select().from(calendarFeeds).where(eq(calendarFeeds.userId, practice.memberId));
    expect(url).not.toContain(storedFeed?.tokenHash ?? 'x');
    const renewedUrl = String((await practice.member.post('/open-tax/calendar/feed', getCompanyKey())).body['url']);
    expect([(await read(url)).status, (await read(renewedUrl)).status]).toEqual([404, 200]);
    const membership = and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId));
    const { db } = portal.deps.database;
    const [row] = await db.delete(memberships).where(membership).returning();
    expect((await read(renewedUrl)).status).toBe(404);
    if (row) await db.insert(memberships).values(row);
    expect((await read(renewedUrl)).status).toBe(200);
    await practice.member.post('/open-tax/calendar/feed/revoke', getCompanyKey());
    expect((await read(renewedUrl)).status).toBe(404);
    expect((await practice.member.get('/open-tax/calendar/feed', getCompanyKey())).body).toEqual({ created_at: null, covers: null });
  });

  it('ends when its owner resets their password, because someone else may know the address', async () => {
    const { companyId, member, memberId } = await addPractice(portal);
    const url = String((await member.post('/open-tax/calendar/feed', { company_id: companyId })).body['url']);
    expect((await read(url)).status).toBe(200);
    const email = `${memberId}@oakline.example`;
    const browser = openTestBrowser(portal);
    await browser.post('/password-reset-request', { email });
    await browser.post('/password-reset', { token: await browser.findEmailedToken(email), password: 'a new and long password' });
    expect((await read(url)).status).toBe(404);
  });

  it('folds lines at 75 bytes and escapes special characters (RFC 5545)', () => {
    const event = {
      uid: 'u',
      day: plainDate('2026-12-31'),
      title: `Ä, b; c\\ ${'é'.repeat(60)}`,
      text: 'one\ntwo',
      url: 'https://x.example',
    };
    const text = formatCalendar({ name: 'N', brand: 'B', at: portal.deps.clock.now(), events: [event] });
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(text.replaceAll('\r\n ', '')).toContain(`SUMMARY:Ä\\, b\\; c\\\\ ${'é'.repeat(60)}\r\nDESCRIPTION:one\\ntwo`);
    expect(text).toContain('DTEND;VALUE=DATE:20270101');
  });
});
