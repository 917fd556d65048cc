/** Every sign-in method (docs/product/specification.md sections 7.1 and 7.5; docs/product/decisions.md section 6). */
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { expectLoginPage, logIn } from './pages/log-in-page.ts';
import { operators } from './pages/operator-pages.ts';
import { ProviderPages } from './pages/provider-pages.ts';
import { SignUpDialog } from './pages/sign-up-dialog.ts';
import { waitForLink } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';
import { HmrcPages } from './pages/hmrc-pages.ts';
import { createEmailAddress, createTrader, password, signUp } from './trader.ts';

const firstStep = /\/steps\/company/;

async function openProfile(page: Page): Promise<void> {
  await page.goto('/portal/v2/instant-vat/profile?tab=security');
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
}

async function logOut(page: Page): Promise<void> {
  await page.goto('/portal/logout');
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
}

/** Opens an emailed link and clicks the button on its page. */
async function confirmLink(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: /^(Log in|Confirm email)$/ }).click();
}

test('Google signs up from the dialog, and declining there leads back to the login page', async ({ page }) => {
  const email = createEmailAddress();
  const [dialog, google] = [new SignUpDialog(page), new ProviderPages(page)];
  await dialog.open();
  await dialog.box.getByRole('link', { name: 'Sign up with Google' }).click();
  await google.signIn(email);
  await google.cancel.click();

  await expect(page).toHaveURL(/\/v2\/auth\/login\?outcome=declined&provider=google$/);
  await expect(page.getByRole('status').filter({ hasText: 'You didn’t give Google permission' })).toBeVisible();
  await expectPageQuality(page);

  await dialog.open();
  await dialog.box.getByRole('link', { name: 'Sign up with Google' }).click();
  await google.choose(email);
  await google.allowButton.click();
  await expect(page).toHaveURL(firstStep);

  await openProfile(page);
  await expect(page.getByRole('list', { name: 'Connected services' })).toContainText(email);
});

test('QuickBooks verifies addresses, so the login page creates the account and signs in the same user on another device', async ({
  page,
  openDevice,
}) => {
  const email = createEmailAddress();
  const intuit = new ProviderPages(page);
  await page.goto('/portal/login');
  await page.getByRole('link', { name: 'Sign in with QuickBooks' }).click();
  await intuit.signIn(email);
  await intuit.allowButton.click();
  await expect(page).toHaveURL(firstStep);

  const otherDevice = await openDevice();
  const otherDeviceProvider = new ProviderPages(otherDevice);
  await otherDevice.goto('/portal/login');
  await otherDevice.getByRole('link', { name: 'Sign in with QuickBooks' }).click();
  await otherDeviceProvider.choose(email);
  await expect(otherDevice).toHaveURL(firstStep);
});

for (const { name, isKnown, asksAgain: repeatsConsent } of [
  { name: 'Microsoft', isKnown: true, asksAgain: false },
  { name: 'Xero', isKnown: false, asksAgain: false },
  { name: 'FreeAgent', isKnown: false, asksAgain: true },
]) {
  const outcome = isKnown ? 'is joined to the account of the address' : 'makes an account';
  test(`${name} does not verify addresses, so it ${outcome} once the emailed link is confirmed`, async ({ page, openDevice }) => {
    const email = createEmailAddress();
    if (isKnown) await signUp(await openDevice(), email);
    const provider = new ProviderPages(page);
    await page.goto('/portal/login');
    await page.getByRole('link', { name: `Sign in with ${name}` }).click();
    await provider.signIn(email, false);
    await provider.allowButton.click();

    await expect(page).toHaveURL(/\/v2\/auth\/login\?outcome=needs_link/);
    await expect(page.getByRole('status').filter({ hasText: `We sent you a link to connect ${name}.` })).toBeVisible();
    await confirmLink(page, await waitForLink(email, isKnown ? 1 : 0));
    await expect(page).toHaveURL(firstStep);
    await openProfile(page);
    await expect(page.getByRole('list', { name: 'Connected services' })).toContainText(`${name}${email}`);

    await test.step('the next sign-in works at once', async () => {
      await logOut(page);
      await page.getByRole('link', { name: `Sign in with ${name}` }).click();
      await provider.choose(email);
      if (repeatsConsent) await provider.allowButton.click();
      await expect(page).toHaveURL(firstStep);
    });
  });
}

