/** Tests messages to a practice's clients: who receives which message and when, and what the portal shows. */
import { randomUUID } from 'node:crypto';
import { clientContacts, clientRows, clients, memberships } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { pence } from '@portal/domain/money.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { addClientWithEmail, listOutcomes, SAMPLE_MESSAGE, sendTo, sweepMessages } from '../../testing/mailbox-steps.ts';
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
  browser.post(`/open-tax/messages/${path}`, { company_id: practice.companyId, ...body });
const get = (path: string, query: Record<string, string> = {}, browser = practice.admin) =>
  browser.get(`/open-tax/${path}`, { company_id: practice.companyId, ...query });
const add = (name: string, email: string | null = `${name.toLowerCase()}@${practice.companyId}.example`) =>
  addClientWithEmail(portal, practice.companyId, name, email);
const listEmailsTo = (name: string) => portal.sentEmails.filter(({ to }) => to === `${name.toLowerCase()}@${practice.companyId}.example`);
const permitMessages = () =>
  portal.deps.database.db
    .update(memberships)
    .set({ permissions: ['message_clients'] })
    .where(and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId)));

describe('the preview of a message', () => {
  it('shows it as the first clients get it, and who is left out and why', async () => {
    const { db } = portal.deps.database;
    const [ash, birch, cedar, dogwood] = [await add('Ash'), await add('Birch', null), await add('Cedar'), await add('Dogwood')];
    const elm = await add('Elm', null);
    const due = { nextDueOn: plainDate('2026-12-07'), nextDueTax: 'vat', nextDueWhat: 'payment', nextDuePence: pence(120_450) } as const;
    for (const id of [ash, birch, dogwood, elm]) await db.update(clientRows).set(due).where(eq(clientRows.clientId, id));
    await db.update(clients).set({ status: 'closed' }).where(eq(clients.id, dogwood));
    const contact = {
      companyId: practice.companyId,
      clientId: elm,
      id: randomUUID(),
      name: 'Ella Elm',
      role: '',
      email: 'ella@elm.example',
      phone: '',
    };
    await db.insert(clientContacts).values({ ...contact, createdAt: portal.deps.clock.now(), updatedAt: portal.deps.clock.now() });
    const content = { subject: '{client}: {deadline}', body: '{amount} by {due date}' };
    const { body } = await post('preview', { client_ids: [ash, birch, cedar, dogwood, elm], ...content });
    expect(body).toMatchObject({
      recipients: 2,
      samples: [
        { name: 'Ash', subject: 'Ash: VAT payment', body: '£1,204.50 by 7 December 2026' },
        { name: 'Elm', email: 'ella@elm.example' },
      ],
      left_out: 3,
      left_out_clients: [
        { name: 'Birch', reason: 'no_email' },
        { name: 'Cedar', reason: 'missing_fields', missing: ['deadline', 'amount', 'due date'] },
        { name: 'Dogwood', reason: 'closed' },
      ],
      route: { route: 'smtp', reply_to: `${practice.adminId}@oakline.example`, is_waiting: false },
    });
    expect(portal.sentEmails.filter(({ to }) => to === 'ella@elm.example')).toEqual([]);
  });

  it('names a field that doesn’t exist', async () => {
    const { status, body } = await post('preview', { client_ids: [await add('Ash')], subject: 'Hello', body: 'Dear {name}' });
    expect([status, body['message']]).toEqual([400, { body: expect.stringContaining('{client}') }]);
  });
});

