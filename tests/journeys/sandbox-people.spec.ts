/** Tests the sandbox's users (docs/product/decisions.md section 12), and pages that don't exist. */
import { expect, test } from './journey.ts';
import { logInAndOpen, expectLoginPage, logIn } from './pages/log-in-page.ts';
import { sandboxPassword } from './pages/operator-pages.ts';
import { VatReturnPage } from './pages/vat-return-page.ts';
import { expectPageQuality } from './page-quality.ts';

test('Tessa logs in, sees her next deadline, files her return and logs out without leaving data behind', async ({ page }) => {
  await page.goto('/portal/login');
  await expectPageQuality(page);
  await test.step('a wrong password is rejected in the form', async () => {
    await page.getByLabel('Email').fill('tessa@brightwell.example');
    await page.getByLabel('Password').fill('not her password');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await expect(page.getByRole('main').getByRole('alert')).toContainText('The email address or password is incorrect.');
    await expectPageQuality(page);
  });
  await logIn(page, 'tessa@brightwell.example', sandboxPassword);
  await expect(page.getByRole('heading', { level: 1, name: 'Brightwell Exports Ltd' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Next deadline' })).toBeVisible();
  await expectPageQuality(page);

  await page.getByRole('link', { name: 'Check and file' }).click();
  const vatReturn = new VatReturnPage(page);
  await vatReturn.declareAndFile();
  await expect(vatReturn.receipt).toContainText('Tessa Bright');
  await page.getByRole('link', { name: 'Back to the dashboard' }).click();
  const refund = page.getByRole('region', { name: 'Early refund' });
  await refund.getByRole('button', { name: 'Show all 7 steps' }).click();
  await expect(refund.getByRole('list', { name: 'Refund progress' })).toBeVisible();

  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('button', { name: 'Log out' }).click();
  // The login page is a separate document, so wait for its heading.
  await expect(page.getByRole('heading', { name: 'Log in', exact: true })).toBeVisible();
  const readStorage = () => page.evaluate(() => ({ local: { ...localStorage }, session: { ...sessionStorage } }));
  await expect.poll(readStorage).toEqual({ local: {}, session: {} });
  await test.step('her dashboard asks for a login again', async () => {
    await page.goto('/portal/v2/instant-vat/dashboard');
    await expectLoginPage(page);
  });
});

test('Carl sees what his company has to pay to HMRC, and how', async ({ page }) => {
  await logIn(page, 'carl@harlow.example', sandboxPassword);
  await expect(page.getByRole('heading', { level: 1, name: 'Harlow Joinery Ltd' })).toBeVisible();
  await expect(page.getByText('Looked after by Oakline Accounting')).toBeVisible();
  await expect(page.getByRole('button', { name: 'CH: your menu' })).toBeVisible();
  await expect(page.getByText('How to pay').first()).toBeVisible();
  await expectPageQuality(page);
});

test.describe('pages that do not exist', () => {
  test.use({ expectedBrowserErrors: [/status of 404/] });

  test('an unknown page shows the designed 404 page', async ({ page }) => {
    const response = await page.goto('/portal/v2/instant-vat/no-such-page');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await expectPageQuality(page);
  });

  test('a URL without /portal redirects to the page below it', async ({ page }) => {
    for (const path of ['/home', '/dashboard']) {
      await page.goto(path);
      await expect(page).toHaveURL(/\/portal\/login$/);
      await expect(page.getByRole('heading', { name: 'Log in', exact: true })).toBeVisible();
    }
    const response = await page.goto('/no-such-page?a=1');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  });

  test('operators’ pages are not found by others', async ({ page }) => {
    await logInAndOpen(page, 'carl@harlow.example', sandboxPassword, '/admin/ledger');
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  });

  test('an unknown API call returns 404 as JSON', async ({ request }) => {
    for (const [method, path] of [
      ['GET', '/portal/instant-vat/no-such-call'],
      ['POST', '/portal/instant-vat/no-such-call'],
      ['GET', '/portal/open-tax/clients'],
    ] as const) {
      const response = await request.fetch(path, { method });
      expect([path, response.status()]).toEqual([path, 404]);
      expect(response.headers()['content-type']).toContain('json');
      expect(await response.json()).toMatchObject({ code: 'request.not_found', status: 404 });
    }
  });
});
