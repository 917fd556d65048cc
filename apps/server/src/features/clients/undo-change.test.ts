/** Tests undoing a bulk change: in a job, within a day, for clients that haven't had the same kind of change since. */
import { randomUUID } from 'node:crypto';
import type { RowResults } from '@portal/contract/clients.ts';
import { auditEntries, clientChanges, clientMembers, clientRows, clients, memberships } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addClient, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { pauseWithTimer } from '../../pause.ts';
import { lockTeam } from '../team/lock-team.ts';
import { purgeClientChanges } from './undo-change.ts';

let portal: TestPortal;
let practice: TestPractice;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

let ids: string[];
beforeEach(async () => {
  practice = await addPractice(portal);
  const add = () => addClient(portal, practice.companyId, { taxes: ['vat'] });
  ids = [await add(), await add(), await add()];
  await changeClients('status', { status: 'lead', client_ids: [ids[1]] });
});

const LIST_PATH = '/open-tax/client-companies';
const getTenantKey = () => ({ company_id: practice.companyId });
const ALL_CLIENTS = { matching: { filters: { tax: 'vat' }, count: 3 } };

const wait = (ms: number): void => portal.moveClock(addMilliseconds(portal.deps.clock.now(), ms));

async function changeClients(path: string, body: object): Promise<RowResults> {
  // Two actions of one user never happen at the same instant.
  wait(1_000);
  const response = await practice.admin.post(`${LIST_PATH}/${path}`, { ...getTenantKey(), ...body });
  expect(response.status).toBe(200);
  return response.body as RowResults;
}

async function undo(changeId: string | null) {
  const response = await practice.admin.post(`${LIST_PATH}/change/undo`, { ...getTenantKey(), change_id: changeId });
  await portal.runJobs();
  const { body } = await practice.admin.get(`${LIST_PATH}/change`, { ...getTenantKey(), change_id: changeId ?? '' });
  return { status: response.status, code: response.body['code'], ...body };
}

async function listStatuses(): Promise<string[]> {
  const { db } = portal.deps.database;
  const storedClients = await db
    .select({ id: clients.id, status: clients.status })
    .from(clients)
    .where(eq(clients.companyId, practice.companyId));
  const listedChanges = await db
    .select({ id: clientRows.clientId, status: clientRows.status })
    .from(clientRows)
    .where(eq(clientRows.companyId, practice.companyId));
  const toStatusesInOrder = (rows: readonly { id: string; status: string }[]) =>
    ids.map((id) => rows.find((row) => row.id === id)?.status ?? '');
  expect(toStatusesInOrder(listedChanges)).toEqual(toStatusesInOrder(storedClients));
  return toStatusesInOrder(storedClients);
}

