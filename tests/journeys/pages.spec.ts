/** General pages: help, demo, filing, contact, data policy, pending tasks and connections. */
import { randomUUID } from 'node:crypto';
import { expect, test } from './journey.ts';
import { logInAndOpen } from './pages/log-in-page.ts';
import { sandboxPassword } from './pages/operator-pages.ts';
import { getMailboxUrl } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';
import { createTrader } from './trader.ts';

const PUBLIC_PAGES = [
  ['/v2/instant-vat/help', 'Help'],
  ['/help', 'Help'],
  ['/v2/instant-vat/dashboard/help', 'Help'],
  ['/v2/instant-vat/vat-return', 'File your VAT return with us'],
  ['/contact', 'Contact us'],
  ['/privacy', 'Data policy'],
  ['/privacy/cookies', 'Cookie choices'],
] as const;

for (const [path, heading] of PUBLIC_PAGES) {
  test(`a visitor opens ${path}`, async ({ page }) => {
    const response = await page.goto(`/portal${path}`);
    expect(response?.status()).toBe(200);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expectPageQuality(page);
  });
}

for (const path of ['/pending-tasks', '/connections']) {
  test(`a visitor has to log in before ${path}`, async ({ page }) => {
    await page.goto(`/portal${path}`);
    await expect(page).toHaveURL(/\/portal\/login$/);
  });
}

test('help starts with the page the user came from, and can be searched', async ({ page }) => {
  await page.goto('/portal/v2/instant-vat/dashboard/vat-return/help');
  const aboutRegion = page.getByRole('region', { name: 'About the page you were on' });
  await expect(aboutRegion.getByRole('heading', { level: 3 }).first()).toHaveText('Checking and filing your VAT return');
  await page.getByLabel('Search help').fill('minimum fee');
  await expect(page.getByRole('region', { name: 'Search results' }).getByText('What it costs')).toBeVisible();
  await expect(page).toHaveURL(/q=minimum\+fee/);
  await page.getByLabel('Search help').fill('unicorns');
  await expect(page.getByRole('search').getByRole('status')).toHaveText('No articles found');
});

