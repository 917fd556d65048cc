/** Tests a practice's requests to its client for documents and answers: each side's steps, reminders that stop, and the conversation. */
import { randomUUID } from 'node:crypto';
import { clientMembers, clientPeople, staffNotificationChoices, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { EICAR_TEST_FILE } from '@portal/sandbox/clamd/clamd-simulator.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '../../http/session.ts';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { type Browser, createBrowser } from '../../testing/test-trader.ts';
import { sendRequestReminders } from './send-request-reminders.ts';

let portal: TestPortal;
let practice: TestPractice;
let clientId: string;
let carl: Browser;
let start: Instant;
let carlsEmail: string;
beforeAll(async () => {
  portal = await openTestPortal();
  practice = await addPractice(portal);
  start = portal.deps.clock.now();
});
afterAll(() => portal.close());
beforeEach(async () => {
  portal.moveClock(start);
  clientId = await addClient(portal, practice.companyId, { name: 'Harlow Joinery Ltd' });
  await assignClient(portal, practice.companyId, clientId, practice.memberId);
  const { database, clock, wallClock } = portal.deps;
  const [userId, createdAt] = [randomUUID(), clock.now()];
  carlsEmail = `${userId}@harlow.example`;
  await database.db.insert(users).values({ id: userId, email: carlsEmail, fullName: 'Carl Harlow', createdAt });
  await database.db.insert(clientPeople).values({ companyId: practice.companyId, clientId, userId, joinedAt: createdAt });
  const session = await startSession(database.db, wallClock, { userId, signInMethod: 'link', ip: '', userAgent: '' });
  carl = createBrowser(portal, `portal_session=${session}`);
  await database.db.delete(staffNotificationChoices).where(eq(staffNotificationChoices.companyId, practice.companyId));
  await portal.runJobs();
  portal.sentEmails.length = 0;
});

const getOwnKey = () => ({ company_id: clientId, client_id: clientId });
const getClientKey = () => ({ company_id: practice.companyId, client_id: clientId });
const QUESTION = 'Was the van used privately?';
type Item = { item_id: string; state: string; answer: string; note: string; files: { name: string; state: string }[] };
type Request = { request_id: string; state: string; items: Item[] };

async function ask(dueInDays = 10) {
  const [question, documentItemId] = [randomUUID(), randomUUID()];
  const request = {
    ...getClientKey(),
    request_id: randomUUID(),
    title: 'Accounts 2026',
    due_on: addDays(portal.deps.clock.today(), dueInDays),
    items: [
      { item_id: question, kind: 'question', text: QUESTION },
      { item_id: documentItemId, kind: 'paper', text: 'Bank statement of May' },
    ],
  };
  const response = await practice.member.post('/client/requests', request);
  return { question, paper: documentItemId, request, status: response.status };
}
const list = async (browser: Browser, ids: Record<string, string>) =>
  (await browser.get('/client/requests', ids)).body['requests'] as Request[];
const answerItem = (itemId: string, text: string) =>
  carl.post('/client/requests/answer', { company_id: clientId, item_id: itemId, answer: text });
const send = (itemId: string, body = '%PDF-1.7') =>
  carl.upload('/client/files/upload', { ...getOwnKey(), file_id: randomUUID(), file_name: 'May.pdf', request_item_id: itemId }, body);
const decide = (itemId: string, decision: 'accept' | 'ask_again', note = '') =>
  practice.member.post('/client/requests/decide', { ...getClientKey(), item_id: itemId, decision, note });
const listSubjects = async () => {
  await portal.runJobs();
  return portal.sentEmails.splice(0).map(({ subject, text }) => {
    for (const content of [QUESTION, 'Bank statement', 'Accounts 2026', 'Only on Sundays', 'May.pdf']) expect(text).not.toContain(content);
    return subject;
  });
};

describe('a request', () => {
  it('goes back and forth until everything is accepted, with one email for each step that doesn’t reveal its content', async () => {
    const { question, paper, status } = await ask();
    expect(status).toBe(200);
    expect(await listSubjects()).toEqual(['Oakline Accounting needs 2 things from you by 20 November 2026']);
    expect((await carl.get('/client/portal', getOwnKey())).body['asked']).toMatchObject({ items: 2 });

    expect((await answerItem(question, 'Only on Sundays')).status).toBe(200);
    expect(await listSubjects()).toEqual([]);
    expect((await send(paper)).status).toBe(201);
    expect(await list(practice.member, getClientKey())).toMatchObject([
      {
        state: 'answered',
        items: [
          { state: 'answered', answer: 'Only on Sundays' },
          { state: 'answered', files: [{ name: 'May.pdf', state: 'clean' }] },
        ],
      },
    ]);
    await send(paper);
    expect(await listSubjects()).toEqual(['Harlow Joinery Ltd has answered']);

    expect((await decide(paper, 'ask_again')).body).toMatchObject({ message: { note: expect.stringContaining('missing') } });
    expect((await decide(paper, 'ask_again', 'Page 2 is missing')).status).toBe(200);
    expect((await decide(question, 'accept')).status).toBe(200);
    expect(await listSubjects()).toEqual(['Oakline Accounting has a question about what you sent']);
    expect(await list(carl, getOwnKey())).toMatchObject([
      { state: 'open', items: [{ state: 'accepted' }, { state: 'returned', note: 'Page 2 is missing' }] },
    ]);
    expect((await answerItem(question, 'Changed my mind')).status).toBe(409);

    await answerItem(paper, 'There is no page 2');
    expect(await listSubjects()).toEqual(['Harlow Joinery Ltd has answered']);
    await decide(paper, 'accept');
    expect(await list(practice.member, getClientKey())).toMatchObject([{ state: 'completed' }]);
    expect((await carl.get('/client/portal', getOwnKey())).body['asked']).toBeNull();
    const timeline = (await practice.member.get('/client/timeline', getClientKey())).body['entries'] as { title: string }[];
    expect(timeline.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        'Request sent to the client',
        'Question answered by the client',
        'File received from the client',
        'Asked again',
        'Request completed',
      ]),
    );
  });

  it('still waits for a document whose file had a virus, whether found at once or when the scanner is back', async () => {
    const { question, paper } = await ask();
    await answerItem(question, 'Yes');
    await listSubjects();
    expect((await send(paper, `%PDF-1.7 ${EICAR_TEST_FILE}`)).status).toBe(422);
    expect(await list(carl, getOwnKey())).toMatchObject([
      { state: 'open', items: [{}, { state: 'open', files: [{ state: 'infected' }] }] },
    ]);
    portal.faults.set({ operation: 'clamd.scan', kind: 'cut_off', times: 1 });
    expect((await send(paper, `%PDF-1.7 ${EICAR_TEST_FILE}`)).body).toMatchObject({ state: 'quarantined' });
    expect(await list(carl, getOwnKey())).toMatchObject([{ state: 'answered' }]);
    await portal.deps.database.db.transaction((tx) => portal.deps.enqueue(tx, 'files.scan', {}));
    // The practice is notified of a file only once it can open it.
    expect(await listSubjects()).toEqual(['A file that you sent contains a virus']);
    expect(await list(carl, getOwnKey())).toMatchObject([{ state: 'open', items: [{}, { state: 'open' }] }]);
  });

  it('sends notifications like any other, as do messages: a colleague can end their emails or mute the client', async () => {
    const listRequestEmails = async () => {
      await portal.runJobs();
      return portal.sentEmails.splice(0).filter(({ to }) => to === `${practice.memberId}@oakline.example`);
    };
    const answerAll = async () => {
      const { question, paper } = await ask();
      await answerItem(question, 'Yes');
      await answerItem(paper, 'None');
    };
    const write = () => carl.post('/client/conversation', { ...getOwnKey(), post_id: randomUUID(), text: 'Hello' });
    const listTitles = async () => {
      const { body } = await practice.member.get('/open-tax/notifications', { company_id: practice.companyId });
      return (body['notifications'] as { client_id: string; title: string }[])
        .filter((item) => item.client_id === clientId)
        .map(({ title }) => title);
    };
    await answerAll();
    const [email] = await listRequestEmails();
    expect([email?.subject, email?.unsubscribeUrl]).toEqual([
      'Harlow Joinery Ltd has answered',
      expect.stringContaining('/unsubscribe?link='),
    ]);
    const { pathname, search } = new URL(email?.unsubscribeUrl ?? '');
    expect((await portal.app.inject({ method: 'POST', url: `${pathname}${search}` })).statusCode).toBe(200);
    await answerAll();
    await write();
    expect((await listRequestEmails()).map(({ subject }) => subject)).toEqual(['Harlow Joinery Ltd has sent you a message']);
    expect(await listTitles()).toEqual([
      'Harlow Joinery Ltd has sent you a message',
      'Harlow Joinery Ltd has answered',
      'Harlow Joinery Ltd has answered',
    ]);
    await practice.member.post('/open-tax/notifications/mute', { ...getClientKey(), is_muted: true });
    portal.moveClock(addMilliseconds(start, 2 * 3_600_000));
    await write();
    expect([await listRequestEmails(), (await listTitles()).length]).toEqual([[], 3]);
  });

  it('arrives once, however often it is sent', async () => {
    const { request } = await ask();
    expect((await practice.member.post('/client/requests', request)).status).toBe(200);
    expect(await list(carl, getOwnKey())).toHaveLength(1);
    expect(await listSubjects()).toHaveLength(1);
  });

  it('that is cancelled disappears for the client and accepts no answers', async () => {
    const { question, request } = await ask();
    await practice.member.post('/client/requests/cancel', { ...getClientKey(), request_id: request.request_id });
    expect(await list(carl, getOwnKey())).toEqual([]);
    expect(await answerItem(question, 'Yes')).toMatchObject({ status: 409, body: { code: 'client_request.cancelled' } });
  });

  it('reaches no other client and no other practice', async () => {
    const { question } = await ask();
    const otherClient = await addClient(portal, practice.companyId);
    const otherPractice = await addPractice(portal);
    const otherClientId = await addClient(portal, otherPractice.companyId);
    expect((await carl.get('/client/requests', { company_id: otherClient, client_id: otherClient })).status).toBe(404);
    const decision = { item_id: question, decision: 'accept' };
    expect(
      (
        await otherPractice.admin.post('/client/requests/decide', {
          company_id: otherPractice.companyId,
          client_id: otherClientId,
          ...decision,
        })
      ).status,
    ).toBe(404);
    expect(
      (await practice.admin.post('/client/requests/decide', { company_id: practice.companyId, client_id: otherClient, ...decision }))
        .status,
    ).toBe(404);
    expect((await carl.post('/client/requests/decide', { ...getOwnKey(), ...decision })).status).toBe(404);
    expect((await practice.member.post('/client/requests/answer', { company_id: clientId, item_id: question, answer: 'x' })).status).toBe(
      404,
    );
  });
});

