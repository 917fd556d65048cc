/** Every way in, as a person takes it (specification 7.1, 7.5; product.md section 6). */
import type { Page } from '@playwright/test';
import { showCode } from './authenticator-app.ts';
import { expect, test } from './journey.ts';
import { logIn } from './pages/log-in-page.ts';
import { ProviderPages } from './pages/provider-pages.ts';
import { SignUpDialog } from './pages/sign-up-dialog.ts';
import { waitForLink, waitForTextedCode } from './sandbox.ts';
import { expectSoundPage } from './sound-page.ts';
import { newEmail, password, signUp } from './trader.ts';

const firstStep = /\/steps\/company/;

async function openProfile(page: Page): Promise<void> {
  await page.goto('/portal/v2/instant-vat/profile');
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
}

async function logOut(page: Page): Promise<void> {
  await page.goto('/portal/logout');
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
}

/** The button on the page an e-mailed link opens. */
async function pressLink(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Log in' }).click();
}

test('Google signs up from the dialog; whoever says no there comes back to the login page', async ({ page }) => {
  const email = newEmail();
  const [dialog, google] = [new SignUpDialog(page), new ProviderPages(page)];
  await dialog.open();
  await dialog.box.getByRole('link', { name: 'Sign up with Google' }).click();
  await google.signIn(email);
  await google.cancel.click();

  await expect(page).toHaveURL(/\/v2\/auth\/login\?outcome=declined&provider=google$/);
  await expect(page.getByRole('status').filter({ hasText: 'You said no at Google' })).toBeVisible();
  await expectSoundPage(page);

  await dialog.open();
  await dialog.box.getByRole('link', { name: 'Sign up with Google' }).click();
  await google.choose(email);
  await google.allow.click();
  await expect(page).toHaveURL(firstStep);

  await openProfile(page);
  await expect(page.getByRole('list', { name: 'Connected services' })).toContainText(email);
});

test('QuickBooks vouches for its people: the login page makes the account, and brings in the same person elsewhere', async ({
  page,
  openDevice,
}) => {
  const email = newEmail();
  const intuit = new ProviderPages(page);
  await page.goto('/portal/login');
  await page.getByRole('link', { name: 'Sign in with QuickBooks' }).click();
  await intuit.signIn(email);
  await intuit.allow.click();
  await expect(page).toHaveURL(firstStep);

  const elsewhere = await openDevice();
  const again = new ProviderPages(elsewhere);
  await elsewhere.goto('/portal/login');
  await elsewhere.getByRole('link', { name: 'Sign in with QuickBooks' }).click();
  await again.choose(email);
  await expect(elsewhere).toHaveURL(firstStep);
});

for (const { name, isKnown, asksAgain } of [
  { name: 'Microsoft', isKnown: true, asksAgain: false },
  { name: 'Xero', isKnown: false, asksAgain: false },
  { name: 'FreeAgent', isKnown: false, asksAgain: true },
]) {
  const what = isKnown ? 'is joined to the account of the address' : 'makes an account';
  test(`${name} vouches for no address: it ${what} once the e-mailed link is pressed`, async ({ page, openDevice }) => {
    const email = newEmail();
    if (isKnown) await signUp(await openDevice(), email);
    const provider = new ProviderPages(page);
    await page.goto('/portal/login');
    await page.getByRole('link', { name: `Sign in with ${name}` }).click();
    await provider.signIn(email, false);
    await provider.allow.click();

    await expect(page).toHaveURL(/\/v2\/auth\/login\?outcome=needs_link/);
    await expect(page.getByRole('status').filter({ hasText: `We sent you a link to connect ${name}.` })).toBeVisible();
    await pressLink(page, await waitForLink(email, isKnown ? 1 : 0));
    await expect(page).toHaveURL(firstStep);
    await openProfile(page);
    await expect(page.getByRole('list', { name: 'Connected services' })).toContainText(`${name}${email}`);

    await test.step('from now on it brings in at once', async () => {
      await logOut(page);
      await page.getByRole('link', { name: `Sign in with ${name}` }).click();
      await provider.choose(email);
      if (asksAgain) await provider.allow.click();
      await expect(page).toHaveURL(firstStep);
    });
  });
}