test('an emailed link connects no provider to an account with a second factor, and says where to do it', async ({ page }) => {
  const provider = new ProviderPages(page);
  await page.goto('/portal/login');
  await page.getByRole('link', { name: 'Sign in with Xero' }).click();
  await provider.signIn(operators.olga, false);
  await provider.allowButton.click();
  await confirmLink(page, await waitForLink(operators.olga));
  await expect(page.getByRole('heading', { level: 1, name: 'Log in first' })).toBeVisible();
  await expect(page.getByText('connect Xero in your profile under Security')).toBeVisible();
  await expectPageQuality(page);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expectLoginPage(page);
});

test('a forgotten password is replaced through a link, which ends all sessions', async ({ page, openDevice }) => {
  const email = createEmailAddress();
  await signUp(page, email);
  await openProfile(page);

  const otherDevice = await openDevice();
  await otherDevice.goto('/portal/login');
  await otherDevice.getByRole('link', { name: 'Set a new password' }).click();
  await otherDevice.getByLabel('Email').fill(email);
  await otherDevice.getByRole('button', { name: 'Email me a link' }).click();
  await expect(otherDevice.getByText(`We sent a link to ${email}`)).toBeVisible();
  await otherDevice.goto(await waitForLink(email, 1));
  await otherDevice.getByLabel('New password').fill('quite another one');
  await otherDevice.getByRole('button', { name: 'Save password' }).click();
  await expect(otherDevice.getByRole('heading', { name: 'Password changed' })).toBeVisible();

  await test.step('the earlier session has ended, and the old password is rejected', async () => {
    await page.reload();
    await expectLoginPage(page);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  });
  await logIn(otherDevice, email, 'quite another one');
  await expect(otherDevice).toHaveURL(firstStep);
});

test('a link requested on the login page logs in without a password and returns to the requested page', async ({ page, openDevice }) => {
  const email = createEmailAddress();
  await signUp(page, email);
  const otherDevice = await openDevice();
  await otherDevice.goto('/portal/v2/instant-vat/profile');
  await expectLoginPage(otherDevice);
  // The page is prerendered, so a click can come before its script has loaded.
  await expect(async () => {
    await otherDevice.getByRole('button', { name: 'Email me a link' }).click();
    await expect(otherDevice.getByText('Email is required')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await otherDevice.getByLabel('Email').fill(email);
  await otherDevice.getByRole('button', { name: 'Email me a link' }).click();
  await expect(otherDevice.getByText(`We sent a link to ${email}`)).toBeVisible();
  await expectPageQuality(otherDevice);
  await otherDevice.goto(await waitForLink(email, 1));
  await expect(otherDevice.getByRole('main'), 'whose account it is').toContainText(email);
  await expectPageQuality(otherDevice);
  await otherDevice.getByRole('button', { name: 'Log in' }).click();
  await expect(otherDevice.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
});

test('an unknown address gets the same page as a known one', async ({ page }) => {
  await page.goto('/portal/login');
  const email = createEmailAddress();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(page.getByText(`We sent a link to ${email}`)).toBeVisible();
});

test('HMRC signs in the owner of a connected company through a link sent to the owner', async ({ page, openDevice }) => {
  const { email, organisation } = await createTrader(page);
  const otherDevice = await openDevice();
  const hmrc = new HmrcPages(otherDevice);
  await otherDevice.goto('/portal/login');
  await otherDevice.getByRole('button', { name: 'Sign in with HMRC' }).click();
  await otherDevice.getByLabel('VAT registration number').fill(organisation.vrn);
  await expectPageQuality(otherDevice);
  await otherDevice.getByRole('button', { name: 'Continue to HMRC' }).click();
  await hmrc.signInForConsent(organisation);
  await hmrc.grant.click();
  await expect(otherDevice.getByText('We sent a link to the company’s owner')).toBeVisible();
  await expectPageQuality(otherDevice);
  await confirmLink(otherDevice, await waitForLink(email, 1));
  await expect(otherDevice).toHaveURL(/\/dashboard\?/);
});
