/** Checks that form drafts survive a reload, and that an offline page appears when there's no network. */
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { logIn } from './pages/log-in-page.ts';
import { expectPageQuality } from './page-quality.ts';
import { createCompany, createEmailAddress, password, signUp } from './trader.ts';

test('a draft of the company step survives a reload and is gone after starting again', async ({ page }) => {
  await signUp(page, createEmailAddress());
  await page.goto('/portal/v2/instant-vat/steps/company');
  await page.getByLabel('Company name').fill('Half Typed Ltd');
  await page.getByLabel('VAT registration number').fill('980 780');
  await page.reload();
  await expect(page.getByLabel('Company name')).toHaveValue('Half Typed Ltd');
  await expect(page.getByLabel('VAT registration number')).toHaveValue('980 780');
  await expect(page.getByText('We’ve filled in what you entered before')).toBeVisible();
  await expectPageQuality(page);
  await page.getByRole('button', { name: 'Start again' }).click();
  await expect(page.getByLabel('Company name')).toHaveValue('');
  await page.reload();
  await expect(page.getByLabel('Company name')).toHaveValue('');
});

test('bank account numbers are never stored, and logging out deletes every draft', async ({ page }) => {
  const { companyId, email } = await createCompany(page);
  const readStorage = () => page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  await page.goto(`/portal/v2/instant-vat/steps/bank-account?company_id=${companyId}`);
  await page.getByLabel('Account holder').fill('Another Name Ltd');
  await page.getByLabel('Sort code').fill('200000');
  await page.getByLabel('Account number').fill('55779911');
  await expect.poll(readStorage).toContain('Another Name Ltd');
  expect(await readStorage()).not.toMatch(/200000|55779911/);
  await page.reload();
  await expect(page.getByLabel('Account holder')).toHaveValue('Another Name Ltd');
  await expect(page.getByLabel('Account number')).toHaveValue('');
  await page.goto('/portal/logout');
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await expect.poll(readStorage).not.toContain('Another Name Ltd');
  await logIn(page, email, password);
});

/** Either heading is correct: after a reload, Chromium may believe that it is online even though the test has disabled the network. */
const OFFLINE_HEADING = /^(You appear to be offline|Our server isn’t answering)$/;

const openHelp = async (page: Page): Promise<void> => {
  await page.goto('/portal/v2/instant-vat/help');
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
};

test.describe('without a network', () => {
  test.use({ expectedBrowserErrors: [/net::ERR_INTERNET_DISCONNECTED/] });

  test('a page reloaded offline shows the offline page and recovers automatically', async ({ page, context }) => {
    await openHelp(page);
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: OFFLINE_HEADING })).toBeVisible();
    await expect(page).toHaveURL(/\/portal\/v2\/instant-vat\/help$/);
    await expect(page.getByText(/^Trying again in \d+ seconds$/)).toBeVisible();
    await page.getByRole('button', { name: 'Try again now' }).click();
    await expect(page.getByRole('status')).toHaveText('Still no connection. We’ll keep trying.');
    await expectPageQuality(page);
    // Uses a separate tab, because the offline page may reload itself at any time.
    const otherPage = await context.newPage();
    await otherPage.goto('/portal/v2/instant-vat/dashboard?company_id=c1');
    await expect(otherPage.getByRole('heading', { level: 1, name: OFFLINE_HEADING })).toBeVisible();
    const storedItems = await otherPage.evaluate(async () => {
      const names = await caches.keys();
      const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return requests.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(storedItems.toSorted()).toEqual(['/portal/icon.svg', '/portal/offline.html', '/portal/offline.js']);
    await otherPage.close();
    await context.setOffline(false);
    await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible({ timeout: 60_000 });
  });
});

test.describe('without a server', () => {
  test.use({ expectedBrowserErrors: [/net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)/] });

  test('a page that is reloaded while the server restarts recovers automatically', async ({ page, portal }) => {
    await openHelp(page);
    await portal.stop();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Our server isn’t answering' })).toBeVisible();
    await portal.start();
    await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible({ timeout: 60_000 });
  });
});

test.describe('with a malformed URL', () => {
  // The router logs what it couldn't decode, but still shows the page.
  test.use({ expectedBrowserErrors: [/status of 404|could not be decoded because it is a malformed URL segment/] });

  test('an unreadable URL shows the designed 404 page', async ({ page }) => {
    for (const address of ['/portal/%zz', '/portal/%E0%A4%A', '/portal/v2/auth/provider/unknown', '/portal/%00']) {
      const response = await page.goto(address);
      expect(response?.status(), address).toBe(404);
      await expect(page.getByRole('heading', { level: 1, name: 'Page not found' }), address).toBeVisible();
    }
    expect((await page.goto('/portal/v2/instant-vat?partner=%00'))?.status()).toBe(200);
    await expect(page.getByRole('dialog')).toBeVisible();
  });
});
