/** Changing the email address, and what a session must prove before it can change how its user logs in. */
import { auditEntries, sessions, users } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { openAccount, openTestBrowser, type TestBrowser } from '../../testing/test-browser.ts';
import { createOperator } from '../../testing/test-trader.ts';

const MINUTE_MS = 60_000;
const PASSWORD = 'a long enough one';
let portal: TestPortal;
let count = 0;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

async function open(password?: string): Promise<{ person: TestBrowser; email: string; userId: string }> {
  const browser = openTestBrowser(portal);
  const email = `person-${(count += 1)}@old.example`;
  if (password === undefined) {
    await browser.post('/v2/sign-up', { email, full_name: 'Tess Trader' });
    await browser.post('/v2/auth/use-link', { token: await browser.findEmailedToken(email) });
  } else await openAccount(browser, email, password);
  const [user] = await portal.deps.database.db.select({ id: users.id }).from(users).where(eq(users.email, email));
  return { person: browser, email, userId: user?.id ?? '' };
}

const createAddress = (): string => `person-${(count += 1)}@new.example`;
const readEmail = async (userId: string) =>
  (await portal.deps.database.db.select({ email: users.email }).from(users).where(eq(users.id, userId)))[0]?.email;
const confirm = (token: string) => openTestBrowser(portal).post('/v2/auth/confirm-email', { token });
const countEmails = (to: string, subject: string) =>
  portal.sentEmails.filter((email) => email.to === to && email.subject.includes(subject)).length;

/** Simulates that eleven minutes have passed since the user logged in. */
async function ageConfirmation(userId: string): Promise<void> {
  const confirmedAt = addMilliseconds(portal.deps.wallClock.now(), -11 * MINUTE_MS);
  await portal.deps.database.db.update(sessions).set({ confirmedAt }).where(eq(sessions.userId, userId));
}

describe('a new email address', () => {
  it.each([
    ['old', 'new'],
    ['new', 'old'],
  ])('replaces the old one once both links were used, the %s one first', async (first) => {
    const { person, email, userId } = await open(PASSWORD);
    const to = createAddress();
    expect((await person.post('/v2/security/email', { email: to })).body['sent_to']).toEqual([email, to]);
    const tokens = { old: await person.findEmailedToken(email), new: await person.findEmailedToken(to) };
    const order = first === 'old' ? [tokens.old, tokens.new] : [tokens.new, tokens.old];
    expect((await confirm(order[0] ?? '')).body).toMatchObject({ status: 'waiting' });
    expect(await readEmail(userId)).toBe(email);
    // Using the same link twice doesn't count as using both links.
    expect((await confirm(order[0] ?? '')).body).toMatchObject({ status: 'waiting' });
    const { body } = await person.get('/v2/security');
    expect(body['email_change']).toMatchObject({ new_email: to, old_confirmed: first === 'old', new_confirmed: first === 'new' });
    expect((await confirm(order[1] ?? '')).body).toEqual({ status: 'changed', old_email: email, new_email: to });
    expect(await readEmail(userId)).toBe(to);
    await portal.runJobs();
    expect([countEmails(email, 'email was changed'), countEmails(to, 'email was changed')]).toEqual([1, 1]);
    const login = (address: string) => openTestBrowser(portal).post('/v2/login', { email: address, password: PASSWORD });
    expect([(await login(email)).status, (await login(to)).status]).toEqual([401, 200]);
    expect((await person.get('/v2/check-login')).body['email']).toBe(to);
    const auditTrail = await portal.deps.database.db.select().from(auditEntries).where(eq(auditEntries.subject, userId));
    expect(auditTrail.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['identity.email_change_requested', 'identity.email_changed']),
    );
    expect(JSON.stringify(auditTrail)).not.toContain(to);
  });

  it('ends links that were sent to the old address', async () => {
    const { person, email } = await open();
    await openTestBrowser(portal).get('/send-auth-magic-link', { email });
    const loginToken = await person.findEmailedToken(email);
    const to = createAddress();
    await person.post('/v2/security/email', { email: to });
    await confirm(await person.findEmailedToken(email));
    await confirm(await person.findEmailedToken(to));
    expect((await openTestBrowser(portal).post('/v2/auth/use-link', { token: loginToken })).status).toBe(400);
  });

  it('is not set by a link that is used up, replaced, withdrawn or a day old', async () => {
    const { person, email, userId } = await open(PASSWORD);
    const to = createAddress();
    await person.post('/v2/security/email', { email: createAddress() });
    const replacedToken = await person.findEmailedToken(email);
    await person.post('/v2/security/email', { email: to });
    expect((await confirm(replacedToken)).body['code']).toBe('identity.link_invalid');
    const [oldToken, newToken] = [await person.findEmailedToken(email), await person.findEmailedToken(to)];
    expect((await confirm(oldToken)).status).toBe(200);
    await person.post('/v2/security/email/cancel');
    expect((await confirm(newToken)).body['code']).toBe('identity.link_invalid');
    expect((await person.get('/v2/security')).body['email_change']).toBeNull();
    expect(await readEmail(userId)).toBe(email);
  });

  it.each(['reset', 'change'])('isn’t set after a %s of the password, although the old mailbox had confirmed it', async (kind) => {
    const { person, email, userId } = await open(PASSWORD);
    const to = createAddress();
    await person.post('/v2/security/email', { email: to });
    const tokens = { old: await person.findEmailedToken(email), new: await person.findEmailedToken(to) };
    expect((await confirm(tokens.old)).body).toMatchObject({ status: 'waiting' });
    if (kind === 'reset') {
      await person.post('/password-reset-request', { email });
      await person.post('/password-reset', { token: await person.findEmailedToken(email), password: 'another long enough one' });
    } else await person.post('/v2/security/password', { current_password: PASSWORD, new_password: 'another long enough one' });
    expect((await confirm(tokens.new)).status).toBe(400);
    expect(await readEmail(userId)).toBe(email);
    await portal.runJobs();
    const notice = portal.sentEmails.findLast(({ subject }) => subject.endsWith('password was changed'));
    expect(notice?.text).toContain('change of your email address that hadn’t been confirmed has been cancelled');
  });

  it('returns the same response if it has an account, whose owner alone is emailed', async () => {
    const otherAccount = await open(PASSWORD);
    const { person, email, userId } = await open(PASSWORD);
    const response = await person.post('/v2/security/email', { email: otherAccount.email });
    expect([response.status, response.body['sent_to']]).toEqual([200, [email, otherAccount.email]]);
    await portal.runJobs();
    expect(countEmails(otherAccount.email, 'already has')).toBe(1);
    await confirm(await person.findEmailedToken(email));
    expect(await readEmail(userId)).toBe(email);
  });

  it('is discarded if an account has been opened with the new address since', async () => {
    const { person, email, userId } = await open(PASSWORD);
    const to = createAddress();
    await person.post('/v2/security/email', { email: to });
    const tokens = [await person.findEmailedToken(email), await person.findEmailedToken(to)];
    await openAccount(openTestBrowser(portal), to, PASSWORD);
    await confirm(tokens[0] ?? '');
    expect((await confirm(tokens[1] ?? '')).body).toMatchObject({ code: 'identity.email_taken' });
    expect(await readEmail(userId)).toBe(email);
  });

  it('cannot be the current one, or an operator’s', async () => {
    const { person, email } = await open(PASSWORD);
    const sameResponse = await person.post('/v2/security/email', { email: email.toUpperCase() });
    expect(sameResponse.body['message']).toEqual({ email: 'This is already your email.' });
    const operator = await createOperator(portal, 'mover@operators.example', ['support']);
    expect((await operator.post('/v2/security/email', { email: createAddress() })).body['code']).toBe('identity.operator_email');
  });
});

