/** Tests a practice's tasks: who can see and change which, comments with mentions, undo, and a leaver's tasks. */
import { randomUUID } from 'node:crypto';
import { dueItems, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { MAX_MENTION_EMAILS_PER_HOUR } from '@portal/domain/work-items/work-item.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;
let otherPractice: TestPractice;
let today: PlainDate;
let clientId: string;

beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
  today = portal.deps.clock.today();
  otherPractice = await addPractice(portal);
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
  clientId = await addClient(portal, practice.companyId, { name: 'Brook Ltd' });
  await assignClient(portal, practice.companyId, clientId, practice.memberId);
});

const post = (path: string, body: object, browser = practice.admin) =>
  browser.post(`/open-tax/${path}`, { company_id: practice.companyId, ...body });
const get = (path: string, query: Record<string, string> = {}, browser = practice.admin) =>
  browser.get(`/open-tax/${path}`, { company_id: practice.companyId, ...query });

type Fields = { client_id?: string | null; owner_id?: string | null; due_on?: PlainDate | null; title?: string };

async function create(fields: Fields = {}, browser = practice.admin): Promise<string> {
  const id = randomUUID();
  const { client_id: client = clientId, ...rest } = fields;
  const clientFields = client === null ? {} : { client_id: client };
  const task = { item_id: id, title: 'Call the client', service: 'other', owner_id: null, due_on: null, ...clientFields, ...rest };
  const createdResponse = await post('work-items', task, browser);
  expect(createdResponse.status, JSON.stringify(createdResponse.body)).toBe(200);
  return id;
}

type Item = { item_id: string; title: string; status: string; owner: { user_id: string } | null; version: number };
const list = async (query: Record<string, string> = {}, browser = practice.admin) =>
  (await get('work-items', query, browser)).body['items'] as Item[];
const listTitles = async (query: Record<string, string> = {}, browser = practice.admin) =>
  (await list(query, browser)).map(({ title }) => title);
const find = async (id: string, browser = practice.admin) => (await get('work-item', { item_id: id }, browser)).body;

