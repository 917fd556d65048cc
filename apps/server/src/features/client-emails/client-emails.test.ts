/** Tests emails that the portal sends to clients for a practice: who gets the reply, what stays on the timeline, and what mustn't. */
import { randomUUID } from 'node:crypto';
import { clientEmails, clientInvitations, clientPeople, mailboxes, undeliverableAddresses, users } from '@portal/db/schema/schema.ts';
import { eq, sql } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parkedJobHandlers } from '../../job-handlers.ts';
import type { JobPayloads } from '../../jobs/job-kinds.ts';
import { RecipientRefusedError } from '../../mail/mailer.ts';
import { addClient, addHmrcConnection, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { sendRequestReminders } from '../client-requests/send-request-reminders.ts';

let portal: TestPortal;
let practice: TestPractice;
let clientId: string;
let carlsEmail: string;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
  clientId = await addClient(portal, practice.companyId, { name: 'Harlow Joinery Ltd' });
  await assignClient(portal, practice.companyId, clientId, practice.memberId);
  const { database, clock } = portal.deps;
  const [userId, createdAt] = [randomUUID(), clock.now()];
  carlsEmail = `${userId}@harlow.example`;
  await database.db.insert(users).values({ id: userId, email: carlsEmail, fullName: 'Carl Harlow', createdAt });
  await database.db.insert(clientPeople).values({ companyId: practice.companyId, clientId, userId, joinedAt: createdAt });
  await portal.runJobs();
  portal.sentEmails.length = 0;
});

const getKey = () => ({ company_id: practice.companyId, client_id: clientId });
const ask = () =>
  practice.member.post('/client/requests', {
    ...getKey(),
    request_id: randomUUID(),
    title: 'Accounts 2026',
    due_on: addDays(portal.deps.clock.today(), 1),
    items: [{ item_id: randomUUID(), kind: 'question', text: 'Was the van used privately?' }],
  });
const invite = (email: string) => practice.admin.post('/client-onboarding/invite', { ...getKey(), email });
type TimelineEntry = { kind: string; title: string; detail: string; who: string | null };
const listEmails = async () => {
  const { body } = await practice.member.get('/client/timeline', getKey());
  return (body['entries'] as TimelineEntry[]).filter(({ kind }) => kind === 'message');
};
const getEmail = async (userId: string) => {
  const [user] = await portal.deps.database.db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  return user?.email ?? '';
};

describe('an email for a practice', () => {
  it('names the practice as sender, and replies go to the user who triggered it', async () => {
    await ask();
    await portal.runJobs();
    expect(portal.sentEmails).toMatchObject([
      { to: carlsEmail, author: { replyTo: await getEmail(practice.memberId), isAutomatic: true } },
    ]);
    expect(portal.sentEmails[0]?.author?.name).toMatch(/ via /);
  });

  it('has the practice’s own mailbox as reply address while it has one, also if it must leave from our address', async () => {
    const row = { companyId: practice.companyId, provider: 'gmail', status: 'lost', address: 'office@practice.example' } as const;
    await portal.deps.database.db.insert(mailboxes).values({ ...row, connectedBy: practice.adminId, connectedAt: portal.deps.clock.now() });
    await addHmrcConnection(portal, practice.companyId, { accessToken: 'a', refreshToken: 'r' });
    await invite(`new-${carlsEmail}`);
    await portal.runJobs();
    expect(portal.sentEmails).toMatchObject([{ to: `new-${carlsEmail}`, author: { replyTo: 'office@practice.example' } }]);
  });

  it('stays on the timeline as it was sent, and so does an automatic reminder', async () => {
    await ask();
    const [waitingEmail] = await listEmails();
    expect(waitingEmail?.title).toMatch(/^Email waiting to be sent: .* needs something from you by /);
    await portal.runJobs();
    const now = portal.deps.clock.now();
    portal.moveClock(addMilliseconds(now, 3 * 86_400_000));
    await sendRequestReminders(portal.deps);
    await portal.runJobs();
    const entries = await listEmails();
    expect(entries.map(({ title }) => title.replace(/: .*/, ''))).toEqual(['Email sent', 'Email sent']);
    for (const { detail } of entries) expect(detail).toContain(`To ${carlsEmail}`);
    expect(entries.some(({ title }) => title.includes('Reminder: '))).toBe(true);
    // Reminders about other tests' requests are sent too.
    const carlsEmails = portal.sentEmails.filter(({ to }) => to === carlsEmail);
    expect(carlsEmails.map(({ author }) => author?.replyTo)).toEqual(Array<string>(2).fill(await getEmail(practice.memberId)));
  });

  it('shows only our name, without a reply address, if it invites someone on behalf of a practice that HMRC hasn’t confirmed', async () => {
    await invite(`stranger-${carlsEmail}`);
    await portal.runJobs();
    expect(portal.sentEmails.map(({ to, author }) => [to, author])).toEqual([[`stranger-${carlsEmail}`, undefined]]);
    const isToClient = eq(clientEmails.clientId, clientId);
    expect(await portal.deps.database.db.select().from(clientEmails).where(isToClient)).toMatchObject([
      { replyTo: portal.deps.mailer.address },
    ]);
  });

  it('keeps no link, so that no one can use an invitation from the timeline', async () => {
    await addHmrcConnection(portal, practice.companyId, { accessToken: 'a', refreshToken: 'r' });
    await invite(`new-${carlsEmail}`);
    await portal.runJobs();
    const sentEmail = portal.sentEmails.find(({ to }) => to === `new-${carlsEmail}`);
    const token = /token=([\w-]+)/.exec(sentEmail?.text ?? '')?.[1] ?? '';
    expect(token).not.toBe('');
    const storedEmails = await portal.deps.database.db.select().from(clientEmails).where(eq(clientEmails.clientId, clientId));
    expect(JSON.stringify(storedEmails)).not.toContain(token);
    expect((await listEmails())[0]?.detail).toContain('Open invitation:\n[link]');
    expect(sentEmail?.author).toMatchObject({ name: 'Oakline Accounting via Tidewater', replyTo: await getEmail(practice.adminId) });
  });

  it('says on the timeline that it wasn’t sent to an address that bounced', async () => {
    const reportedAt = portal.deps.clock.now();
    await portal.deps.database.db
      .insert(undeliverableAddresses)
      .values({ companyId: practice.companyId, email: carlsEmail, cause: 'no_address', detail: '', reportedAt });
    await ask();
    await portal.runJobs();
    expect(portal.sentEmails).toEqual([]);
    expect(await listEmails()).toMatchObject([{ title: expect.stringMatching(/^Email not sent: /) }]);
  });

  it('says that the mail server rejected its address', async () => {
    const instance = await portal.openInstance({
      mailer: {
        ...portal.deps.mailer,
        send: () => Promise.reject(new RecipientRefusedError('rejected', { cause: { response: '550 5.1.1 No such user' } })),
      },
    });
    await invite(`refused-${carlsEmail}`);
    await instance.runJobs();
    await instance.close();
    expect(await listEmails()).toMatchObject([{ title: expect.stringMatching(/^Email not sent: /) }]);
  });
});

