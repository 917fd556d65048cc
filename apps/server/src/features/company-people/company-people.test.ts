/** Tests the users of a trader's company: invited, accepted, changed, removed (docs/decisions/0066-people-of-a-company.md). */
import { memberships, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createBrowser, createConnectedTrader, uploadBooks, type Browser, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
let trader: Trader;

beforeAll(async () => {
  portal = await openTestPortal();
  trader = await createConnectedTrader(portal, 'owner@people.example', null);
});
afterAll(() => portal.close());

const PASSWORD = 'three unrelated words 4711';
const getCompanyKey = () => ({ company_id: trader.companyId });

async function getToken(email: string): Promise<string> {
  await portal.runJobs();
  const sentEmail = portal.sentEmails.findLast(({ to, subject }) => to === email && subject.startsWith('Join '));
  return /join\?token=([\w-]+)/.exec(sentEmail?.text ?? '')?.[1] ?? '';
}

/** Invites a user, who creates an account with the link. */
async function join(email: string, access: object): Promise<{ person: Browser; userId: string }> {
  const invitedResponse = await trader.browser.post('/instant-vat/people/invite', { ...getCompanyKey(), email, ...access });
  expect(invitedResponse.status).toBe(200);
  const token = await getToken(email);
  const acceptedResponse = await createBrowser(portal).post('/team-invitation/accept', {
    token,
    full_name: `Person ${email}`,
    password: PASSWORD,
  });
  expect(acceptedResponse.body).toEqual({ type: 'trader', home_path: `/v2/instant-vat/dashboard?company_id=${trader.companyId}` });
  const [user] = await portal.deps.database.db.select().from(users).where(eq(users.email, email));
  return { person: createBrowser(portal, acceptedResponse.cookie), userId: user?.id ?? '' };
}

const getStatusAndCode = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body['code']];

describe('a bookkeeper', () => {
  it('joins by an emailed link, prepares returns, and files or accepts offers only if an owner allows it', async () => {
    const { person, userId } = await join('book@people.example', { role: 'bookkeeper' });
    expect((await uploadBooks({ ...trader, browser: person }, 4_000)).status).toBe(201);
    const returnInput = { ...getCompanyKey(), obligation_id: trader.obligation.id };
    expect((await person.get('/instant-vat/vat-return', returnInput)).status).toBe(200);
    const key = { 'idempotency-key': 'a-bookkeeper-files-0001' };
    const fileReturn = () =>
      person.post('/instant-vat/vat-return/file', { ...returnInput, figures_version: 'x', declaration_accepted: true }, key);
    expect(getStatusAndCode(await fileReturn())).toEqual([403, 'company_people.right_missing']);
    expect(getStatusAndCode(await person.post('/instant-vat/steps/bank-account/code', getCompanyKey()))).toEqual([
      403,
      'company_people.right_missing',
    ]);
    const listTasks = async () =>
      ((await person.get('/instant-vat/dashboard', getCompanyKey())).body['tasks'] as { kind: string }[]).map(({ kind }) => kind);
    expect(await listTasks()).not.toContain('file_return');
    const change = { ...getCompanyKey(), user_id: userId, role: 'bookkeeper', permissions: ['file_returns'] };
    expect((await trader.browser.post('/instant-vat/people/change', change)).status).toBe(200);
    expect(await listTasks()).toContain('file_return');
    expect(getStatusAndCode(await fileReturn())).not.toEqual([403, 'company_people.right_missing']);
    await portal.runJobs();
    const notifiedEmails = portal.sentEmails
      .filter(({ subject, text }) => subject.startsWith('Access to') && text.includes('book@people.example'))
      .map(({ to }) => to);
    expect(notifiedEmails.toSorted()).toEqual(['book@people.example', 'owner@people.example']);
  });

  it('can’t invite anyone or see invitations', async () => {
    const { person } = await join('quiet@people.example', { role: 'bookkeeper', permissions: ['file_returns', 'accept_advances'] });
    const email = 'friend@people.example';
    expect(getStatusAndCode(await person.post('/instant-vat/people/invite', { ...getCompanyKey(), email, role: 'owner' }))).toEqual([
      403,
      'company_people.right_missing',
    ]);
    await trader.browser.post('/instant-vat/people/invite', { ...getCompanyKey(), email, role: 'viewer' });
    expect((await person.get('/instant-vat/people', getCompanyKey())).body['invitations']).toEqual([]);
    expect((await trader.browser.get('/instant-vat/people', getCompanyKey())).body['invitations']).toMatchObject([
      { email, role: 'viewer' },
    ]);
  });
});