describe('the list across clients', () => {
  it('shows each user their clients’ requests by due date, page by page, with what is open, overdue, answered or completed', async () => {
    const practiceKey = { company_id: practice.companyId };
    const otherPractice = await addPractice(portal);
    const list = async (query: Record<string, string> = {}, actingBrowser = practice.member) => {
      const { body } = await actingBrowser.get('/open-tax/client-requests', { company_id: practice.companyId, limit: '100', ...query });
      return { ids: (body['requests'] as { request_id: string }[]).map(({ request_id: id }) => id), ...body } as Record<string, unknown> & {
        ids: string[];
      };
    };
    const [lateRequest, answeredRequest, doneRequest, cancelledRequest] = [await ask(0), await ask(5), await ask(6), await ask(7)];
    for (const { question, paper } of [answeredRequest, doneRequest]) {
      await answerItem(question, 'Yes');
      await answerItem(paper, 'None');
    }
    await decide(doneRequest.question, 'accept');
    await decide(doneRequest.paper, 'accept');
    await practice.member.post('/client/requests/cancel', { ...getClientKey(), request_id: cancelledRequest.request.request_id });
    portal.moveClock(addMilliseconds(start, 3 * 86_400_000));
    await sendRequestReminders(portal.deps);
    const ownRequestIds = new Set<string>(
      [lateRequest, answeredRequest, doneRequest, cancelledRequest].map(({ request }) => request.request_id),
    );
    const listSeenRequests = async (query: Record<string, string> = {}, actingBrowser = practice.member) =>
      (await list(query, actingBrowser)).ids.filter((id) => ownRequestIds.has(id));
    const [lateId, answeredId, doneId] = [lateRequest, answeredRequest, doneRequest].map(({ request }) => request.request_id);
    expect(await listSeenRequests()).toEqual([lateId, answeredId]);
    expect([await listSeenRequests({ state: 'open' }), await listSeenRequests({ state: 'overdue' })]).toEqual([[lateId], [lateId]]);
    expect([await listSeenRequests({ state: 'answered' }), await listSeenRequests({ state: 'completed' })]).toEqual([
      [answeredId],
      [doneId],
    ]);
    expect(await listSeenRequests({ owner: 'me' }, practice.admin)).toEqual([]);
    expect(await listSeenRequests({}, practice.admin)).toEqual([lateId, answeredId]);
    const { requests, today } = await list({ state: 'overdue' });
    const [shownRequest] = (requests as { request_id: string }[]).filter(({ request_id: id }) => id === lateId);
    expect(shownRequest).toMatchObject({
      client: 'Harlow Joinery Ltd',
      title: 'Accounts 2026',
      state: 'open',
      items: 2,
      waiting_items: 2,
      asked_by: 'team_member',
      due_on: addDays(portal.deps.clock.today(), -3),
      reminded_on: today,
    });
    const first = await list({ limit: '1' });
    expect(first.ids).toHaveLength(1);
    const second = await list({ limit: '1', cursor: String(first['next_cursor']) });
    expect((await list()).ids.slice(0, 2)).toEqual([...first.ids, ...second.ids]);
    expect(await practice.member.get('/open-tax/client-requests', { ...practiceKey, cursor: '2026-02-30 x' })).toMatchObject({
      status: 400,
    });
    // A member who isn't assigned to the client, another practice and the client itself.
    await portal.deps.database.db.delete(clientMembers).where(eq(clientMembers.clientId, clientId));
    expect(await listSeenRequests()).toEqual([]);
    expect((await otherPractice.admin.get('/open-tax/client-requests', practiceKey)).status).toBe(404);
    expect((await carl.get('/open-tax/client-requests', practiceKey)).status).toBe(404);
  });
});