describe('a session that was taken over', () => {
  const changes = ['/v2/security/authenticator/begin', '/v2/security/passkeys/begin', '/v2/security/check-confirmed'] as const;

  it('can’t change sign-in methods ten minutes after its user logged in', async () => {
    const { person, userId } = await open(PASSWORD);
    for (const path of changes) expect((await person.post(path)).status).toBe(200);
    await ageConfirmation(userId);
    for (const path of changes) expect((await person.post(path)).body['code']).toBe('identity.factor_needed');
    expect((await person.post('/v2/security/email', { email: createAddress() })).body['code']).toBe('identity.factor_needed');
    expect((await person.post('/v2/security/unlink', { provider: 'google' })).body['code']).toBe('identity.factor_needed');
    expect(await person.signInWith('/portal/v2/auth/provider/google?link=1', 'thief@people.example')).toContain('outcome=confirm_needed');
    expect((await person.post('/v2/auth/confirm-factor', { password: 'not the right one' })).body['message']).toEqual({
      password: 'This isn’t your password.',
    });
    expect((await person.post('/v2/auth/confirm-factor', { password: PASSWORD })).status).toBe(200);
    for (const path of changes) expect((await person.post(path)).status).toBe(200);
  });

  it('needs an emailed code if its user has no password, and sets no password without one', async () => {
    const { person, email, userId } = await open();
    await ageConfirmation(userId);
    const setPassword = () => person.post('/v2/security/password', { new_password: 'another kettle orbit' });
    expect((await setPassword()).body['code']).toBe('identity.factor_needed');
    const { body } = await person.post('/v2/security/code');
    await portal.runJobs();
    const code = /^(\d{6})/.exec(
      portal.sentEmails.findLast(({ to, subject }) => to === email && /^\d{6}/.test(subject))?.subject ?? '',
    )?.[1];
    const proof = { emailed_code: code ?? '', emailed_code_id: body['emailed_code_id'] };
    expect((await person.post('/v2/auth/confirm-factor', proof)).status).toBe(200);
    expect((await person.post('/v2/auth/confirm-factor', proof)).status).toBe(400);
    expect((await setPassword()).status).toBe(200);
  });
});
