/** Tests viewing the portal as a user: the operator can only read, the view expires, and it is audited. */
import { auditEntries, clientPeople, memberships, sessions, users } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import fc from 'fast-check';
import { addPortfolio, portfolio } from '../../testing/add-portfolio.ts';
import { addPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createConnectedTrader, createOperator, signUp, type Browser, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
let support: Browser;
let trader: Trader;
let traderId: string;
const findUserId = async (email: string): Promise<string> => {
  const [user] = await portal.deps.database.db.select({ id: users.id }).from(users).where(eq(users.email, email));
  return user?.id ?? '';
};
beforeAll(async () => {
  portal = await openTestPortal();
  support = await createOperator(portal, 'support@operators.example', ['support']);
  trader = await createConnectedTrader(portal, 'seen@trader.example');
  traderId = await findUserId('seen@trader.example');
});
afterAll(() => portal.close());

const startViewing = (browser: Browser = support) => browser.post('/operator/viewing/start', { user_id: traderId, reason: 'Ticket 4711' });
const stop = () => support.post('/v2/viewing/end', {});
const countCalls = () => portal.hmrc.listCalls(1_000).length;

it('viewing as a user shows what the user sees and when it ends, and closes the operators’ pages', async () => {
  expect((await startViewing()).body['home_path']).toContain(trader.companyId);
  expect((await support.get('/instant-vat/dashboard', { company_id: trader.companyId })).status).toBe(200);
  expect((await support.get('/v2/check-login')).body).toMatchObject({
    email: 'seen@trader.example',
    is_operator: false,
    viewing: { until: expect.any(String) },
  });
  expect((await support.get('/operator/desk')).status).toBe(404);
  await stop();
  expect((await support.get('/operator/desk')).status).toBe(200);
  expect((await support.get('/v2/check-login')).body).toMatchObject({ email: 'support@operators.example', is_operator: true });
});

it('viewing changes nothing and reaches no provider', async () => {
  await startViewing();
  const before = countCalls();
  const company = { company_id: trader.companyId };
  const writes: [string, object][] = [
    ['/instant-vat/hmrc/refresh', company],
    ['/instant-vat/steps/bank-account', { ...company, account_holder: 'Thief', sort_code: '20-00-00', account_number: '55779911' }],
    ['/v2/security/password', { new_password: 'a long enough one, changed' }],
    ['/v2/security/sessions/end', {}],
    ['/v2/login', { email: 'seen@trader.example', password: 'a long enough one' }],
    ['/instant-vat/identity-check/begin', {}],
    ['/v2/auth/confirm-factor', { code: '123456' }],
  ];
  for (const [path, body] of writes) {
    const response = await support.post(path, body);
    expect([path, response.status, response.body['code']]).toEqual([path, 403, 'view.read_only']);
  }
  for (const path of ['/company-search', '/send-auth-magic-link', '/v2/auth/provider/google', '/client-invitation']) {
    expect([path, (await support.get(path, { query: 'Tide', email: 'seen@trader.example', link: '1', token: '1' })).body['code']]).toEqual([
      path,
      'view.read_only',
    ]);
  }
  const uploadResponse = await support.upload('/instant-vat/books/file', { ...company, file_name: 'books.csv' }, 'date\n');
  expect(uploadResponse.body['code']).toBe('view.read_only');
  expect((await support.get('/instant-vat/identity-check')).status).toBe(200);
  expect(countCalls()).toBe(before);
  await stop();
});

it('viewing ends automatically after 30 minutes, and at once for someone who is no longer an operator', async () => {
  const supportId = await findUserId('support@operators.example');
  await startViewing();
  const before = addMilliseconds(portal.deps.wallClock.now(), -1);
  await portal.deps.database.db.update(sessions).set({ viewUntil: before }).where(eq(sessions.userId, supportId));
  expect((await support.get('/v2/check-login')).body).toMatchObject({ email: 'support@operators.example' });
  const otherBrowser = await createOperator(portal, 'leaver@operators.example', ['support']);
  const admin = await createOperator(portal, 'admin@operators.example', ['administrator']);
  await startViewing(otherBrowser);
  await admin.post('/operator/people/disable', { user_id: await findUserId('leaver@operators.example') });
  expect((await otherBrowser.get('/instant-vat/dashboard', { company_id: trader.companyId })).status).toBe(401);
});

it('viewing is for operators only, of users only, with a reason in the audit trail of the user’s company', async () => {
  const { browser: outsiderBrowser } = await signUp(portal, 'stranger@trader.example');
  expect((await startViewing(outsiderBrowser)).status).toBe(404);
  const colleague = { user_id: await findUserId('support@operators.example'), reason: 'Curious' };
  expect((await support.post('/operator/viewing/start', colleague)).body['code']).toBe('view.operator');
  expect((await support.post('/operator/viewing/start', { user_id: traderId, reason: '' })).status).toBe(400);
  await startViewing();
  await stop();
  const entries = await portal.deps.database.db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.companyId, trader.companyId), eq(auditEntries.subject, traderId)));
  const ownEntries = entries.filter(({ action }) => action.startsWith('view.')).slice(-2);
  expect(ownEntries).toMatchObject([
    {
      action: 'view.started',
      actor: await findUserId('support@operators.example'),
      after: { reason: 'Ticket 4711', until: expect.any(String) },
    },
    { action: 'view.ended' },
  ]);
});