describe('a message', () => {
  it('goes to each client that matches a filter, as it was previewed, and is on the client’s timeline as it was sent', async () => {
    const [ash, birch] = [await add('Ash'), await add('Birch')];
    const message_id = randomUUID();
    const input = { message_id, matching: { filters: {}, count: 2 }, recipients: 2, ...SAMPLE_MESSAGE };
    expect((await post('send', input)).body).toEqual({ message_id, recipients: 2 });
    // A double click.
    expect((await post('send', input)).body).toEqual({ message_id, recipients: 2 });
    await portal.deps.database.db.update(clients).set({ name: 'Renamed' }).where(eq(clients.id, birch));
    await portal.runJobs();
    expect(await listOutcomes(practice, message_id)).toEqual({ Ash: 'sent', Renamed: 'sent' });
    expect(listEmailsTo('Ash')).toMatchObject([{ subject: 'About Ash', author: { replyTo: `${practice.adminId}@oakline.example` } }]);
    expect(listEmailsTo('Birch')).toHaveLength(1);
    const { body } = await practice.admin.get('/client/timeline', { company_id: practice.companyId, client_id: ash });
    expect(body['entries']).toMatchObject([
      {
        kind: 'message',
        title: 'Email sent: About Ash',
        detail: expect.stringContaining('Dear Ash,\n\nPlease call us.'),
        who: 'practice_admin',
      },
    ]);
    expect((await get('messages')).body['messages']).toMatchObject([{ message_id, status: 'done', counts: { sent: 2 }, recipients: 2 }]);
    expect((await get('notification/customers')).body['customers']).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
  });

  it('isn’t sent if its number of clients has changed since the preview', async () => {
    await add('Ash');
    const staleMessage = { message_id: randomUUID(), matching: { filters: {}, count: 2 }, recipients: 2, ...SAMPLE_MESSAGE };
    expect((await post('send', staleMessage)).body['code']).toBe('clients.count_changed');
    const leftOut = { message_id: randomUUID(), client_ids: [await add('Birch', null)], recipients: 1, ...SAMPLE_MESSAGE };
    expect((await post('send', leftOut)).body['code']).toBe('messages.count_changed');
    await portal.runJobs();
    expect((await get('messages')).body['messages']).toEqual([]);
  });

  it('that is scheduled is sent when it is due, but not to a client that was closed in the meantime', async () => {
    const [ash, birch] = [await add('Ash'), await add('Birch')];
    const id = await sendTo(practice, [ash, birch], { send_at: '2026-11-11T08:00:00.000Z' });
    await sweepMessages(portal);
    expect(await listOutcomes(practice, id)).toEqual({ Ash: 'queued', Birch: 'queued' });
    expect((await get('messages')).body['messages']).toMatchObject([{ status: 'scheduled' }]);
    await portal.deps.database.db.update(clients).set({ status: 'closed' }).where(eq(clients.id, birch));
    portal.moveClock('2026-11-11T08:00:05.000Z');
    try {
      await sweepMessages(portal);
    } finally {
      portal.moveClock('2026-11-10T09:00:00.000Z');
    }
    expect(await listOutcomes(practice, id)).toEqual({ Ash: 'sent', Birch: 'cancelled' });
    expect(listEmailsTo('Birch')).toEqual([]);
    const lateResponse = await post('send', {
      message_id: randomUUID(),
      client_ids: [ash],
      recipients: 1,
      ...SAMPLE_MESSAGE,
      send_at: '2027-06-01T08:00:00.000Z',
    });
    expect([lateResponse.status, lateResponse.body['message']]).toEqual([400, { send_at: expect.any(String) }]);
  });

  it('that a leaver had scheduled is never sent in the practice’s name', async () => {
    await permitMessages();
    const ash = await add('Ash');
    await assignClient(portal, practice.companyId, ash, practice.memberId);
    const message = {
      client_ids: [ash],
      recipients: 1,
      subject: 'New bank details',
      body: 'Pay our fees here',
      send_at: '2026-11-11T08:00:00.000Z',
    };
    const id = randomUUID();
    expect((await post('send', { message_id: id, ...message }, practice.member)).status).toBe(200);
    const leaver = and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId));
    await portal.deps.database.db.delete(memberships).where(leaver);
    portal.moveClock('2026-11-11T08:00:05.000Z');
    try {
      await sweepMessages(portal);
    } finally {
      portal.moveClock('2026-11-10T09:00:00.000Z');
    }
    expect(await listOutcomes(practice, id)).toEqual({ Ash: 'cancelled' });
    expect(listEmailsTo('Ash')).toEqual([]);
  });

  it('that is cancelled is sent to no further clients', async () => {
    const id = await sendTo(practice, [await add('Ash')], { send_at: '2026-11-11T08:00:00.000Z' });
    expect((await post('cancel', { message_id: id })).body).toEqual({ cancelled: 1 });
    expect((await post('cancel', { message_id: id })).body).toEqual({ cancelled: 0 });
    await portal.runJobs();
    expect(listEmailsTo('Ash')).toEqual([]);
    expect((await get('messages')).body['messages']).toMatchObject([{ status: 'cancelled', counts: { cancelled: 1 } }]);
  });

  it('can be tested: it is sent to its author only, and is in no list', async () => {
    const ash = await add('Ash');
    const input = { message_id: randomUUID(), client_id: ash, ...SAMPLE_MESSAGE };
    expect((await post('test', input)).body).toEqual({ email: `${practice.adminId}@oakline.example` });
    await post('test', input);
    await portal.runJobs();
    expect(portal.sentEmails.filter(({ to }) => to === `${practice.adminId}@oakline.example`)).toMatchObject([
      { subject: 'Test: About Ash' },
    ]);
    expect(listEmailsTo('Ash')).toEqual([]);
    expect((await get('messages')).body['messages']).toEqual([]);
    const { body } = await practice.admin.get('/client/timeline', { company_id: practice.companyId, client_id: ash });
    expect(body['entries']).toEqual([]);
  });
});

