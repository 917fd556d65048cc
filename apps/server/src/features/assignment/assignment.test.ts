/** Tests transferring one member's clients to another, undoing it, and the workload that shows who is overloaded. */
import { dueItems } from '@portal/db/schema/schema.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;

beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
});

const post = (path: string, body: object, browser = practice.admin) =>
  browser.post(`/open-tax/${path}`, { company_id: practice.companyId, ...body });
const get = (path: string, query: Record<string, string> = {}, browser = practice.admin) =>
  browser.get(`/open-tax/${path}`, { company_id: practice.companyId, ...query });

/** Lists each client's assignments, for example "member manager". */
async function listAssignments(): Promise<Record<string, string[]>> {
  const clients = (await get('client-companies', { sort: 'name' })).body['clients'] as {
    name: string;
    members: { user_id: string; duty: string }[];
  }[];
  const getRoleName = (id: string): string => (id === practice.adminId ? 'admin' : 'member');
  return Object.fromEntries(
    clients.map(({ name, members }) => [name, members.map((member) => `${getRoleName(member.user_id)} ${member.duty}`).toSorted()]),
  );
}

const assign = (clientId: string, userId: string, duty: string) =>
  post('client-companies/assign', { client_ids: [clientId], user_id: userId, duty, action: 'add' });

describe('handing over clients', () => {
  it('moves every duty of one member to another, and can be undone without taking what the other already had', async () => {
    const { adminId, memberId, member } = practice;
    const [alpha, beta] = [
      await addClient(portal, practice.companyId, { name: 'Alpha' }),
      await addClient(portal, practice.companyId, { name: 'Beta' }),
    ];
    await assign(alpha, memberId, 'manager');
    await assign(alpha, memberId, 'vat');
    await assign(beta, memberId, 'manager');
    await assign(beta, adminId, 'manager');
    const before = await listAssignments();
    const finalResponse = await post('client-companies/hand-over', { from_user_id: memberId, user_id: adminId });
    expect(finalResponse.body).toMatchObject({
      changed: 2,
      changes: [
        { duty: 'manager', clients: 2 },
        { duty: 'vat', clients: 1 },
      ],
    });
    expect(await listAssignments()).toEqual({ Alpha: ['admin manager', 'admin vat'], Beta: ['admin manager'] });
    expect((await get('client-companies', {}, member)).body['clients']).toEqual([]);
    const listedChanges = (await get('client-companies/changes')).body['changes'] as { kind: string; colleague: string }[];
    expect(listedChanges.filter(({ kind }) => kind === 'hand_over')).toHaveLength(2);
    for (const { change_id } of finalResponse.body['changes'] as { change_id: string }[])
      await post('client-companies/change/undo', { change_id });
    await portal.runJobs();
    expect(await listAssignments()).toEqual(before);
    const reportResponse = await get('team-members/access-report', { user_id: memberId });
    expect((reportResponse.body['clients'] as { until: string | null }[]).map(({ until }) => until)).toEqual([null, null]);
  });

  it('of one duty doesn’t change the others, and undoing it doesn’t overwrite later changes', async () => {
    const { adminId, memberId } = practice;
    const alpha = await addClient(portal, practice.companyId, { name: 'Alpha' });
    await assign(alpha, memberId, 'manager');
    await assign(alpha, memberId, 'vat');
    const finalResponse = await post('client-companies/hand-over', { from_user_id: memberId, user_id: adminId, duty: 'vat' });
    expect(await listAssignments()).toEqual({ Alpha: ['admin vat', 'member manager'] });
    await post('client-companies/assign', { client_ids: [alpha], user_id: adminId, duty: 'vat', action: 'remove' });
    const [change] = finalResponse.body['changes'] as { change_id: string }[];
    await post('client-companies/change/undo', { change_id: change?.change_id });
    await portal.runJobs();
    expect(await listAssignments()).toEqual({ Alpha: ['member manager'] });
  });

  it('is done by an admin, between two members of the practice', async () => {
    const { adminId, memberId, member } = practice;
    const otherPractice = await addPractice(portal);
    const input = { from_user_id: memberId, user_id: adminId };
    expect((await post('client-companies/hand-over', input, member)).status).toBe(404);
    expect((await post('client-companies/hand-over', { ...input, user_id: otherPractice.adminId })).body['message']).toEqual({
      user_id: expect.any(String),
    });
    expect((await post('client-companies/hand-over', { ...input, from_user_id: otherPractice.memberId })).status).toBe(400);
    expect((await post('client-companies/hand-over', { ...input, user_id: memberId })).status).toBe(400);
  });
});

describe('the workload', () => {
  it('counts what is due for each member’s active clients, like the lists that it links to', async () => {
    const { companyId, adminId, memberId, member } = practice;
    const today = portal.deps.clock.today();
    const [alpha, beta, removedClientId] = [
      await addClient(portal, companyId),
      await addClient(portal, companyId),
      await addClient(portal, companyId),
    ];
    await addClient(portal, companyId);
    for (const id of [alpha, beta, removedClientId]) await assignClient(portal, companyId, id, memberId);
    await assign(alpha, memberId, 'vat');
    await assign(alpha, adminId, 'manager');
    await post('client-companies/status', { client_ids: [removedClientId], status: 'closed' });
    const asOf = portal.deps.clock.now();
    const createItem = (clientId: string, key: string, dueOn: PlainDate, itemKind: 'return' | 'refund' = 'return') =>
      ({
        companyId,
        clientId,
        tax: 'vat',
        key,
        what: itemKind,
        kind: 'return',
        dueOn,
        title: key,
        source: 'rule',
        asOf,
      }) as typeof dueItems.$inferInsert;
    await portal.deps.database.db
      .insert(dueItems)
      .values([
        createItem(alpha, 'week', addDays(today, 7)),
        createItem(alpha, 'month', addDays(today, 30)),
        createItem(alpha, 'later', addDays(today, 31)),
        createItem(alpha, 'refund', addDays(today, 3), 'refund'),
        createItem(beta, 'today', today),
        createItem(removedClientId, 'closed', today),
      ]);
    const { body } = await get('team-workload');
    expect(body).toMatchObject({ today, unassigned: 1 });
    expect(body['members']).toMatchObject([
      { user_id: memberId, clients: 2, due_7: 2, due_30: 3, overdue_clients: 0 },
      { user_id: adminId, clients: 1, due_7: 1, due_30: 2, overdue_clients: 0 },
    ]);
    const listResponse = await get('client-companies/count', { status: 'in_hand', member: memberId });
    expect(listResponse.body['count']).toBe(2);
    expect((await get('team-workload', {}, member)).status).toBe(404);
  });
});