test('a visitor plays through the demo', async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') calls.push(request.url());
  });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/portal/v2/instant-vat/demo');
  const banner = page.getByRole('complementary', { name: 'Demo mode' });
  await expect(banner).toContainText("You're in demo mode – this is a preview of InstantVAT");
  expect(await banner.evaluate((element) => getComputedStyle(element).transitionDuration)).toBe('0.3s');
  await expect(banner).toContainText("You're seeing dummy data. To view your real VAT account Sign Up or Login");
  await expect(page.getByRole('heading', { level: 1, name: 'Albion Demo Ltd' })).toBeVisible();
  await expectPageQuality(page);

  await test.step('the demo shows the real return and advance screens', async () => {
    await page.getByRole('button', { name: 'Restart' }).click();
    await page.getByRole('link', { name: 'Check and file' }).click();
    await expect(page).toHaveURL(/\/portal\/v2\/instant-vat\/demo\/vat-return$/);
    await page.reload();
    await expect(page.getByRole('region', { name: 'The demo’s clock' })).toContainText('the return is ready to file');
    await expect(page.getByRole('heading', { level: 1, name: /^VAT return, 1 July to 30 September 2026/ })).toBeVisible();
    await page.goto('/portal/v2/instant-vat/demo/advance');
    await expect(page.getByRole('heading', { level: 1, name: 'Early refund' })).toBeVisible();
    await expectPageQuality(page);
  });
  await test.step('each demo story reaches its end', async () => {
    for (const story of ['normal-refund', 'hmrc-asks', 'adjusted-refund', 'set-off', 'missing-return']) {
      await page.goto(`/portal/v2/instant-vat/demo/advance?story=${story}`);
      await expect(page.getByRole('combobox', { name: 'Demo story' })).toHaveValue(story);
      const next = page.getByRole('button', { name: /^Next: / });
      const settledText = page.getByText('Settled. You’re all done');
      // Each click moves one step, so this waits until the clock shows the new time before the next click.
      await expect(next).toBeVisible();
      while (await next.isVisible()) {
        const moment = await next.innerText();
        await next.click();
        await expect(page.getByRole('button', { name: moment, exact: true })).toHaveCount(0);
      }
      await expect(settledText).toBeVisible();
    }
  });
  expect(calls, 'calls that left the browser').toEqual([]);

  await test.step('Sign Up opens the dialog and hides the banner while it is open', async () => {
    await banner.getByRole('button', { name: 'Sign Up' }).click();
    await expect(page.getByRole('dialog', { name: 'Get your VAT refund in as little as 24 hours' })).toBeVisible();
    await expect(banner).toBeHidden();
    await page.getByRole('button', { name: 'See how InstantVAT works in a demo account' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(banner).toBeVisible();
  });
  await banner.getByRole('link', { name: 'Login' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
});

test('a page that the demo lacks says so inside the demo', async ({ page }) => {
  await page.goto('/portal/v2/instant-vat/demo/your-own-account');
  await expect(page.getByRole('heading', { level: 1, name: 'You need an account for this page' })).toBeVisible();
  await expectPageQuality(page);
  await page.getByRole('link', { name: 'Back to the demo' }).click();
  await expect(page).toHaveURL(/\/portal\/v2\/instant-vat\/demo$/);
});

test('a message from the contact page reaches the support mailbox', async ({ page, openDevice }) => {
  await page.goto('/portal/contact');
  const send = page.getByRole('button', { name: 'Send message' });
  await expect(send).toBeDisabled();
  const email = `vera-${randomUUID().slice(0, 8)}@journeys.example`;
  await page.getByLabel('Your name').fill('Vera Visitor');
  await page.getByLabel('Email', { exact: true }).fill('vera');
  await page.getByLabel('What is it about?').selectOption({ label: 'A complaint' });
  await page.getByLabel('Your message').fill('The offer said 24 hours.');
  await expect(page.getByText('Invalid email address')).toBeVisible();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await send.click();
  const sentAlert = page.getByRole('region', { name: 'Send us a message' }).getByRole('alert');
  await expect(sentAlert).toContainText('Your reference is M-');
  const reference = /M-[0-9A-F]{8}/.exec((await sentAlert.textContent()) ?? '')?.[0] ?? '';
  await expectPageQuality(page);
  const mailbox = await openDevice();
  await expect(async () => {
    await mailbox.goto(getMailboxUrl('support@portal.example'));
    await expect(mailbox.getByText(reference).first()).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
});

test('cookie choices are saved for the next visit', async ({ page }) => {
  await page.goto('/portal/privacy/cookies');
  await page.getByLabel('Referrals').check();
  await page.getByRole('main').getByRole('button', { name: 'Save choices' }).click();
  await expect(page.getByText('Preferences saved')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Referrals')).toBeChecked();
  await expect(page.getByLabel('Website statistics')).not.toBeChecked();
});

test('Tessa sees her own connections with their status', async ({ page }) => {
  await logInAndOpen(page, 'tessa@brightwell.example', sandboxPassword, '/connections');
  const company = page.getByRole('region', { name: 'Brightwell Exports Ltd' });
  await expect(company.getByRole('heading', { level: 3 })).toHaveText(['HMRC', 'Books', 'Bank account']);
  await expect(company).toContainText('Connected');
  await expect(company.getByRole('link', { name: 'View permission' })).toHaveAttribute('href', /link-hmrc-account\?company_id=/);
  await expect(page.getByRole('region', { name: 'How you log in' })).toContainText('tessa@brightwell.example');
  await expectPageQuality(page);
  await page.goto('/portal/pending-tasks');
  await expect(page.getByRole('heading', { level: 1, name: 'Pending tasks' })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expectPageQuality(page);
});

test('a trader’s ready return is the first pending task and links to the filing page', async ({ page }) => {
  const { obligation } = await createTrader(page);
  await page.goto('/portal/pending-tasks');
  const task = page.getByRole('article').first();
  await expect(task.getByRole('heading', { level: 3 })).toContainText('File your VAT return to');
  await expect(task).toContainText(/Due by \d+ \w+ \d{4}, \d+ working days? left|Was due on|last working day/);
  await task.getByRole('link', { name: 'Check and file' }).click();
  await expect(page).toHaveURL(new RegExp(`/dashboard/vat-return\\?company_id=.*obligation_id=${obligation.obligation_id}`));
});

test('a practice’s client isn’t asked for a company, and is led to their home page', async ({ page }) => {
  await logInAndOpen(page, 'carl@harlow.example', sandboxPassword, '/pending-tasks');
  await expect(page.getByText('Your accounting practice prepares and files your returns for you.')).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expect(page.getByRole('main')).not.toContainText(/company/i);
  await expectPageQuality(page);
});

test.describe('pages that do not exist yet', () => {
  test.use({ expectedBrowserErrors: [/status of 404/] });

  test('an unknown address shows the designed 404 page, which leads to help', async ({ page }) => {
    const response = await page.goto('/portal/v2/instant-vat/premium');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    await expectPageQuality(page);
    await page.getByLabel('Search help').fill('bank account');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL(/\/portal\/help\?q=bank\+account/);
    await expect(page.getByRole('region', { name: 'Search results' })).toBeVisible();
  });
});
