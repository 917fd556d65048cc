/** Tests mail that bounces after it was accepted, over real SMTP both ways: to the simulated mail server, and its reports to the portal. */
import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import {
  clientInvitations,
  clientPeople,
  memberships,
  reportAddresses,
  staffNotifications,
  undeliverableAddresses,
  users,
} from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { systemClock, type Instant } from '@portal/domain/clock.ts';
import { openMailbox, type Mailbox } from '@portal/sandbox/mail/mailbox.ts';
import { composeReport, SANDBOX_BOUNCE_DOMAIN } from '@portal/sandbox/mail/send-reports.ts';
import { openSmtpInbox, type SmtpInbox } from '@portal/sandbox/mail/smtp-inbox.ts';
import { openSimulatorStore } from '@portal/sandbox/simulator/simulator-store.ts';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMailer } from '../../mail/mailer.ts';
import { toReportAddress, withReportAddresses } from '../../mail/report-address.ts';
import { openReportInbox, type ReportInbox } from '../../mail/report-inbox.ts';
import { addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { addClientWithEmail, listOutcomes, SAMPLE_MESSAGE, sendTo } from '../../testing/mailbox-steps.ts';
import { openTestPortal, type TestInstance, type TestPortal } from '../../testing/open-test-portal.ts';
import { createReportReceiver } from './receive-reports.ts';

let portal: TestPortal;
/** Sends by SMTP, with its own envelope sender for each email. */
let instance: TestInstance;
let mailServer: SmtpInbox;
let reports: ReportInbox;
let mailbox: Mailbox;
let practice: TestPractice;

/** Real email takes a moment, especially on a busy machine. */
const WAIT = { timeout: 20_000 };

beforeAll(async () => {
  portal = await openTestPortal();
  const { database, wallClock, logger } = portal.deps;
  const reportPort = await findFreePort();
  reports = await openReportInbox(
    { domain: SANDBOX_BOUNCE_DOMAIN, host: '127.0.0.1', port: reportPort },
    createReportReceiver(portal.deps),
  );
  mailbox = openMailbox(openSimulatorStore(':memory:'), systemClock);
  mailServer = await openSmtpInbox(mailbox, portal.faults, 0, { host: '127.0.0.1', reportPort });
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${mailServer.port}`, from: 'Tidewater <no-reply@portal.example>' });
  instance = await portal.openInstance({ mailer: withReportAddresses(mailer, { database, wallClock, logger }, SANDBOX_BOUNCE_DOMAIN) });
});
afterAll(async () => {
  instance.deps.mailer.close();
  await instance.close();
  await mailServer.close();
  await reports.close();
  await portal.close();
});
beforeEach(async () => {
  practice = await addPractice(portal);
});

const toAddress = (start: string) => `${start}${practice.companyId.slice(0, 8)}@client.example`;
const getCompanyKey = () => ({ company_id: practice.companyId });
const listRecipients = async (message_id: string) => {
  const { body } = await practice.admin.get('/open-tax/messages/details', { ...getCompanyKey(), message_id });
  return body['recipients'] as { status: string; reason: string | null }[];
};
const listNotices = () =>
  portal.deps.database.db
    .select({ title: staffNotifications.title })
    .from(staffNotifications)
    .where(and(eq(staffNotifications.companyId, practice.companyId), eq(staffNotifications.kind, 'mail_bounced')));
const listSuppressed = async () => {
  const { body } = await practice.admin.get('/open-tax/undeliverable-addresses', getCompanyKey());
  return body['addresses'] as { email: string; cause: string; client: { client_id: string } | null }[];
};
const send = async (start: string) => {
  const client = await addClientWithEmail(portal, practice.companyId, 'Ash Ltd', toAddress(start));
  const message = await sendTo(practice, [client]);
  await instance.runJobs();
  return { client, message };
};

/** Delivers one message to our port and returns the response code, as a mail server gets it. */
async function report(to: string, raw: string): Promise<number> {
  const transport = createTransport({ host: '127.0.0.1', port: reports.port, ignoreTLS: true });
  try {
    await transport.sendMail({ envelope: { from: '', to }, raw });
    return 250;
  } catch (error) {
    return (error as { responseCode?: number }).responseCode ?? 0;
  } finally {
    transport.close();
  }
}
/** Adds a sent email with a token that the test knows. */
async function addSentAddress(token: string, email: string): Promise<string> {
  const { createHash } = await import('node:crypto');
  const tokenHash = createHash('sha256').update(token).digest('hex');
  const row = { companyId: practice.companyId, tokenHash, email, createdAt: portal.deps.wallClock.now() };
  await portal.deps.database.db.insert(reportAddresses).values(row);
  return toReportAddress(token, SANDBOX_BOUNCE_DOMAIN);
}
const createToken = () => practice.companyId.replaceAll('-', '');

describe('an email that the portal sends for a practice', () => {
  it('that bounces is shown so on the timeline, and the user who triggered it is notified', async () => {
    const { database, clock } = portal.deps;
    const clientId = await addClientWithEmail(portal, practice.companyId, 'Ash Ltd', toAddress('office-'));
    const [userId, email] = [randomUUID(), toAddress('bounces-')];
    await database.db.insert(users).values({ id: userId, email, fullName: 'Ann Ash', createdAt: clock.now() });
    await database.db.insert(clientPeople).values({ companyId: practice.companyId, clientId, userId, joinedAt: clock.now() });
    const ids = { ...getCompanyKey(), client_id: clientId };
    expect((await practice.admin.post('/client/conversation', { ...ids, post_id: randomUUID(), text: 'Hello' })).body).toEqual({
      done: true,
    });
    await instance.runJobs();
    const listEntries = async () =>
      ((await practice.admin.get('/client/timeline', ids)).body['entries'] as { kind: string; title: string; detail: string }[]).filter(
        ({ kind }) => kind === 'message',
      );
    await expect.poll(async () => (await listEntries())[0]?.title, WAIT).toMatch(/^Email bounced: .* has sent you a message$/);
    expect((await listEntries())[0]?.detail).toContain(`To ${email}. The address doesn’t exist.`);
    const notices = await database.db
      .select({ userId: staffNotifications.userId })
      .from(staffNotifications)
      .where(and(eq(staffNotifications.companyId, practice.companyId), eq(staffNotifications.kind, 'mail_bounced')));
    expect(notices).toEqual([{ userId: practice.adminId }]);
  });
});

describe('a message to a client', () => {
  it('that bounces says why, and no more is sent until a user tries the address again', async () => {
    const { client, message } = await send('bounces-');
    await expect
      .poll(() => listRecipients(message), WAIT)
      .toMatchObject([{ status: 'bounced', reason: 'The address doesn’t exist. Its response: 550 5.1.1 No such user here' }]);
    const email = toAddress('bounces-');
    expect(await listSuppressed()).toMatchObject([{ email, cause: 'no_address', client: { client_id: client } }]);
    expect(await listNotices()).toEqual([{ title: `An email to ${email} bounced. The address doesn’t exist.` }]);
    const timelineResponse = await practice.admin.get('/client/timeline', { ...getCompanyKey(), client_id: client });
    expect(timelineResponse.body['entries']).toMatchObject([{ title: 'Email bounced: About Ash Ltd' }]);

    const previewResponse = await practice.admin.post('/open-tax/messages/preview', {
      ...getCompanyKey(),
      client_ids: [client],
      ...SAMPLE_MESSAGE,
    });
    expect(previewResponse.body).toMatchObject({ recipients: 0, left_out_clients: [{ reason: 'undeliverable' }] });
    const repeat = { ...getCompanyKey(), message_id: message, client_id: client };
    expect((await practice.admin.post('/open-tax/messages/repeat', repeat)).body['code']).toBe('mail.undeliverable');
    const inviteResponse = await practice.admin.post('/client-onboarding/invite', { ...getCompanyKey(), client_id: client, email });
    expect(inviteResponse.body['code']).toBe('mail.undeliverable');

    expect((await practice.admin.post('/open-tax/undeliverable-addresses/retry', { ...getCompanyKey(), email })).status).toBe(200);
    expect(await listSuppressed()).toEqual([]);
    const before = mailbox.list(email).length;
    expect((await practice.admin.post('/open-tax/messages/repeat', repeat)).status).toBe(200);
    await instance.runJobs();
    expect(mailbox.list(email).length).toBe(before + 1);
  });

  it('that was scheduled isn’t attempted to an address that bounced since, and says so', async () => {
    const { message } = await send('arrives-');
    expect(await listOutcomes(practice, message)).toEqual({ 'Ash Ltd': 'sent' });
    const client = await addClientWithEmail(portal, practice.companyId, 'Birch Ltd', toAddress('later-'));
    const laterClient = await sendTo(practice, [client]);
    const row = { companyId: practice.companyId, email: toAddress('later-'), cause: 'full' as const, detail: '' };
    await portal.deps.database.db.insert(undeliverableAddresses).values({ ...row, reportedAt: portal.deps.clock.now() });
    await instance.runJobs();
    expect(await listRecipients(laterClient)).toMatchObject([
      { status: 'failed', reason: expect.stringContaining('The mailbox is full.') },
    ]);
    expect(mailbox.list(toAddress('later-'))).toEqual([]);
  });

  it('that is delayed, or was given up, suppresses nothing', async () => {
    const delayedReport = await send('delayed-');
    const expiredReport = await send('expires-');
    await expect
      .poll(() => listRecipients(delayedReport.message), WAIT)
      .toMatchObject([{ status: 'sent', reason: expect.stringMatching(/^Delayed\. .*No answer from host$/) }]);
    await expect.poll(() => listRecipients(expiredReport.message), WAIT).toMatchObject([{ status: 'bounced' }]);
    expect(await listSuppressed()).toEqual([]);
    expect(await listNotices()).toHaveLength(1);
  });

  it('that is reported as spam stays sent, and no further messages are sent to the address', async () => {
    const { message } = await send('complains-');
    await expect.poll(listSuppressed, WAIT).toMatchObject([{ cause: 'complaint' }]);
    expect(await listRecipients(message)).toMatchObject([{ status: 'sent', reason: 'The recipient reported a message as spam.' }]);
  });
});

it('an invitation that bounces is shown as such, and its reminders end', async () => {
  const email = toAddress('full-');
  const client = await addClientWithEmail(portal, practice.companyId, 'Ash Ltd', null);
  await practice.admin.post('/client-onboarding/invite', { ...getCompanyKey(), client_id: client, email });
  await instance.runJobs();
  const read = async () =>
    (await practice.admin.get('/client-onboarding/invite', { ...getCompanyKey(), client_id: client })).body['status'];
  await expect.poll(read, WAIT).toBe('bounced');
  expect(await listSuppressed()).toMatchObject([{ email, cause: 'full', client: { client_id: client } }]);
  // An accepted invitation stays accepted, whatever is reported later.
  const [row] = await portal.deps.database.db.select().from(clientInvitations).where(eq(clientInvitations.clientId, client));
  expect(row?.bouncedAt).not.toBeNull();
});

describe('a report', () => {
  it('without a valid token is rejected and changes nothing', async () => {
    const forgedAddress = toReportAddress('0'.repeat(32), SANDBOX_BOUNCE_DOMAIN);
    for (const to of [forgedAddress, `bounce@${SANDBOX_BOUNCE_DOMAIN}`, `office@${SANDBOX_BOUNCE_DOMAIN}`, 'bounce+1@elsewhere.example']) {
      expect(await report(to, composeReport(to, 'bounces-a@client.example') ?? '')).toBe(550);
    }
    const complaints = `complaints@${SANDBOX_BOUNCE_DOMAIN}`;
    expect(await report(complaints, composeReport(forgedAddress, 'complains-a@client.example') ?? '')).toBe(550);
    expect(await listSuppressed()).toEqual([]);
  });

  it('counts once, however often it arrives, and only for the practice that sent the email', async () => {
    const otherPractice = await addPractice(portal);
    const email = toAddress('twice-');
    const to = await addSentAddress(createToken(), email);
    const rawReport = composeReport(to, toAddress('bounces-')) ?? '';
    expect(await Promise.all([report(to, rawReport), report(to, rawReport), report(to.toUpperCase(), rawReport)])).toEqual([250, 250, 250]);
    expect(await listSuppressed()).toMatchObject([{ email, client: null }]);
    expect(await listNotices()).toHaveLength(1);
    expect(
      (await otherPractice.admin.get('/open-tax/undeliverable-addresses', { company_id: otherPractice.companyId })).body['addresses'],
    ).toEqual([]);
    const otherPracticeInput = { company_id: otherPractice.companyId, email };
    expect((await otherPractice.admin.post('/open-tax/undeliverable-addresses/retry', otherPracticeInput)).status).toBe(404);
    const recipientKey = { company_id: practice.companyId, email };
    expect((await practice.member.post('/open-tax/undeliverable-addresses/retry', recipientKey)).status).toBe(403);
  });

  it('that a mailbox provider sends to our complaints address is recognised by its content', async () => {
    const sender = await addSentAddress(createToken(), toAddress('spam-'));
    const rawReport = composeReport(sender, toAddress('complains-')) ?? '';
    expect(await report(`complaints@${SANDBOX_BOUNCE_DOMAIN}`, rawReport)).toBe(250);
    expect(await listSuppressed()).toMatchObject([{ cause: 'complaint' }]);
  });

  it('that is too large or can’t be read is rejected; other mail is accepted and ignored', async () => {
    const to = await addSentAddress(createToken(), toAddress('odd-'));
    const rawReport = composeReport(to, toAddress('bounces-')) ?? '';
    expect(await report(to, `${rawReport}${'x'.repeat(300 * 1024)}`)).toBe(552);
    expect(await report(to, rawReport.replace('Action: failed', 'Nothing: here'))).toBe(554);
    expect(await report(to, 'Subject: Out of office\r\n\r\nBack on Monday.\r\n')).toBe(250);
    expect(await report(to, rawReport.replace('Action: failed', 'Action: delivered').replace('5.1.1', '2.0.0'))).toBe(250);
    expect(await listSuppressed()).toEqual([]);
  });
});

it('the addresses of a large practice are returned page by page, newest first, and a member’s are those of assigned clients', async () => {
  const { db } = instance.deps.database;
  const getInstantAt = (minute: number) => `2026-11-10T09:0${minute}:00.000Z` as Instant;
  // Two have the same time, as from a batch of messages.
  const values = [1, 2, 3, 3, 4].map((minute, index) => {
    return {
      companyId: practice.companyId,
      email: `page-${index}@clients.example`,
      cause: 'no_address' as const,
      detail: '',
      reportedAt: getInstantAt(minute),
    };
  });
  await db.insert(undeliverableAddresses).values(values);
  const client = await addClientWithEmail(portal, practice.companyId, 'Page Ltd', 'Page-1@clients.example');
  await assignClient(portal, practice.companyId, client, practice.memberId);
  await db
    .update(memberships)
    .set({ permissions: ['message_clients'] })
    .where(eq(memberships.userId, practice.memberId));
  const readAll = async (browser: typeof practice.admin) => {
    const emails: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const query = { ...getCompanyKey(), limit: '2', ...(cursor === '' ? {} : { cursor }) };
      const { body } = await browser.get('/open-tax/undeliverable-addresses', query);
      emails.push(...(body['addresses'] as { email: string }[]).map(({ email }) => email));
      cursor = (body['next_cursor'] as string | null) ?? undefined;
    }
    return emails.map((email) => email.slice(5, 6)).join('');
  };
  expect(await readAll(practice.admin)).toBe('42310');
  expect(await readAll(practice.member)).toBe('1');
  const brokenResponse = await practice.admin.get('/open-tax/undeliverable-addresses', { ...getCompanyKey(), cursor: 'x' });
  expect(brokenResponse.status).toBe(400);
});

it('emails to a colleague whose mail bounced aren’t attempted, except required ones', async () => {
  const email = toAddress('colleague-');
  const to = await addSentAddress(createToken(), email);
  await report(to, composeReport(to, toAddress('bounces-')) ?? '');
  const { enqueueEmail } = await import('../../mail/enqueue-email.ts');
  const content = { preheader: '', heading: 'A heading', paragraphs: [], reason: 'A reason.' };
  const { companyId } = practice;
  await portal.deps.database.db.transaction(async (tx) => {
    await enqueueEmail(instance.deps, tx, email, { ...content, subject: 'Digest', sentFor: { companyId } });
    await enqueueEmail(instance.deps, tx, email, { ...content, subject: 'Receipt', sentFor: { companyId, isEssential: true } });
    await enqueueEmail(instance.deps, tx, email, { ...content, subject: 'Sign in' });
  });
  await instance.runJobs();
  expect(
    mailbox
      .list(email)
      .map(({ subject }) => subject)
      .toSorted(),
  ).toEqual(['Receipt', 'Sign in']);
});
