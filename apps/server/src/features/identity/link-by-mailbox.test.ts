/** Tests that someone who reads a mailbox can't add a sign-in method to an account with a second factor (docs/decisions/0124). */
import { authenticators, identities, passkeys, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { openAccount, openTestBrowser } from '../../testing/test-browser.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

/** Adds a factor to the account. Only its existence matters here. */
async function addFactor(kind: 'passkey' | 'authenticator' | 'unconfirmed authenticator', email: string): Promise<string> {
  const { db } = portal.deps.database;
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  const [userId, at] = [user?.id ?? '', portal.deps.clock.now()];
  if (kind === 'passkey') {
    await db.insert(passkeys).values({ id: userId, userId, name: 'Phone', publicKey: 'x', counter: 0, transports: [], createdAt: at });
    return userId;
  }
  const secret = portal.deps.tokenCipher.seal('JBSWY3DPEHPK3PXP', `authenticator:${userId}`);
  await db.insert(authenticators).values({ userId, secret, createdAt: at, confirmedAt: kind === 'authenticator' ? at : null });
  return userId;
}

async function pressLinkOfProvider(kind: Parameters<typeof addFactor>[0]) {
  const email = `${kind.replace(' ', '-')}@mailbox.example`;
  await openAccount(openTestBrowser(portal), email);
  const userId = await addFactor(kind, email);
  portal.identity.signIn.google.seedPerson({ email, fullName: 'Pat', emailVerified: false });
  const browser = openTestBrowser(portal);
  expect(await browser.signInWith('/google_signup', email)).toContain('needs_link');
  const response = await browser.post('/v2/auth/use-link', { token: await browser.findEmailedToken(email) });
  const linked = await portal.deps.database.db.select().from(identities).where(eq(identities.userId, userId));
  return { response, linked, browser };
}

it.each(['passkey', 'authenticator'] as const)('does not link a provider by an emailed link to an account with a %s', async (kind) => {
  const { response, linked, browser } = await pressLinkOfProvider(kind);
  expect(linked).toEqual([]);
  expect(response.body['code']).toBe('identity.link_in_profile');
  expect((await browser.get('/v2/check-login')).body['email']).toBeUndefined();
});

it('still links it to an account without one', async () => {
  const { linked } = await pressLinkOfProvider('unconfirmed authenticator');
  expect(linked).toHaveLength(1);
});
