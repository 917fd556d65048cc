/** Signing up with an email address (docs/product/specification.md section 2.1). */
import { expect, test } from './journey.ts';
import { SignUpDialog } from './pages/sign-up-dialog.ts';
import { getMailboxUrl, waitForLink } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';
import { createEmailAddress } from './trader.ts';

test('the sign-up dialog stays until the visitor chooses, and checks the email address', async ({ page }) => {
  const dialog = new SignUpDialog(page);
  await dialog.open();
  await expect(dialog.box).toBeVisible();
  await test.step('neither a click outside nor Escape closes it, and it has no close button', async () => {
    await page.mouse.click(5, 400);
    await page.keyboard.press('Escape');
    await expect(dialog.box).toBeVisible();
    await expect(dialog.box.getByRole('button', { name: /close/i })).toHaveCount(0);
    await expect.poll(async () => (await dialog.box.boundingBox())?.width).toBeLessThanOrEqual(496);
  });
  await test.step('Continue needs a valid address, and errors appear once the field was touched', async () => {
    await expect(dialog.continueButton).toBeDisabled();
    await expect(dialog.box.getByText('Email is required')).toBeHidden();
    await dialog.email.focus();
    await dialog.email.blur();
    await expect(dialog.box.getByText('Email is required')).toBeVisible();
    await dialog.email.fill('jo@nowhere');
    await expect(dialog.box.getByText('Invalid email address')).toBeVisible();
    await expect(dialog.continueButton).toBeDisabled();
    await dialog.email.fill('jo@somewhere.example');
    await expect(dialog.box.getByText('Invalid email address')).toBeHidden();
    await expect(dialog.continueButton).toBeEnabled();
  });
  await expectPageQuality(page);
});

test('a visitor opens the demo and signs up from its banner', async ({ page }) => {
  const dialog = new SignUpDialog(page);
  await dialog.open();
  await dialog.box.getByRole('button', { name: 'See how InstantVAT works in a demo account' }).click();
  await expect(dialog.box).toBeHidden();
  await expect(page.getByText('in demo mode – this is a preview of InstantVAT')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectPageQuality(page);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(dialog.box).toBeVisible();
});

test('the emailed link signs in once, and only when its button is pressed', async ({ page, openDevice }) => {
  const email = createEmailAddress();
  const dialog = new SignUpDialog(page);
  await dialog.open();
  await dialog.email.fill(email);
  await dialog.continueButton.click();

  await expect(page).toHaveURL(/\/steps\/about/);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expectPageQuality(page);
  await page.getByLabel('Full name').fill('Jo Journey');
  await page.getByRole('button', { name: 'Create account' }).click();

  await expect(page).toHaveURL(/\/check-mail/);
  await expect(page.getByText(`We sent a link to ${email}`)).toBeVisible();
  await expectPageQuality(page);

  const link = await waitForLink(email);
  await test.step('the sandbox mailbox contains it', async () => {
    const mailbox = await openDevice();
    await mailbox.goto(getMailboxUrl(email));
    await expect(mailbox.getByRole('main')).toContainText(email);
  });
  await test.step('a mail scanner that opens the link does not use it up', async () => {
    const scanner = await openDevice();
    await scanner.goto(link);
    await expect(scanner.getByRole('button', { name: 'Confirm email' })).toBeVisible();
    await expect(scanner.getByRole('main'), 'whose account it opens').toContainText(email);
  });
  await page.goto(link);
  await expect(page.getByRole('button', { name: 'Confirm email' })).toBeVisible();
  await expectPageQuality(page);
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await expect(page).toHaveURL(/\/steps\/company/);

  await test.step('a second use is rejected and offers a new link', async () => {
    const otherDevice = await openDevice();
    await otherDevice.goto(link);
    await expect(otherDevice.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    await expect(
      otherDevice.getByText('This link has expired or has already been used. Request a new one.', { exact: true }),
    ).toBeVisible();
    await expectPageQuality(otherDevice);
    await otherDevice.getByRole('button', { name: 'Get a new link' }).click();
    await expect(otherDevice.getByRole('heading', { name: 'Log in', exact: true })).toBeVisible();
  });
});
