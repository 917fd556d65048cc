/** "Today": every number equals the number of clients in the list that it links to, for the practice and each colleague. */
import type { TodayRow } from '@portal/contract/practice-today.ts';
import { clientAuthorisations, clientRows, clients, clientSyncs, dueItems, taxPositions } from '@portal/db/schema/schema.ts';
import { ATTENTION_GROUPS, getAttentionFilters } from '@portal/domain/clients/attention.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { refreshTotals } from '../positions/refresh-totals.ts';

const TODAY = plainDate('2026-11-10');
const AT = '2026-11-10T09:00:00.000Z' as never;

let portal: TestPortal;
let practice: TestPractice;
beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
  practice = await addPractice(portal);
  await addSituations();
});
afterAll(() => portal.close());

/** Adds one client for each situation, assigned in turn to the team member, to both users and to neither. */
async function addSituations(): Promise<void> {
  const { db } = portal.deps.database;
  const { companyId } = practice;
  const add = async (name: string, taxes: readonly ('vat' | 'paye' | 'ct' | 'sa')[], people: readonly string[] = []) => {
    const clientId = await addClient(portal, companyId, { name, taxes });
    for (const person of people) await assignClient(portal, companyId, clientId, person);
    return { companyId, clientId };
  };
  const [member, bothMembers, unassigned] = [[practice.memberId], [practice.memberId, practice.adminId], []];
  const addDueItem = (key: { companyId: string; clientId: string }, tax: 'vat' | 'paye' | 'ct', dueOn: string, amount: number | null) =>
    db.insert(dueItems).values({
      ...key,
      tax,
      key: `payment ${dueOn}`,
      what: 'payment',
      dueOn: plainDate(dueOn),
      amountPence: amount === null ? null : pence(amount),
      title: 'Payment',
      source: 'hmrc',
      asOf: AT,
    });
  const position = { ...ZERO_POSITION, overduePence: pence(500_00), owedPence: pence(500_00) };
  const overdueClient = await add('Overdue and due this week', ['ct', 'paye'], bothMembers);
  await db.insert(taxPositions).values({ ...overdueClient, tax: 'ct', ...position, nextDueOn: plainDate('2026-10-01') });
  await db
    .update(clientRows)
    .set({ overduePence: pence(500_00), owedPence: pence(500_00), nextDueOn: plainDate('2026-10-01') })
    .where(and(eq(clientRows.companyId, companyId), eq(clientRows.clientId, overdueClient.clientId)));
  await addDueItem(overdueClient, 'paye', '2026-11-12', 120_00);
  const returns = await add('Return overdue', ['vat'], unassigned);
  await db.insert(taxPositions).values({ ...returns, tax: 'vat', ...ZERO_POSITION, overdueReturns: 1 });
  for (const [status, expiresOn, memberIds] of [
    ['link_sent', '2026-11-15', member],
    ['link_sent', '2026-11-30', unassigned],
    ['link_sent', '2026-11-09', member],
    ['authorised', null, bothMembers],
    ['revoked', null, unassigned],
  ] as const) {
    const key = await add(`${status} ${expiresOn}`, ['vat'], memberIds);
    await db
      .insert(clientAuthorisations)
      .values({ ...key, tax: 'vat', status, expiresOn: expiresOn === null ? null : plainDate(expiresOn) });
  }
  for (const [reason, retryAt] of [
    ['hmrc_unavailable', null],
    ['hmrc_unavailable', AT],
    ['not_authorised', null],
  ] as const) {
    const key = await add(`failed ${reason} ${retryAt}`, ['vat'], member);
    await db.insert(clientSyncs).values({ ...key, tax: 'vat', state: 'failed', reason, retryAt });
  }
  const closedClientId = await add('Closed', ['vat'], member);
  await db.insert(clientSyncs).values({ ...closedClientId, tax: 'vat', state: 'failed', reason: 'hmrc_unavailable' });
  const CLOSED_STATUS = { status: 'closed' as const };
  await db.update(clients).set(CLOSED_STATUS).where(eq(clients.id, closedClientId.clientId));
  await db.update(clientRows).set(CLOSED_STATUS).where(eq(clientRows.clientId, closedClientId.clientId));
}

