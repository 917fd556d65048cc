/** Tests splitting a leaver's clients: between several members, or with other members for single clients, as shown in the preview. */
import { randomUUID } from 'node:crypto';
import { clientMembers, memberships, users, workItems } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;
let ann: string;
let bob: string;

beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
  [ann, bob] = [await addColleague('Ann'), await addColleague('Bob')];
});

const post = (path: string, body: object, browser = practice.admin) =>
  browser.post(`/open-tax/${path}`, { company_id: practice.companyId, ...body });
const leave = (body: object, browser = practice.admin) => post('team-members/deactivate', { user_id: practice.memberId, ...body }, browser);
const preview = (body: object) => post('team-members/deactivate/preview', { user_id: practice.memberId, ...body });

/** Shares and exceptions need the plan from the preview. */
const leaveAsShown = async (choice: object) => leave({ ...choice, plan: (await preview(choice)).body['plan'] });

async function addColleague(fullName: string): Promise<string> {
  const { db } = portal.deps.database;
  const id = randomUUID();
  const createdAt = portal.deps.clock.now();
  await db.insert(users).values({ id, email: `${id}@oakline.example`, fullName, createdAt });
  await db.insert(memberships).values({ companyId: practice.companyId, userId: id, role: 'team_member', createdAt });
  return id;
}

async function addClients(count: number, duties: readonly string[]): Promise<string[]> {
  const client_ids: string[] = [];
  for (let index = 0; index < count; index += 1)
    client_ids.push(await addClient(portal, practice.companyId, { name: `Client ${index} Ltd` }));
  for (const duty of duties) await post('client-companies/assign', { client_ids, user_id: practice.memberId, duty, action: 'add' });
  return client_ids;
}

/** Returns who currently has each client. */
async function listHolders(duty: 'manager' | 'vat'): Promise<Record<string, string[]>> {
  const isDuty = and(eq(clientMembers.companyId, practice.companyId), eq(clientMembers.duty, duty));
  const rows = await portal.deps.database.db.select().from(clientMembers).where(isDuty);
  const holders: Record<string, string[]> = {};
  for (const { clientId, userId } of rows) (holders[clientId] ??= []).push(userId);
  return holders;
}