/**
 * Nodemailer's errors when it can't connect, when the connection ends while sending, and when the server asks for the email to be sent
 * later.
 */
const UNREACHABLE = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ESOCKET', syscall: 'connect' });
const CUT_OFF = Object.assign(new Error('Connection closed unexpectedly'), { code: 'ECONNECTION' });
const BUSY = Object.assign(new Error('451'), { code: 'EMESSAGE', responseCode: 451, response: '451 4.3.0 Try again later' });

async function runJobsWith(send: (attempt: number) => Promise<void>): Promise<number> {
  let attempts = 0;
  const mailer = { ...portal.deps.mailer, send: () => send((attempts += 1)) };
  const instance = await portal.openInstance({ mailer });
  await instance.runJobs();
  await instance.close();
  return attempts;
}

describe('an email whose sending fails for good', () => {
  it.each([
    ['that the mail server never took', [UNREACHABLE, BUSY], /^Email not sent: /, '451 4.3.0 Try again later'],
    ['that may have arrived', [BUSY, CUT_OFF], /^Email may have been sent: /, 'Connection closed unexpectedly'],
    ['that may have arrived at an earlier attempt', [CUT_OFF, BUSY], /^Email may have been sent: /, 'Connection closed unexpectedly'],
  ])('says so on the timeline, for one %s', async (_case, [first, last], title, reason) => {
    await ask();
    expect(await runJobsWith((attempt) => Promise.reject(attempt === 1 ? first : last))).toBeGreaterThan(2);
    expect(await listEmails()).toMatchObject([{ title: expect.stringMatching(title), detail: expect.stringContaining(reason) }]);
  });

  it('says that it may have been sent if the portal stopped during every attempt', async () => {
    await ask();
    const { rows } = await portal.deps.database.db.execute<{ id: string; payload: JobPayloads['mail.send'] }>(
      sql`select id, data -> 'payload' as payload from pgboss.job where data ->> 'kind' = 'mail.send' and state = 'created' and name <> 'portal-failed'`,
    );
    for (const { id, payload } of rows) await parkedJobHandlers(portal.deps)['mail.send']?.(payload, { id });
    expect(await listEmails()).toMatchObject([{ title: expect.stringMatching(/^Email may have been sent: /) }]);
    await portal.runJobs();
  });
});

describe('an email whose result can’t be saved', () => {
  const getDb = () => portal.deps.database.db;
  const failSaving = (status: string) =>
    getDb().execute(sql.raw(`alter table client_emails add constraint fails check (status <> '${status}') not valid`));
  const runAndRestore = async (send: Parameters<typeof runJobsWith>[0]): Promise<number> => {
    try {
      return await runJobsWith(send);
    } finally {
      await getDb().execute(sql`alter table client_emails drop constraint fails`);
    }
  };

  it('isn’t sent again once the mail server has accepted it', async () => {
    await ask();
    await failSaving('sent');
    expect(await runAndRestore(() => Promise.resolve())).toBe(1);
  });

  it('still marks the invitation whose address was rejected', async () => {
    await invite(`rejected-${carlsEmail}`);
    await failSaving('not_sent');
    const refusedError = new RecipientRefusedError('rejected', { cause: { response: '550 5.1.1 No such user' } });
    expect(await runAndRestore(() => Promise.reject(refusedError))).toBe(1);
    const [invitation] = await getDb().select().from(clientInvitations).where(eq(clientInvitations.clientId, clientId));
    expect(invitation?.bouncedAt).not.toBeNull();
  });
});
