/**
 * The scripts of the first pages stay within their limits, so that a cheap phone has little to load and run before it responds to the first
 * tap.
 */
import type { Browser, Page } from '@playwright/test';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { measureScriptBytes, SCRIPT_LIMITS } from '../../scripts/testing/page-scripts.ts';
import { expect, test } from './journey.ts';
import { logInByApi } from './pages/log-in-page.ts';
import { sandboxPassword } from './pages/operator-pages.ts';

type LimitedPath = keyof typeof SCRIPT_LIMITS;

/** All paths are checked before the test fails, so that one run names every page that is too large. */
async function expectScriptsWithinLimits(browser: Browser, page: Page, paths: readonly LimitedPath[], query = ''): Promise<void> {
  const { origin } = new URL((await page.request.get('/portal/login')).url());
  const state = await page.context().storageState();
  for (const path of paths) {
    const bytes = await measureScriptBytes(browser, state, `${origin}/portal${path}${query}`, async (measured) => {
      expect(new URL(measured.url()).pathname).toBe(`/portal${path}`);
      await expect(measured.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await expect(measured.locator('[aria-busy=true]')).toHaveCount(0);
      await expect(measured.getByRole('main').getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
    });
    // If a script that all pages have is missing, nothing was measured.
    expect.soft(bytes, `JavaScript of ${path} before any interaction, bytes with gzip`).toBeGreaterThan(50_000);
    expect.soft(bytes, `JavaScript of ${path} before any interaction, bytes with gzip`).toBeLessThanOrEqual(SCRIPT_LIMITS[path]);
  }
}

async function findCompanyId(page: Page, kind: string): Promise<string> {
  const companies = (await (await page.request.get('/portal/user-companies')).json()) as { company_id: string; kind: string }[];
  const company = companies.find((candidate) => candidate.kind === kind);
  expect(company, `a company of the kind ${kind}`).toBeDefined();
  return company?.company_id ?? '';
}

test('the landing pages, the login page and the trader’s dashboard stay within their JavaScript limits', async ({ page, browser }) => {
  await expectScriptsWithinLimits(browser, page, ['/v2/instant-vat', '/v2/open-tax', '/login']);
  await logInByApi(page, 'tessa@brightwell.example', sandboxPassword);
  const companyId = await findCompanyId(page, 'trader');
  await expectScriptsWithinLimits(browser, page, ['/v2/instant-vat/dashboard'], `?company_id=${companyId}`);
});

test('the practice’s dashboard and its client list stay within their JavaScript limits', async ({ page, browser }) => {
  await logInByApi(page, OAKLINE.emailAddress, sandboxPassword);
  const query = `?company_id=${await findCompanyId(page, 'practice')}`;
  await expectScriptsWithinLimits(browser, page, ['/v2/open-tax/dashboard', '/v2/open-tax/clients'], query);
});
