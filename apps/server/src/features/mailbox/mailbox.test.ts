/** Tests a practice's own mailbox: connecting, losing, reconnecting and disconnecting it. */
import { clientEmails, mailboxes, memberships, sessions } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addHmrcConnection, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { addClientWithEmail, connectMailbox, listOutcomes, listSentEmails, sendTo } from '../../testing/mailbox-steps.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;
let email: string;

beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
  email = `office-${practice.companyId.slice(0, 8)}@oakline.example`;
});

const read = async (provider: string, actingBrowser = practice.member) =>
  (await actingBrowser.get(`/${provider}/status`, { company_id: practice.companyId })).body;
const getOutcomeParam = (location: string) => new URL(location, 'http://localhost').searchParams.get('outcome');
const listOwnEmails = () => listSentEmails(portal).filter(({ from }) => from.includes(email));

describe.each([
  ['gmail', 'google', 'outlook'],
  ['outlook', 'microsoft', 'gmail'],
] as const)('%s', (provider, account, other) => {
  it('is connected with permission to send, and sends from the practice’s address', async () => {
    expect(await read(provider)).toMatchObject({ connected: false, status: 'not_connected', address: null, is_available: true });
    expect(getOutcomeParam(await connectMailbox(portal, practice, { provider, email }))).toBe('mailbox_connected');
    expect(await read(provider)).toMatchObject({ connected: true, status: 'connected', address: email });
    expect(await read(other)).toMatchObject({ connected: false, status: 'not_connected' });
    const client = await addClientWithEmail(portal, practice.companyId, 'Ash Ltd', 'ash@client.example');
    const id = await sendTo(practice, [client]);
    await portal.runJobs();
    expect(await listOutcomes(practice, id)).toEqual({ 'Ash Ltd': 'sent' });
    expect(listOwnEmails()).toMatchObject([{ to: 'ash@client.example', from: `Oakline Accounting <${email}>`, subject: 'About Ash Ltd' }]);
    expect(listOwnEmails()[0]?.text).toContain('Dear Ash Ltd,\n\nPlease call us.\n\npractice_admin\nOakline Accounting');
  });

  it('keeps its tokens sealed', async () => {
    await connectMailbox(portal, practice, { provider, email });
    const [row] = await portal.deps.database.db.select().from(mailboxes).where(eq(mailboxes.companyId, practice.companyId));
    const open = (token: string | null | undefined, kind: 'access' | 'refresh') =>
      portal.deps.tokenCipher.open(token ?? '', `mailbox_${kind}_token:${practice.companyId}`);
    expect(open(row?.accessToken, 'access')).not.toBe(row?.accessToken);
    expect(() => portal.deps.tokenCipher.open(row?.accessToken ?? '', 'mailbox_access_token:another')).toThrow(/./);
    expect(open(row?.refreshToken, 'refresh')).not.toBe('');
  });

  it('refreshes its token when it has expired', async () => {
    await connectMailbox(portal, practice, { provider, email });
    const client = await addClientWithEmail(portal, practice.companyId, 'Ash Ltd', 'ash@client.example');
    const { db } = portal.deps.database;
    await db.update(mailboxes).set({ accessExpiresAt: portal.deps.clock.now() }).where(eq(mailboxes.companyId, practice.companyId));
    await sendTo(practice, [client]);
    await portal.runJobs();
    expect(listOwnEmails()).toHaveLength(1);
    const [row] = await db.select().from(mailboxes).where(eq(mailboxes.companyId, practice.companyId));
    expect(String(row?.accessExpiresAt) > portal.deps.clock.now()).toBe(true);
    await sendTo(practice, [client]);
    await portal.runJobs();
    expect(listOwnEmails()).toHaveLength(2);
  });

  it('that the provider no longer accepts is reported as lost once: admins get an email, everyone sees it, and messages wait for it', async () => {
    await connectMailbox(portal, practice, { provider, email });
    const client = await addClientWithEmail(portal, practice.companyId, 'Ash Ltd', 'ash@client.example');
    portal.identity.signIn[account].revokeAccess(email);
    const id = await sendTo(practice, [client]);
    await portal.runJobs();
    await portal.runJobs();
    expect(await read(provider)).toMatchObject({
      connected: false,
      status: 'lost',
      lost_reason: 'refused',
      address: email,
      lost_at: expect.any(String),
    });
    expect(await listOutcomes(practice, id)).toEqual({ 'Ash Ltd': 'queued' });
    const listResponse = await practice.admin.get('/open-tax/messages', { company_id: practice.companyId });
    expect(listResponse.body).toMatchObject({ messages: [{ status: 'waiting' }], route: { is_waiting: true, address: email } });
    expect(portal.sentEmails.filter(({ subject }) => subject === `Oakline Accounting: we can’t send from ${email} any more`)).toHaveLength(
      1,
    );
    for (const [browser, mayConnect] of [
      [practice.admin, true],
      [practice.member, false],
    ] as const) {
      const sessionResponse = await browser.get('/v2/check-login');
      expect(sessionResponse.body['grant_notices']).toMatchObject([{ service: provider, state: 'ended', may_connect: mayConnect }]);
    }
    expect(getOutcomeParam(await connectMailbox(portal, practice, { provider, email }))).toBe('mailbox_connected');
    await portal.runJobs();
    expect(await listOutcomes(practice, id)).toEqual({ 'Ash Ltd': 'sent' });
    expect(listOwnEmails()).toHaveLength(1);
  });
});

