/** Tests emails to clients that leave through the practice's own mailbox: at most once, in turn with messages, and never silently held. */
import { randomInt, randomUUID } from 'node:crypto';
import { clientEmails, clientPeople, mailboxes, staffNotifications, undeliverableAddresses, users } from '@portal/db/schema/schema.ts';
import { and, eq, inArray, sql } from '@portal/db/sql.ts';
import { addMilliseconds, systemClock, type Instant } from '@portal/domain/clock.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import type { ClientEmailStatus } from '@portal/domain/messages/client-email-status.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resealSecrets } from '../../secrets/reseal-secrets.ts';
import { createTokenCipher } from '../../secrets/token-cipher.ts';
import { addClient, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { addClientWithEmail, connectMailbox, listOutcomes, listSentEmails, sendTo, sweepMessages } from '../../testing/mailbox-steps.ts';
import { openTestPortal, type TestInstance, type TestPortal } from '../../testing/open-test-portal.ts';
import { enqueueClientEmail } from './enqueue-client-email.ts';

let portal: TestPortal;
let practice: TestPractice;
let office: string;
let minutesAhead = 0;
const wallClock = { ...systemClock, now: (): Instant => addMilliseconds(systemClock.now(), minutesAhead) };
let laterInstance: TestInstance;

beforeAll(async () => {
  portal = await openTestPortal();
  laterInstance = await portal.openInstance({ wallClock });
});
afterAll(async () => {
  await laterInstance.close();
  await portal.close();
});
beforeEach(async () => {
  minutesAhead = 0;
  practice = await addPractice(portal);
  office = `office-${practice.companyId.slice(0, 8)}@oakline.example`;
  await connectMailbox(portal, practice, { provider: 'gmail', email: office });
  await portal.runJobs();
  portal.sentEmails.length = 0;
});
afterEach(() => portal.faults.clear());

type Reader = { readonly clientId: string; readonly userId: string; readonly email: string };

/** Adds a client with a user who can see it. */
async function addReader(name = 'Harlow Joinery Ltd'): Promise<Reader> {
  const { database, clock } = portal.deps;
  const clientId = await addClient(portal, practice.companyId, { name });
  const [userId, createdAt] = [randomUUID(), clock.now()];
  const email = `${userId}@${practice.companyId}.example`;
  await database.db.insert(users).values({ id: userId, email, fullName: 'Carl Harlow', createdAt });
  await database.db.insert(clientPeople).values({ companyId: practice.companyId, clientId, userId, joinedAt: createdAt });
  return { clientId, userId, email };
}
async function ask({ clientId }: Reader): Promise<string> {
  const request_id = randomUUID();
  const { status } = await practice.admin.post('/client/requests', {
    company_id: practice.companyId,
    client_id: clientId,
    request_id,
    title: 'Accounts 2026',
    due_on: addDays(portal.deps.clock.today(), 1),
    items: [{ item_id: randomUUID(), kind: 'question', text: 'Was the van used privately?' }],
  });
  expect(status).toBe(200);
  return request_id;
}
const listByMailbox = () => listSentEmails(portal).filter(({ to }) => to.endsWith(`@${practice.companyId}.example`));
const listByServer = () => portal.sentEmails.filter(({ to }) => to.endsWith(`@${practice.companyId}.example`));
async function listTimeline({ clientId }: Reader) {
  const { body } = await practice.admin.get('/client/timeline', { company_id: practice.companyId, client_id: clientId });
  return (body['entries'] as { kind: string; title: string; detail: string; email_id?: string | null }[]).filter(
    ({ kind }) => kind === 'message',
  );
}
const getTitles = async (reader: Reader) => (await listTimeline(reader)).map(({ title }) => title.replace(/: .*/, ''));
const loseMailbox = () =>
  portal.deps.database.db
    .update(mailboxes)
    .set({ status: 'lost', accessToken: null, refreshToken: null })
    .where(eq(mailboxes.companyId, practice.companyId));
const disconnect = () => practice.admin.post('/open-tax/mailbox/disconnect', { company_id: practice.companyId });
async function listNotices(): Promise<string[]> {
  const isNotSent = and(eq(staffNotifications.companyId, practice.companyId), eq(staffNotifications.kind, 'message_not_sent'));
  return (await portal.deps.database.db.select().from(staffNotifications).where(isNotSent)).map(({ title }) => title);
}

describe('a request for information', () => {
  it('leaves through the practice’s mailbox, as an automatic email, and is on the timeline', async () => {
    const carl = await addReader();
    await ask(carl);
    expect(await getTitles(carl)).toEqual(['Email waiting to be sent']);
    await portal.runJobs();
    expect(listByMailbox()).toMatchObject([
      { to: carl.email, from: expect.stringContaining(office), subject: expect.stringContaining('needs something from you') },
    ]);
    expect(listByServer()).toEqual([]);
    expect(await getTitles(carl)).toEqual(['Email sent']);
    // Nothing that could sign its reader in stays behind.
    const [row] = await portal.deps.database.db.select().from(clientEmails).where(eq(clientEmails.clientId, carl.clientId));
    expect(row).toMatchObject({ route: 'gmail', sentFrom: office, replyTo: office, sealed: null });
  });
});

describe('emails about access', () => {
  it('leave from our address: an invitation’s link proves its reader’s address', async () => {
    const carl = await addReader();
    const email = `new@${practice.companyId}.example`;
    const key = { company_id: practice.companyId, client_id: carl.clientId };
    await practice.admin.post('/client-onboarding/invite', { ...key, email });
    await practice.admin.post('/client-onboarding/people/remove', { ...key, user_id: carl.userId });
    await loseMailbox();
    await portal.runJobs();
    expect(listByMailbox()).toEqual([]);
    expect(listByServer().map(({ to }) => to)).toEqual(expect.arrayContaining([email, carl.email]));
  });
});

describe('a lost mailbox', () => {
  it('holds the email, and reconnecting sends it once', async () => {
    const carl = await addReader();
    await loseMailbox();
    await ask(carl);
    await sweepMessages(portal);
    expect([listByMailbox(), listByServer()]).toEqual([[], []]);
    expect(await getTitles(carl)).toEqual(['Email waiting to be sent']);
    await connectMailbox(portal, practice, { provider: 'gmail', email: office });
    await portal.runJobs();
    await sweepMessages(portal);
    expect(listByMailbox()).toHaveLength(1);
  });

  it('lets our server send it once someone disconnects it, with replies to the person who asked', async () => {
    const carl = await addReader();
    await loseMailbox();
    await ask(carl);
    expect((await disconnect()).status).toBe(200);
    await portal.runJobs();
    await sweepMessages(portal);
    const [admin] = await portal.deps.database.db.select().from(users).where(eq(users.id, practice.adminId));
    expect(listByServer()).toMatchObject([{ to: carl.email, author: { replyTo: admin?.email, isAutomatic: true } }]);
    expect(listByMailbox()).toEqual([]);
    expect(await getTitles(carl)).toEqual(['Email sent']);
  });

  it('never sends what was withdrawn while it waited, nor to someone who lost access', async () => {
    const [carl, dora] = [await addReader(), await addReader('Dora Ltd')];
    await loseMailbox();
    const request_id = await ask(carl);
    await ask(dora);
    await practice.admin.post('/client/requests/cancel', { company_id: practice.companyId, client_id: carl.clientId, request_id });
    await portal.deps.database.db.delete(clientPeople).where(eq(clientPeople.userId, dora.userId));
    await connectMailbox(portal, practice, { provider: 'gmail', email: office });
    await portal.runJobs();
    expect([listByMailbox(), listByServer()]).toEqual([[], []]);
    expect(await listTimeline(carl)).toMatchObject([{ title: expect.stringMatching(/^Email not sent/) }]);
    expect(await listTimeline(dora)).toMatchObject([{ detail: expect.stringContaining('no longer had access') }]);
  });

  it('is noticed when the provider rejects the email', async () => {
    const carl = await addReader();
    portal.identity.signIn.google.revokeAccess(office);
    await ask(carl);
    await portal.runJobs();
    const { body } = await practice.admin.get('/gmail/status', { company_id: practice.companyId });
    expect(body['status']).toBe('lost');
    expect(await getTitles(carl)).toEqual(['Email waiting to be sent']);
  });
});

describe('an unusable response', () => {
  it.each(['timeout_after_work', 'server_error', 'cut_before_work'] as const)(
    '(%s) shows that the email may have been sent, notifies who asked, and only a person sends it again',
    async (kind) => {
      const carl = await addReader();
      portal.faults.set({ operation: 'google.send_mail', kind, times: 1 });
      await ask(carl);
      await portal.runJobs();
      expect(await getTitles(carl)).toEqual(['Email may have been sent']);
      expect(await listNotices()).toEqual([expect.stringMatching(/^An email to a client may have been sent/)]);
      const before = listByMailbox().length;
      minutesAhead = 3_600_000;
      await sweepMessages(laterInstance);
      expect(listByMailbox()).toHaveLength(before);
      const [entry] = await listTimeline(carl);
      const repeat = () =>
        practice.admin.post('/client/emails/repeat', {
          company_id: practice.companyId,
          client_id: carl.clientId,
          email_id: entry?.email_id,
        });
      expect((await repeat()).status).toBe(200);
      await laterInstance.runJobs();
      expect(listByMailbox()).toHaveLength(before + 1);
      expect(await getTitles(carl)).toEqual(['Email sent']);
      expect((await repeat()).body['code']).toBe('client_email.not_repeatable');
    },
  );

  it('(403) shows that the email was not sent, with the provider’s reason, and others are sent', async () => {
    const [carl, dora] = [await addReader(), await addReader('Dora Ltd')];
    portal.faults.set({ operation: 'google.send_mail', kind: 'forbidden', times: 1 });
    await ask(carl);
    await ask(dora);
    await portal.runJobs();
    expect(await listTimeline(carl)).toMatchObject([
      { title: expect.stringMatching(/^Email not sent/), detail: expect.stringContaining('Forbidden') },
    ]);
    expect(await getTitles(dora)).toEqual(['Email sent']);
    expect(await listNotices()).toEqual([expect.stringMatching(/^An email wasn’t sent to a client/)]);
  });
});

it('isn’t attempted to an address that bounced, and notifies who asked', async () => {
  const carl = await addReader();
  const row = { companyId: practice.companyId, email: carl.email, cause: 'no_address', detail: '' } as const;
  await portal.deps.database.db.insert(undeliverableAddresses).values({ ...row, reportedAt: portal.deps.clock.now() });
  await ask(carl);
  await portal.runJobs();
  expect(listByMailbox()).toEqual([]);
  expect(await listTimeline(carl)).toMatchObject([{ title: expect.stringMatching(/^Email not sent/) }]);
  expect(await listNotices()).toEqual([expect.stringMatching(/^An email wasn’t sent to a client/)]);
});

describe('the provider’s limits', () => {
  /** Adds this many emails that were sent through the mailbox two hours ago. */
  const addAttempts = async (count: number, { clientId }: Reader) => {
    const at = addMilliseconds(systemClock.now(), -2 * 3_600_000);
    await portal.deps.database.db.execute(sql`
      insert into client_emails (company_id, id, client_id, email, subject, body, reply_to, status, created_at, route, attempted_at)
      select ${practice.companyId}::uuid, gen_random_uuid(), ${clientId}::uuid, 'x@example.com', '', '', 'x@example.com', 'sent', ${at}, 'gmail', ${at}
      from generate_series(1, ${count})`);
  };

  it('count emails and messages together, and leave a reserve for emails about one matter', async () => {
    office = `oakline-${practice.companyId.slice(0, 8)}@gmail.com`;
    await connectMailbox(portal, practice, { provider: 'gmail', email: office });
    const [carl, dora] = [await addReader(), await addReader('Dora Ltd')];
    const other = await addClientWithEmail(portal, practice.companyId, 'Other Ltd', `other@${practice.companyId}.example`);
    await addAttempts(400, carl);
    const message = await sendTo(practice, [other]);
    await ask(dora);
    await portal.runJobs();
    expect(await listOutcomes(practice, message)).toEqual({ 'Other Ltd': 'queued' });
    expect(await getTitles(dora)).toEqual(['Email sent']);
    await addAttempts(39, carl);
    await ask(dora);
    await portal.runJobs();
    expect(await getTitles(dora)).toEqual(['Email waiting to be sent', 'Email sent']);
  });
});

it('is sealed again with the newest key while it waits', async () => {
  const carl = await addReader();
  await loseMailbox();
  await ask(carl);
  await portal.runJobs();
  const newKey = Buffer.alloc(32, 9).toString('base64');
  const oldCipher = portal.deps.tokenCipher;
  const newCipher = createTokenCipher([newKey]);
  const both = {
    ...newCipher,
    open: (...args: Parameters<typeof newCipher.open>) =>
      (args[0].startsWith(newCipher.keyIds[0] ?? '') ? newCipher : oldCipher).open(...args),
  };
  await resealSecrets({ ...portal.deps, tokenCipher: both });
  const [row] = await portal.deps.database.db.select().from(clientEmails).where(eq(clientEmails.clientId, carl.clientId));
  expect(newCipher.isNewest(row?.sealed ?? '')).toBe(true);
  await resealSecrets({
    ...portal.deps,
    tokenCipher: { ...oldCipher, isNewest: (sealed) => !sealed.startsWith(newCipher.keyIds[0] ?? ''), open: both.open },
  });
});

/** Ends the process: the job does nothing further, and nothing more is stored. */
class ProcessEnded extends Error {}

describe('50 kills', () => {
  it('send no email twice, lose none, and leave unknown outcomes to a person', async () => {
    const { companyId: practiceId, adminId: sentBy } = practice;
    const { clientId } = await addReader();
    const createdAt = portal.deps.clock.now();
    const people = Array.from({ length: 110 }, (_, index) => ({ id: randomUUID(), email: `${index}@${practiceId}.example` }));
    await portal.deps.database.db.transaction(async (tx) => {
      await tx.insert(users).values(people.map((person) => ({ ...person, fullName: 'Carl', createdAt })));
      await tx
        .insert(clientPeople)
        .values(people.map(({ id: userId }) => ({ companyId: practiceId, clientId, userId, joinedAt: createdAt })));
      const content = { subject: 'Figures', preheader: '', heading: 'Figures', paragraphs: ['Check them.'], reason: 'You asked.' };
      for (const { email: to } of people) await enqueueClientEmail(portal.deps, tx, { practiceId, clientId, to, sentBy, content });
    });
    const { gmail } = portal.deps.mailboxes;
    if (!gmail) throw new Error('the portal has no Gmail');
    let kills = 0;
    const send: typeof gmail.sender.send = async (token, message) => {
      const outcome = kills < 50 ? randomInt(3) : 2;
      if (outcome === 0) kills += 1;
      if (outcome === 0) throw new ProcessEnded('before the call');
      await gmail.sender.send(token, message);
      if (outcome === 1) kills += 1;
      if (outcome === 1) throw new ProcessEnded('after the call');
    };
    const mailboxClients = { ...portal.deps.mailboxes, gmail: { ...gmail, sender: { send } } };
    const dyingInstance = await portal.openInstance({ mailboxes: mailboxClients, wallClock });
    const count = async (...statuses: ClientEmailStatus[]) =>
      portal.deps.database.db.$count(clientEmails, and(eq(clientEmails.companyId, practiceId), inArray(clientEmails.status, statuses)));
    while ((await count('queued', 'sending')) > 0) {
      await sweepMessages(dyingInstance);
      // Continue after the wait that follows an unknown outcome.
      minutesAhead += 5 * 60_000 + 1_000;
    }
    await dyingInstance.close();
    expect([kills, await count('unknown'), await count('sent')]).toEqual([50, 50, 60]);
    const recipients = listByMailbox().map(({ to }) => to);
    expect(new Set(recipients).size).toBe(recipients.length);
    expect(recipients.length).toBeGreaterThanOrEqual(60);
  });
});