describe('a viewer', () => {
  it('sees the company, can’t change anything, and loses access when they leave', async () => {
    const { person, userId } = await join('view@people.example', { role: 'viewer', permissions: ['file_returns'] });
    const dashboardResponse = await person.get('/instant-vat/dashboard', getCompanyKey());
    expect((dashboardResponse.body['tasks'] as { subject: string }[]).filter(({ subject }) => subject !== 'person')).toEqual([]);
    const listedMembers = (await trader.browser.get('/instant-vat/people', getCompanyKey())).body['people'] as object[];
    expect(listedMembers).toContainEqual(expect.objectContaining({ user_id: userId, role: 'viewer', permissions: [] }));
    expect(getStatusAndCode(await person.post('/instant-vat/hmrc/refresh', getCompanyKey()))).toEqual([
      403,
      'company_people.right_missing',
    ]);
    expect((await person.post('/instant-vat/people/leave', { ...getCompanyKey(), confirmed: true })).status).toBe(200);
    expect((await person.get('/instant-vat/dashboard', getCompanyKey())).status).toBe(404);
  });
});

describe('an invitation to a company', () => {
  it('is sent once for an address, and ends when it is revoked', async () => {
    const input = { ...getCompanyKey(), email: 'once@people.example', role: 'accountant' };
    const { body } = await trader.browser.post('/instant-vat/people/invite', input);
    const repeatedResponse = await trader.browser.post('/instant-vat/people/invite', input);
    expect([repeatedResponse.status, JSON.stringify(repeatedResponse.body['message'])]).toEqual([
      400,
      expect.stringContaining('already been invited'),
    ]);
    const token = await getToken(input.email);
    expect((await createBrowser(portal).get('/team-invitation', { token })).body).toMatchObject({
      company: 'Tess Exports Ltd',
      role: 'accountant',
    });
    const id = { ...getCompanyKey(), invitation_id: body['invitation_id'] };
    expect((await trader.browser.post('/instant-vat/people/invitation/revoke', id)).status).toBe(200);
    expect((await createBrowser(portal).get('/team-invitation', { token })).status).toBe(400);
  });
});

describe('a person who is removed', () => {
  it('can’t come back by an invitation to the address that they have now', async () => {
    const { userId } = await join('removed@people.example', { role: 'accountant' });
    const email = 'removed-second@people.example';
    await trader.browser.post('/instant-vat/people/invite', { ...getCompanyKey(), email, role: 'accountant' });
    const token = await getToken(email);
    await portal.deps.database.db.update(users).set({ email }).where(eq(users.id, userId));
    expect((await trader.browser.post('/instant-vat/people/remove', { ...getCompanyKey(), user_id: userId })).status).toBe(200);
    expect((await createBrowser(portal).get('/team-invitation', { token })).status).toBe(400);
  });
});

describe('the last owner', () => {
  it('can’t leave or be demoted, even if two owners demote each other at the same moment', async () => {
    const { db } = portal.deps.database;
    const [first] = await db
      .select()
      .from(memberships)
      .where(and(eq(memberships.companyId, trader.companyId), eq(memberships.role, 'trader_owner')));
    expect(getStatusAndCode(await trader.browser.post('/instant-vat/people/leave', { ...getCompanyKey(), confirmed: true }))).toEqual([
      409,
      'company_people.last_owner',
    ]);
    const { person, userId } = await join('second@people.example', { role: 'owner' });
    const demote = (actingBrowser: Browser, id: string) =>
      actingBrowser.post('/instant-vat/people/change', { ...getCompanyKey(), user_id: id, role: 'viewer' });
    const demoteResponses = await Promise.all([demote(trader.browser, userId), demote(person, first?.userId ?? '')]);
    expect(demoteResponses.filter(({ status }) => status === 200)).toHaveLength(1);
    const owners = await db
      .select()
      .from(memberships)
      .where(and(eq(memberships.companyId, trader.companyId), eq(memberships.role, 'trader_owner')));
    expect(owners).toHaveLength(1);
    // This file's tests run in random order, so restore the first owner's role.
    await db
      .update(memberships)
      .set({ role: 'trader_owner' })
      .where(eq(memberships.userId, first?.userId ?? ''));
    await db.delete(memberships).where(eq(memberships.userId, userId));
  });
});
