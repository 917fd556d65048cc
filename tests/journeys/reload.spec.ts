/** What loading a page again keeps: what was typed, and, without a network, the portal's own page. */
import { expect, test } from './journey.ts';
import { logIn } from './pages/log-in-page.ts';
import { expectSoundPage } from './sound-page.ts';
import { makeCompany, newEmail, password, signUp } from './trader.ts';

test('what was typed into the company step is there again, and gone once it is saved or forgotten', async ({ page }) => {
  await signUp(page, newEmail());
  await page.goto('/portal/v2/instant-vat/steps/company');
  await page.getByLabel('Company name').fill('Half Typed Ltd');
  await page.getByLabel('VAT registration number').fill('980 780');
  await page.reload();
  await expect(page.getByLabel('Company name')).toHaveValue('Half Typed Ltd');
  await expect(page.getByLabel('VAT registration number')).toHaveValue('980 780');
  await expect(page.getByText('Here is what you typed before')).toBeVisible();
  await expectSoundPage(page);
  await page.getByRole('button', { name: 'Start again' }).click();
  await expect(page.getByLabel('Company name')).toHaveValue('');
  await page.reload();
  await expect(page.getByLabel('Company name')).toHaveValue('');
});

test('the numbers of a bank account are kept nowhere, and a log-out takes every draft away', async ({ page }) => {
  const { companyId, email } = await makeCompany(page);
  const kept = () => page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  await page.goto(`/portal/v2/instant-vat/steps/bank-account?company_id=${companyId}`);
  await page.getByLabel('Account holder').fill('Another Name Ltd');
  await page.getByLabel('Sort code').fill('200000');
  await page.getByLabel('Account number').fill('55779911');
  await expect.poll(kept).toContain('Another Name Ltd');
  expect(await kept()).not.toMatch(/200000|55779911/);
  await page.reload();
  await expect(page.getByLabel('Account holder')).toHaveValue('Another Name Ltd');
  await expect(page.getByLabel('Account number')).toHaveValue('');
  await page.goto('/portal/logout');
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await expect.poll(kept).not.toContain('Another Name Ltd');
  await logIn(page, email, password);
});

test.describe('without a network', () => {
  test.use({ expectedComplaints: [/net::ERR_INTERNET_DISCONNECTED/] });

  test('a page that is loaded again without a network is the portal’s own, and comes back by itself', async ({ page, context }) => {
    await page.goto('/portal/v2/instant-vat/help');
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible();
    await expect(page).toHaveURL(/\/portal\/v2\/instant-vat\/help$/);
    await expectSoundPage(page);
    // In a tab of its own: the page without a network loads itself again when it thinks that there is one, and would interrupt the way to another.
    const other = await context.newPage();
    await other.goto('/portal/v2/instant-vat/dashboard?company_id=c1');
    await expect(other.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible();
    await expect(async () => {
      const stored = await other.evaluate(async () => {
        const names = await caches.keys();
        const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        return requests.flat().map(({ url }) => new URL(url).pathname);
      });
      expect(stored.toSorted()).toEqual(['/portal/icon.svg', '/portal/offline.html', '/portal/offline.js']);
    }).toPass({ timeout: 15_000 });
    await other.close();
    await context.setOffline(false);
    await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible();
  });
});

test.describe('at an odd address', () => {
  // The router says what it could not decode; the page is drawn all the same.
  test.use({ expectedComplaints: [/status of 404|could not be decoded because it is a malformed URL segment/] });

  test('what cannot be read is the designed page', async ({ page }) => {
    for (const address of ['/portal/%zz', '/portal/%E0%A4%A', '/portal/v2/auth/provider/nobody', '/portal/%00']) {
      const answer = await page.goto(address);
      expect(answer?.status(), address).toBe(404);
      await expect(page.getByRole('heading', { level: 1, name: 'We cannot find this page' }), address).toBeVisible();
    }
    expect((await page.goto('/portal/v2/instant-vat?partner=%00'))?.status()).toBe(200);
    await expect(page.getByRole('dialog')).toBeVisible();
  });
});
