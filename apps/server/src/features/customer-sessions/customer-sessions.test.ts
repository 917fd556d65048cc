/** Tests logging a customer out: every session and unused link ends, they are emailed, and their company's audit trail says who did it and why. */
import { auditEntries, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createBrowser, createConnectedTrader, createOperator, signUp, type Browser, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
let support: Browser;
let trader: Trader;
beforeAll(async () => {
  portal = await openTestPortal();
  support = await createOperator(portal, 'support@operators.example', ['support']);
  trader = await createConnectedTrader(portal, 'taken@trader.example', null);
});
afterAll(() => portal.close());

const findUserId = async (email: string): Promise<string> => {
  const [user] = await portal.deps.database.db.select({ id: users.id }).from(users).where(eq(users.email, email));
  return user?.id ?? '';
};
const logOut = (browser: Browser, user_id: string, reason = 'Ticket 4715: they lost their laptop') =>
  browser.post('/operator/customers/end-sessions', { user_id, reason });
const readDashboard = async () => (await trader.browser.get('/instant-vat/dashboard', { company_id: trader.companyId })).status;

it('ends every session and unused link of the person, emails them, and says in the audit trail who did it and why', async () => {
  const [email, userId] = ['taken@trader.example', await findUserId('taken@trader.example')];
  const visitor = createBrowser(portal);
  await visitor.get('/send-auth-magic-link', { email });
  await portal.runJobs();
  const token = /token=([\w-]+)/.exec(portal.sentEmails.findLast(({ to }) => to === email)?.text ?? '')?.[1] ?? '';
  expect(await readDashboard()).toBe(200);
  expect((await logOut(support, userId)).status).toBe(200);
  expect(await readDashboard()).toBe(401);
  expect((await visitor.post('/v2/auth/use-link', { token })).status).toBe(400);
  await portal.runJobs();
  expect(portal.sentEmails.findLast(({ to }) => to === email)?.subject).toContain('You were logged out everywhere');
  const entries = await portal.deps.database.db
    .select({ actor: auditEntries.actor, after: auditEntries.after })
    .from(auditEntries)
    .where(and(eq(auditEntries.companyId, trader.companyId), eq(auditEntries.action, 'customer.logged_out')));
  expect(entries).toEqual([
    { actor: await findUserId('support@operators.example'), after: { reason: 'Ticket 4715: they lost their laptop' } },
  ]);
});

it('needs a reason and an operator, and doesn’t log another operator out', async () => {
  const [traderId, supportId] = [await findUserId('taken@trader.example'), await findUserId('support@operators.example')];
  const other = await createOperator(portal, 'other@operators.example', ['support']);
  expect((await logOut(support, traderId, '')).status).toBe(400);
  expect((await logOut(other, supportId)).body['code']).toBe('customer.is_operator');
  expect((await support.get('/operator/desk')).status).toBe(200);
  const { browser: customer } = await signUp(portal, 'customer@trader.example');
  expect((await logOut(customer, traderId)).status).toBe(404);
  expect((await logOut(support, crypto.randomUUID())).body['code']).toBe('customer.not_found');
});