it('logging out ends the view, and the trail of the user’s company says so', async () => {
  const leaver = await createOperator(portal, 'logs-out@operators.example', ['support']);
  await startViewing(leaver);
  expect((await leaver.post('/v2/logout', {})).status).toBe(200);
  const isEnd = and(eq(auditEntries.companyId, trader.companyId), eq(auditEntries.action, 'view.ended'));
  const ends = await portal.deps.database.db.select().from(auditEntries).where(isEnd);
  expect(ends.map(({ actor }) => actor)).toContain(await findUserId('logs-out@operators.example'));
});

it('viewing as a client’s own user is recorded in the trail of the practice', async () => {
  const practice = await addPractice(portal);
  const [rows = []] = fc.sample(portfolio, { seed: 3, numRuns: 1 });
  const [clientId = ''] = await addPortfolio(portal, practice, rows);
  await signUp(portal, 'own@client.example');
  const userId = await findUserId('own@client.example');
  const { database, clock } = portal.deps;
  await database.db.insert(clientPeople).values({ companyId: practice.companyId, clientId, userId, joinedAt: clock.now() });
  expect((await support.post('/operator/viewing/start', { user_id: userId, reason: 'Ticket 4714' })).status).toBe(200);
  await stop();
  const isOfClient = and(eq(auditEntries.companyId, practice.companyId), eq(auditEntries.subject, userId));
  const entries = await database.db.select({ action: auditEntries.action }).from(auditEntries).where(isOfClient);
  expect(entries.map(({ action }) => action)).toEqual(['view.started', 'view.ended']);
});

it('an export while viewing is recorded under the operator’s own name', async () => {
  const practice = await addPractice(portal);
  const [admin] = await portal.deps.database.db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(eq(memberships.companyId, practice.companyId));
  await support.post('/operator/viewing/start', { user_id: admin?.userId, reason: 'Ticket 4712' });
  expect((await support.get('/open-tax/export-table', { company_id: practice.companyId, format: 'csv' })).status).toBe(200);
  await stop();
  const [entry] = await portal.deps.database.db.select().from(auditEntries).where(eq(auditEntries.action, 'clients.exported'));
  expect(entry?.actor).toBe(await findUserId('support@operators.example'));
});

it('viewing needs a factor that was confirmed in the last ten minutes', async () => {
  const expiredOperator = await createOperator(portal, 'tired@operators.example', ['support']);
  await portal.deps.database.db
    .update(sessions)
    .set({ factorAt: addMilliseconds(portal.deps.wallClock.now(), -11 * 60_000) })
    .where(eq(sessions.userId, await findUserId('tired@operators.example')));
  expect((await startViewing(expiredOperator)).body['code']).toBe('identity.factor_needed');
  const reply = { message_id: crypto.randomUUID(), entry_id: crypto.randomUUID(), text: 'Please pay here' };
  expect((await expiredOperator.post('/operator/message/reply', reply)).body['code']).toBe('identity.factor_needed');
});
