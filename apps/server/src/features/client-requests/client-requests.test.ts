/** A practice asks its client for papers and answers: both sides' steps, reminders that stop, and the conversation. */
import { randomUUID } from 'node:crypto';
import { clientPeople, users } from '@portal/db/schema/schema.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { EICAR } from '@portal/sandbox/clamd/clamd-simulator.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '../../http/session.ts';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { browser, type Browser } from '../../testing/test-trader.ts';
import { remindAsked } from './remind-asked.ts';

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
  carl = browser(portal, `portal_session=${session}`);
  await portal.runJobs();
  portal.mails.length = 0;
});

const own = () => ({ company_id: clientId, client_id: clientId });
const both = () => ({ company_id: practice.companyId, client_id: clientId });
const QUESTION = 'Was the van used privately?';
type Item = { item_id: string; state: string; answer: string; note: string; files: { name: string; state: string }[] };
type Request = { request_id: string; state: string; items: Item[] };

async function ask(dueInDays = 10) {
  const [question, paper] = [randomUUID(), randomUUID()];
  const request = {
    ...both(),
    request_id: randomUUID(),
    title: 'Accounts 2026',
    due_on: addDays(portal.deps.clock.today(), dueInDays),
    items: [
      { item_id: question, kind: 'question', text: QUESTION },
      { item_id: paper, kind: 'paper', text: 'Bank statement of May' },
    ],
  };
  const answer = await practice.member.post('/client/requests', request);
  return { question, paper, request, status: answer.status };
}
const list = async (person: Browser, ids: Record<string, string>) =>
  (await person.get('/client/requests', ids)).body['requests'] as Request[];
const answer = (itemId: string, text: string) =>
  carl.post('/client/requests/answer', { company_id: clientId, item_id: itemId, answer: text });
const send = (itemId: string, body = '%PDF-1.7') =>
  carl.upload('/client/files/upload', { ...own(), file_id: randomUUID(), file_name: 'May.pdf', request_item_id: itemId }, body);
const decide = (itemId: string, decision: 'accept' | 'ask_again', note = '') =>
  practice.member.post('/client/requests/decide', { ...both(), item_id: itemId, decision, note });
const subjects = async () => {
  await portal.runJobs();
  return portal.mails.splice(0).map(({ subject, text }) => {
    for (const content of [QUESTION, 'Bank statement', 'Accounts 2026', 'Only on Sundays', 'May.pdf']) expect(text).not.toContain(content);
    return subject;
  });
};