describe('a team member', () => {
  it('needs the permission, writes to assigned clients only, and sees their own messages', async () => {
    const { member, memberId, companyId } = practice;
    const [ash, birch] = [await add('Ash'), await add('Birch')];
    await assignClient(portal, companyId, ash, memberId);
    const input = { message_id: randomUUID(), client_ids: [ash, birch], recipients: 1, ...SAMPLE_MESSAGE };
    expect((await post('send', input, member)).body['code']).toBe('team.permission_missing');
    await permitMessages();
    const adminsMessage = await sendTo(practice, [ash]);
    expect((await post('preview', { client_ids: [ash, birch], ...SAMPLE_MESSAGE }, member)).body).toMatchObject({
      recipients: 1,
      left_out: 0,
    });
    expect((await post('send', input, member)).status).toBe(200);
    await portal.runJobs();
    expect([listEmailsTo('Ash').length, listEmailsTo('Birch').length]).toEqual([2, 0]);
    expect((await get('messages', {}, member)).body['messages']).toMatchObject([{ message_id: input.message_id }]);
    expect((await get('messages/details', { message_id: adminsMessage }, member)).status).toBe(404);
    expect((await post('cancel', { message_id: adminsMessage }, member)).status).toBe(404);
    expect((await get('notification/customers', {}, member)).body['customers']).toMatchObject([{ name: 'Ash' }, { name: 'Ash' }]);
    expect((await post('test', { message_id: randomUUID(), client_id: birch, ...SAMPLE_MESSAGE }, member)).status).toBe(404);
  });

  it('of another practice sees none of it', async () => {
    const id = await sendTo(practice, [await add('Ash')]);
    const otherPractice = await addPractice(portal);
    const input = { company_id: otherPractice.companyId, message_id: id };
    expect((await otherPractice.admin.get('/open-tax/messages/details', input)).status).toBe(404);
    expect((await otherPractice.admin.post('/open-tax/messages/cancel', input)).status).toBe(404);
    expect(
      (await otherPractice.admin.get('/open-tax/notification/customers', { company_id: otherPractice.companyId })).body['customers'],
    ).toEqual([]);
  });
});