describe('splitting a leaver’s clients', () => {
  it('gives each duty to its successor except for chosen clients, with their open tasks, and the report names all', async () => {
    const [first = '', second = '', third = ''] = await addClients(3, ['manager', 'vat']);
    const task = {
      item_id: randomUUID(),
      title: 'Call back',
      service: 'other',
      owner_id: practice.memberId,
      due_on: null,
      client_id: second,
    };
    const createResponse = await post('work-items', task);
    expect(createResponse.status, JSON.stringify(createResponse.body)).toBe(200);
    const exceptions = [
      { client_id: second, duty: 'manager', user_id: bob },
      { client_id: third, duty: 'vat', user_id: null },
    ];
    const handOverResult = await leaveAsShown({ successors: { manager: ann, vat: practice.adminId }, exceptions });
    expect([handOverResult.status, handOverResult.body]).toEqual([200, { handed_over: 3, left_open: 1 }]);
    expect(await listHolders('manager')).toEqual({ [first]: [ann], [second]: [bob], [third]: [ann] });
    expect(await listHolders('vat')).toEqual({ [first]: [practice.adminId], [second]: [practice.adminId] });
    const [movedItem] = await portal.deps.database.db.select().from(workItems).where(eq(workItems.companyId, practice.companyId));
    expect(movedItem).toMatchObject({ clientId: second, ownerId: bob });
    const query = { company_id: practice.companyId, user_id: practice.memberId };
    const report = (await practice.admin.get('/open-tax/team-members/access-report', query)).body;
    expect(report).toMatchObject({ clients_total: 3, status: 'deactivated' });
    for (const { until } of report['clients'] as { until: string | null }[]) expect(until).not.toBeNull();
  });

  it('shares them evenly, exactly as the preview showed', async () => {
    await addClients(5, ['manager', 'vat']);
    const choice = { successors: {}, shared: { manager: [ann, bob], vat: [ann, bob] } };
    const previewBody = (await preview(choice)).body;
    expect(previewBody['counts']).toEqual([
      { duty: 'manager', user_id: ann, clients: 3 },
      { duty: 'manager', user_id: bob, clients: 2 },
      { duty: 'vat', user_id: ann, clients: 3 },
      { duty: 'vat', user_id: bob, clients: 2 },
    ]);
    const rows = previewBody['rows'] as { client_id: string; duty: string; user_id: string }[];
    expect((await preview({ ...choice, q: 'client 3' })).body).toMatchObject({ rows_total: 2, rows: [{ name: 'Client 3 Ltd' }, {}] });
    expect((await listHolders('manager'))[rows[0]?.client_id ?? '']).toEqual([practice.memberId]);
    expect((await leave({ ...choice, plan: previewBody['plan'] })).body).toEqual({ handed_over: 5, left_open: 0 });
    const holders = await listHolders('vat');
    for (const { client_id: id, user_id: person } of rows.filter(({ duty }) => duty === 'vat')) expect(holders[id]).toEqual([person]);
  });

  it('changes nothing if their clients have changed since the preview', async () => {
    const [first = ''] = await addClients(2, ['manager']);
    const choice = { successors: { manager: ann } };
    const { plan } = (await preview(choice)).body;
    const lateClient = await addClient(portal, practice.companyId, { name: 'Late Ltd' });
    await post('client-companies/assign', { client_ids: [lateClient], user_id: practice.memberId, duty: 'manager', action: 'add' });
    const refusedResponse = await leave({ ...choice, plan });
    expect([refusedResponse.status, refusedResponse.body['code']]).toEqual([409, 'team.hand_over_changed']);
    expect((await listHolders('manager'))[first]).toEqual([practice.memberId]);
    expect((await leave({ ...choice, plan: (await preview(choice)).body['plan'] })).status).toBe(200);
  });

  it('ignores an exception whose client someone took from them, so that a new preview can be accepted', async () => {
    const [first = '', second = ''] = await addClients(2, ['manager']);
    const choice = { successors: { manager: ann }, exceptions: [{ client_id: second, duty: 'manager', user_id: bob }] };
    const { plan } = (await preview(choice)).body;
    await post('client-companies/assign', { client_ids: [second], user_id: practice.memberId, duty: 'manager', action: 'remove' });
    expect((await leave({ ...choice, plan })).body['code']).toBe('team.hand_over_changed');
    const previewResponse = await preview(choice);
    expect(previewResponse.body['rows']).toMatchObject([{ client_id: first, user_id: ann }]);
    expect((await leave({ ...choice, plan: previewResponse.body['plan'] })).status).toBe(200);
    expect(await listHolders('manager')).toEqual({ [first]: [ann] });
  });

  it('is rejected without the plan that was shown, because only the plan says who gets which client', async () => {
    const [first = ''] = await addClients(2, ['manager']);
    for (const choice of [
      { successors: {}, shared: { manager: [ann, bob] } },
      { successors: { manager: ann }, exceptions: [{ client_id: first, duty: 'manager', user_id: bob }] },
    ]) {
      const refusedResponse = await leave(choice);
      expect([refusedResponse.status, refusedResponse.body['message']]).toEqual([400, { plan: expect.any(String) }]);
    }
    expect((await listHolders('manager'))[first]).toEqual([practice.memberId]);
  });

  it('reports success although the successors’ totals can’t be counted yet', async () => {
    await addClients(1, ['manager']);
    const { db } = portal.deps.database;
    await db.execute(sql.raw(`alter table practice_totals add constraint fails check (viewer_id <> '${ann}') not valid`));
    try {
      expect((await leave({ successors: { manager: ann } })).body).toEqual({ handed_over: 1, left_open: 0 });
    } finally {
      await db.execute(sql`alter table practice_totals drop constraint fails`);
    }
  });

  it('happens once if two admins do it at the same moment in different ways', async () => {
    const clients = await addClients(4, ['manager']);
    await post('team-members/change', { user_id: ann, role: 'admin' });
    const sharedChoice = { successors: {}, shared: { manager: [ann, bob] } };
    const { plan } = (await preview(sharedChoice)).body;
    const answers = await Promise.all([leave({ ...sharedChoice, plan }), leave({ successors: { manager: practice.adminId } })]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
    const holders = await listHolders('manager');
    for (const id of clients) expect(holders[id]).toHaveLength(1);
    const holderIds = new Set(Object.values(holders).flat());
    expect([[practice.adminId], [ann, bob].toSorted()]).toContainEqual([...holderIds].toSorted());
  });

  it('is rejected for members of another practice and for the leaver', async () => {
    const [first = ''] = await addClients(2, ['manager']);
    const stranger = (await addPractice(portal)).adminId;
    for (const choice of [
      { successors: {}, shared: { manager: [ann, stranger] } },
      { successors: { manager: ann }, exceptions: [{ client_id: first, duty: 'manager', user_id: stranger }] },
      { successors: { manager: ann }, exceptions: [{ client_id: first, duty: 'manager', user_id: practice.memberId }] },
    ]) {
      for (const response of [await preview(choice), await leave({ ...choice, plan: 'shown' })])
        expect([response.status, response.body['message']]).toEqual([400, { successors: expect.any(String) }]);
    }
  });
});