describe('reminders', () => {
  it('follow the days around the due date, and stop when everything is answered', async () => {
    const { question, paper } = await ask();
    await listSubjects();
    const moveClockTo = async (days: number) => {
      portal.moveClock(addMilliseconds(start, days * 86_400_000));
      await sendRequestReminders(portal.deps);
      await sendRequestReminders(portal.deps);
      await portal.runJobs();
      // Clients of the other tests are reminded too.
      const carlsEmails = portal.sentEmails.splice(0).filter(({ to, subject }) => to === carlsEmail && subject.startsWith('Reminder'));
      return carlsEmails.map(({ subject }) => subject);
    };
    const secondSubject = 'Reminder: Oakline Accounting still needs 2 things from you';
    expect([await moveClockTo(6), await moveClockTo(7), await moveClockTo(8), await moveClockTo(10)]).toEqual([
      [],
      [secondSubject],
      [],
      [secondSubject],
    ]);
    await answerItem(question, 'Yes');
    expect(await moveClockTo(13)).toEqual(['Reminder: Oakline Accounting still needs something from you']);
    await answerItem(paper, 'We have none');
    expect([await moveClockTo(17), await moveClockTo(40)]).toEqual([[], []]);
  });
});

describe('the conversation', () => {
  it('is started by either side, with an email to the other one that contains no message text and isn’t repeated within the hour', async () => {
    const write = (browser: Browser, ids: Record<string, string>, text: string) =>
      browser.post('/client/conversation', { ...ids, post_id: randomUUID(), text });
    await write(carl, getOwnKey(), 'Can we reclaim VAT on the van? Only on Sundays');
    await write(carl, getOwnKey(), 'It is blue');
    expect(await listSubjects()).toEqual(['Harlow Joinery Ltd has sent you a message']);
    await write(practice.member, getClientKey(), 'Yes');
    expect(await listSubjects()).toEqual(['Oakline Accounting has sent you a message']);
    const posts = (await carl.get('/client/conversation', getOwnKey())).body['posts'];
    expect(posts).toMatchObject([
      { is_from_client: true },
      { text: 'It is blue' },
      { is_from_client: false, text: 'Yes', author: 'team_member' },
    ]);
    expect((await practice.admin.get('/client/conversation', getClientKey())).body['posts']).toEqual(posts);
    expect((await write(carl, getOwnKey(), '  ')).status).toBe(400);
  });
});
