/** Checks the list's JSON from PostgreSQL against the contract, field by field. */
import type { ClientRow } from '@portal/contract/clients.ts';
import { clientRows, memberships } from '@portal/db/schema/schema.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../../testing/test-trader.ts';
import { addClient, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;
let otherPractice: TestPractice;
beforeAll(async () => {
  portal = await openTestPortal();
  practice = await addPractice(portal);
  otherPractice = await addPractice(portal);
});
afterAll(() => portal.close());

const LIST_PATH = '/open-tax/client-companies';

async function list(browser: Browser, query: Record<string, string>): Promise<ClientRow[]> {
  const { status, body } = await browser.get(LIST_PATH, { company_id: practice.companyId, ...query });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body['clients'] as ClientRow[];
}

function change(clientId: string, set: Partial<typeof clientRows.$inferInsert>) {
  return portal.deps.database.db
    .update(clientRows)
    .set(set)
    .where(and(eq(clientRows.companyId, practice.companyId), eq(clientRows.clientId, clientId)));
}

describe('a row of the list', () => {
  it('holds every field of the contract, filled and empty', async () => {
    const id = await addClient(portal, practice.companyId, { name: 'Whole "Row" \\ Ünï Ltd', taxes: ['vat', 'sa'], vrn: '123456782' });
    const members = [{ user_id: practice.adminId, full_name: 'Priya Oakes', duty: 'manager' as const }];
    await change(id, {
      members,
      nextDueOn: plainDate('2026-12-07'),
      nextDueTax: 'vat',
      nextDueWhat: 'payment',
      nextDuePence: pence(120_050),
      owedPence: pence(9_007_199_254_740_991),
      utr: '1234567890',
      companyNumber: 'SC000001',
      asOf: toInstant(Date.parse('2026-11-09T23:59:59.040Z')),
      readTaxes: ['vat'],
    });
    const completeRow = {
      client_id: id,
      name: 'Whole "Row" \\ Ünï Ltd',
      kind: 'company',
      status: 'active',
      vrn: '123456782',
      utr: '1234567890',
      company_number: 'SC000001',
      client_code: null,
      taxes: ['vat', 'sa'],
      next_due_on: '2026-12-07',
      next_due_tax: 'vat',
      next_due_what: 'payment',
      next_due_pence: 120_050,
      owed_pence: 9_007_199_254_740_991,
      overdue_pence: 0,
      refund_pence: 0,
      attention: 'no_data',
      members,
      matched: null,
      figures_state: 'partial',
      unread_taxes: ['sa'],
      refresh_failed: false,
      as_of: '2026-11-09T23:59:59.040Z',
    };
    expect(await list(practice.admin, { q: 'whole' })).toEqual([completeRow]);
    const emptyRow = {
      vrn: null,
      utr: null,
      company_number: null,
      client_code: null,
      next_due_tax: null,
      next_due_what: null,
      next_due_pence: null,
      owed_pence: null,
      overdue_pence: null,
      refund_pence: null,
      figures_state: 'no_taxes',
      unread_taxes: [],
      as_of: null,
    };
    await change(id, {
      vrn: null,
      utr: null,
      companyNumber: null,
      nextDueOn: NEVER_DUE,
      nextDueTax: null,
      nextDueWhat: null,
      nextDuePence: null,
      asOf: null,
      readTaxes: [],
      members: [],
      hasVat: false,
      hasSa: false,
    });
    expect(await list(practice.admin, { q: 'whole' })).toEqual([
      { ...completeRow, ...emptyRow, next_due_on: null, members: [], taxes: [] },
    ]);
  });

  it('uses a user’s only practice if the call names none, and requires one if the user works in two', async () => {
    await addClient(portal, practice.companyId, { name: 'Only Practice Ltd' });
    const [first] = await list(practice.admin, { limit: '1', sort: 'name' });
    const unnamedResponse = await practice.admin.get(LIST_PATH, { limit: '1', sort: 'name' });
    expect([unnamedResponse.status, unnamedResponse.body['clients']]).toEqual([200, [first]]);
    const { db } = portal.deps.database;
    const second = { companyId: otherPractice.companyId, userId: practice.adminId };
    await db.insert(memberships).values({ ...second, role: 'team_member', createdAt: portal.deps.clock.now() });
    expect((await practice.admin.get(LIST_PATH, {})).status).toBe(400);
    await db.delete(memberships).where(and(eq(memberships.companyId, second.companyId), eq(memberships.userId, second.userId)));
  });
});
