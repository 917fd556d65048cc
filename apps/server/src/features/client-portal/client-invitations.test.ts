/** Tests invitations to clients' users: sent, opened, accepted, sent again, revoked, and how access ends. */
import { clientInvitations, clientPeople, memberships, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { parseInstant } from '@portal/domain/clock.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { RecipientRefusedError } from '../../mail/mailer.ts';
import { createBrowser, signUp } from '../../testing/test-trader.ts';

let portal: TestPortal;
let practice: TestPractice;
let ids: { company_id: string; client_id: string };

beforeAll(async () => {
  portal = await openTestPortal();
  practice = await addPractice(portal);
});
afterAll(() => portal.close());
beforeEach(async () => {
  const client_id = await addClient(portal, practice.companyId, { name: 'Harlow Joinery Ltd' });
  ids = { company_id: practice.companyId, client_id };
});

const INVITE_PATH = '/client-onboarding/invite';
let count = 0;
const createAddress = (name: string): string => `${name}${(count += 1)}@harlow.example`;
const invite = (email: string, actingBrowser = practice.admin) => actingBrowser.post(INVITE_PATH, { ...ids, email });
const read = () => practice.admin.get(INVITE_PATH, ids);
const accept = (token: string, details: object = {}, cookie?: string) =>
  createBrowser(portal, cookie).post('/client-invitation/accept', { token, ...details });
const preview = (token: string) => createBrowser(portal).get('/client-invitation', { token });

type ApiResponse = {
  status: string | null;
  people: { user_id: string; email: string }[];
  invitations: { invitation_id: string; email: string; state: string }[];
};
const readState = async () => (await read()).body as unknown as ApiResponse;
const findId = async (email: string) => (await readState()).invitations.find((invitation) => invitation.email === email)?.invitation_id;

/** Returns the token in the newest email to this email address. */
async function getToken(email: string): Promise<string> {
  await portal.runJobs();
  const sentEmail = portal.sentEmails.findLast(({ to, text }) => to === email && text.includes('client-signup'));
  return /client-signup\?token=([\w-]+)/.exec(sentEmail?.text ?? '')?.[1] ?? '';
}

async function join(email: string, name = 'Carl Harlow', by = practice) {
  await invite(email, by.admin);
  const acceptedResponse = await accept(await getToken(email), { full_name: name });
  return createBrowser(portal, acceptedResponse.cookie);
}

const findUser = async (email: string) => (await portal.deps.database.db.select().from(users).where(eq(users.email, email)))[0]?.id ?? '';

describe('a client’s invitation', () => {
  it('leads from the email to an account that sees this client only', async () => {
    const email = createAddress('carl');
    expect((await read()).body).toMatchObject({ status: null, people: [], invitations: [], may_invite: true });
    expect((await invite(email)).body).toEqual({ outcome: 'invited' });
    expect(await readState()).toMatchObject({ status: 'sent', invitations: [{ email, state: 'sent' }] });
    const token = await getToken(email);
    expect((await preview(token)).body).toMatchObject({
      practice: 'Oakline Accounting',
      brand: { name: 'Oakline Accounting', logo: null },
      client: 'Harlow Joinery Ltd',
      email,
      invited_by: 'practice_admin',
      has_account: false,
    });
    expect((await readState()).status).toBe('opened');
    const acceptedResponse = await accept(token, { full_name: 'Carl Harlow' });
    const home_path = `/v2/open-tax/clients-portal/dashboard?company_id=${ids.client_id}`;
    expect([acceptedResponse.status, acceptedResponse.body]).toEqual([200, { type: 'client', home_path }]);
    const carl = createBrowser(portal, acceptedResponse.cookie);
    expect((await carl.get('/v2/check-login')).body).toMatchObject({ type: 'client', home_path });
    expect((await carl.get('/user-companies')).body).toEqual([
      { company_id: ids.client_id, name: 'Harlow Joinery Ltd', kind: 'client', role: 'client', permissions: [] },
    ]);
    expect((await carl.get('/client/portal', { company_id: ids.client_id })).body).toMatchObject({ name: 'Harlow Joinery Ltd' });
    expect(await readState()).toMatchObject({ status: 'accepted', people: [{ email }] });
    await portal.runJobs();
    const subjects = portal.sentEmails.filter(({ text }) => text.includes(email)).map(({ subject }) => subject);
    expect(subjects).toContain('Carl Harlow can now see Harlow Joinery Ltd’s taxes');
    // A welcome email would invite a client to set up a practice.
    expect(portal.sentEmails.filter(({ to }) => to === email)).toHaveLength(1);
  });

  it('works once, however often its page is opened and even if two browsers accept at the same moment', async () => {
    const email = createAddress('twice');
    await invite(email);
    const token = await getToken(email);
    for (let attempt = 0; attempt < 3; attempt += 1) expect((await preview(token)).status).toBe(200);
    const acceptResponses = await Promise.all([accept(token, { full_name: 'First' }), accept(token, { full_name: 'Second' })]);
    expect(acceptResponses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await accept(token, { full_name: 'Third' })).body['code']).toBe('identity.link_invalid');
    expect((await preview(token)).status).toBe(400);
    expect((await invite(email)).body).toEqual({ outcome: 'has_access' });
  });

  it('of an address with an account requires logging in to that account, and doesn’t change its other roles', async () => {
    const email = createAddress('known');
    const { cookie } = await signUp(portal, email);
    const outsider = await signUp(portal, createAddress('stranger'));
    await invite(email);
    const token = await getToken(email);
    expect((await preview(token)).body['has_account']).toBe(true);
    expect((await accept(token, { full_name: 'Someone' })).body['code']).toBe('invitation.log_in_first');
    expect((await accept(token, {}, outsider.cookie)).body['code']).toBe('invitation.other_address');
    expect((await accept(token, {}, cookie)).status).toBe(200);
  });

  it('ends its earlier link with each new email, with a new address, and when it is revoked', async () => {
    const [email, correctedEmail] = [createAddress('typo'), createAddress('right')];
    await invite(email);
    expect((await invite(email)).body).toEqual({ outcome: 'already_invited' });
    const first = await getToken(email);
    const invitation_id = await findId(email);
    await practice.admin.post(`${INVITE_PATH}/resend`, { ...ids, invitation_id });
    const second = await getToken(email);
    expect([second === first, (await preview(first)).status, (await preview(second)).status]).toEqual([false, 400, 200]);
    await practice.admin.post(`${INVITE_PATH}/resend`, { ...ids, invitation_id, email: correctedEmail });
    expect((await preview(second)).status).toBe(400);
    const third = await getToken(correctedEmail);
    expect((await preview(third)).body['email']).toBe(correctedEmail);
    expect((await readState()).invitations).toMatchObject([{ email: correctedEmail, state: 'opened' }]);
    await practice.admin.post(`${INVITE_PATH}/revoke`, { ...ids, invitation_id });
    expect((await accept(third, { full_name: 'Late' })).body['code']).toBe('identity.link_invalid');
    expect((await readState()).status).toBe('revoked');
    expect((await practice.admin.post(`${INVITE_PATH}/resend`, { ...ids, invitation_id })).status).toBe(404);
  });

  it('expires after 21 days and can then be sent again, and stores no token', async () => {
    const email = createAddress('late');
    await invite(email);
    const token = await getToken(email);
    const { db } = portal.deps.database;
    const [row] = await db.select().from(clientInvitations).where(eq(clientInvitations.email, email));
    expect(JSON.stringify(row)).not.toContain(token);
    const days = (Date.parse(row?.expiresAt ?? '') - Date.parse(portal.deps.wallClock.now())) / 86_400_000;
    expect(Math.round(days)).toBe(21);
    await db
      .update(clientInvitations)
      .set({ expiresAt: parseInstant('2020-01-01T00:00:00.000Z') })
      .where(eq(clientInvitations.email, email));
    expect((await accept(token, { full_name: 'Late' })).status).toBe(400);
    expect((await readState()).status).toBe('expired');
    expect((await invite(email)).body).toEqual({ outcome: 'invited' });
    expect((await preview(await getToken(email))).status).toBe(200);
    expect((await readState()).invitations).toHaveLength(1);
  });

  it('shows that the mail server rejected its address, and can be corrected', async () => {
    const [email, correctedEmail] = [createAddress('no-such-mailbox'), createAddress('exists')];
    const refusingInstance = await portal.openInstance({
      mailer: { ...portal.deps.mailer, send: () => Promise.reject(new RecipientRefusedError('550 No such mailbox')) },
    });
    await invite(email);
    await refusingInstance.runJobs();
    await refusingInstance.close();
    expect((await readState()).status).toBe('bounced');
    const invitation_id = await findId(email);
    await practice.admin.post(`${INVITE_PATH}/resend`, { ...ids, invitation_id, email: correctedEmail });
    expect((await preview(await getToken(correctedEmail))).status).toBe(200);
    expect((await readState()).status).toBe('opened');
  });

  it('may be sent by a member with the permission, for assigned clients only', async () => {
    const { companyId, memberId, member } = practice;
    await assignClient(portal, companyId, ids.client_id, memberId);
    expect((await member.get(INVITE_PATH, ids)).body['may_invite']).toBe(false);
    expect((await invite(createAddress('no'), member)).body['code']).toBe('team.permission_missing');
    const isMember = and(eq(memberships.companyId, companyId), eq(memberships.userId, memberId));
    const { db } = portal.deps.database;
    await db
      .update(memberships)
      .set({ permissions: ['invite_clients'] })
      .where(isMember);
    expect((await invite(createAddress('yes'), member)).body).toEqual({ outcome: 'invited' });
    const client_id = await addClient(portal, companyId);
    expect((await member.post(INVITE_PATH, { company_id: companyId, client_id, email: createAddress('other') })).status).toBe(404);
    await db
      .update(memberships)
      .set({ permissions: ['export'] })
      .where(isMember);
  });

  it('suggests the addresses of the client and its contacts that were never invited', async () => {
    const [director, contactEmail] = [createAddress('director'), createAddress('known-contact')];
    for (const email of [director, contactEmail]) await practice.admin.post('/client/contacts', { ...ids, name: 'Dora', email });
    await invite(contactEmail);
    expect((await read()).body['suggestions']).toEqual([{ email: director, name: 'Dora' }]);
  });
});

