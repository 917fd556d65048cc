/**
 * A practice signs up: the public pages, every step, its access to HMRC, and the settings of the seeded practice
 * (docs/product/specification.md section 2.3).
 */
import { fileURLToPath } from 'node:url';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { expect, test } from './journey.ts';
import { logInAndOpen, logIn } from './pages/log-in-page.ts';
import { sandboxPassword } from './pages/operator-pages.ts';
import { signInAtHmrc, signUpFounder } from './pages/practice-founder.ts';
import { expectPageQuality } from './page-quality.ts';

const PUBLIC_PAGES = [
  ['/v2/open-tax', 'What every client owes, is owed and must file'],
  ['/v2/open-tax/signup', 'Sign up your practice'],
  ['/v2/open-tax/xero-declined', 'We couldn’t sign you up with Xero'],
  ['/v2/open-tax/contact-us', 'Contact us'],
  ['/v2/open-tax/partners/freeagent', 'Your FreeAgent clients, all taxes in one place'],
  ['/v2/open-tax/partners/nomi', 'Your Nomi clients, all taxes in one place'],
] as const;

for (const [path, heading] of PUBLIC_PAGES) {
  test(`a visitor opens ${path}`, async ({ page }) => {
    const response = await page.goto(`/portal${path}`);
    expect(response?.status()).toBe(200);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expect(page).toHaveTitle(/^Tidewater OpenTax/);
    await expectPageQuality(page);
  });
}

test('a visitor at a sign-up step is asked to log in or start a new sign-up', async ({ page }) => {
  await page.goto('/portal/v2/open-tax/steps/arn');
  await expect(page.getByRole('heading', { level: 1, name: 'Log in to continue your sign-up' })).toBeVisible();
  await page.getByRole('link', { name: 'Start a new sign-up' }).click();
  await expect(page).toHaveURL(/\/v2\/open-tax\/signup$/);
});

test('a founder takes a new practice through the steps to the import of clients', async ({ page }) => {
  test.setTimeout(150_000);
  const expectHeading = (name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  const save = page.getByRole('button', { name: 'Save and continue' });
  await signUpFounder(page);

  await test.step('the practice’s details are entered', async () => {
    await expectHeading('Your practice');
    await expectPageQuality(page);
    await expect(save).toBeDisabled();
    await page.getByLabel('Practice name').fill('Journey Accountants');
    await page.getByLabel('Company number').focus();
    await save.click();
  });
  await test.step('agent references are checked by their check letter', async () => {
    await expectHeading('Agent references');
    await page.getByLabel('Agent reference number').fill('BARN0000002');
    await page.getByLabel('PAYE').focus();
    await expect(page.getByText('The check letter doesn’t match, so at least one character is wrong.')).toBeVisible();
    await expectPageQuality(page);
    await page.getByLabel('Agent reference number').fill(OAKLINE.arn);
    await page.getByLabel('PAYE').fill('a1234b');
    await save.click();
  });
  await test.step('HMRC’s permission is denied, then given', async () => {
    await expectHeading('Connect HMRC');
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Connect HMRC' }).click();
    await (await signInAtHmrc(page)).denyButton.click();
    await expect(page.getByRole('status').getByText('You didn’t give permission')).toBeVisible();
    await page.getByRole('button', { name: 'Connect HMRC' }).click();
    await (await signInAtHmrc(page)).grant.click();
    await expect(page.getByText('HMRC is connected')).toBeVisible();
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Continue' }).click();
  });
  await test.step('taxes are chosen by keyboard', async () => {
    await expectHeading('Which taxes do you handle?');
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(4);
    await page.getByRole('checkbox', { name: 'Corporation tax' }).press('Space');
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(3);
    await expectPageQuality(page);
    await save.click();
  });
  await test.step('clients are imported', async () => {
    await expectHeading('Import your clients');
    await expectPageQuality(page);
    await page.getByRole('link', { name: 'Import clients' }).click();
    await expect(page).toHaveURL(/\/v2\/open-tax\/clients\/import\?company_id=/);
    // The import is one of the steps and leads to the next.
    await expect(page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: /^Taxes/ })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });
  await test.step('a founder who comes back later continues at the next step', async () => {
    await page.goto('/portal/v2/open-tax/steps/team');
    await expectHeading('Your team');
    await expectPageQuality(page);
    const steps = page.getByRole('navigation', { name: 'Steps' });
    await expect(steps.getByRole('link')).toHaveText([/^Practice/, /^References/, /^HMRC/, /^Taxes/]);
    await steps.getByRole('link', { name: /^References/ }).click();
    await expect(page.getByLabel('PAYE')).toHaveValue('A1234B');
    await page.goto('/portal/home');
    await expect(page).toHaveURL(/\/v2\/open-tax\/dashboard\?company_id=/);
  });
});

