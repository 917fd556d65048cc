/** Tests groups of clients: who sees which totals, and that a client is in at most one group. */
import { clientRows } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;
let today: PlainDate;

beforeAll(async () => {
  portal = await openTestPortal();
  today = portal.deps.clock.today();
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
});

const post = (path: string, body: object, browser = practice.admin) =>
  browser.post(`/open-tax/${path}`, { company_id: practice.companyId, ...body });
const get = (path: string, query: Record<string, string> = {}, browser = practice.admin) =>
  browser.get(`/open-tax/${path}`, { company_id: practice.companyId, ...query });
const add = (name: string) => addClient(portal, practice.companyId, { name });

async function createGroup(name: string, clientIds: readonly string[] = []): Promise<string> {
  const createdResponse = await post('client-groups', { name, ...(clientIds.length === 0 ? {} : { client_ids: clientIds }) });
  expect(createdResponse.status, JSON.stringify(createdResponse.body)).toBe(200);
  return createdResponse.body['group_id'] as string;
}

type Figures = { owed?: number; overdue?: number; refund?: number; due?: PlainDate };

/** Stores figures as a refresh of the client's VAT would. */
async function setFigures(clientId: string, { owed = 0, overdue = 0, refund = 0, due }: Figures): Promise<void> {
  await portal.deps.database.db
    .update(clientRows)
    .set({
      owedPence: pence(owed),
      overduePence: pence(overdue),
      refundPence: pence(refund),
      readTaxes: ['vat'],
      asOf: portal.deps.clock.now(),
      ...(due === undefined
        ? {}
        : { nextDueOn: due, nextDueTax: 'vat' as const, nextDueWhat: 'payment' as const, nextDuePence: pence(owed) }),
    })
    .where(eq(clientRows.clientId, clientId));
}

const listNames = async (groupId: string, browser = practice.admin): Promise<string[]> => {
  const { body } = await get('client-companies', { group: groupId, sort: 'name' }, browser);
  return (body['clients'] as { name: string }[]).map(({ name }) => name);
};

describe('a group’s totals', () => {
  it('are the sums of the client list over its active clients, with the earliest item', async () => {
    const [ann, bob, gone, unread] = [await add('Ann Harlow'), await add('Bob Harlow'), await add('Cy Harlow'), await add('Di Harlow')];
    const otherClient = await add('Someone else');
    await setFigures(ann, { owed: 120_00, overdue: 20_00, due: addDays(today, 9) });
    await setFigures(bob, { owed: 80_01, refund: 5_00, due: addDays(today, 3) });
    await setFigures(gone, { owed: 999_00, due: today });
    await setFigures(otherClient, { owed: 777_00 });
    await post('client-companies/status', { client_ids: [gone], status: 'inactive' });
    const groupId = await createGroup('Harlow family', [ann, bob, gone, unread]);
    const { body } = await get('client-group', { group_id: groupId });
    expect(body['group']).toEqual({
      group_id: groupId,
      name: 'Harlow family',
      clients: 4,
      active_clients: 3,
      owed_pence: 200_01,
      overdue_pence: 20_00,
      refund_pence: 5_00,
      incomplete_clients: 1,
      next_due_on: addDays(today, 3),
      next_due_tax: 'vat',
      next_due_what: 'payment',
      next_due_pence: 80_01,
      next_due_client: { client_id: bob, name: 'Bob Harlow' },
    });
    expect((await get('client-groups')).body['groups']).toEqual([body['group']]);
    expect(await listNames(groupId)).toEqual(['Ann Harlow', 'Bob Harlow', 'Cy Harlow', 'Di Harlow']);
    const activeClients = (await get('client-companies', { group: groupId, status: 'in_hand' })).body['clients'] as {
      owed_pence: number | null;
    }[];
    expect(activeClients.reduce((sum, row) => sum + (row.owed_pence ?? 0), 0)).toBe(200_01);
    expect((await get('client-companies/count', { group: groupId })).body).toMatchObject({ count: 4, all: 5 });
  });

  it('of clients that were never read are unknown, not nil', async () => {
    const groupId = await createGroup('New family', [await add('Ann New')]);
    const { body } = await get('client-group', { group_id: groupId });
    expect(body['group']).toMatchObject({
      owed_pence: null,
      overdue_pence: null,
      refund_pence: null,
      incomplete_clients: 1,
      next_due_on: null,
    });
  });

  it('cover only the clients that a team member may see', async () => {
    const { companyId, member, memberId } = practice;
    const [ownGroupId, colleagueGroup, unseenGroupId] = [await add('Mine'), await add('Theirs'), await add('Unseen')];
    await setFigures(ownGroupId, { owed: 10_00, due: addDays(today, 20) });
    await setFigures(colleagueGroup, { owed: 500_00, due: today });
    await assignClient(portal, companyId, ownGroupId, memberId);
    const sharedGroup = await createGroup('Shared', [ownGroupId, colleagueGroup]);
    const hiddenGroup = await createGroup('Hidden', [unseenGroupId]);
    const { groups } = (await get('client-groups', {}, member)).body as { groups: { group_id: string }[] };
    expect(groups).toMatchObject([
      { group_id: sharedGroup, clients: 1, owed_pence: 10_00, next_due_on: addDays(today, 20), next_due_client: { client_id: ownGroupId } },
    ]);
    expect((await get('client-group', { group_id: hiddenGroup }, member)).status).toBe(404);
    expect(await listNames(sharedGroup, member)).toEqual(['Mine']);
    expect((await post('client-groups/delete', { group_id: sharedGroup }, member)).status).toBe(404);
    const profileResponse = await member.get('/client/profile', { company_id: companyId, client_id: ownGroupId });
    expect(profileResponse.body['group']).toEqual({ group_id: sharedGroup, name: 'Shared' });
  });
});