describe('a task', () => {
  it('is visible to admins, and to members to whom it or its client is assigned', async () => {
    const outsideClient = await addClient(portal, practice.companyId);
    const [clientItem, otherClientItem, ownAlone, adminsAlone] = [
      await create({ title: 'On their client' }),
      await create({ title: 'On another client', client_id: outsideClient }),
      await create({ title: 'Alone, theirs', client_id: null, owner_id: practice.memberId }),
      await create({ title: 'Alone, the admin’s', client_id: null, owner_id: practice.adminId }),
    ];
    expect(await listTitles()).toHaveLength(4);
    expect((await listTitles({}, practice.member)).toSorted()).toEqual(['Alone, theirs', 'On their client']);
    for (const [id, status] of [
      [clientItem, 200],
      [ownAlone, 200],
      [otherClientItem, 404],
      [adminsAlone, 404],
    ] as const) {
      expect((await get('work-item', { item_id: id }, practice.member)).status).toBe(status);
    }
    const change = { item_ids: [clientItem, otherClientItem, adminsAlone], status: 'done' };
    expect((await post('work-items/change', change, practice.member)).body).toMatchObject({
      not_found: 2,
      replaced: [{ item_id: clientItem }],
    });
    expect(
      (await otherPractice.admin.get('/open-tax/work-item', { company_id: otherPractice.companyId, item_id: clientItem })).status,
    ).toBe(404);
    const foreignItem = { item_id: randomUUID(), title: 'x', service: 'other', client_id: outsideClient, owner_id: null, due_on: null };
    expect((await post('work-items', foreignItem, practice.member)).status).toBe(404);
  });

  it('can be assigned only to someone who may see its client', async () => {
    const outsideClient = await addClient(portal, practice.companyId);
    const task = { item_id: randomUUID(), title: 'x', service: 'vat', client_id: outsideClient, owner_id: practice.memberId, due_on: null };
    expect(await post('work-items', task)).toMatchObject({ status: 400, body: { details: { field: 'owner_id' } } });
    const ids = [await create({ client_id: outsideClient }), await create()];
    expect((await post('work-items/change', { item_ids: ids, owner_id: practice.memberId })).status).toBe(400);
    expect((await list()).every(({ owner }) => owner === null)).toBe(true);
    expect((await post('work-items', { ...task, owner_id: otherPractice.memberId })).status).toBe(400);
  });

  it('is created once by a repeated request, and keeps what someone else changed', async () => {
    const id = await create({ title: 'First' });
    const repeatedItem = { item_id: id, title: 'Second', service: 'other', client_id: clientId, owner_id: null, due_on: null };
    expect((await post('work-items', repeatedItem)).status).toBe(200);
    expect(await listTitles()).toEqual(['First']);
    const line = { id: randomUUID(), text: 'Books received', is_done: false };
    const save = (version: number, title: string) =>
      post('work-items/save', { ...repeatedItem, title, notes: 'By phone', status: 'in_progress', checklist: [line], version });
    expect((await save(1, 'Changed')).status).toBe(200);
    expect(await save(1, 'Late')).toMatchObject({ status: 409, body: { code: 'work_item.changed_since' } });
    const ticks = [practice.admin, practice.member].map((by) =>
      post('work-items/check', { item_id: id, line_id: line.id, is_done: true }, by),
    );
    expect((await Promise.all(ticks)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await find(id)).toMatchObject({
      item: { title: 'Changed', notes: 'By phone', status: 'in_progress', checklist: [{ text: 'Books received', is_done: true }] },
    });
  });

  it('is found by owner, due date and status, one page at a time', async () => {
    await create({ title: 'Late', due_on: addDays(today, -1), owner_id: practice.memberId });
    await create({ title: 'Soon', due_on: addDays(today, 7) });
    await create({ title: 'No date' });
    expect(await listTitles()).toEqual(['Late', 'Soon', 'No date']);
    expect(await listTitles({ due: 'overdue' })).toEqual(['Late']);
    expect(await listTitles({ due: 'week' })).toEqual(['Late', 'Soon']);
    expect(await listTitles({ due: 'none' })).toEqual(['No date']);
    expect(await listTitles({ owner: 'me' }, practice.member)).toEqual(['Late']);
    expect(await listTitles({ owner: 'none' })).toEqual(['Soon', 'No date']);
    expect(await listTitles({ status: 'done' })).toEqual([]);
    await practice.admin.post('/client/tags', { company_id: practice.companyId, client_id: clientId, tags: ['VIP'] });
    expect(await listTitles({ tag: 'VIP' })).toHaveLength(3);
    expect(await listTitles({ tag: 'Other' })).toEqual([]);
    const first = (await get('work-items', { limit: '2' })).body;
    expect(await listTitles({ limit: '2', cursor: first['next_cursor'] as string })).toEqual(['No date']);
    expect((await get('work-items', { cursor: 'nonsense' })).status).toBe(400);
  });

  it('appears in the column of its status on the board, with the same filters as the list', async () => {
    await create({ title: 'Later', due_on: addDays(today, 3), owner_id: practice.memberId });
    await create({ title: 'Sooner', due_on: addDays(today, 1), owner_id: practice.memberId });
    const waitingItem = await create({ title: 'Waits' });
    await post('work-items/change', { item_ids: [waitingItem], status: 'waiting' });
    const getColumns = async (query: Record<string, string>) => {
      const { columns } = (await get('work-items/board', query, practice.member)).body as { columns: { status: string; items: Item[] }[] };
      return columns.flatMap(({ status, items }) => items.map(({ title }) => `${status}: ${title}`));
    };
    expect(await getColumns({})).toEqual(['todo: Sooner', 'todo: Later', 'waiting: Waits']);
    expect(await getColumns({ owner: 'me' })).toEqual(['todo: Sooner', 'todo: Later']);
  });

  it('is reassigned or deleted in bulk, and undoing skips what was changed since', async () => {
    const [first, second] = [await create({ title: 'One' }), await create({ title: 'Two' })];
    const movedResponse = await post('work-items/change', { item_ids: [first, second], owner_id: practice.memberId });
    expect(await listTitles({ owner: 'me' }, practice.member)).toHaveLength(2);
    await post('work-items/change', { item_ids: [second], status: 'waiting' });
    const undoneResponse = await post('work-items/restore', { replaced: movedResponse.body['replaced'] });
    expect(undoneResponse.body).toEqual({ restored: 1, kept: 1 });
    expect(await listTitles({ owner: 'me' }, practice.member)).toEqual(['Two']);
    const removedResponse = await post('work-items/change', { item_ids: [first], remove: true });
    expect(await listTitles()).toEqual(['Two']);
    await post('work-items/restore', { replaced: removedResponse.body['replaced'] });
    expect(await listTitles()).toHaveLength(2);
  });

  it('is on the client’s timeline when it is done, with its comments', async () => {
    const id = await create({ title: 'Chase the records' });
    await post('work-items/comment', { item_id: id, comment_id: randomUUID(), text: 'They promised Friday' }, practice.member);
    await post('work-items/change', { item_ids: [id], status: 'done' }, practice.member);
    const { entries } = (await practice.admin.get('/client/timeline', { company_id: practice.companyId, client_id: clientId })).body;
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ title: 'Task completed', detail: 'Chase the records', who: 'team_member' }),
        expect.objectContaining({ title: 'Comment on “Chase the records”', detail: 'They promised Friday' }),
      ]),
    );
    expect(entries).toHaveLength(3);
  });
});

