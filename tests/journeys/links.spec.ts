/** Opens every page and every link on it as each kind of user, and expects no broken links. */
import { findPage } from '@portal/contract/pages.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { OperatorPages, operators } from './pages/operator-pages.ts';
import { expectLinksToWork, listLinks } from './page-quality.ts';
import { createAcceptedTrader } from './trader.ts';

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

const operatorPages = [
  '/admin',
  '/admin?queue=running',
  '/admin/promise',
  '/admin/exposure',
  '/admin/companies',
  '/admin/reconciliation',
  '/admin/shortfalls',
  '/admin/ledger',
  '/admin/messages',
  '/admin/screening',
  '/admin/partners',
  '/admin/jobs',
  '/admin/health',
  '/admin/audit',
  '/admin/people',
];

/** URLs that return a file instead of a page. */
const FILES = /^\/portal\/(?:instant-vat\/documents|operator\/(?:ledger|audit)\/export|api-docs$|developers\/portal-client\.ts$)/;

test('a visitor’s links work', async ({ page }) => {
  expect(await crawlLinks(page, publicPages, false)).toBeGreaterThanOrEqual(publicPages.length);
});

test('a trader’s links work', async ({ page }) => {
  // About thirty pages take more than a minute on a busy machine.
  test.slow();
  await createAcceptedTrader(page);
  const crawledPages = await crawlLinks(page, traderPages);
  // Counts the dashboard, its six returns and the advance.
  expect(crawledPages).toBeGreaterThanOrEqual(traderPages.length + 8);
});

test('an operator’s links work', async ({ page, openDevice }) => {
  test.slow();
  await createAcceptedTrader(page);
  const operator = new OperatorPages(await openDevice());
  await operator.logIn(operators.olga);
  expect(await crawlLinks(operator.page, operatorPages)).toBeGreaterThan(operatorPages.length);
});

/**
 * Opens these pages and every page below /portal that they link to. Returns the number of pages. Doesn't log out or open the providers' own
 * pages. A logged-in user skips public pages unless they are listed, because the visitor's test opens them.
 */
async function crawlLinks(page: Page, startPaths: readonly string[], isLoggedIn = true): Promise<number> {
  const queue = startPaths.map((path) => `/portal${path}`);
  const visited = new Set(queue);
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (FILES.test(path)) {
      expect([path, (await page.request.get(path)).status()]).toEqual([path, 200]);
      continue;
    }
    const response = await page.goto(path);
    expect([path, response?.status()]).toEqual([path, 200]);
    // The login page redirects a logged-in user after checking the session.
    if (isLoggedIn && /\/login(?:$|\?)/.test(path)) await expect(page).not.toHaveURL(/\/login/);
    await expect(page.locator('h1').first()).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expectLinksToWork(page);
    for (const link of await listLinks(page)) {
      const { pathname, search, origin } = new URL(link);
      const next = `${pathname}${search}`;
      const isPage =
        origin === new URL(page.url()).origin &&
        pathname.startsWith('/portal/') &&
        !/\/logout$|\.csv$|_signup$|\/auth\/provider\//.test(pathname) &&
        !(isLoggedIn && findPage(pathname.replace(/^\/portal/, ''))?.access === 'public');
      if (!isPage || visited.has(next)) continue;
      visited.add(next);
      queue.push(next);
    }
  }
  return visited.size;
}