describe('a client is in one group at most', () => {
  it('so adding it to another needs confirmation, and then removes it from the first', async () => {
    const [ann, bob] = [await add('Ann'), await add('Bob')];
    const first = await createGroup('First', [ann]);
    const second = await createGroup('Second');
    const refusedResponse = await post('client-groups/add-clients', { group_id: second, client_ids: [ann, bob] });
    expect(refusedResponse).toMatchObject({
      status: 409,
      body: { code: 'client_group.in_another', message: expect.stringContaining('Ann is in the group “First”') },
    });
    expect(await listNames(second)).toEqual([]);
    const movedResponse = await post('client-groups/add-clients', { group_id: second, client_ids: [ann, bob], move: true });
    expect(movedResponse.body).toEqual({ counts: { changed: 2, unchanged: 0, not_found: 0 } });
    expect([await listNames(first), await listNames(second)]).toEqual([[], ['Ann', 'Bob']]);
    const repeatedResponse = await post('client-groups/add-clients', { group_id: second, client_ids: [ann] });
    expect(repeatedResponse.body).toEqual({ counts: { changed: 0, unchanged: 1, not_found: 0 } });
    const { entries } = (await practice.admin.get('/client/timeline', { company_id: practice.companyId, client_id: ann })).body as {
      entries: { title: string; detail: string }[];
    };
    expect(entries.map(({ title, detail }) => `${title}: ${detail}`).toSorted()).toEqual([
      'Added to a group: First',
      'Added to a group: Second',
      'Removed from a group: First',
    ]);
  });

  it('even while two users add it to two groups at once', async () => {
    const ann = await add('Ann');
    const groups = [await createGroup('One'), await createGroup('Two')];
    const responses = await Promise.all(groups.map((id) => post('client-groups/add-clients', { group_id: id, client_ids: [ann] })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });
});

describe('a group', () => {
  it('is filled by a filter, loses clients one by one, and can be renamed and deleted', async () => {
    const clients = [await add('Ann'), await add('Bob')];
    const groupId = await createGroup('Old name');
    const matchingClients = { filters: {}, count: 2 };
    expect((await post('client-groups/add-clients', { group_id: groupId, matching: matchingClients })).body).toMatchObject({
      counts: { changed: 2 },
    });
    await post('client-groups/remove-clients', { group_id: groupId, client_ids: [clients[0]] });
    expect(await listNames(groupId)).toEqual(['Bob']);
    expect((await post('client-groups/rename', { group_id: groupId, name: ' New   name ' })).status).toBe(200);
    expect((await get('client-groups')).body['groups']).toMatchObject([{ name: 'New name' }]);
    expect((await post('client-groups/delete', { group_id: groupId })).status).toBe(200);
    expect((await get('client-groups')).body['groups']).toEqual([]);
    expect((await get('client-companies/count')).body['count']).toBe(2);
    expect((await get('client-group', { group_id: groupId })).status).toBe(404);
  });

  it('has a unique name', async () => {
    await createGroup('Harlow');
    const sameResponse = await post('client-groups', { name: 'harlow' });
    expect(sameResponse).toMatchObject({
      status: 400,
      body: { message: { name: expect.stringContaining('already a group called “Harlow”') } },
    });
    const otherGroup = await createGroup('Marsh');
    expect((await post('client-groups/rename', { group_id: otherGroup, name: 'HARLOW' })).status).toBe(400);
    expect((await post('client-groups/rename', { group_id: otherGroup, name: 'MARSH' })).status).toBe(200);
  });

  it('of another practice doesn’t exist, and neither do its clients', async () => {
    const groupId = await createGroup('Ours', [await add('Ours Ltd')]);
    const otherPractice = await addPractice(portal);
    const foreignGroup = { company_id: otherPractice.companyId, group_id: groupId };
    expect((await otherPractice.admin.get('/open-tax/client-group', foreignGroup)).status).toBe(404);
    expect((await otherPractice.admin.post('/open-tax/client-groups/delete', foreignGroup)).status).toBe(404);
    const foreignClient = await addClient(portal, otherPractice.companyId);
    const addedResponse = await post('client-groups/add-clients', { group_id: groupId, client_ids: [foreignClient] });
    expect(addedResponse.body).toEqual({ counts: { changed: 0, unchanged: 0, not_found: 1 } });
    expect(
      (await otherPractice.admin.get('/open-tax/client-companies', { company_id: otherPractice.companyId, group: groupId })).body[
        'clients'
      ],
    ).toEqual([]);
  });
});
