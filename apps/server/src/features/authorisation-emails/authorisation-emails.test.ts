/** Tests that clients get HMRC's authorisation link by email once, with one reminder, and not after they have responded. */
import { randomUUID } from 'node:crypto';
import {
  auditEntries,
  authorisationEmails,
  authorisationRunClients,
  authorisationRuns,
  clientAuthorisations,
  clientPeople,
  clients,
  users,
} from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { addMilliseconds, systemClock, type Instant } from '@portal/domain/clock.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import type { PortfolioClient } from '@portal/sandbox/portfolio/portfolio-client.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '../../http/session.ts';
import { RecipientRefusedError } from '../../mail/mailer.ts';
import { addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { addKnownClient, connectAsAgent } from '../../testing/agent-steps.ts';
import { connectMailbox, listSentEmails, sweepMessages } from '../../testing/mailbox-steps.ts';
import { createBrowser } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { findMailbox } from '../mailbox/find-mailbox.ts';
import { recordMailboxLoss } from '../mailbox/record-mailbox-loss.ts';
import { sendRequestReminders } from './send-request-reminders.ts';

type Email = { kind: string; status: string; to: string | null; reason: string | null; is_waiting: boolean; reminds_on: string | null };
type View = { tax: string; status: string; client_action_url: string | null; email: Email | null };

let portal: TestPortal;
let portfolio: readonly PortfolioClient[];
let practice: TestPractice;
let restoreHmrc: () => void;
const usedReferences = new Set<string>();
const START_TIME = '2026-11-10T09:00:00.000Z';

beforeAll(async () => {
  portal = await openTestPortal({ at: START_TIME });
  portfolio = portal.agents.loadPortfolio({ clients: 900, seed: 7, today: portal.deps.clock.today() }).list;
  restoreHmrc = portal.saveSimulators();
});
afterAll(() => portal.close());
beforeEach(async () => {
  portal.moveClock(START_TIME);
  restoreHmrc();
  usedReferences.clear();
  practice = await addPractice(portal);
  await connectAsAgent(portal, practice.companyId);
});
afterEach(() => portal.faults.clear());

/** Adds a client that HMRC has on record, without an authorisation request. */
async function addPortfolioClient(email: string | null) {
  const pendingClientIds = new Set(portal.agents.listInvitations(OAKLINE.arn).map(({ clientId }) => clientId));
  const seededClient = portfolio.find(
    ({ situation, vat, code }) =>
      situation === 'never_authorised' && vat !== undefined && !usedReferences.has(code) && !pendingClientIds.has(vat.vrn),
  );
  if (!seededClient) throw new Error('no further client');
  usedReferences.add(seededClient.code);
  const address = email === null ? null : `${email}@${practice.companyId}.example`;
  return {
    id: await addKnownClient(portal, practice.companyId, seededClient, address),
    vrn: seededClient.vat?.vrn ?? '',
    name: seededClient.name,
  };
}

/** Adds a user of the client, with access to the client portal. */
async function addPerson(clientId: string) {
  const { deps } = portal;
  const [userId, now] = [randomUUID(), deps.clock.now()];
  await deps.database.db.insert(users).values({ id: userId, email: `${userId}@person.example`, fullName: 'Carl Client', createdAt: now });
  await deps.database.db.insert(clientPeople).values({ companyId: practice.companyId, clientId, userId, joinedAt: now });
  const session = await startSession(deps.database.db, deps.wallClock, { userId, signInMethod: 'link', ip: '', userAgent: '' });
  return createBrowser(portal, `portal_session=${session}`);
}

const postAction = (action: string, clientId: string, extra: object = {}, actingBrowser = practice.admin) =>
  actingBrowser.post(`/open-tax/authorisations/${action}`, { company_id: practice.companyId, client_id: clientId, tax: 'vat', ...extra });
const view = async (clientId: string): Promise<View> => {
  const { body } = await practice.admin.get('/client/agent-details', { company_id: practice.companyId, client_id: clientId });
  return (body['authorisations'] as View[]).find(({ tax }) => tax === 'vat') as View;
};
const readEmail = async (clientId: string) => (await view(clientId)).email;
const decideInvitation = (vrn: string, decision: 'accept' | 'reject') => {
  const request = portal.agents
    .listInvitations(OAKLINE.arn)
    .find((invitation) => invitation.clientId === vrn && invitation.status === 'Pending');
  portal.agents.answerInvitation(request?.invitationId ?? '', decision);
};
const listOwnEmails = async (runJobs = portal.runJobs) => {
  await runJobs();
  return portal.sentEmails.filter(({ to }) => to.endsWith(`@${practice.companyId}.example`));
};
const listSubjects = async () => (await listOwnEmails()).map(({ to, subject }) => `${to.split('@')[0]}: ${subject.split(':')[0]}`);
const listActions = async () => {
  const rows = await portal.deps.database.db
    .select({ action: auditEntries.action })
    .from(auditEntries)
    .where(eq(auditEntries.companyId, practice.companyId));
  return rows.map(({ action }) => action).filter((action) => action.startsWith('authorisation_request.'));
};

describe('a request', () => {
  it('is emailed once with HMRC’s link, replies go to its sender, and it is on the timeline', async () => {
    const { id, name } = await addPortfolioClient('brook');
    await Promise.all([postAction('send', id), postAction('send', id)]);
    expect(await readEmail(id)).toMatchObject({ kind: 'first', status: 'queued', reminds_on: '2026-11-23' });
    const [sentEmail, ...otherEmails] = await listOwnEmails();
    await portal.runJobs();
    expect(otherEmails).toEqual([]);
    expect(sentEmail).toMatchObject({ subject: `Oakline Accounting asks you to authorise them at HMRC: VAT for ${name}` });
    expect(sentEmail?.text).toContain((await view(id)).client_action_url);
    expect(sentEmail?.author).toMatchObject({ name: 'Oakline Accounting via Tidewater', replyTo: `${practice.adminId}@oakline.example` });
    expect(await readEmail(id)).toMatchObject({ status: 'sent', to: sentEmail?.to, reason: null, reminds_on: '2026-11-23' });
    const timelineResponse = await practice.admin.get('/client/timeline', { company_id: practice.companyId, client_id: id });
    expect(JSON.stringify(timelineResponse.body)).toContain('If you don’t know Oakline Accounting, don’t accept');
    expect(await listActions()).toEqual(['authorisation_request.emailed']);
  });

  it('isn’t emailed if an admin chose that, which is saved for the practice and applies to its team members', async () => {
    const [first, second] = [await addPortfolioClient('one'), await addPortfolioClient('two')];
    await assignClient(portal, practice.companyId, second.id, practice.memberId);
    expect((await postAction('send', first.id, { emails_client: false })).body['email']).toBeNull();
    const detailsResponse = await practice.member.get('/client/agent-details', { company_id: practice.companyId, client_id: second.id });
    expect(detailsResponse.body['emails_clients']).toBe(false);
    const otherResponse = await postAction('send', second.id, { emails_client: true }, practice.member);
    expect([otherResponse.status, otherResponse.body['code']]).toEqual([409, 'authorisation.emailing_changed']);
    expect((await postAction('send', second.id, {}, practice.member)).body['email']).toBeNull();
    expect(await listOwnEmails()).toEqual([]);
    portal.moveClock('2026-11-23T09:00:00.000Z');
    await sendRequestReminders(portal.deps);
    expect(await listOwnEmails()).toEqual([]);
  });

  it('for a client without an address says so, and is emailed manually once there is one', async () => {
    const { id } = await addPortfolioClient(null);
    expect((await postAction('send', id)).body['email']).toMatchObject({ status: 'no_email', to: null, reminds_on: null });
    const refusedResponse = await postAction('email', id, { message_id: randomUUID() });
    expect([refusedResponse.status, refusedResponse.body['code']]).toEqual([409, 'authorisation.no_email']);
    await portal.deps.database.db
      .update(clients)
      .set({ email: `late@${practice.companyId}.example` })
      .where(eq(clients.id, id));
    const message_id = randomUUID();
    const responses = await Promise.all([postAction('email', id, { message_id }), postAction('email', id, { message_id })]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await listSubjects()).toEqual(['late: Oakline Accounting asks you to authorise them at HMRC']);
    expect(await readEmail(id)).toMatchObject({ kind: 'repeat', status: 'sent' });
    expect(await listActions()).toEqual(['authorisation_request.not_emailed', 'authorisation_request.emailed']);
  });

  it('whose address the mail server rejects shows why, and gets no reminder', async () => {
    const { id } = await addPortfolioClient('gone');
    await postAction('send', id);
    const refusal = Object.assign(new Error('550 No such user'), { responseCode: 550, response: '550 5.1.1 No such user' });
    const send = () => Promise.reject(new RecipientRefusedError('refused', { cause: refusal }));
    const refusingInstance = await portal.openInstance({ mailer: { ...portal.deps.mailer, send } });
    await refusingInstance.runJobs();
    await refusingInstance.close();
    expect(await readEmail(id)).toMatchObject({ status: 'failed', reason: '550 5.1.1 No such user', reminds_on: null });
    portal.moveClock('2026-11-23T09:00:00.000Z');
    await sendRequestReminders(portal.deps);
    expect(await listOwnEmails()).toEqual([]);
  });

  it('whose link HMRC provides later is emailed then', async () => {
    const { id } = await addPortfolioClient('later');
    portal.faults.set({ operation: 'hmrc.get_invitation', kind: 'server_error', times: 5 });
    expect((await postAction('send', id)).body).toMatchObject({ client_action_url: null, email: { status: 'no_link' } });
    portal.faults.clear();
    await postAction('check', id);
    expect(await listSubjects()).toHaveLength(1);
    expect(await readEmail(id)).toMatchObject({ kind: 'first', status: 'sent' });
  });

  it('that replaces a cancelled one never has the old link', async () => {
    const { id } = await addPortfolioClient('again');
    const first = (await postAction('send', id)).body;
    expect(first['client_action_url']).toEqual(expect.any(String));
    expect((await postAction('cancel', id)).status).toBe(200);
    portal.faults.set({ operation: 'hmrc.get_invitation', kind: 'server_error', times: 5 });
    expect((await postAction('send', id)).body).toMatchObject({ client_action_url: null, email: { status: 'no_link' } });
    portal.faults.clear();
    await postAction('check', id);
    const second = await view(id);
    expect(second.client_action_url).not.toBe(first['client_action_url']);
    expect((await listOwnEmails()).at(-1)?.text).toContain(second.client_action_url);
  });

  it('with an unknown outcome may have been sent, and only a user emails it again', async () => {
    let minutesAhead = 0;
    const wallClock = { ...systemClock, now: (): Instant => addMilliseconds(systemClock.now(), minutesAhead) };
    const laterInstance = await portal.openInstance({ wallClock });
    const office = `office-${practice.companyId.slice(0, 8)}@oakline.example`;
    await connectMailbox(portal, practice, { provider: 'gmail', email: office });
    const { id } = await addPortfolioClient('maybe');
    const countSentEmails = () => listSentEmails(portal).filter(({ to }) => to.endsWith(`@${practice.companyId}.example`)).length;
    portal.faults.set({ operation: 'google.send_mail', kind: 'timeout_after_work', times: 1 });
    await postAction('send', id);
    await portal.runJobs();
    expect(await readEmail(id)).toMatchObject({ status: 'unknown' });
    const before = countSentEmails();
    minutesAhead = 3_600_000;
    await sweepMessages(laterInstance);
    expect(countSentEmails()).toBe(before);
    expect((await postAction('email', id, { message_id: randomUUID() })).status).toBe(200);
    const earlyResponse = await postAction('email', id, { message_id: randomUUID() });
    expect([earlyResponse.status, earlyResponse.body['code']]).toEqual([409, 'authorisation.email_under_way']);
    await laterInstance.runJobs();
    expect(countSentEmails()).toBe(before + 1);
    expect(await readEmail(id)).toMatchObject({ kind: 'repeat', status: 'sent' });
    await laterInstance.close();
  });

  it('that was answered while the mailbox was lost is never emailed', async () => {
    const office = `lost-${practice.companyId.slice(0, 8)}@oakline.example`;
    await connectMailbox(portal, practice, { provider: 'gmail', email: office });
    const mailbox = await findMailbox(portal.deps.database.db, practice.companyId);
    if (!mailbox) throw new Error('no mailbox');
    await portal.deps.database.db.transaction((tx) => recordMailboxLoss(portal.deps, tx, mailbox, 'refused'));
    const { id, vrn } = await addPortfolioClient('waiting');
    await postAction('send', id);
    await portal.runJobs();
    expect(await readEmail(id)).toMatchObject({ status: 'queued', is_waiting: true });
    const browser = await addPerson(id);
    const listPortalRequests = async () => (await browser.get('/client/portal', { company_id: id })).body['requests'];
    expect(await listPortalRequests()).toEqual([{ tax: 'vat', url: (await view(id)).client_action_url, answer_by: '2026-11-30' }]);
    decideInvitation(vrn, 'accept');
    await postAction('check', id);
    expect(await listPortalRequests()).toEqual([]);
    await connectMailbox(portal, practice, { provider: 'gmail', email: office });
    await sweepMessages(portal);
    expect(listSentEmails(portal).filter(({ to }) => to.endsWith(`@${practice.companyId}.example`))).toEqual([]);
  });

  it('of another practice, or of a client not assigned to the team member, returns 404', async () => {
    const { id } = await addPortfolioClient('own');
    await postAction('send', id);
    const otherPractice = await addPractice(portal);
    const message_id = randomUUID();
    expect((await postAction('email', id, { message_id }, otherPractice.admin)).status).toBe(404);
    expect((await postAction('email', id, { message_id, company_id: otherPractice.companyId }, otherPractice.admin)).status).toBe(404);
    expect((await postAction('email', id, { message_id }, practice.member)).status).toBe(404);
    expect(await listOwnEmails()).toHaveLength(1);
  });
});

describe('the reminder', () => {
  it('is sent once on the 14th day, from any instance, even when a colleague muted the client', async () => {
    const { id } = await addPortfolioClient('brook');
    await assignClient(portal, practice.companyId, id, practice.memberId);
    await practice.member.post('/open-tax/notifications/mute', { company_id: practice.companyId, client_id: id, is_muted: true });
    await postAction('send', id);
    await portal.runJobs();
    const otherInstance = await portal.openInstance();
    for (const at of ['2026-11-22T17:30:00.000Z', '2026-11-23T07:30:00.000Z']) {
      portal.moveClock(at);
      await sendRequestReminders(portal.deps);
    }
    expect(await listOwnEmails()).toHaveLength(1);
    portal.moveClock('2026-11-23T09:00:00.000Z');
    await Promise.all([sendRequestReminders(portal.deps), sendRequestReminders(otherInstance.deps)]);
    await sendRequestReminders(otherInstance.deps);
    expect(await listSubjects()).toEqual(['brook: Oakline Accounting asks you to authorise them at HMRC', 'brook: Reminder']);
    expect(await readEmail(id)).toMatchObject({ kind: 'reminder', status: 'sent', reminds_on: null });
    portal.moveClock('2026-11-25T09:00:00.000Z');
    await sendRequestReminders(portal.deps);
    expect(await listOwnEmails()).toHaveLength(2);
    await otherInstance.close();
  });

  it('isn’t sent after a response that only HMRC knows, after a cancellation, or while HMRC is unavailable', async () => {
    const [acceptingClient, rejectingClient, cancellingClient, unknownClient] = [
      await addPortfolioClient('a'),
      await addPortfolioClient('r'),
      await addPortfolioClient('c'),
      await addPortfolioClient('u'),
    ];
    for (const { id } of [acceptingClient, rejectingClient, cancellingClient]) await postAction('send', id);
    await postAction('cancel', cancellingClient.id);
    await portal.runJobs();
    decideInvitation(acceptingClient.vrn, 'accept');
    decideInvitation(rejectingClient.vrn, 'reject');
    portal.moveClock('2026-11-23T09:00:00.000Z');
    await sendRequestReminders(portal.deps);
    expect((await view(acceptingClient.id)).status).toBe('authorised');
    expect((await view(rejectingClient.id)).status).toBe('not_started');
    expect((await listSubjects()).filter((subject) => subject.includes('Reminder'))).toEqual([]);
    // HMRC's status is more than a day old and can't be read, so no email is sent until it has been read.
    portal.moveClock(START_TIME);
    await postAction('send', unknownClient.id);
    await portal.runJobs();
    portal.moveClock('2026-11-23T09:00:00.000Z');
    portal.faults.set({ operation: 'hmrc.get_invitation', kind: 'server_error', times: 5 });
    await sendRequestReminders(portal.deps);
    expect((await listSubjects()).filter((subject) => subject.includes('Reminder'))).toEqual([]);
    portal.faults.clear();
    await sendRequestReminders(portal.deps);
    expect((await listSubjects()).filter((subject) => subject.includes('Reminder'))).toEqual(['u: Reminder']);
  });

  it('of an old request ends with a new one, which has its own', async () => {
    const { id } = await addPortfolioClient('again');
    await postAction('send', id);
    await portal.runJobs();
    portal.moveClock('2026-11-20T09:00:00.000Z');
    await postAction('cancel', id);
    await postAction('send', id);
    portal.moveClock('2026-11-23T09:00:00.000Z');
    await sendRequestReminders(portal.deps);
    expect(await listSubjects()).toHaveLength(2);
    portal.moveClock('2026-12-03T09:00:00.000Z');
    await sendRequestReminders(portal.deps);
    expect((await listSubjects()).at(-1)).toBe('again: Reminder');
    expect(await listSubjects()).toHaveLength(3);
  });

  it('isn’t sent in the last days, however late the portal is', async () => {
    const { id } = await addPortfolioClient('late');
    await postAction('send', id);
    await portal.runJobs();
    portal.moveClock('2026-11-27T09:00:00.000Z');
    await sendRequestReminders(portal.deps);
    expect(await listOwnEmails()).toHaveLength(1);
  });
});

describe('a run for many clients', () => {
  it('emails each client once as one message, lists those without an address, and survives a killed job', async () => {
    const clientsWithEmail = [await addPortfolioClient('c0'), await addPortfolioClient('c1'), await addPortfolioClient('c2')];
    const clientWithoutEmail = await addPortfolioClient(null);
    const ids = [...clientsWithEmail, clientWithoutEmail].map(({ id }) => id);
    const query = { company_id: practice.companyId, tax: 'vat' };
    const previewResponse = await practice.admin.post('/open-tax/authorisation-requests/preview', { ...query, client_ids: ids });
    expect(previewResponse.body).toMatchObject({ ready: 4, emails_clients: true, without_email: 1 });
    const input = { ...query, client_ids: ids, count: 4, emails_clients: true };
    const { body } = await practice.admin.post('/open-tax/authorisation-requests', input);
    await portal.runJobs();
    // The job's process crashed after it had saved only the requests and their emails, so it runs again.
    const { db } = portal.deps.database;
    const run_id = String(body['run_id']);
    await db.update(authorisationRuns).set({ endedAt: null }).where(eq(authorisationRuns.id, run_id));
    await db.update(authorisationRunClients).set({ outcome: null }).where(eq(authorisationRunClients.runId, run_id));
    await portal.deps.enqueue(db, 'authorisations.request', { company_id: practice.companyId, run_id });
    expect((await listSubjects()).toSorted()).toEqual(
      [0, 1, 2].map((item) => `c${item}: Oakline Accounting asks you to authorise them at HMRC`),
    );
    const messagesResponse = await practice.admin.get('/open-tax/messages', { company_id: practice.companyId });
    expect(messagesResponse.body['messages']).toMatchObject([
      { message_id: body['run_id'], subject: 'Authorisation request: VAT', recipients: 3 },
    ]);
    const { links } = (await practice.admin.get('/open-tax/authorisation-requests/links', query)).body as {
      links: { client_id: string; emailed: Email }[];
    };
    expect(
      links.map(({ client_id: id, emailed }) => `${id === clientWithoutEmail.id} ${emailed.status}`).toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(['false sent', 'false sent', 'false sent', 'true no_email']);
    portal.moveClock('2026-11-23T09:00:00.000Z');
    await sendRequestReminders(portal.deps);
    expect((await listSubjects()).filter((subject) => subject.endsWith(': Reminder'))).toHaveLength(3);
    const isOwn = eq(authorisationEmails.companyId, practice.companyId);
    expect(await db.$count(authorisationEmails, and(isOwn, eq(authorisationEmails.kind, 'reminder')))).toBe(3);
    expect(await db.$count(clientAuthorisations, eq(clientAuthorisations.companyId, practice.companyId))).toBe(4);
  });
});
