/** Tests invitations to a practice's team: sent, opened, accepted, resent, revoked. */
import { memberships, teamInvitations, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { parseInstant } from '@portal/domain/clock.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createBrowser, signUp } from '../../testing/test-trader.ts';

let portal: TestPortal;
let practice: TestPractice;

beforeAll(async () => {
  portal = await openTestPortal();
  practice = await addPractice(portal);
});
afterAll(() => portal.close());

const PASSWORD = 'three unrelated words 4711';

async function invite(emails: readonly string[], access: object = { role: 'team_member' }) {
  return practice.admin.post('/open-tax/team-members/invite', { company_id: practice.companyId, emails, ...access });
}

/** Returns the token of the newest invitation to an email address. */
async function getToken(email: string): Promise<string> {
  await portal.runJobs();
  const sentEmail = portal.sentEmails.findLast(({ to, subject }) => to === email && subject.startsWith('Join '));
  return /join\?token=([\w-]+)/.exec(sentEmail?.text ?? '')?.[1] ?? '';
}

async function findInvitation(email: string) {
  const [row] = await portal.deps.database.db.select().from(teamInvitations).where(eq(teamInvitations.email, email));
  return row;
}

const accept = (token: string, details: object = {}, cookie?: string) =>
  createBrowser(portal, cookie).post('/team-invitation/accept', { token, ...details });

describe('an invitation', () => {
  it('leads from a pasted list to a colleague who sees the assigned clients only', async () => {
    const { companyId, admin } = practice;
    const response = await invite(['ann@list.example', 'bob@list.example', 'ann@list.example'], {
      role: 'team_member',
      groups: ['Leeds', 'leeds'],
    });
    expect(response.body['results']).toEqual([
      { email: 'ann@list.example', outcome: 'invited' },
      { email: 'bob@list.example', outcome: 'invited' },
    ]);
    const token = await getToken('ann@list.example');
    const previewResponse = await createBrowser(portal).get('/team-invitation', { token });
    expect(previewResponse.body).toEqual({
      company: 'Oakline Accounting',
      email: 'ann@list.example',
      role: 'team_member',
      invited_by: 'practice_admin',
      has_account: false,
    });
    const acceptedResponse = await accept(token, { full_name: 'Ann Lee', password: PASSWORD });
    expect([acceptedResponse.status, acceptedResponse.body]).toEqual([
      200,
      { type: 'practice', home_path: `/v2/open-tax/dashboard?company_id=${companyId}` },
    ]);
    const ann = createBrowser(portal, acceptedResponse.cookie);
    const [ownClient, otherClient] = [await addClient(portal, companyId), await addClient(portal, companyId)];
    const [user] = await portal.deps.database.db.select().from(users).where(eq(users.email, 'ann@list.example'));
    await assignClient(portal, companyId, ownClient, user?.id ?? '');
    const listResponse = await ann.get('/open-tax/client-companies', { company_id: companyId });
    expect((listResponse.body['clients'] as { client_id: string }[]).map(({ client_id: id }) => id)).toEqual([ownClient]);
    expect((await ann.get('/client/profile', { company_id: companyId, client_id: otherClient })).status).toBe(404);
    const teamResponse = await admin.get('/open-tax/team-members', { company_id: companyId, full_name: 'ann', is_active: 'true' });
    expect(teamResponse.body['team_members']).toMatchObject([
      { full_name: 'Ann Lee', status: 'active', role: 'team_member', groups: ['Leeds'], clients: 1 },
    ]);
    await portal.runJobs();
    expect(portal.sentEmails.findLast(({ subject }) => subject === 'Ann Lee joined Oakline Accounting')?.text).toContain('assign clients');
  });

  it('works once, however often its page is opened and even if two browsers accept at the same moment', async () => {
    await invite(['twice@list.example']);
    const token = await getToken('twice@list.example');
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect((await createBrowser(portal).get('/team-invitation', { token })).status).toBe(200);
    const acceptResponses = await Promise.all([accept(token, { full_name: 'First' }), accept(token, { full_name: 'Second' })]);
    expect(acceptResponses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(acceptResponses.find(({ status }) => status !== 200)?.body['code']).toBe('identity.link_invalid');
    const matchingUsers = await portal.deps.database.db.select().from(users).where(eq(users.email, 'twice@list.example'));
    expect(matchingUsers).toHaveLength(1);
    expect((await accept(token, { full_name: 'Third' })).body['code']).toBe('identity.link_invalid');
    expect((await createBrowser(portal).get('/team-invitation', { token })).status).toBe(400);
  });

  it('of an address with an account requires logging in to that account', async () => {
    const { companyId } = practice;
    const { cookie } = await signUp(portal, 'known@list.example');
    const outsider = await signUp(portal, 'stranger@list.example');
    await invite(['known@list.example'], { role: 'admin' });
    const token = await getToken('known@list.example');
    expect((await createBrowser(portal).get('/team-invitation', { token })).body['has_account']).toBe(true);
    expect((await accept(token, { full_name: 'Someone' })).body['code']).toBe('invitation.log_in_first');
    const wrongResponse = await accept(token, {}, outsider.cookie);
    expect([wrongResponse.status, wrongResponse.body['code']]).toEqual([409, 'invitation.other_address']);
    expect(String(wrongResponse.body['message'])).toContain('known@list.example');
    const acceptedResponse = await accept(token, {}, cookie);
    expect(acceptedResponse.status).toBe(200);
    // Changed rights come with a new cookie, and the old one no longer works.
    expect(acceptedResponse.cookie).toBeDefined();
    expect((await createBrowser(portal, cookie).get('/open-tax/team-members', { company_id: companyId })).status).toBe(401);
    const adminResponse = await createBrowser(portal, acceptedResponse.cookie).get('/open-tax/accountant-profile', {
      company_id: companyId,
    });
    expect(adminResponse.body).toMatchObject({
      role: 'admin',
      permissions: ['export', 'message_clients', 'manage_connections', 'invite_clients', 'file_returns', 'propose_advances'],
    });
  });

  it('ends its earlier link when it is sent again, and every link when it is revoked', async () => {
    const { companyId, admin } = practice;
    await invite(['again@list.example']);
    const first = await getToken('again@list.example');
    const invitation_id = (await findInvitation('again@list.example'))?.id;
    await admin.post('/open-tax/team-members/invitation/resend', { company_id: companyId, invitation_id });
    const second = await getToken('again@list.example');
    expect(second).not.toBe(first);
    expect((await createBrowser(portal).get('/team-invitation', { token: first })).status).toBe(400);
    expect((await createBrowser(portal).get('/team-invitation', { token: second })).status).toBe(200);
    await admin.post('/open-tax/team-members/invitation/revoke', { company_id: companyId, invitation_id });
    expect((await accept(second, { full_name: 'Late' })).body['code']).toBe('identity.link_invalid');
    expect((await admin.post('/open-tax/team-members/invitation/resend', { company_id: companyId, invitation_id })).status).toBe(404);
  });

  it('expires, and can then be sent again with another role', async () => {
    await invite(['late@list.example']);
    const token = await getToken('late@list.example');
    expect((await invite(['late@list.example'], { role: 'admin' })).body['results']).toEqual([
      { email: 'late@list.example', outcome: 'already_invited' },
    ]);
    const { db } = portal.deps.database;
    const yesterday = parseInstant('2020-01-01T00:00:00.000Z');
    await db.update(teamInvitations).set({ expiresAt: yesterday }).where(eq(teamInvitations.email, 'late@list.example'));
    expect((await accept(token, { full_name: 'Late' })).status).toBe(400);
    expect((await invite(['late@list.example'], { role: 'admin' })).body['results']).toEqual([
      { email: 'late@list.example', outcome: 'invited' },
    ]);
    const renewedResponse = await createBrowser(portal).get('/team-invitation', { token: await getToken('late@list.example') });
    expect(renewedResponse.body['role']).toBe('admin');
  });

  it('stores no token, names members instead of inviting them, and rejects a weak password', async () => {
    await invite(['weak@list.example']);
    const token = await getToken('weak@list.example');
    expect(JSON.stringify(await findInvitation('weak@list.example'))).not.toContain(token);
    const weakResponse = await accept(token, { full_name: 'Weak Word', password: 'weakword12' });
    expect([weakResponse.status, weakResponse.body['message']]).toEqual([400, { password: expect.stringContaining('easy to guess') }]);
    expect((await accept(token)).body['message']).toEqual({ full_name: 'Enter your full name' });
    const [row] = await portal.deps.database.db
      .select({ email: users.email })
      .from(users)
      .innerJoin(memberships, eq(memberships.userId, users.id))
      .where(and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId)));
    const email = row?.email ?? '';
    expect((await invite([email])).body['results']).toEqual([{ email, outcome: 'member' }]);
  });
});