describe('connecting', () => {
  it('stores nothing if the user declines', async () => {
    expect(getOutcomeParam(await connectMailbox(portal, practice, { provider: 'gmail', email, answer: 'deny' }))).toBe('mailbox_declined');
    expect(await read('gmail')).toMatchObject({ status: 'not_connected' });
  });

  it('stores nothing if the user cleared the permission to send', async () => {
    const location = await connectMailbox(portal, practice, { provider: 'gmail', email, answer: 'without_scope' });
    expect(getOutcomeParam(location)).toBe('mailbox_no_scope');
    expect(await read('gmail')).toMatchObject({ status: 'not_connected' });
  });

  it('can’t be completed in another browser', async () => {
    expect(await connectMailbox(portal, practice, { provider: 'gmail', email, returnsElsewhere: true })).toBe('404');
    expect(await read('gmail')).toMatchObject({ status: 'not_connected' });
  });

  it.each(['has left the practice', 'lost the permission'] as const)(
    'stores nothing for someone who %s since they started, so that clients’ emails don’t leave through their mailbox',
    async (what) => {
      const { db } = portal.deps.database;
      const isMember = and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId));
      await db
        .update(memberships)
        .set({ permissions: ['manage_connections'] })
        .where(isMember);
      const beforeReturn = async (): Promise<void> => {
        if (what === 'lost the permission') await db.update(memberships).set({ permissions: [] }).where(isMember);
        else await db.delete(memberships).where(isMember);
      };
      const connecting = { provider: 'gmail', email: 'leaver@elsewhere.example', cookie: practice.cookies.member, beforeReturn } as const;
      expect(getOutcomeParam(await connectMailbox(portal, practice, connecting))).toBe('mailbox_not_allowed');
      expect(await read('gmail', practice.admin)).toMatchObject({ status: 'not_connected' });
    },
  );

  it('needs a person who has just confirmed who they are', async () => {
    const hourAgo = addMilliseconds(portal.deps.wallClock.now(), -3_600_000);
    await portal.deps.database.db.update(sessions).set({ confirmedAt: hourAgo }).where(eq(sessions.userId, practice.adminId));
    const input = { company_id: practice.companyId, provider: 'gmail' };
    expect((await practice.admin.post('/open-tax/mailbox/connect', input)).body['code']).toBe('identity.factor_needed');
  });

  it('needs the permission to manage connections', async () => {
    const input = { company_id: practice.companyId, provider: 'gmail' };
    expect((await practice.member.post('/open-tax/mailbox/connect', input)).body['code']).toBe('team.permission_missing');
    expect((await practice.member.post('/open-tax/mailbox/disconnect', input)).body['code']).toBe('team.permission_missing');
  });
});

