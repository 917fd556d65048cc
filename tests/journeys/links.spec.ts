/** Nothing links to a page that does not exist: every page is opened, and every link on it followed, for each kind of person. */
import { findPage } from '@portal/contract/pages.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { OperatorPages, operators } from './pages/operator-pages.ts';
import { expectLinksLeadSomewhere, listLinks } from './sound-page.ts';
import { makeAcceptedTrader } from './trader.ts';

const publicPages = ['/v2/instant-vat', '/v2/instant-vat/steps/about', '/login', '/v2/auth/login', '/v2/auth/check-mail', '/v2/auth/link'];

const traderPages = [
  '/home',
  '/v2/instant-vat/steps/about',
  '/v2/instant-vat/steps/company',
  '/v2/instant-vat/steps/company?existing_user=1',
  '/v2/instant-vat/steps/government-gateway',
  '/v2/instant-vat/steps/bookkeeping',
  '/v2/instant-vat/steps/bank-account',
  '/v2/instant-vat/steps/identity',
  '/verification',
  '/v2/instant-vat/dashboard/link-hmrc-account',
];

test('a visitor’s links lead somewhere', async ({ page }) => {
  expect(await crawl(page, publicPages, false)).toBeGreaterThanOrEqual(publicPages.length);
});

test('a trader’s links lead somewhere', async ({ page }) => {
  // Some thirty pages: a busy machine takes more than a minute for them.
  test.slow();
  await makeAcceptedTrader(page);
  const opened = await crawl(page, traderPages);
  // The dashboard, its six returns, the advance.
  expect(opened).toBeGreaterThanOrEqual(traderPages.length + 8);
});

test('an operator’s links lead somewhere', async ({ page, openDevice }) => {
  await makeAcceptedTrader(page);
  const operator = new OperatorPages(await openDevice());
  await operator.logIn(operators.olga);
  expect(await crawl(operator.page, ['/admin', '/admin?queue=running', '/admin/ledger'])).toBeGreaterThanOrEqual(4);
});

/**
 * Opens these pages and whatever they lead to below /portal; answers how many there were. Logging out would end it, and a provider’s pages are not
 * ours. Pages that are the same for everybody a visitor opens: whoever is logged in opens only those among them that are named.
 */
async function crawl(page: Page, from: readonly string[], isLoggedIn = true): Promise<number> {
  const waiting = from.map((path) => `/portal${path}`);
  const seen = new Set(waiting);
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const answer = await page.goto(path);
    expect([path, answer?.status()]).toEqual([path, 200]);
    // Whoever is logged in is led on from the login page, once it has asked.
    if (isLoggedIn && /\/login(?:$|\?)/.test(path)) await expect(page).not.toHaveURL(/\/login/);
    await expect(page.locator('h1').first()).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expectLinksLeadSomewhere(page);
    for (const link of await listLinks(page)) {
      const { pathname, search, origin } = new URL(link);
      const next = `${pathname}${search}`;
      const isPage =
        origin === new URL(page.url()).origin &&
        pathname.startsWith('/portal/') &&
        !/\/logout$|\.csv$|_signup$|\/auth\/provider\//.test(pathname) &&
        !(isLoggedIn && findPage(pathname.replace(/^\/portal/, ''))?.access === 'public');
      if (!isPage || seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  return seen.size;
}