const ZERO_POSITION = {
  owedPence: pence(0),
  overduePence: pence(0),
  refundPence: pence(0),
  overdueReturns: 0,
  penaltyPence: pence(0),
  interestPence: pence(0),
  computedOn: TODAY,
  isEstimate: false,
  source: 'hmrc' as const,
  asOf: AT,
  detail: {},
};

const readRows = async (person: 'admin' | 'member'): Promise<TodayRow[]> => {
  const response = await practice[person].get('/open-tax/today', { company_id: practice.companyId });
  expect(response.status).toBe(200);
  return response.body['rows'] as TodayRow[];
};

/** Returns the number of clients in the list that the screen links to. */
async function countInList(person: 'admin' | 'member', group: (typeof ATTENTION_GROUPS)[number], { scope, member }: TodayRow) {
  const filters = {
    ...getAttentionFilters(group, TODAY),
    ...(scope === 'member' && member ? { member: member.user_id } : {}),
    ...(scope === 'none' ? { member: 'none' } : {}),
  };
  const { body } = await practice[person].get('/open-tax/client-companies/count', { company_id: practice.companyId, ...filters });
  const listResponse = await practice[person].get('/open-tax/client-companies', { company_id: practice.companyId, ...filters });
  expect(listResponse.body['clients']).toHaveLength(body['count'] as number);
  return body['count'];
}

describe.each(['counted now', 'stored'])('today, %s', (totalsSource) => {
  beforeAll(async () => {
    if (totalsSource === 'stored') await refreshTotals(portal.deps, practice.companyId);
  });

  it.each(['admin', 'member'] as const)('equals the list behind every number, for the %s', async (person) => {
    const rows = await readRows(person);
    for (const row of rows)
      for (const group of ATTENTION_GROUPS)
        expect([row.scope, row.member?.full_name, group, row.groups[group].clients]).toEqual([
          row.scope,
          row.member?.full_name,
          group,
          await countInList(person, group, row),
        ]);
  });

  it('has a row for all, for each colleague with clients and for unassigned clients', async () => {
    const rows = await readRows('admin');
    expect(rows.map(({ scope, member }) => member?.full_name ?? scope)).toEqual(['all', 'practice_admin', 'team_member', 'none']);
    expect(rows[0]?.groups).toMatchObject({
      overdue_payment: { clients: 1, amount_pence: 500_00 },
      overdue_return: { clients: 1, amount_pence: null },
      due_this_week: { clients: 1, amount_pence: 120_00 },
      // Revoked and expired authorisations, but not clients whose authorisation has never been checked with HMRC.
      not_authorised: { clients: 2 },
      request_expiring: { clients: 1 },
      refresh_failed: { clients: 1 },
    });
    expect(rows[3]?.groups).toMatchObject({ overdue_return: { clients: 1 }, due_this_week: { clients: 0, amount_pence: null } });
  });

  it('shows a team member one row, of assigned clients', async () => {
    const rows = await readRows('member');
    expect(rows).toMatchObject([{ scope: 'all', clients: 7, groups: { overdue_payment: { clients: 1 }, overdue_return: { clients: 0 } } }]);
  });
});

it('is not shown to another practice', async () => {
  const otherPractice = await addPractice(portal);
  expect((await otherPractice.admin.get('/open-tax/today', { company_id: practice.companyId })).status).toBe(404);
  expect((await otherPractice.admin.get('/open-tax/today', { company_id: otherPractice.companyId })).body['rows']).toMatchObject([
    { scope: 'all', clients: 0 },
    { scope: 'none' },
  ]);
});