test('a forgotten password is set anew by a link, which ends what was logged in', async ({ page, openDevice }) => {
  const email = newEmail();
  await signUp(page, email);
  await openProfile(page);

  const elsewhere = await openDevice();
  await elsewhere.goto('/portal/login');
  await elsewhere.getByRole('link', { name: 'Set a new password' }).click();
  await elsewhere.getByLabel('Email').fill(email);
  await elsewhere.getByRole('button', { name: 'E-mail me the link' }).click();
  await expect(elsewhere.getByText(`We sent a link to ${email}`)).toBeVisible();
  await elsewhere.goto(await waitForLink(email, 1));
  await elsewhere.getByLabel('New password').fill('quite another one');
  await elsewhere.getByRole('button', { name: 'Save the new password' }).click();
  await expect(elsewhere.getByRole('heading', { name: 'Your password is changed' })).toBeVisible();

  await test.step('the session from before is over, and the old password opens nothing', async () => {
    await page.reload();
    await expect(page).toHaveURL(/\/login/);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  });
  await logIn(elsewhere, email, 'quite another one');
  await expect(elsewhere).toHaveURL(firstStep);
});

test('an authenticator app is set up, asked for after the password, and stood in for by a recovery code once', async ({ page }) => {
  const email = newEmail();
  await signUp(page, email);
  await openProfile(page);
  const card = page.getByRole('region', { name: 'Authenticator app' });
  await card.getByRole('button', { name: 'Set up an app' }).click();
  const secret = (await card.locator('code').innerText()).replaceAll(/\s/g, '');
  const usedCode = showCode(secret);
  await card.getByLabel('6-digit code').fill(usedCode);
  await card.getByRole('button', { name: 'Turn it on' }).click();
  const recoveryCode = await card.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').first().innerText();
  await expectSoundPage(page);
  await card.getByRole('button', { name: 'I have kept them' }).click();
  await expect(card.getByText('You have 10 recovery codes left.')).toBeVisible();

  const answerWith = async (code: string): Promise<void> => {
    await page.getByLabel(/^(6-digit code|Recovery code)$/).fill(code);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
  };
  await test.step('by the app: a code that was used is refused, the next one is taken', async () => {
    await logOut(page);
    await logIn(page, email, password);
    await expect(page.getByRole('heading', { level: 1, name: 'Enter the code from your app' })).toBeVisible();
    await expectSoundPage(page);
    await answerWith(usedCode);
    await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
    // The code of the 30 seconds to come, which a phone that is a little ahead shows.
    await answerWith(showCode(secret, 1));
    await expect(page).toHaveURL(firstStep);
  });
  for (const isFirstUse of [true, false]) {
    await test.step(isFirstUse ? 'by a recovery code' : 'the same recovery code is refused', async () => {
      await logOut(page);
      await logIn(page, email, password);
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await answerWith(recoveryCode);
      if (isFirstUse) await expect(page).toHaveURL(firstStep);
      else await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
    });
  }
});

test('a passkey is added in the profile and logs in without a password', async ({ page }) => {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await signUp(page, newEmail());
  await openProfile(page);
  const card = page.getByRole('region', { name: 'Passkeys' });
  await card.getByRole('button', { name: 'Add a passkey' }).click();
  await card.getByLabel('Name of the passkey').fill('My phone');
  await card.getByRole('button', { name: 'Make the passkey' }).click();
  await expect(card.getByRole('list', { name: 'Your passkeys' })).toContainText('not used yet');
  await expectSoundPage(page);

  await logOut(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(firstStep);
  await openProfile(page);
  await expect(card.getByRole('list', { name: 'Your passkeys' })).toContainText('last used');
});

test('a mobile number is confirmed by the code that was texted to it, and by no other', async ({ page }) => {
  await signUp(page, newEmail());
  await openProfile(page);
  const card = page.getByRole('region', { name: 'You', exact: true });
  await card.getByLabel('Mobile number').fill('07911 123456');
  await card.getByRole('button', { name: 'Text me a code' }).click();
  const code = await waitForTextedCode('+447911123456');
  await card.getByLabel('Code', { exact: true }).fill(code === '111111' ? '222222' : '111111');
  await card.getByRole('button', { name: 'Confirm the number' }).click();
  await expect(card.getByRole('alert')).toContainText('That is not the code we sent.');
  await expectSoundPage(page);
  await card.getByLabel('Code', { exact: true }).fill(code);
  await card.getByRole('button', { name: 'Confirm the number' }).click();
  await expect(card.getByText('Confirmed', { exact: true })).toBeVisible();
});