describe('a request', () => {
  it('goes through both hands until everything is accepted, with one email for each step that says nothing of its content', async () => {
    const { question, paper, status } = await ask();
    expect(status).toBe(200);
    expect(await subjects()).toEqual(['Oakline Accounting needs 2 things from you by 20 November 2026']);
    expect((await carl.get('/client/portal', own())).body['asked']).toMatchObject({ items: 2 });

    expect((await answer(question, 'Only on Sundays')).status).toBe(200);
    expect(await subjects()).toEqual([]);
    expect((await send(paper)).status).toBe(201);
    expect(await list(practice.member, both())).toMatchObject([
      {
        state: 'answered',
        items: [
          { state: 'answered', answer: 'Only on Sundays' },
          { state: 'answered', files: [{ name: 'May.pdf', state: 'clean' }] },
        ],
      },
    ]);
    await send(paper);
    expect(await subjects()).toEqual(['Harlow Joinery Ltd has answered']);

    expect((await decide(paper, 'ask_again')).body).toMatchObject({ message: { note: expect.stringContaining('missing') } });
    expect((await decide(paper, 'ask_again', 'Page 2 is missing')).status).toBe(200);
    expect((await decide(question, 'accept')).status).toBe(200);
    expect(await subjects()).toEqual(['Oakline Accounting has a question about what you sent']);
    expect(await list(carl, own())).toMatchObject([
      { state: 'open', items: [{ state: 'accepted' }, { state: 'returned', note: 'Page 2 is missing' }] },
    ]);
    expect((await answer(question, 'Changed my mind')).status).toBe(409);

    await answer(paper, 'There is no page 2');
    expect(await subjects()).toEqual(['Harlow Joinery Ltd has answered']);
    await decide(paper, 'accept');
    expect(await list(practice.member, both())).toMatchObject([{ state: 'completed' }]);
    expect((await carl.get('/client/portal', own())).body['asked']).toBeNull();
    const timeline = (await practice.member.get('/client/timeline', both())).body['entries'] as { title: string }[];
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

  it('still waits for a paper whose file had a virus, at once or when the scanner is back', async () => {
    const { question, paper } = await ask();
    await answer(question, 'Yes');
    await subjects();
    expect((await send(paper, `%PDF-1.7 ${EICAR}`)).status).toBe(422);
    expect(await list(carl, own())).toMatchObject([{ state: 'open', items: [{}, { state: 'open', files: [{ state: 'infected' }] }] }]);
    portal.faults.set({ operation: 'clamd.scan', kind: 'cut_off', times: 1 });
    expect((await send(paper, `%PDF-1.7 ${EICAR}`)).body).toMatchObject({ state: 'quarantined' });
    expect(await list(carl, own())).toMatchObject([{ state: 'answered' }]);
    await portal.deps.database.db.transaction((tx) => portal.deps.enqueue(tx, 'files.scan', {}));
    // The practice hears of a file only once it can open it.
    expect(await subjects()).toEqual(['A file that you sent contains a virus']);
    expect(await list(carl, own())).toMatchObject([{ state: 'open', items: [{}, { state: 'open' }] }]);
  });

  it('arrives once, however often it is sent', async () => {
    const { request } = await ask();
    expect((await practice.member.post('/client/requests', request)).status).toBe(200);
    expect(await list(carl, own())).toHaveLength(1);
    expect(await subjects()).toHaveLength(1);
  });

  it('that is cancelled is gone for the client and takes no answers', async () => {
    const { question, request } = await ask();
    await practice.member.post('/client/requests/cancel', { ...both(), request_id: request.request_id });
    expect(await list(carl, own())).toEqual([]);
    expect(await answer(question, 'Yes')).toMatchObject({ status: 409, body: { code: 'client_request.cancelled' } });
  });

  it('reaches no other client and no other practice', async () => {
    const { question } = await ask();
    const other = await addClient(portal, practice.companyId);
    const elsewhere = await addPractice(portal);
    const theirs = await addClient(portal, elsewhere.companyId);
    expect((await carl.get('/client/requests', { company_id: other, client_id: other })).status).toBe(404);
    const decision = { item_id: question, decision: 'accept' };
    expect(
      (await elsewhere.admin.post('/client/requests/decide', { company_id: elsewhere.companyId, client_id: theirs, ...decision })).status,
    ).toBe(404);
    expect(
      (await practice.admin.post('/client/requests/decide', { company_id: practice.companyId, client_id: other, ...decision })).status,
    ).toBe(404);
    expect((await carl.post('/client/requests/decide', { ...own(), ...decision })).status).toBe(404);
    expect((await practice.member.post('/client/requests/answer', { company_id: clientId, item_id: question, answer: 'x' })).status).toBe(
      404,
    );
  });
});

describe('reminders', () => {
  it('follow the days around the due date, and stop when everything is answered', async () => {
    const { question, paper } = await ask();
    await subjects();
    const on = async (days: number) => {
      portal.moveClock(addMilliseconds(start, days * 86_400_000));
      await remindAsked(portal.deps);
      await remindAsked(portal.deps);
      await portal.runJobs();
      // Those of the other tests’ clients are reminded too.
      const own = portal.mails.splice(0).filter(({ to, subject }) => to === carlsEmail && subject.startsWith('Reminder'));
      return own.map(({ subject }) => subject);
    };
    const two = 'Reminder: Oakline Accounting still needs 2 things from you';
    expect([await on(6), await on(7), await on(8), await on(10)]).toEqual([[], [two], [], [two]]);
    await answer(question, 'Yes');
    expect(await on(13)).toEqual(['Reminder: Oakline Accounting still needs one thing from you']);
    await answer(paper, 'We have none');
    expect([await on(17), await on(40)]).toEqual([[], []]);
  });
});

describe('the conversation', () => {
  it('is started by either side, with an email to the other one that has no text and isn’t repeated within the hour', async () => {
    const write = (person: Browser, ids: Record<string, string>, text: string) =>
      person.post('/client/conversation', { ...ids, post_id: randomUUID(), text });
    await write(carl, own(), 'Can we reclaim VAT on the van? Only on Sundays');
    await write(carl, own(), 'It is blue');
    expect(await subjects()).toEqual(['Harlow Joinery Ltd has written to you']);
    await write(practice.member, both(), 'Yes');
    expect(await subjects()).toEqual(['Oakline Accounting has written to you']);
    const posts = (await carl.get('/client/conversation', own())).body['posts'];
    expect(posts).toMatchObject([
      { is_from_client: true },
      { text: 'It is blue' },
      { is_from_client: false, text: 'Yes', author: 'team_member' },
    ]);
    expect((await practice.admin.get('/client/conversation', both())).body['posts']).toEqual(posts);
    expect((await write(carl, own(), '  ')).status).toBe(400);
  });
});