describe('access', () => {
  it('of a second person is independent: one leaves, one is removed, and no older email restores their access', async () => {
    const [first, second] = [createAddress('first'), createAddress('second')];
    const ann = await join(first, 'Ann Harlow');
    const bob = await join(second, 'Bob Harlow');
    const ownKey = { company_id: ids.client_id };
    expect((await ann.get('/client/people', ownKey)).body['people']).toMatchObject([
      { full_name: 'Ann Harlow', is_you: true },
      { full_name: 'Bob Harlow', is_you: false },
    ]);
    expect((await ann.post('/client/leave', ownKey)).status).toBe(400);
    expect((await ann.post('/client/leave', { ...ownKey, confirm: true })).body).toEqual({ done: true });
    expect((await ann.get('/client/people', ownKey)).status).toBe(404);
    expect((await ann.get('/user-companies')).body).toEqual([]);
    await portal.runJobs();
    expect(portal.sentEmails.findLast(({ to }) => to === second)?.subject).toBe('Ann Harlow can no longer see Harlow Joinery Ltd’s taxes');
    // The practice removes the second user.
    const removedResponse = await practice.admin.post('/client-onboarding/people/remove', { ...ids, user_id: await findUser(second) });
    expect(removedResponse.body).toEqual({ done: true });
    expect((await bob.get('/client/people', ownKey)).status).toBe(404);
    await portal.runJobs();
    expect(portal.sentEmails.findLast(({ to }) => to === second)?.subject).toBe('You can no longer see Harlow Joinery Ltd’s taxes');
    expect((await practice.admin.post('/client-onboarding/people/remove', { ...ids, user_id: await findUser(second) })).status).toBe(404);
    const timeline = (await practice.admin.get('/client/timeline', ids)).body['entries'] as { title: string; detail: string | null }[];
    expect(timeline.map(({ title, detail }) => `${title} ${detail ?? ''}`)).toEqual(
      expect.arrayContaining([`Left the client portal ${first}`, `Access to the client portal ended ${second}`]),
    );
  });

  it('covers companies of several practices, each with the client’s own ID', async () => {
    const email = createAddress('several');
    const carl = await join(email);
    const otherPractice = await addPractice(portal);
    const second = await addClient(portal, otherPractice.companyId, { name: 'Alder Ltd' });
    const userId = await findUser(email);
    await portal.deps.database.db
      .insert(clientPeople)
      .values({ companyId: otherPractice.companyId, clientId: second, userId, joinedAt: portal.deps.clock.now() });
    for (const [id, name] of [
      [ids.client_id, 'Harlow Joinery Ltd'],
      [second, 'Alder Ltd'],
    ]) {
      expect((await carl.get('/client/profile', { company_id: id ?? '' })).body['full_name']).toBe(name);
    }
    const companies = (await carl.get('/client/companies', { company_id: second })).body['companies'];
    expect((companies as { name: string }[]).map(({ name }) => name)).toEqual(['Alder Ltd', 'Harlow Joinery Ltd']);
    // Access through one practice doesn't make another practice's client reachable.
    expect((await carl.get('/client/profile', { company_id: practice.companyId, client_id: second })).status).toBe(404);
  });

  it('ends when the person closes their account, and when the practice does', async () => {
    const listRows = () => portal.deps.database.db.select().from(clientPeople).where(eq(clientPeople.companyId, ids.company_id));
    const otherPractice = await addPractice(portal);
    ids = {
      company_id: otherPractice.companyId,
      client_id: await addClient(portal, otherPractice.companyId, { name: 'Harlow Joinery Ltd' }),
    };
    const [email, stayingEmail, invitedEmail] = [createAddress('closing'), createAddress('stays'), createAddress('invited')];
    const carl = await join(email, 'Carl Harlow', otherPractice);
    const dora = await join(stayingEmail, 'Dora Harlow', otherPractice);
    await invite(invitedEmail, otherPractice.admin);
    const token = await getToken(invitedEmail);
    expect((await carl.post('/v2/account/close', { confirm_with: email })).status).toBe(200);
    expect(await listRows()).toHaveLength(1);
    expect((await otherPractice.admin.post('/v2/practice/close', { ...ids, confirm_with: 'Oakline Accounting' })).status).toBe(200);
    expect(await listRows()).toEqual([]);
    expect((await dora.get('/client/portal', { company_id: ids.client_id })).status).toBe(404);
    expect((await preview(token)).status).toBe(400);
  });
});
