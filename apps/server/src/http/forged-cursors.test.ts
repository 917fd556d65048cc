/**
 * Tests cursors and numbers forged by a caller: if the format is right but the date, row or text is impossible, the request is rejected and
 * the error names the field.
 */
import { randomUUID } from 'node:crypto';
import { dueItems } from '@portal/db/schema/schema.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice, type TestPractice } from '../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';
import { createOperator, type ApiResponse, type Browser } from '../testing/test-trader.ts';

let portal: TestPortal;
let practice: TestPractice;
let clientId: string;
let operator: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  practice = await addPractice(portal);
  clientId = await addClient(portal, practice.companyId, { name: 'Reader Ltd', taxes: ['vat'] });
  operator = await createOperator(portal, 'cursor@operators.example');
});
afterAll(() => portal.close());

const encode = (cursor: unknown): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');
const get = (path: string, query: Record<string, string>): Promise<ApiResponse> =>
  practice.admin.get(path, { company_id: practice.companyId, ...query });
const expectFieldRejection = (field: string) => ({ status: 400, body: { message: { [field]: expect.any(String) } } });

describe('a forged cursor', () => {
  it.each([
    ['2026-02-30', 'next_due'],
    ['2026-04-31', 'next_due'],
  ])('of the client list is rejected for %s', async (value, sort) => {
    const order = { sort, direction: 'asc' };
    const response = await get('/open-tax/client-companies', { ...order, cursor: encode({ ...order, value, client_id: randomUUID() }) });
    expect(response).toMatchObject(expectFieldRejection('cursor'));
  });

  it('of a calendar day is rejected if it has text that PostgreSQL can’t hold', async () => {
    for (const cursor of [
      ['a\0b', randomUUID(), 'vat', 'key'],
      ['a', randomUUID(), 'vat', 'k\0'],
    ]) {
      expect(await get('/open-tax/calendar/day', { day: '2026-11-20', cursor: encode(cursor) })).toMatchObject(
        expectFieldRejection('cursor'),
      );
    }
  });

  it('of what is due between two days is rejected for a day or text that PostgreSQL can’t hold', async () => {
    const days = { from: '2026-11-01', to: '2026-11-30' };
    for (const cursor of [
      ['2026-02-30', 'a', randomUUID(), 'vat', 'key'],
      ['2026-11-07', 'a\0b', randomUUID(), 'vat', 'key'],
      ['2026-11-07', 'a', 'nobody', 'vat', 'key'],
    ]) {
      expect(await get('/open-tax/due-items', { ...days, cursor: encode(cursor) })).toMatchObject(expectFieldRejection('cursor'));
    }
  });

  it.each(['/open-tax/upcoming-vat-amounts', '/open-tax/self-assessment/clients'])('of %s starts at the first page', async (path) => {
    const { db } = portal.deps.database;
    const item = { companyId: practice.companyId, clientId, what: 'return' as const, dueOn: plainDate('2026-12-07'), title: '' };
    const asOf = portal.deps.clock.now();
    await db.insert(dueItems).values({ ...item, tax: 'vat', key: path, source: 'rule', asOf });
    const length = path.includes('upcoming') ? 3 : 2;
    for (const cursor of [
      ['2026-02-30', randomUUID(), 'key'],
      ['2026-99-99', randomUUID(), 'key'],
      ['2026-03-01', '-'.repeat(36), 'key'],
      ['2026-03-01', randomUUID(), 'k\0'],
    ]) {
      const response = await get(path, { cursor: encode(cursor.slice(0, length)) });
      expect([cursor, response.status]).toEqual([cursor, 200]);
    }
  });

  it.each([
    ['2026-99-99 10:00:00+00', 'due'],
    ['2026-02-30 10:00:00+00', 'since'],
    ['2026-02-01 99:00:00+00', 'due'],
    ['2026-02-01 10:00:00+99', 'due'],
  ])('of the operators’ desk is rejected for %s', async (value, sort) => {
    const order = { sort, direction: 'asc' };
    const cursor = encode({ ...order, value, id: randomUUID() });
    expect(await operator.get('/operator/desk', { queue: 'all', ...order, cursor })).toMatchObject(expectFieldRejection('cursor'));
  });

  it.each([
    ['2026-03-07T09:00:00Z', 9_007_199_254_740_991],
    ['0000-01-01T00:00:00Z', 1],
  ])('of the audit trail is rejected for %s, %d', async (at, sequence) => {
    expect(await operator.get('/operator/audit', { cursor: encode([at, randomUUID(), sequence]) })).toMatchObject(
      expectFieldRejection('cursor'),
    );
  });
});

describe('a number larger than any row', () => {
  it('of an imported row is rejected by its name', async () => {
    const key = { company_id: practice.companyId, import_id: randomUUID(), row: 9_007_199_254_740_991 };
    expect(await practice.admin.post('/open-tax/import-clients/resolve', { ...key, choice: 'skip' })).toMatchObject(
      expectFieldRejection('row'),
    );
    expect(await practice.admin.post('/open-tax/import-clients/correct', { ...key, values: {} })).toMatchObject(
      expectFieldRejection('row'),
    );
  });

  it('of a balance in the client’s own books is rejected, because its difference to HMRC’s can’t be computed', async () => {
    const balance = { company_id: practice.companyId, client_id: clientId, tax: 'vat', on_date: '2026-11-01' };
    for (const balance_pence of [9_007_199_254_740_991, -9_007_199_254_740_991]) {
      expect(await practice.admin.post('/client/books', { ...balance, balance_pence })).toMatchObject(
        expectFieldRejection('balance_pence'),
      );
    }
  });
});
