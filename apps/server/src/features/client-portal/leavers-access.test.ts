/** Tests that a member who leaves the practice keeps no way to its clients: no access of their own, and no invitation to another address. */
import { clientContacts, clientInvitations, clientPeople, clients, memberships, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { type Browser, createBrowser } from '../../testing/test-trader.ts';

let portal: TestPortal;
let practice: TestPractice;
let ids: { company_id: string; client_id: string };

beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
  const client_id = await addClient(portal, practice.companyId, { name: 'Harlow Joinery Ltd' });
  ids = { company_id: practice.companyId, client_id };
  await assignClient(portal, practice.companyId, client_id, practice.memberId);
  await portal.deps.database.db
    .update(memberships)
    .set({ permissions: ['invite_clients'] })
    .where(and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId)));
});

const INVITE_PATH = '/client-onboarding/invite';
let count = 0;
const createAddress = (name: string): string => `${name}${(count += 1)}@leaver.example`;
const invite = (email: string, by: Browser = practice.member) => by.post(INVITE_PATH, { ...ids, email });
const accept = (token: string, details: object = {}, cookie?: string) =>
  createBrowser(portal, cookie).post('/client-invitation/accept', { token, ...details });
const isUsable = async (token: string) => (await createBrowser(portal).get('/client-invitation', { token })).status === 200;
const deactivate = () =>
  practice.admin.post('/open-tax/team-members/deactivate', {
    company_id: practice.companyId,
    user_id: practice.memberId,
    successors: { manager: practice.adminId },
  });
const getEmail = async (userId: string) => (await portal.deps.database.db.select().from(users).where(eq(users.id, userId)))[0]?.email ?? '';

/** Returns the token in the newest email to this email address. */
async function getToken(email: string): Promise<string> {
  await portal.runJobs();
  const sentEmail = portal.sentEmails.findLast(({ to, text }) => to === email && text.includes('client-signup'));
  return /client-signup\?token=([\w-]+)/.exec(sentEmail?.text ?? '')?.[1] ?? '';
}

async function inviteAndGetToken(email: string, by?: Browser): Promise<string> {
  expect((await invite(email, by)).body).toEqual({ outcome: 'invited' });
  return getToken(email);
}

async function findInvitationId(email: string): Promise<string> {
  const isThis = and(eq(clientInvitations.companyId, practice.companyId), eq(clientInvitations.email, email));
  return (await portal.deps.database.db.select().from(clientInvitations).where(isThis))[0]?.id ?? '';
}

describe('a member who leaves the practice', () => {
  it('can’t accept an invitation that they sent to another address of their own', async () => {
    const token = await inviteAndGetToken(createAddress('private'));
    await deactivate();
    expect((await accept(token, { full_name: 'Sam Smith' })).body['code']).toBe('identity.link_invalid');
  });

  it('can’t accept one that a colleague had sent and they redirected', async () => {
    const [typedEmail, ownEmail] = [createAddress('carl'), createAddress('private')];
    await inviteAndGetToken(typedEmail, practice.admin);
    const invitation_id = await findInvitationId(typedEmail);
    await practice.member.post(`${INVITE_PATH}/resend`, { ...ids, invitation_id, email: ownEmail });
    const token = await getToken(ownEmail);
    expect(await isUsable(token)).toBe(true);
    await deactivate();
    expect(await isUsable(token)).toBe(false);
  });

  it('can’t accept one to an address that they entered as a contact of the client', async () => {
    const email = createAddress('contact');
    await practice.member.post('/client/contacts', { ...ids, name: 'Sam Smith', role: '', email, phone: '' });
    expect(await portal.deps.database.db.$count(clientContacts, eq(clientContacts.email, email))).toBe(1);
    const token = await inviteAndGetToken(email);
    await deactivate();
    expect(await isUsable(token)).toBe(false);
  });

  it('leaves usable what they sent to the client’s own address or to a contact that a colleague had entered', async () => {
    const [ownEmail, contactEmail, otherEmail] = [createAddress('Office'), createAddress('carla'), createAddress('colleagues')];
    await portal.deps.database.db.update(clients).set({ email: ownEmail }).where(eq(clients.id, ids.client_id));
    await practice.admin.post('/client/contacts', { ...ids, name: 'Carla Harlow', role: '', email: contactEmail, phone: '' });
    const tokens = [
      await inviteAndGetToken(ownEmail.toLowerCase()),
      await inviteAndGetToken(contactEmail),
      await inviteAndGetToken(otherEmail, practice.admin),
    ];
    await deactivate();
    expect(await Promise.all(tokens.map(isUsable))).toEqual([true, true, true]);
    // The inviter has left, so the admins, who have no one else assigned to the client, hear that someone joined.
    await accept(tokens[1] ?? '', { full_name: 'Carla Harlow' });
    await portal.runJobs();
    const adminEmail = await getEmail(practice.adminId);
    const subjects = portal.sentEmails.filter(({ to }) => to === adminEmail).map(({ subject }) => subject);
    expect(subjects).toContain('Carla Harlow can now see Harlow Joinery Ltd’s taxes');
  });

  it('no longer sees a client as one of its people, and gets an email about it', async () => {
    const email = await getEmail(practice.memberId);
    const token = await inviteAndGetToken(email);
    const { cookie } = await accept(token, {}, practice.cookies.member);
    expect((await createBrowser(portal, cookie).get('/client/portal', { company_id: ids.client_id })).status).toBe(200);
    await deactivate();
    const people = eq(clientPeople.userId, practice.memberId);
    expect(await portal.deps.database.db.$count(clientPeople, people)).toBe(0);
    await portal.runJobs();
    const subjects = portal.sentEmails.filter(({ to }) => to === email).map(({ subject }) => subject);
    expect(subjects).toContain('You can no longer see Harlow Joinery Ltd’s taxes');
  });

  it('can’t accept an invitation to their own address that is still open', async () => {
    const token = await inviteAndGetToken(await getEmail(practice.memberId), practice.admin);
    await deactivate();
    expect(await isUsable(token)).toBe(false);
  });

  it('leaves no invitation to another address when they close their account', async () => {
    const token = await inviteAndGetToken(createAddress('private'));
    const response = await practice.member.post('/v2/account/close', { confirm_with: await getEmail(practice.memberId) });
    expect(response.status).toBe(200);
    expect(await isUsable(token)).toBe(false);
  });

  it('sends no invitation that they began while they were being deactivated', async () => {
    const email = createAddress('private');
    const { db } = portal.deps.database;
    const [deleted, committing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const leaving = db.transaction(async (tx) => {
      await tx.delete(memberships).where(and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId)));
      deleted.resolve();
      await committing.promise;
    });
    await deleted.promise;
    const response = invite(email);
    // Long enough for the request to be authorised, because it still sees the membership.
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    });
    committing.resolve();
    await leaving;
    expect((await response).status).toBe(404);
    expect(await findInvitationId(email)).toBe('');
  });
});