describe('undoing a status change of all matching clients', () => {
  it("restores each client's previous status and audits the requester and the clients", async () => {
    const { change_id } = await changeClients('status', { status: 'inactive', ...ALL_CLIENTS });
    expect(await listStatuses()).toEqual(['inactive', 'inactive', 'inactive']);
    // The number of changed clients links to exactly those clients.
    const listedResponse = await practice.admin.get(`${LIST_PATH}/count`, { ...getTenantKey(), action: `change:${change_id}` });
    expect(listedResponse.body['count']).toBe(3);
    expect(await undo(change_id)).toMatchObject({ status: 200, state: 'undone', changed: 3, reverted: 3 });
    expect(await listStatuses()).toEqual(['active', 'lead', 'active']);
    const { db } = portal.deps.database;
    const auditTrail = await db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.companyId, practice.companyId), eq(auditEntries.action, 'clients.change_undone')));
    expect(auditTrail).toMatchObject([{ actor: practice.adminId, subject: change_id }]);
    const auditedIds = z.object({ client_ids: z.array(z.string()) }).parse(auditTrail[0]?.after).client_ids;
    expect(auditedIds.toSorted()).toEqual(ids.toSorted());
  });

  it('skips a client whose status was set again later, even back to the same value', async () => {
    const { change_id } = await changeClients('status', { status: 'inactive', ...ALL_CLIENTS });
    await changeClients('status', { status: 'closed', client_ids: [ids[0]] });
    await changeClients('status', { status: 'active', client_ids: [ids[2]] });
    await changeClients('status', { status: 'inactive', client_ids: [ids[2]] });
    expect(await undo(change_id)).toMatchObject({ changed: 3, reverted: 1 });
    expect(await listStatuses()).toEqual(['closed', 'lead', 'inactive']);
    // Each number in the result links to a list of that many clients.
    const countListed = async (kind: string) =>
      (await practice.admin.get(`${LIST_PATH}/count`, { ...getTenantKey(), action: `${kind}:${change_id}` })).body['count'];
    expect([await countListed('change'), await countListed('change_restored'), await countListed('change_kept')]).toEqual([3, 1, 2]);
  });

  it('happens once, however often it is requested', async () => {
    const { change_id } = await changeClients('status', { status: 'inactive', ...ALL_CLIENTS });
    await undo(change_id);
    await changeClients('status', { status: 'closed', client_ids: [ids[0]] });
    expect(await undo(change_id)).toMatchObject({ status: 200, state: 'undone', reverted: 3 });
    expect(await listStatuses()).toEqual(['closed', 'lead', 'active']);
  });

  it('is not offered when nothing was changed', async () => {
    await changeClients('status', { status: 'inactive', ...ALL_CLIENTS });
    expect((await changeClients('status', { status: 'inactive', ...ALL_CLIENTS })).change_id).toBeNull();
  });

  it('is rejected after a day; the stored change is deleted after another', async () => {
    const { change_id } = await changeClients('status', { status: 'inactive', ...ALL_CLIENTS });
    wait(86_400_000);
    expect(await undo(change_id)).toMatchObject({ status: 409, code: 'clients.undo_not_possible', state: 'made' });
    expect(await listStatuses()).toEqual(['inactive', 'inactive', 'inactive']);
    wait(86_400_001);
    await purgeClientChanges(portal.deps);
    expect(await portal.deps.database.db.$count(clientChanges, eq(clientChanges.companyId, practice.companyId))).toBe(0);
  });
});

describe('undoing an assignment', () => {
  const assign = (action: 'add' | 'remove', overrides: object = ALL_CLIENTS) =>
    changeClients('assign', { user_id: practice.memberId, duty: 'vat', action, ...overrides });
  const listAssignedIds = async (): Promise<string[]> => {
    const rows = await portal.deps.database.db
      .select({ id: clientMembers.clientId })
      .from(clientMembers)
      .where(and(eq(clientMembers.companyId, practice.companyId), eq(clientMembers.userId, practice.memberId)));
    return ids.filter((id) => rows.some((row) => row.id === id));
  };
  const countVisibleClients = async () => (await practice.member.get(`${LIST_PATH}/count`, getTenantKey())).body['all'];

  it('unassigns the clients, except those that were assigned before', async () => {
    await assign('add', { client_ids: [ids[1]] });
    const { change_id, counts } = await assign('add');
    expect(counts).toMatchObject({ changed: 2, unchanged: 1 });
    expect(await undo(change_id)).toMatchObject({ changed: 2, reverted: 2 });
    expect(await listAssignedIds()).toEqual([ids[1]]);
    expect(await countVisibleClients()).toBe(1);
  });

  it('assigns clients again that were unassigned', async () => {
    await assign('add');
    const { change_id } = await assign('remove');
    expect(await countVisibleClients()).toBe(0);
    expect(await undo(change_id)).toMatchObject({ reverted: 3 });
    expect(await listAssignedIds()).toEqual(ids);
  });

  it('skips clients that someone assigned again later', async () => {
    const { change_id } = await assign('add');
    await assign('remove', { client_ids: [ids[0]] });
    await assign('add', { client_ids: [ids[0]] });
    expect(await undo(change_id)).toMatchObject({ changed: 3, reverted: 2 });
    expect(await listAssignedIds()).toEqual([ids[0]]);
  });

  it('waits for a change of the team, so that a member who has just left gets no clients', async () => {
    await assign('add');
    const { change_id } = await assign('remove');
    const [lockTaken, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { companyId, memberId: userId, adminId } = practice;
    const leaving = portal.deps.database.db.transaction(async (tx) => {
      await lockTeam(tx, companyId, { userId: adminId });
      lockTaken.resolve();
      await leave.promise;
      await tx.delete(memberships).where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId)));
    });
    await lockTaken.promise;
    const undoing = undo(change_id);
    // Without the lock the job would be done by now.
    await Promise.race([undoing, pauseWithTimer(2_000)]);
    leave.resolve();
    await leaving;
    expect(await undoing).toMatchObject({ state: 'undone', reverted: 0 });
    expect(await listAssignedIds()).toEqual([]);
  });
});