const EXPORTS = [
  ['taxdome-accounts.csv', '40 new clients will be added. 1 of them will be archived'],
  ['brightmanager-clients.xlsx', '25 new clients will be added. Missing details will be added to 15 existing clients.'],
  ['senta-clients.csv', '22 new clients will be added. Missing details will be added to 15 existing clients.'],
  ['xero-hq-client-list.csv', '26 new clients will be added. Missing details will be added to 13 existing clients.'],
  ['freeagent-clients.csv', '5 new clients will be added. Missing details will be added to 35 existing clients.'],
] as const;

test('a founder imports the exports of five products, and no column has to be chosen', async ({ page }) => {
  test.setTimeout(150_000);
  await signUpFounder(page);
  await page.getByLabel('Practice name').fill('Journey & Five');
  await page.getByLabel('Company number').focus();
  await page.getByRole('button', { name: 'Save and continue' }).click();
  for (const heading of ['Agent references', 'Connect HMRC']) {
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await page
      .getByRole('link', { name: 'Do this later' })
      .or(page.getByRole('button', { name: 'Do this later' }))
      .click();
  }
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await page.getByRole('link', { name: 'Import clients' }).click();
  for (const [file, plan] of EXPORTS) {
    await page
      .getByLabel('Client list file')
      .setInputFiles(fileURLToPath(new URL(`../../packages/providers/src/clients-file/testing/practice-exports/${file}`, import.meta.url)));
    await expect(page.getByRole('heading', { level: 2, name: file })).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: 'Preview: nothing has changed yet' })).toContainText(plan);
    await page.getByRole('button', { name: /^Import \d+ clients$/ }).click();
    await expect(page.getByText('Import complete')).toBeVisible({ timeout: 60_000 });
  }
  await test.step('each number links to its rows', async () => {
    const result = page.getByRole('status').filter({ hasText: 'Import complete' });
    await result.getByRole('link', { name: '2 clients', exact: true }).click();
    await expect(page.getByRole('table', { name: 'Rows of the file' }).getByRole('row')).toHaveCount(3);
    await result.getByRole('link', { name: '5 clients', exact: true }).click();
    await expect(page.getByRole('table', { name: 'Rows of the file' }).getByRole('row')).toHaveCount(6);
    await expectPageQuality(page);
  });
  await page
    .getByRole('button', { name: 'View clients' })
    .or(page.getByRole('link', { name: 'View clients' }))
    .click();
  await expect(page.getByText('118 clients', { exact: true })).toBeVisible();
});

const TABS = [
  ['You', 'Security'],
  ['Practice', 'Taxes you handle'],
  ['Roles', 'Who can do what'],
  ['Connections', 'HMRC agent services'],
] as const;

test('Priya opens each tab of Oakline’s settings', async ({ page }) => {
  test.setTimeout(120_000);
  await logIn(page, 'priya@oakline.example', sandboxPassword);
  await expect(page).toHaveURL(/\/v2\/open-tax\/dashboard\?company_id=/);
  await page.goto('/portal/v2/open-tax/settings');
  const tabs = page.getByRole('navigation', { name: 'Settings' });
  for (const [tab, card] of TABS) {
    await tabs.getByRole('link', { name: tab, exact: true }).click();
    await expect(page.getByRole('heading', { level: 2, name: card })).toBeVisible();
    await expect(tabs.getByRole('link', { name: tab, exact: true })).toHaveAttribute('aria-current', 'page');
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expectPageQuality(page);
  }
  await expect(page.getByText(`For agent services account ${OAKLINE.arn}`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'PO: your settings' })).toBeVisible();
});

test('Tom can read Oakline’s settings but not change them', async ({ page }) => {
  await logInAndOpen(page, 'tom@oakline.example', sandboxPassword, '/v2/open-tax/settings/practice');
  await expect(page.getByText('Only admins can change these.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Connections' }).click();
  await expect(page.getByText('Only admins can change this connection.')).toBeVisible();
  await expectPageQuality(page);
});

test.describe('pages that do not exist', () => {
  test.use({ expectedBrowserErrors: [/status of 404/] });

  test('a trader who opens a practice’s settings sees that they have no access', async ({ page }) => {
    await logInAndOpen(page, 'tessa@brightwell.example', sandboxPassword, '/v2/open-tax/settings');
    await expect(page.getByRole('heading', { level: 1, name: 'You don’t have access to this practice' })).toBeVisible();
  });
});