describe('a comment', () => {
  const rename = (id: string, fullName: string) => portal.deps.database.db.update(users).set({ fullName }).where(eq(users.id, id));
  const comment = (id: string, text: string, commentId = randomUUID()) =>
    post('work-items/comment', { item_id: id, comment_id: commentId, text });

  it('notifies mentioned colleagues who may see the task, once', async () => {
    await rename(practice.memberId, 'Priya Shah');
    const [seenItem, unseenItem] = [await create(), await create({ client_id: await addClient(portal, practice.companyId) })];
    const commentId = randomUUID();
    const response = await comment(seenItem, '@Priya Shah please', commentId);
    expect(response.body).toEqual({ notified: ['Priya Shah'], not_notified: [] });
    expect((await comment(seenItem, '@Priya Shah please', commentId)).body).toEqual({ notified: [], not_notified: [] });
    expect((await comment(unseenItem, '@Priya Shah too')).body).toEqual({ notified: [], not_notified: ['Priya Shah'] });
    expect((await find(seenItem))['comments']).toHaveLength(1);
    expect((await comment(seenItem, '   ')).status).toBe(400);
  });

  it('sends no more emails than one user may trigger in an hour', async () => {
    await rename(practice.memberId, 'Priya Shah');
    const id = await create();
    let notifiedCount = 0;
    for (let count = 0; count <= MAX_MENTION_EMAILS_PER_HOUR; count += 1) {
      notifiedCount += ((await comment(id, '@Priya Shah')).body['notified'] as string[]).length;
    }
    expect(notifiedCount).toBe(MAX_MENTION_EMAILS_PER_HOUR);
  });
});

describe('the calendar', () => {
  it('counts a user’s open tasks by day, as does their feed, for assigned clients only if they choose so', async () => {
    await create({ title: 'Secret Ltd’s papers', due_on: today, owner_id: practice.memberId });
    await create({ due_on: today, owner_id: practice.adminId });
    const doneItem = await create({ due_on: today, owner_id: practice.memberId });
    await post('work-items/change', { item_ids: [doneItem], status: 'done' });
    const month = { month: today.slice(0, 7) };
    expect((await get('calendar', month, practice.member)).body['task_days']).toEqual([{ due_on: today, tasks: 1 }]);
    expect((await get('calendar', { ...month, member: practice.memberId })).body['task_days']).toEqual([{ due_on: today, tasks: 1 }]);
    const readFeed = async (covers: 'all' | 'assigned') => {
      const { pathname } = new URL(String((await post('calendar/feed', { covers })).body['url']));
      return (await portal.app.inject({ url: pathname })).body.replaceAll('\r\n ', '');
    };
    await portal.deps.database.db.insert(dueItems).values({
      companyId: practice.companyId,
      clientId,
      tax: 'vat',
      key: 'k',
      what: 'return',
      kind: 'return',
      dueOn: today,
      title: 'VAT return',
      source: 'hmrc',
      asOf: portal.deps.clock.now(),
    });
    expect(await readFeed('all')).toContain('SUMMARY:VAT: 1 return due');
    const assignedFeed = await readFeed('assigned');
    expect(assignedFeed).toContain('SUMMARY:You have 1 task due');
    expect(assignedFeed).not.toContain('VAT');
    expect((await get('calendar/feed')).body).toMatchObject({ covers: 'assigned' });
  });
});

describe('a leaver’s open tasks', () => {
  it('are transferred to the successor for the client, and the others become unassigned', async () => {
    await create({ title: 'On the client', owner_id: practice.memberId });
    await create({ title: 'Alone', client_id: null, owner_id: practice.memberId });
    const doneItem = await create({ title: 'Done', owner_id: practice.memberId });
    await post('work-items/change', { item_ids: [doneItem], status: 'done' });
    const leaveResponse = await post('team-members/deactivate', { user_id: practice.memberId, successors: { manager: practice.adminId } });
    expect(leaveResponse.status, JSON.stringify(leaveResponse.body)).toBe(200);
    expect(await listTitles({ owner: practice.adminId })).toEqual(['On the client']);
    expect(await listTitles({ owner: 'none' })).toEqual(['Alone']);
    expect(await listTitles({ owner: practice.memberId })).toEqual(['Done']);
  });
});
