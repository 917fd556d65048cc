/** Account security in the owner's profile (docs/product/decisions.md section 6; docs/product/specification.md section 7.2). */
import type { Page } from '@playwright/test';
import { generateCode } from '../../apps/sandbox/src/seed/authenticator-code.ts';
import { expect, test } from './journey.ts';
import { expectLoginPage, logIn, logInByApi } from './pages/log-in-page.ts';
import { waitForLink, waitForTextedCode } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';
import { createEmailAddress, password, signUp } from './trader.ts';

const firstStep = /\/steps\/company/;

async function openProfile(page: Page, tab: 'details' | 'security'): Promise<void> {
  await page.goto(`/portal/v2/instant-vat/profile?tab=${tab}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
}

async function logOut(page: Page): Promise<void> {
  await page.goto('/portal/logout');
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
}

test('logging out all other devices keeps this one logged in', async ({ page, openDevice }) => {
  const email = createEmailAddress();
  await signUp(page, email);
  const otherDevices = [await openDevice(), await openDevice()];
  for (const otherPage of otherDevices) await logInByApi(otherPage, email, password);
  await openProfile(page, 'security');
  const devices = page.getByRole('list', { name: 'Devices' });
  await expect(devices.getByRole('listitem')).toHaveCount(3);
  await expectPageQuality(page);
  await page.getByRole('button', { name: 'Log out other devices' }).click();
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  await expect(devices).toContainText('This device');
  for (const otherPage of otherDevices) {
    await otherPage.goto('/portal/v2/instant-vat/profile');
    await expectLoginPage(otherPage);
  }
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
});

test('an authenticator app is set up and required after the password, and a recovery code works once instead', async ({ page }) => {
  const email = createEmailAddress();
  await signUp(page, email);
  await openProfile(page, 'security');
  const card = page.getByRole('region', { name: 'Authenticator app' });
  await card.getByRole('button', { name: 'Set up app' }).click();
  await expect(card.getByRole('img', { name: 'QR code containing the key below' })).toBeVisible();
  await expectPageQuality(page);
  const secret = (await card.locator('code').innerText()).replaceAll(/\s/g, '');
  const usedCode = generateCode(secret);
  await card.getByLabel('6-digit code').fill(usedCode);
  await card.getByRole('button', { name: 'Turn on' }).click();
  const recoveryCode = await card.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').first().innerText();
  await expectPageQuality(page);
  await card.getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(card.getByText('You have 10 recovery codes left.')).toBeVisible();

  const submitCode = async (code: string): Promise<void> => {
    await page.getByLabel(/^(6-digit code|Recovery code)$/).fill(code);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
  };
  await test.step('a used code is rejected, and the next one is accepted', async () => {
    await logOut(page);
    await logIn(page, email, password);
    await expect(page.getByRole('heading', { level: 1, name: 'Enter the code from your app' })).toBeVisible();
    await expectPageQuality(page);
    await submitCode(usedCode);
    await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
    // The code for the next 30 seconds, as shown by a phone whose clock is slightly ahead.
    await submitCode(generateCode(secret, 1));
    await expect(page).toHaveURL(firstStep);
  });
  for (const isFirstUse of [true, false]) {
    await test.step(isFirstUse ? 'by a recovery code' : 'the same recovery code is refused', async () => {
      await logOut(page);
      await logIn(page, email, password);
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await submitCode(recoveryCode);
      if (isFirstUse) await expect(page).toHaveURL(firstStep);
      else await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
    });
  }
});

test('a passkey logs in without a password, and is needed to change the email, which takes a link in both mailboxes', async ({
  page,
  openDevice,
}) => {
  const email = createEmailAddress();
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
  await signUp(page, email);
  await openProfile(page, 'security');
  const card = page.getByRole('region', { name: 'Passkeys' });
  await card.getByRole('button', { name: 'Add passkey' }).click();
  await card.getByLabel('Passkey name').fill('My phone');
  await card.getByRole('button', { name: 'Create passkey' }).click();
  await expect(card.getByRole('list', { name: 'Your passkeys' })).toContainText('Not used yet');
  await expectPageQuality(page);

  await logOut(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(firstStep);
  await openProfile(page, 'security');
  await expect(card.getByRole('list', { name: 'Your passkeys' })).toContainText('Last used');

  await logOut(page);
  await logIn(page, email, password);
  await expect(page).toHaveURL(firstStep);
  await openProfile(page, 'details');
  const details = page.getByRole('region', { name: 'Your details' });
  await details.getByRole('button', { name: 'Change your email' }).click();
  const nextEmail = createEmailAddress();
  await details.getByLabel('New email').fill(nextEmail);
  await details.getByRole('button', { name: 'Send links' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' });
  await expect(dialog.getByRole('button', { name: 'Use a passkey' })).toBeVisible();
  await expectPageQuality(page);
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(details.getByRole('status')).toContainText(`Your email will change to ${nextEmail}`);
  await expectPageQuality(page);

  const otherDevice = await openDevice();
  await otherDevice.goto(await waitForLink(nextEmail));
  await otherDevice.getByRole('button', { name: 'Confirm new email' }).click();
  await expect(otherDevice.getByText(`Now open the link we sent to ${email}`)).toBeVisible();
  await otherDevice.goto(await waitForLink(email, 1));
  await expectPageQuality(otherDevice);
  await otherDevice.getByRole('button', { name: 'Confirm change' }).click();
  await expect(otherDevice.getByRole('heading', { level: 1, name: 'Email changed' })).toBeVisible();
  await page.reload();
  await expect(details).toContainText(nextEmail);
  await expect(details.getByRole('status')).toBeHidden();
});

test('a mobile number is confirmed only by the code that was texted to it', async ({ page }) => {
  await signUp(page, createEmailAddress());
  await openProfile(page, 'details');
  const card = page.getByRole('region', { name: 'Your details' });
  await card.getByLabel('Mobile number').fill('07911 123456');
  await card.getByRole('button', { name: 'Text me a code' }).click();
  const code = await waitForTextedCode('+447911123456');
  await card.getByLabel('Code', { exact: true }).fill(code === '111111' ? '222222' : '111111');
  await card.getByRole('button', { name: 'Confirm number' }).click();
  await expect(card.getByRole('alert')).toContainText('That code isn’t right.');
  await expectPageQuality(page);
  await card.getByLabel('Code', { exact: true }).fill(code);
  await card.getByRole('button', { name: 'Confirm number' }).click();
  // The sign-up link has also confirmed the email address.
  await expect(card.getByText('Confirmed', { exact: true })).toHaveCount(2);
});

test('the verification page explains a wrong code and sends the code again', async ({ page }) => {
  await signUp(page, createEmailAddress());
  await page.goto('/portal/verification');
  const [email, number] = [page.getByRole('region', { name: 'Email', exact: true }), page.getByRole('region', { name: 'Mobile number' })];
  await expect(email).toContainText('Confirmed');
  await number.getByLabel('Mobile number').fill('07911 123457');
  await number.getByRole('button', { name: 'Text me a code' }).click();
  const first = await waitForTextedCode('+447911123457');
  const wrongCode = first === '111111' ? '222222' : '111111';
  const field = number.getByLabel('Code', { exact: true });
  // Every code here is rejected, so this waits for the error before the next code is entered.
  const submitWrongCode = async (code: string): Promise<void> => {
    await field.fill(code);
    await expect(field).toHaveAttribute('aria-invalid', 'false');
    await number.getByRole('button', { name: 'Confirm number' }).click();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
  };
  await submitWrongCode(wrongCode);
  await expect(number.getByRole('alert')).toContainText('That code isn’t right.');
  await test.step('the code is sent again', async () => {
    await number.getByRole('button', { name: 'Send the code again' }).click();
    await expect(number.getByRole('status')).toContainText('We’ve sent another code to +447911123457');
  });
  await test.step('after five wrong codes the right one is rejected too', async () => {
    for (const code of ['333333', '444444', '555555', '666666']) await submitWrongCode(code === first ? '777777' : code);
    await submitWrongCode(first);
    await expect(number.getByRole('alert')).toContainText('Too many attempts. Wait 10 minutes, then send a new code');
    await expectPageQuality(page);
  });
  await number.getByRole('button', { name: 'Send the code again' }).click();
  await expect(number.getByRole('alert').first()).toContainText('Wait 10 minutes, then request a new code.');
});
