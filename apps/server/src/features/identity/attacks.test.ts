/**
 * Tests further attacks by someone who knows the source code (docs/security.md lists them). Each of them once succeeded, or would succeed
 * without a single line of code.
 */
import { auditEntries, identities, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { openAccount, openTestBrowser, type TestBrowser } from '../../testing/test-browser.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const PASSWORD = 'a long enough one';
let count = 0;
const createEmail = (): string => `target-${(count += 1)}@attacks.example`;
const getSignedInEmail = async (browser: TestBrowser) => (await browser.get('/v2/check-login')).body['email'];
/**
 * The current code sets up the app, and the next code is used afterwards. Each is accepted for 30 seconds before and after its own period,
 * so no test is too slow.
 */
const getAppCode = (secret: string, steps: 0 | 1): Promise<string> =>
  generate({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });

async function openTestAccount(ip?: string): Promise<{ email: string; person: TestBrowser }> {
  const [email, browser] = [createEmail(), openTestBrowser(portal, ip === undefined ? {} : { ip })];
  await openAccount(browser, email, PASSWORD);
  await portal.runJobs();
  return { email, person: browser };
}

async function addAuthenticator() {
  const { email, person } = await openTestAccount();
  const secret = String((await person.post('/v2/security/authenticator/begin')).body['secret']);
  const { body } = await person.post('/v2/security/authenticator/confirm', { code: await getAppCode(secret, 0) });
  return { email, person, secret, recovery: body['recovery_codes'] as string[] };
}

const listEmailsTo = async (email: string): Promise<string[]> => {
  await portal.runJobs();
  return portal.sentEmails.filter(({ to }) => to === email).map(({ subject, text }) => `${subject}\n${text}`);
};

/** Starts linking Google in this browser, authorises as the given user and stops before the callback. */
async function startLinking(browser: TestBrowser, googleEmail: string): Promise<string> {
  portal.identity.signIn.google.seedPerson({ email: googleEmail, fullName: 'Pat', emailVerified: true });
  const startResponse = await browser.get('/v2/auth/provider/google', { link: '1' });
  const response = await fetch(`${startResponse.location}&sandbox_user=${googleEmail}`, { redirect: 'manual' });
  const callbackPath = new URL(response.headers.get('location') ?? '');
  return callbackPath.pathname + callbackPath.search;
}

describe('linking a sign-in provider', () => {
  const listLinkedIdentities = (email: string) => portal.deps.database.db.select().from(identities).where(eq(identities.email, email));

  it('fails on a shared computer after its starter has logged out', async () => {
    const [{ person }, google] = [await openTestAccount(), createEmail()];
    const callbackPath = await startLinking(person, google);
    await person.post('/v2/logout');
    expect((await person.get(callbackPath)).location).toContain('outcome=failed');
    expect(await listLinkedIdentities(google)).toEqual([]);
  });

  it('ends with its session, so that an attacker’s link does not survive the owner’s password reset', async () => {
    const [{ email, person: thief }, google] = [await openTestAccount(), createEmail()];
    const callbackPath = await startLinking(thief, google);
    const owner = openTestBrowser(portal);
    await owner.post('/password-reset-request', { email });
    await owner.post('/password-reset', { token: await owner.findEmailedToken(email), password: 'the owner is back' });
    expect((await thief.get(callbackPath)).location).toContain('outcome=failed');
    expect(await listLinkedIdentities(google)).toEqual([]);
  });

  it('is named in the email about a new password, so that the owner notices one that an attacker added before', async () => {
    const [{ email, person: thief }, google] = [await openTestAccount(), createEmail()];
    await thief.get(await startLinking(thief, google));
    const owner = openTestBrowser(portal);
    await owner.post('/password-reset-request', { email });
    await owner.post('/password-reset', { token: await owner.findEmailedToken(email), password: 'the owner is back' });
    expect((await listEmailsTo(email)).at(-1)).toMatch(/still log you in without the password[\s\S]*Google \(.*@.*\), added on/);
  });

  it('is emailed to the owner when linked and unlinked, and replaces the session cookie', async () => {
    const [{ email, person }, google] = [await openTestAccount(), createEmail()];
    const oldCookie = person.cookies.get('portal_session');
    expect((await person.get(await startLinking(person, google))).location).toContain('outcome=linked');
    const linkedCookie = person.cookies.get('portal_session');
    expect(linkedCookie).not.toBe(oldCookie);
    await person.post('/v2/security/unlink', { provider: 'google' });
    expect(person.cookies.get('portal_session')).not.toBe(linkedCookie);
    const emailsAboutGoogle = (await listEmailsTo(email)).filter((text) => text.includes('Google'));
    expect(emailsAboutGoogle).toEqual([expect.stringContaining('can now sign in'), expect.stringContaining('can no longer sign in')]);
  });
});

describe('a sign-in that waits for its second factor', () => {
  it('ends when the password changes', async () => {
    const { email, person: owner, secret } = await addAuthenticator();
    const thief = openTestBrowser(portal);
    const { body } = await thief.post('/v2/login', { email, password: PASSWORD });
    await owner.post('/v2/security/password', { current_password: PASSWORD, new_password: 'the owner noticed' });
    const response = await thief.post('/v2/auth/second-factor', { challenge: body['challenge'], code: await getAppCode(secret, 1) });
    expect(response.body['code']).toBe('identity.challenge_expired');
  });

  it('limits guesses across repeated sign-ins, emails the owner at every fifth and doesn’t lock their session out', async () => {
    const { email, person: owner, secret } = await addAuthenticator();
    const thief = openTestBrowser(portal, { ip: '203.0.113.50' });
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const { body } = await thief.post('/v2/login', { email, password: PASSWORD });
      // One sign-in allows five guesses, so a limit on a single sign-in would not detect these.
      for (let guess = 0; guess < 4; guess += 1) {
        statuses.push((await thief.post('/v2/auth/second-factor', { challenge: body['challenge'], code: '000000' })).status);
      }
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), ...Array.from({ length: 2 }, () => 429)]);
    const { body } = await thief.post('/v2/login', { email, password: PASSWORD });
    expect((await thief.post('/v2/auth/second-factor', { challenge: body['challenge'], code: await getAppCode(secret, 1) })).status).toBe(
      429,
    );
    expect((await listEmailsTo(email)).filter((text) => text.includes('five wrong codes'))).toHaveLength(2);
    expect((await owner.post('/v2/auth/confirm-factor', { code: await getAppCode(secret, 1) })).status).toBe(200);
  });

  it.each(['recovery code', 'code of the app'])('accepts only one of two simultaneous codes for the same %s', async (kind) => {
    const { email, recovery, secret } = await addAuthenticator();
    const challenges = [];
    for (const _ of [1, 2]) {
      const { body } = await openTestBrowser(portal).post('/v2/login', { email, password: PASSWORD });
      challenges.push(body['challenge']);
    }
    const code = kind === 'recovery code' ? (recovery[0] ?? '') : await getAppCode(secret, 1);
    const responses = await Promise.all(
      challenges.map((challenge) => openTestBrowser(portal).post('/v2/auth/second-factor', { challenge, code })),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });
});

