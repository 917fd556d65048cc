/** A user downloads their data, then closes a company's account and their own. */
import { expect, test } from './journey.ts';
import { expectPageQuality } from './page-quality.ts';
import { createAcceptedTrader, createEmailAddress, createFiledTrader, password, signUp } from './trader.ts';

test('a user downloads their data and closes their account permanently', async ({ page }) => {
  const email = createEmailAddress();
  await signUp(page, email);
  await page.goto('/portal/v2/instant-vat/profile?tab=details');
  const downloadPromise = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download your data' }).click();
  expect((await downloadPromise).suggestedFilename()).toMatch(/my data \d{4}-\d{2}-\d{2}\.zip$/);
  await expectPageQuality(page);

  await page.getByRole('link', { name: 'Close your account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Close your account' })).toBeVisible();
  await expect(page.getByText('Never deleted')).toBeVisible();
  await expectPageQuality(page);
  await page.getByLabel('Your email').fill('someone@else.example');
  await page.getByRole('button', { name: 'Close your account' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Type your email address exactly');
  await page.getByLabel('Your email').fill(email);
  await page.getByRole('button', { name: 'Close your account' }).click();
  await expect(page.getByRole('heading', { name: 'Your account is closed' })).toBeVisible();
  await expectPageQuality(page);

  await page.goto('/portal/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
});

test('a trader closes the company and then the account, which names the company first', async ({ page }) => {
  const { companyId, organisation } = await createFiledTrader(page);
  await page.goto('/portal/close-account');
  await expect(page.getByText('You can’t close the account yet')).toBeVisible();
  await expectPageQuality(page);
  await page.getByRole('link', { name: 'Close it' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Close company account' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to your data' }).click();
  await expect(page).toHaveURL(new RegExp(`tab=company&company_id=${companyId}`));
  const downloadPromise = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download company data' }).click();
  expect((await downloadPromise).suggestedFilename()).toMatch(/ data \d{4}-\d{2}-\d{2}\.zip$/);
  await page.getByRole('link', { name: 'Close company account' }).click();
  await page.getByLabel('Name').fill(organisation.name);
  await page.getByRole('button', { name: 'Close company account' }).click();
  await expect(page.getByText(`${organisation.name} has been closed.`)).toBeVisible();
  expect((await page.request.get(`/portal/instant-vat/dashboard?company_id=${companyId}`)).status()).toBe(404);
  await page.goto('/portal/close-account');
  await expect(page.getByLabel('Your email')).toBeVisible();
});

test('a trader with an accepted advance sees what to settle first', async ({ page }) => {
  const { companyId } = await createAcceptedTrader(page);
  await page.goto(`/portal/close-account?of=company&company_id=${companyId}`);
  await expect(page.getByText(/Withdraw from it first/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Close company account' })).toHaveCount(0);
  await expectPageQuality(page);
});
