/** Tests which new passwords are accepted, wherever one is set. */
import { users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { openAccount, openTestBrowser } from '../../testing/test-browser.ts';

let portal: TestPortal;
let count = 0;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const GOOD_PASSWORD = 'a long enough one';
const LEAKED_PASSWORD = 'correct horse battery staple';
const createEmail = () => `priya.shah.${(count += 1)}@harlowbakery.example`;
const signUpWith = (password: string) =>
  openTestBrowser(portal).post('/v2/sign-up', { email: createEmail(), full_name: 'Priya Shah', password });
const getFieldError = (apiResponse: { body: Record<string, unknown> }, field: string): unknown =>
  (apiResponse.body['message'] as Record<string, unknown> | undefined)?.[field];

describe('a new password', () => {
  it.each([
    ['a common one', 'Password2026!'],
    ['a keyboard pattern', 'qwertyuiop12'],
    ['a repetition', 'abcabcabcabcabc'],
    ['the person’s name', 'priyashah2026'],
    ['the address’s domain', 'harlowbakery!'],
    ['the product’s name', 'Tidewater123'],
    ['200 letters that repeat', 'p4ssw0rd'.repeat(25)],
  ])('is rejected, with the field and what to do, if it is %s', async (_case, password) => {
    const response = await signUpWith(password);
    expect(response.status).toBe(400);
    expect(getFieldError(response, 'password')).toMatch(/easy to guess\. Use three or more unrelated words/);
  });

  it.each([GOOD_PASSWORD, 'Tuesday-4-Bananas', 'x7#kQ9!vLm2p', 'zażółć gęślą jaźń', 'ß'.repeat(5) + 'kettle orbit'])(
    'may be %s',
    async (password) => {
      expect((await signUpWith(password)).status).toBe(200);
    },
  );

  it('is rejected if it was leaked, and accepted while the list can’t be reached', async () => {
    expect(getFieldError(await signUpWith(LEAKED_PASSWORD), 'password')).toMatch(/lists of leaked passwords/);
    portal.faults.set({ operation: 'pwned_passwords.range', kind: 'server_error', times: 1 });
    expect((await signUpWith(LEAKED_PASSWORD)).status).toBe(200);
  });

  it('is checked when it is changed and when it is reset, and the link stays usable', async () => {
    const [browser, email] = [openTestBrowser(portal), createEmail()];
    await openAccount(browser, email, GOOD_PASSWORD);
    const { db } = portal.deps.database;
    const readHash = async () => (await db.select({ hash: users.passwordHash }).from(users).where(eq(users.email, email)))[0]?.hash;
    const before = await readHash();
    const change = (password: string) => browser.post('/v2/security/password', { current_password: GOOD_PASSWORD, new_password: password });
    expect(getFieldError(await change(LEAKED_PASSWORD), 'new_password')).toMatch(/leaked/);
    expect(getFieldError(await change('TessTrader26'), 'new_password')).toMatch(/easy to guess/);
    await browser.post('/password-reset-request', { email });
    const token = await browser.findEmailedToken(email);
    const reset = (password: string) => openTestBrowser(portal).post('/password-reset', { token, password });
    expect(getFieldError(await reset(LEAKED_PASSWORD), 'password')).toMatch(/leaked/);
    expect(getFieldError(await reset('TessTrader26'), 'password')).toMatch(/easy to guess/);
    expect(await readHash()).toBe(before);
    expect((await reset('another kettle orbit')).status).toBe(200);
    expect(await readHash()).not.toBe(before);
  });
});