describe('disconnecting', () => {
  it('deletes our access, and sends waiting messages from our address with replies to their author', async () => {
    await connectMailbox(portal, practice, { provider: 'gmail', email });
    portal.identity.signIn.google.revokeAccess(email);
    const client = await addClientWithEmail(portal, practice.companyId, 'Ash Ltd', `ash-${practice.companyId}@client.example`);
    const id = await sendTo(practice, [client]);
    await portal.runJobs();
    expect((await practice.admin.post('/open-tax/mailbox/disconnect', { company_id: practice.companyId })).status).toBe(200);
    await portal.runJobs();
    expect(await read('gmail')).toMatchObject({ status: 'not_connected', address: null });
    expect(await listOutcomes(practice, id)).toEqual({ 'Ash Ltd': 'sent' });
    expect(portal.sentEmails.filter(({ to }) => to === `ash-${practice.companyId}@client.example`)).toMatchObject([
      { author: { name: 'Oakline Accounting via Tidewater', replyTo: `${practice.adminId}@oakline.example` } },
    ]);
    expect((await practice.admin.post('/open-tax/mailbox/disconnect', { company_id: practice.companyId })).status).toBe(200);
  });
});

describe('a member who leaves', () => {
  const connectAsMember = async (address: string): Promise<void> => {
    const isMember = and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId));
    const permissions = ['manage_connections'] as const;
    await portal.deps.database.db.update(memberships).set({ permissions }).where(isMember);
    const connecting = { provider: 'gmail', email: address, cookie: practice.cookies.member } as const;
    expect(getOutcomeParam(await connectMailbox(portal, practice, connecting))).toBe('mailbox_connected');
  };
  const deactivate = () =>
    practice.admin.post('/open-tax/team-members/deactivate', {
      company_id: practice.companyId,
      user_id: practice.memberId,
      successors: {},
    });

  it('gets no more emails to clients in the sent items of their own mailbox: admins get an email, and the emails wait', async () => {
    const own = `${practice.memberId}@oakline.example`;
    await connectAsMember(own);
    expect((await deactivate()).status).toBe(200);
    expect(await read('gmail', practice.admin)).toMatchObject({ status: 'lost', lost_reason: 'owner_left', address: own });
    const client = await addClientWithEmail(portal, practice.companyId, 'Ash Ltd', 'ash@client.example');
    const id = await sendTo(practice, [client]);
    await portal.runJobs();
    expect(await listOutcomes(practice, id)).toEqual({ 'Ash Ltd': 'queued' });
    expect(listSentEmails(portal).filter(({ from }) => from.includes(own))).toEqual([]);
    const [notice, ...more] = portal.sentEmails.filter(
      ({ subject }) => subject === `Oakline Accounting: we can’t send from ${own} any more`,
    );
    expect([notice?.to, more.length]).toEqual([`${practice.adminId}@oakline.example`, 0]);
    expect(notice?.text).toContain('no longer works for your practice');
    // The way out: another mailbox, or ours.
    expect(getOutcomeParam(await connectMailbox(portal, practice, { provider: 'gmail', email }))).toBe('mailbox_connected');
    await portal.runJobs();
    expect(await listOutcomes(practice, id)).toEqual({ 'Ash Ltd': 'sent' });
  });

  it('gets no replies to what leaves from our address in the meantime, such as invitations', async () => {
    const own = `${practice.memberId}@oakline.example`;
    await connectAsMember(own);
    await deactivate();
    // Only then do invitations leave in the practice’s name.
    await addHmrcConnection(portal, practice.companyId, { accessToken: 'a', refreshToken: 'r' });
    const client_id = await addClientWithEmail(portal, practice.companyId, 'Ash Ltd', 'ash@client.example');
    const to = `ash-${practice.companyId}@client.example`;
    const response = await practice.admin.post('/client-onboarding/invite', { company_id: practice.companyId, client_id, email: to });
    expect(response.body).toEqual({ outcome: 'invited' });
    const [row] = await portal.deps.database.db.select().from(clientEmails).where(eq(clientEmails.email, to));
    expect(row?.replyTo).toBe(`${practice.adminId}@oakline.example`);
  });

  it('loses their own mailbox as the practice’s by closing their account, too', async () => {
    const own = `${practice.memberId}@oakline.example`;
    await connectAsMember(own);
    expect((await practice.member.post('/v2/account/close', { confirm_with: own })).status).toBe(200);
    expect(await read('gmail', practice.admin)).toMatchObject({ status: 'lost', address: own });
  });

  it('leaves a mailbox of the practice that they had connected', async () => {
    await connectAsMember(email);
    await deactivate();
    expect(await read('gmail', practice.admin)).toMatchObject({ status: 'connected', address: email });
  });
});
