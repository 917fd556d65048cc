/** Tests the users of a trader's company: invited, accepted, changed, removed (docs/decisions/0066-people-of-a-company.md). */
import { memberships, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { browser, createConnectedTrader, uploadBooks, type Browser, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
let trader: Trader;

beforeAll(async () => {
  portal = await openTestPortal();
  trader = await createConnectedTrader(portal, 'owner@people.example', null);
});
afterAll(() => portal.close());

const PASSWORD = 'three unrelated words 4711';
const company = () => ({ company_id: trader.companyId });

async function getToken(email: string): Promise<string> {
  await portal.runJobs();
  const sentEmail = portal.sentEmails.findLast(({ to, subject }) => to === email && subject.startsWith('Join '));
  return /join\?token=([\w-]+)/.exec(sentEmail?.text ?? '')?.[1] ?? '';
}

/** Invites a user, who creates an account with the link. */
async function join(email: string, access: object): Promise<{ person: Browser; userId: string }> {
  const invitedResponse = await trader.browser.post('/instant-vat/people/invite', { ...company(), email, ...access });
  expect(invitedResponse.status).toBe(200);
  const token = await getToken(email);
  const acceptedResponse = await browser(portal).post('/team-invitation/accept', {
    token,
    full_name: `Person ${email}`,
    password: PASSWORD,
  });
  expect(acceptedResponse.body).toEqual({ type: 'trader', home_path: `/v2/instant-vat/dashboard?company_id=${trader.companyId}` });
  const [user] = await portal.deps.database.db.select().from(users).where(eq(users.email, email));
  return { person: browser(portal, acceptedResponse.cookie), userId: user?.id ?? '' };
}

const code = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body['code']];

describe('a bookkeeper', () => {
  it('joins by an emailed link, prepares returns, and files or accepts offers only if an owner allows it', async () => {
    const { person, userId } = await join('book@people.example', { role: 'bookkeeper' });
    expect((await uploadBooks({ ...trader, browser: person }, 4_000)).status).toBe(201);
    const returnInput = { ...company(), obligation_id: trader.obligation.id };
    expect((await person.get('/instant-vat/vat-return', returnInput)).status).toBe(200);
    const key = { 'idempotency-key': 'a-bookkeeper-files-0001' };
    const file = () =>
      person.post('/instant-vat/vat-return/file', { ...returnInput, figures_version: 'x', declaration_accepted: true }, key);
    expect(code(await file())).toEqual([403, 'company_people.right_missing']);
    expect(code(await person.post('/instant-vat/steps/bank-account/code', company()))).toEqual([403, 'company_people.right_missing']);
    const tasks = async () =>
      ((await person.get('/instant-vat/dashboard', company())).body['tasks'] as { kind: string }[]).map(({ kind }) => kind);
    expect(await tasks()).not.toContain('file_return');
    const change = { ...company(), user_id: userId, role: 'bookkeeper', permissions: ['file_returns'] };
    expect((await trader.browser.post('/instant-vat/people/change', change)).status).toBe(200);
    expect(await tasks()).toContain('file_return');
    expect(code(await file())).not.toEqual([403, 'company_people.right_missing']);
    await portal.runJobs();
    const notified = portal.sentEmails
      .filter(({ subject, text }) => subject.startsWith('Access to') && text.includes('book@people.example'))
      .map(({ to }) => to);
    expect(notified.toSorted()).toEqual(['book@people.example', 'owner@people.example']);
  });

  it('can’t invite anyone or see invitations', async () => {
    const { person } = await join('quiet@people.example', { role: 'bookkeeper', permissions: ['file_returns', 'accept_advances'] });
    const email = 'friend@people.example';
    expect(code(await person.post('/instant-vat/people/invite', { ...company(), email, role: 'owner' }))).toEqual([
      403,
      'company_people.right_missing',
    ]);
    await trader.browser.post('/instant-vat/people/invite', { ...company(), email, role: 'viewer' });
    expect((await person.get('/instant-vat/people', company())).body['invitations']).toEqual([]);
    expect((await trader.browser.get('/instant-vat/people', company())).body['invitations']).toMatchObject([{ email, role: 'viewer' }]);
  });
});

describe('a viewer', () => {
  it('sees the company, has nothing to do, and loses access when they leave', async () => {
    const { person, userId } = await join('view@people.example', { role: 'viewer', permissions: ['file_returns'] });
    const dashboardResponse = await person.get('/instant-vat/dashboard', company());
    expect((dashboardResponse.body['tasks'] as { subject: string }[]).filter(({ subject }) => subject !== 'person')).toEqual([]);
    const people = (await trader.browser.get('/instant-vat/people', company())).body['people'] as object[];
    expect(people).toContainEqual(expect.objectContaining({ user_id: userId, role: 'viewer', permissions: [] }));
    expect(code(await person.post('/instant-vat/hmrc/refresh', company()))).toEqual([403, 'company_people.right_missing']);
    expect((await person.post('/instant-vat/people/leave', { ...company(), confirmed: true })).status).toBe(200);
    expect((await person.get('/instant-vat/dashboard', company())).status).toBe(404);
  });
});

describe('an invitation to a company', () => {
  it('is sent once for an address, and ends when it is revoked', async () => {
    const input = { ...company(), email: 'once@people.example', role: 'accountant' };
    const { body } = await trader.browser.post('/instant-vat/people/invite', input);
    const repeatedResponse = await trader.browser.post('/instant-vat/people/invite', input);
    expect([repeatedResponse.status, JSON.stringify(repeatedResponse.body['message'])]).toEqual([
      400,
      expect.stringContaining('already been invited'),
    ]);
    const token = await getToken(input.email);
    expect((await browser(portal).get('/team-invitation', { token })).body).toMatchObject({
      company: 'Tess Exports Ltd',
      role: 'accountant',
    });
    const id = { ...company(), invitation_id: body['invitation_id'] };
    expect((await trader.browser.post('/instant-vat/people/invitation/revoke', id)).status).toBe(200);
    expect((await browser(portal).get('/team-invitation', { token })).status).toBe(400);
  });
});

describe('the last owner', () => {
  it('can’t leave or be demoted, even if two owners demote each other at the same moment', async () => {
    const { db } = portal.deps.database;
    const [first] = await db
      .select()
      .from(memberships)
      .where(and(eq(memberships.companyId, trader.companyId), eq(memberships.role, 'trader_owner')));
    expect(code(await trader.browser.post('/instant-vat/people/leave', { ...company(), confirmed: true }))).toEqual([
      409,
      'company_people.last_owner',
    ]);
    const { person, userId } = await join('second@people.example', { role: 'owner' });
    const demote = (by: Browser, id: string) => by.post('/instant-vat/people/change', { ...company(), user_id: id, role: 'viewer' });
    const both = await Promise.all([demote(trader.browser, userId), demote(person, first?.userId ?? '')]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
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
