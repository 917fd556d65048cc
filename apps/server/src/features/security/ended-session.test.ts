/** Tests what an attacker does at the moment in which the owner's password reset, or our staff, ends all sessions. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { apiKeys, authenticators, calendarFeeds, challenges, identities, sessions, users } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull } from '@portal/db/sql.ts';
import { generate } from 'otplib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashPassword } from '../identity/passwords.ts';
import { addPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { openAccount, openTestBrowser } from '../../testing/test-browser.ts';

const PASSWORD = 'a long enough one';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

it('adds no authenticator app for a session that a password reset has just ended', async () => {
  const [email, thief] = ['taken@sessions.example', openTestBrowser(portal)];
  await openAccount(thief, email);
  const { db } = portal.deps.database;
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  const userId = user?.id ?? '';
  const secret = String((await thief.post('/v2/security/authenticator/begin')).body['secret']);
  const code = await generate({ secret, epoch: Math.floor(Date.now() / 1000) });
  const runOutside = AsyncLocalStorage.snapshot();
  let confirmed: Promise<{ status: number }> | undefined;
  // A reset holds this lock while the attacker's request, which has already been authorised, waits for it.
  await db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
    confirmed = runOutside(() => thief.post('/v2/security/authenticator/confirm', { code }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await tx.delete(sessions).where(eq(sessions.userId, userId));
  });
  expect((await confirmed)?.status).toBe(401);
  expect(await db.$count(authenticators, and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt)))).toBe(0);
});

/** Locks the user, as a reset and our staff's “Log out” do, while the request, which has already been authorised, waits for it. */
async function endDuring(userId: string, request: () => Promise<{ status: number }>): Promise<number | undefined> {
  const runOutside = AsyncLocalStorage.snapshot();
  let response: Promise<{ status: number }> | undefined;
  await portal.deps.database.db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
    response = runOutside(request);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await tx.delete(sessions).where(eq(sessions.userId, userId));
    await tx.delete(challenges).where(eq(challenges.userId, userId));
  });
  return (await response)?.status;
}

async function openThiefAccount(email: string) {
  const thief = openTestBrowser(portal);
  await openAccount(thief, email, PASSWORD);
  const [user] = await portal.deps.database.db.select({ id: users.id }).from(users).where(eq(users.email, email));
  return { thief, userId: user?.id ?? '' };
}

it('sets no first password for a session that our staff have just ended', async () => {
  const { thief, userId } = await openThiefAccount('no-password@sessions.example');
  const { db } = portal.deps.database;
  await db.update(users).set({ passwordHash: null }).where(eq(users.id, userId));
  expect(await endDuring(userId, () => thief.post('/v2/security/password', { new_password: 'the thief was here first' }))).toBe(401);
  expect(await db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, userId))).toEqual([{ hash: null }]);
});

it('starts no session with a code whose first step was taken before the reset', async () => {
  const { thief, userId } = await openThiefAccount('two-steps@sessions.example');
  const secret = String((await thief.post('/v2/security/authenticator/begin')).body['secret']);
  const makeCode = (steps: number) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });
  expect((await thief.post('/v2/security/authenticator/confirm', { code: await makeCode(0) })).status).toBe(200);
  const other = openTestBrowser(portal);
  const { body } = await other.post('/v2/login', { email: 'two-steps@sessions.example', password: PASSWORD });
  const answer = { challenge: body['challenge'], code: await makeCode(1) };
  expect(await endDuring(userId, () => other.post('/v2/auth/second-factor', answer))).toBe(400);
  expect(await portal.deps.database.db.$count(sessions, eq(sessions.userId, userId))).toBe(0);
});

it('starts no session with an account at a provider that our staff have just removed', async () => {
  const email = 'provider@sessions.example';
  portal.identity.signIn.google.seedPerson({ email, fullName: 'Pat Provided', emailVerified: true });
  await openTestBrowser(portal).signInWith('/v2/auth/provider/google', email);
  const { db } = portal.deps.database;
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  const userId = user?.id ?? '';
  const [thief, runOutside] = [openTestBrowser(portal), AsyncLocalStorage.snapshot()];
  let arrived: Promise<string> | undefined;
  await db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
    arrived = runOutside(() => thief.signInWith('/v2/auth/provider/google', email));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await tx.delete(sessions).where(eq(sessions.userId, userId));
    await tx.delete(identities).where(eq(identities.userId, userId));
  });
  await arrived;
  expect(userId).not.toBe('');
  expect(await db.$count(sessions, eq(sessions.userId, userId))).toBe(0);
});

it('makes no API key or calendar link for a session that a password reset has just ended', async () => {
  const { db } = portal.deps.database;
  const { companyId, adminId, admin } = await addPractice(portal);
  const key = { company_id: companyId, name: 'Thief’s', scopes: ['clients.read'], days: 30 };
  expect(await endDuring(adminId, () => admin.post('/open-tax/api-keys', key))).toBe(401);
  const other = await addPractice(portal);
  expect(await endDuring(other.adminId, () => other.admin.post('/open-tax/calendar/feed', { company_id: other.companyId }))).toBe(401);
  expect(await db.$count(apiKeys, eq(apiKeys.userId, adminId))).toBe(0);
  expect(await db.$count(calendarFeeds, eq(calendarFeeds.userId, other.adminId))).toBe(0);
});

it('starts no session with a password that is replaced while it is checked', async () => {
  const [email, owner, thief] = ['replaced@sessions.example', openTestBrowser(portal), openTestBrowser(portal)];
  await openAccount(owner, email, PASSWORD);
  const { db } = portal.deps.database;
  const newHash = await hashPassword('the owner is back now');
  const runOutside = AsyncLocalStorage.snapshot();
  let attempt: Promise<{ status: number }> | undefined;
  await db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.email, email)).for('update');
    attempt = runOutside(() => thief.post('/v2/login', { email, password: PASSWORD }));
    await new Promise((resolve) => setTimeout(resolve, 500));
    await tx.update(users).set({ passwordHash: newHash }).where(eq(users.email, email));
  });
  expect((await attempt)?.status).toBe(401);
  expect((await thief.get('/v2/check-login')).body).toEqual({});
});
