/**
 * Tests logging a customer out: their password, sessions, unused links and keys end, they are emailed, and their company's audit trail says
 * who did it and why.
 */
import { auditEntries, emailChanges, identities, passkeys, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { generate } from 'otplib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addTestKey } from '../../testing/add-test-key.ts';
import { hashPassword } from '../identity/passwords.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { openTestBrowser, type TestBrowser } from '../../testing/test-browser.ts';
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

const PASSWORD = 'a long enough one';

/** An account whose password an attacker knows, with an API key and a change of the email address that they started. */
async function createHijackedTrader(email: string) {
  const hijacked = await createConnectedTrader(portal, email, null);
  const userId = await findUserId(email);
  await portal.deps.database.db
    .update(users)
    .set({ passwordHash: await hashPassword(PASSWORD) })
    .where(eq(users.id, userId));
  const key = await addTestKey(portal, { companyId: hijacked.companyId, userId, scopes: ['figures.read'] });
  expect((await hijacked.browser.post('/v2/security/email', { email: `thief-${email}` })).status).toBe(200);
  const readWithKey = async (): Promise<number> => {
    const url = `/portal/instant-vat/dashboard?company_id=${hijacked.companyId}`;
    return (await portal.app.inject({ url, headers: { authorization: `Bearer ${key}` } })).statusCode;
  };
  const thief = openTestBrowser(portal);
  expect((await thief.post('/v2/login', { email, password: PASSWORD })).status).toBe(200);
  return { email, userId, thief, readWithKey };
}

const readNewestEmail = async (email: string): Promise<string> => {
  await portal.runJobs();
  return portal.sentEmails.findLast(({ to }) => to === email)?.text.replaceAll(/\s+/g, ' ') ?? '';
};

async function logInWithLink(email: string): Promise<TestBrowser> {
  const owner = openTestBrowser(portal);
  await owner.get('/send-auth-magic-link', { email });
  const token = /token=([\w-]+)/.exec(await readNewestEmail(email))?.[1] ?? '';
  expect((await owner.post('/v2/auth/use-link', { token })).status).toBe(200);
  return owner;
}

it('lets no one in again with a stolen password, an API key or a changed email address', async () => {
  const { email, userId, readWithKey } = await createHijackedTrader('hijacked@trader.example');
  expect(await readWithKey()).toBe(200);
  expect((await logOut(support, userId, 'Ticket 4716: taken over')).status).toBe(200);
  expect((await createBrowser(portal).post('/v2/login', { email, password: PASSWORD })).status).toBe(401);
  expect(await readWithKey()).toBe(401);
  expect(await portal.deps.database.db.$count(emailChanges, eq(emailChanges.userId, userId))).toBe(0);
  expect(await readNewestEmail(email)).toContain('Your password, unused links to log in and API keys have stopped working.');
  await logInWithLink(email);
});

it('removes what an attacker added to log in with, if an administrator asks for it, so that the owner is in charge again', async () => {
  const { email, userId, thief } = await createHijackedTrader('added-to@trader.example');
  const secret = String((await thief.post('/v2/security/authenticator/begin')).body['secret']);
  const code = await generate({ secret, epoch: Math.floor(Date.now() / 1000) });
  expect((await thief.post('/v2/security/authenticator/confirm', { code })).status).toBe(200);
  const { db } = portal.deps.database;
  const at = portal.deps.clock.now();
  const passkey = { id: 'thief', userId, name: 'Thief’s phone', publicKey: 'x', counter: 0, transports: [], createdAt: at };
  await db.insert(passkeys).values(passkey);
  const identity = { issuer: 'google', subject: 'thief', userId, provider: 'google', email: 'thief@google.example', linkedAt: at } as const;
  await db.insert(identities).values(identity);
  const input = { user_id: userId, reason: 'Ticket 4717: called back', removes_methods: true };
  const refused = await support.post('/operator/customers/end-sessions', input);
  expect([refused.status, refused.body['code']]).toEqual([403, 'operator.role_missing']);
  const administrator = await createOperator(portal, 'administrator@operators.example', ['administrator']);
  expect((await administrator.post('/operator/customers/end-sessions', input)).status).toBe(200);
  const removed = 'removed the passkey “Thief’s phone”, the authenticator app and Google (thief@google.example)';
  expect(await readNewestEmail(email)).toContain(removed);
  const owner = await logInWithLink(email);
  expect((await owner.get('/v2/security')).body).toMatchObject({ authenticator: null, passkeys: [] });
  // No factor of the attacker's is asked for.
  expect((await owner.post('/v2/security/check-confirmed')).status).toBe(200);
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