describe('unwanted invitations', () => {
  it('stop for an address after three emails in a day, and for a practice without HMRC after 50', async () => {
    const ownPractice = await addPractice(portal);
    const send = (emails: readonly string[]) =>
      ownPractice.admin.post('/open-tax/team-members/invite', { company_id: ownPractice.companyId, emails, role: 'team_member' });
    await send(['victim@list.example']);
    const invitation = { company_id: ownPractice.companyId, invitation_id: (await findInvitation('victim@list.example'))?.id };
    const resend = () => ownPractice.admin.post('/open-tax/team-members/invitation/resend', invitation);
    const responses = [await resend(), await resend(), await resend()];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(String(responses[2]?.body['message'])).toContain('victim@list.example');
    await ownPractice.admin.post('/open-tax/team-members/invitation/revoke', invitation);
    expect((await invite(['victim@list.example'])).body['code']).toBe('invitation.too_often');
    const outsiderEmails = Array.from({ length: 48 }, (_, index) => `stranger${index}@list.example`);
    const tooManyResponse = await send(outsiderEmails);
    expect([tooManyResponse.status, tooManyResponse.body['code']]).toEqual([429, 'invitation.too_many']);
    expect(await findInvitation('stranger0@list.example')).toBeUndefined();
    expect((await send(outsiderEmails.slice(1))).status).toBe(200);
  });

  it('end with the practice, and give a former member no access', async () => {
    const ownPractice = await addPractice(portal);
    const send = (email: string) =>
      ownPractice.admin.post('/open-tax/team-members/invite', { company_id: ownPractice.companyId, emails: [email], role: 'admin' });
    await send('second-address@list.example');
    await send('late-joiner@list.example');
    const [leaverToken, joinerToken] = [await getToken('second-address@list.example'), await getToken('late-joiner@list.example')];
    const { db } = portal.deps.database;
    await db.update(users).set({ email: 'second-address@list.example' }).where(eq(users.id, ownPractice.memberId));
    await ownPractice.admin.post('/open-tax/team-members/deactivate', {
      company_id: ownPractice.companyId,
      user_id: ownPractice.memberId,
      successors: {},
    });
    expect((await createBrowser(portal).get('/team-invitation', { token: leaverToken })).status).toBe(400);
    expect((await createBrowser(portal).get('/team-invitation', { token: joinerToken })).status).toBe(200);
    await ownPractice.admin.post('/v2/practice/close', { company_id: ownPractice.companyId, confirm_with: 'Oakline Accounting' });
    expect((await accept(joinerToken, { full_name: 'Late' })).body['code']).toBe('identity.link_invalid');
  });
});

describe('another practice', () => {
  it('can neither see nor use the invitations', async () => {
    const otherPractice = await addPractice(portal);
    await invite(['private@list.example']);
    const invitation_id = (await findInvitation('private@list.example'))?.id;
    for (const action of ['resend', 'revoke']) {
      const response = await otherPractice.admin.post(`/open-tax/team-members/invitation/${action}`, {
        company_id: otherPractice.companyId,
        invitation_id,
      });
      expect(response.status).toBe(404);
    }
    const listResponse = await otherPractice.admin.get('/open-tax/team-members', { company_id: otherPractice.companyId });
    expect(JSON.stringify(listResponse.body)).not.toContain('list.example');
  });
});
