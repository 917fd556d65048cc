/** Tests what an attacker does at the moment in which the owner's password reset ends all sessions. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { authenticators, sessions, users } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull } from '@portal/db/sql.ts';
import { generate } from 'otplib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashPassword } from '../identity/passwords.ts';
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