describe('the list of undoable changes', () => {
  const list = async () => (await practice.admin.get(`${LIST_PATH}/changes`, getTenantKey())).body['changes'] as { change_id: string }[];

  it('contains each change of the last day with its state, newest first', async () => {
    const set = await changeClients('status', { status: 'inactive', ...ALL_CLIENTS });
    const assignResponse = await changeClients('assign', { user_id: practice.memberId, duty: 'vat', action: 'add', client_ids: [ids[0]] });
    await undo(set.change_id);
    expect(await list()).toMatchObject([
      {
        change_id: assignResponse.change_id,
        kind: 'assign',
        status: null,
        duty: 'vat',
        changed: 1,
        state: 'made',
        reverted: null,
        is_yours: true,
      },
      { change_id: set.change_id, kind: 'status', status: 'inactive', colleague: null, changed: 3, state: 'undone', reverted: 3 },
      // This change was made by `beforeEach`.
      { kind: 'status', status: 'lead', changed: 1 },
    ]);
    expect(await list()).toMatchObject([
      { client_name: expect.any(String), colleague: expect.any(String) },
      { client_name: null },
      { client_name: expect.any(String) },
    ]);
    // A client that an undone import removed is no longer in the list, so it isn't counted.
    await portal.deps.database.db.delete(clients).where(eq(clients.id, ids[0] ?? ''));
    expect(await list()).toMatchObject([{ changed: 0 }, { changed: 2 }, {}]);
    wait(86_400_000);
    expect(await list()).toEqual([]);
  });

  it('is available only to admins of the practice', async () => {
    expect((await practice.member.get(`${LIST_PATH}/changes`, getTenantKey())).status).toBe(404);
    const otherPractice = await addPractice(portal);
    expect((await otherPractice.admin.get(`${LIST_PATH}/changes`, { company_id: otherPractice.companyId })).body).toEqual({ changes: [] });
    expect((await otherPractice.admin.get(`${LIST_PATH}/changes`, getTenantKey())).status).toBe(404);
  });
});

it('an undo is available only to admins of the practice', async () => {
  const { change_id } = await changeClients('status', { status: 'inactive', ...ALL_CLIENTS });
  const otherPractice = await addPractice(portal);
  const requestUndo = (browser: TestPractice['admin'], companyId: string, changeId: string | null) =>
    browser.post(`${LIST_PATH}/change/undo`, { company_id: companyId, change_id: changeId });
  expect((await requestUndo(practice.member, practice.companyId, change_id)).status).toBe(404);
  expect((await requestUndo(otherPractice.admin, otherPractice.companyId, change_id)).status).toBe(404);
  expect((await requestUndo(practice.admin, practice.companyId, randomUUID())).status).toBe(404);
  await portal.runJobs();
  expect(await listStatuses()).toEqual(['inactive', 'inactive', 'inactive']);
});