describe('a link', () => {
  it('shows its account before it is used, so that a forwarded link signs no one in to a stranger’s account', async () => {
    const { email } = await openTestAccount();
    const victim = openTestBrowser(portal);
    await victim.get('/send-auth-magic-link', { email });
    const token = await victim.findEmailedToken(email);
    const preview = () => victim.post('/v2/auth/look-at-link', { token });
    expect((await preview()).body).toEqual({ email, purpose: 'sign_in', makes_account: false });
    expect((await preview()).status).toBe(200);
    expect(await getSignedInEmail(victim)).toBeUndefined();
    expect((await victim.post('/v2/auth/use-link', { token })).status).toBe(200);
    expect((await preview()).body['code']).toBe('identity.link_invalid');
    expect((await victim.post('/v2/auth/look-at-link', { token: 'guessed' })).body['code']).toBe('identity.link_invalid');
  });

  it('for a password reset is not accepted by any other endpoint', async () => {
    const { email } = await openTestAccount();
    const browser = openTestBrowser(portal);
    await browser.post('/password-reset-request', { email });
    const token = await browser.findEmailedToken(email);
    expect((await browser.post('/v2/auth/look-at-link', { token })).body['code']).toBe('identity.link_invalid');
    expect((await browser.post('/v2/auth/use-link', { token })).body['code']).toBe('identity.link_invalid');
    expect((await browser.post('/password-reset', { token, password: PASSWORD })).status).toBe(200);
  });

  it('is not sent for a cross-site request', async () => {
    const email = createEmail();
    const response = await portal.app.inject({
      url: '/portal/send-auth-magic-link',
      query: { email },
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' },
    });
    expect([response.statusCode, await listEmailsTo(email)]).toEqual([403, []]);
  });

  it('of a new address leads to one account when two are used at once', async () => {
    const [email, browser] = [createEmail(), openTestBrowser(portal)];
    await browser.post('/v2/sign-up', { email, full_name: 'Pat' });
    const first = await browser.findEmailedToken(email);
    await browser.post('/v2/sign-up', { email, full_name: 'Pat' });
    const second = await browser.findEmailedToken(email);
    const responses = await Promise.all([first, second].map((token) => openTestBrowser(portal).post('/v2/auth/use-link', { token })));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await portal.deps.database.db.select().from(users).where(eq(users.email, email))).toHaveLength(1);
  });
});

describe('a provider’s data about a person', () => {
  it.each([
    ['two addresses in one', 'attacker@attacks.example, victim@attacks.example'],
    ['a line of its own for the email’s head', 'a@attacks.example\r\nBcc: victim@attacks.example'],
    ['a letter that is another one in lower case', 'victim@attac\u212As.example'],
    ['no address at all', '<img src=x>'],
  ])('is not used as an address when it is %s: no email is sent and no account created', async (_, email) => {
    portal.identity.signIn.google.seedPerson({ email, fullName: 'Pat', emailVerified: true });
    const browser = openTestBrowser(portal);
    await portal.runJobs();
    const emailCount = portal.sentEmails.length;
    expect(await browser.signInWith('/v2/auth/provider/google', email)).toContain('outcome=not_linked');
    await portal.runJobs();
    expect(portal.sentEmails.length).toBe(emailCount);
    expect(await getSignedInEmail(browser)).toBeUndefined();
  });

  it('is not used as a name if users couldn’t enter it as one', async () => {
    const email = createEmail();
    portal.identity.signIn.google.seedPerson({ email, fullName: `Pat\r\nBcc: all\n${'x'.repeat(5_000)}`, emailVerified: true });
    const browser = openTestBrowser(portal);
    await browser.signInWith('/v2/auth/provider/google', email);
    expect((await browser.get('/v2/check-login')).body).toMatchObject({ email, full_name: email });
  });
});

describe('the page to redirect to', () => {
  it.each([
    '/login?x=\r\nSet-Cookie: a=b',
    '/login?x=\u6f22',
    '/portal//evil.example',
    '/portal/\\evil.example',
    '/login\u2028',
    `/login?${'x'.repeat(2_000)}`,
  ])('is always one of ours and cannot inject a header: %j', async (next) => {
    const email = createEmail();
    portal.identity.signIn.google.seedPerson({ email, fullName: 'Pat', emailVerified: true });
    const browser = openTestBrowser(portal);
    const finalPath = await browser.signInWith(`/v2/auth/provider/google?next=${encodeURIComponent(next)}`, email);
    expect(finalPath).toBe('/portal/v2/instant-vat/steps/company');
  });
});

describe('a request body', () => {
  const HOSTILE = ['{"__proto__":{"isOperator":true}}', '{"constructor":{"prototype":{"isOperator":true}}}'];

  it.each(HOSTILE)('that contains %s changes no object’s prototype', async (payload) => {
    for (const url of ['/portal/v2/login', '/portal/v2/auth/passkey', '/portal/v2/security/passkeys', '/portal/v2/sign-up']) {
      const response = await portal.app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } });
      expect(response.statusCode).toBeGreaterThanOrEqual(400);
      expect(response.statusCode).toBeLessThan(500);
    }
    expect(({} as { isOperator?: boolean }).isOperator).toBeUndefined();
  });

  it('is rejected as a form or plain text, so that another site’s form cannot call the API', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const payload = JSON.stringify({ email: 'a@attacks.example', password: PASSWORD });
      const response = await portal.app.inject({ method: 'POST', url: '/portal/v2/login', payload, headers: { 'content-type': type } });
      expect(response.statusCode).toBe(400);
    }
  });

  it('with a line break in a name is rejected, because it could inject text into an email', async () => {
    const { person } = await openTestAccount();
    const maliciousNames = { full_name: 'Pat\nClick https://evil.example' };
    expect((await person.post('/instant-vat/steps/about', maliciousNames)).status).toBe(400);
    const passkey = { challenge_id: 'x', name: 'My phone\nClick https://evil.example', response: {} };
    expect((await person.post('/v2/security/passkeys', passkey)).body['message']).toHaveProperty('name');
  });
});

describe('the audit trail', () => {
  it('records signing in and out, ending sessions and rejected codes', async () => {
    const { email, person } = await addAuthenticator();
    const otherBrowser = openTestBrowser(portal);
    const { body } = await otherBrowser.post('/v2/login', { email, password: PASSWORD });
    for (let guess = 0; guess < 5; guess += 1) {
      await otherBrowser.post('/v2/auth/second-factor', { challenge: body['challenge'], code: '000000' });
    }
    await person.post('/v2/security/sessions/end');
    await person.post('/v2/logout');
    const { db } = portal.deps.database;
    const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
    const entries = await db
      .select({ action: auditEntries.action })
      .from(auditEntries)
      .where(eq(auditEntries.subject, user?.id ?? ''));
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['identity.signed_in', 'identity.codes_rejected', 'identity.session_ended', 'identity.signed_out']),
    );
  });
});
