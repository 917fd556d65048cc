/**
 * Consent, analytics, marketing tags and chat (docs/product/specification.md section 4; docs/decisions/0015), on a separate portal that
 * uses the simulator's container.
 */
import type { Page } from '@playwright/test';
import { listViolations } from './axe.ts';
import { expect, test as journey, type Portal } from './journey.ts';
import { expectLoginPage, logIn, useAuthenticatorCode } from './pages/log-in-page.ts';
import { operators, sandboxPassword } from './pages/operator-pages.ts';
import { expectPageQuality } from './page-quality.ts';

const test = journey.extend<object, { portalSettings: Readonly<Record<string, string>> }>({
  portalSettings: [
    async ({ ports }, use) =>
      use({ ANALYTICS_CONTAINER_ID: 'GTM-JOURNEY', ANALYTICS_CONTAINER_URL: `http://localhost:${ports.sandboxPort}/tag-manager` }),
    { scope: 'worker' },
  ],
});

type TrackingEntry = { readonly at: string; readonly entry: { readonly event?: string; readonly page_path?: string } };

async function listEntries({ sandboxUrl }: Portal): Promise<TrackingEntry[]> {
  const response = await fetch(`${sandboxUrl}/control/analytics.json`);
  return ((await response.json()) as { entries: TrackingEntry[] }).entries;
}

/** Returns the paths of the pageviews received by the container. */
async function listPageviews(portal: Portal): Promise<string[]> {
  return (await listEntries(portal)).flatMap(({ entry }) => (entry.event === 'pageview' ? [entry.page_path ?? ''] : []));
}

test.beforeEach(async ({ portal }) => {
  await fetch(`${portal.sandboxUrl}/control/analytics/clear`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
});

/** Collects every URL that the browser requests from now on. */
function watchRequests(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  return requests;
}

const getBanner = (page: Page) => page.getByRole('region', { name: 'Cookies' });
const filterContainerRequests = (requests: readonly string[]) => requests.filter((url) => url.includes('/tag-manager/'));

test('no container is loaded before consent, and one pageview is sent for each route after it', async ({ page, portal }) => {
  const requests = watchRequests(page);
  await page.goto('/portal/login?company_id=018f0000-0000-7000-8000-000000000001');
  await expect(getBanner(page)).toBeVisible();
  await page.getByRole('link', { name: 'Set a new password' }).click();
  await expect(page).toHaveURL(/reset-password/);
  expect(filterContainerRequests(requests)).toEqual([]);
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('_ga');

  await getBanner(page).getByRole('button', { name: 'Accept all' }).click();
  await expect(getBanner(page)).toBeHidden();
  await expect.poll(() => listPageviews(portal)).toEqual(['/portal/v2/auth/reset-password']);
  await page.goBack();
  await expectLoginPage(page);
  await expect.poll(() => listPageviews(portal)).toEqual(['/portal/v2/auth/reset-password', '/portal/login']);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await expect.poll(() => listPageviews(portal)).toEqual(['/portal/v2/auth/reset-password', '/portal/login', '/portal/login']);
  expect(JSON.stringify(await listEntries(portal))).not.toContain('018f0000');

  await test.step('withdrawing consent stops tracking', async () => {
    await page.getByRole('button', { name: 'Cookie choices' }).click();
    const reloadPromise = page.waitForEvent('load');
    await getBanner(page).getByRole('button', { name: 'Reject all' }).click();
    await reloadPromise;
    const before = (await listPageviews(portal)).length;
    requests.length = 0;
    await page.getByRole('link', { name: 'Set a new password' }).click();
    await expect(page).toHaveURL(/reset-password/);
    expect(filterContainerRequests(requests)).toEqual([]);
    expect(await listPageviews(portal)).toHaveLength(before);
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('_ga');
  });
});

test('the landing page asks for consent after its dialog is closed, and then sends its route', async ({ page, portal }) => {
  const requests = watchRequests(page);
  await page.goto('/portal/v2/instant-vat');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(getBanner(page)).toBeHidden();
  await page.getByRole('button', { name: /demo account/ }).click();
  await expect(getBanner(page)).toBeVisible();
  expect(filterContainerRequests(requests)).toEqual([]);
  await getBanner(page).getByRole('button', { name: 'Choose' }).click();
  await getBanner(page).getByRole('checkbox', { name: 'Website statistics' }).check();
  await getBanner(page).getByRole('button', { name: 'Save choices' }).click();
  await expect.poll(() => listPageviews(portal)).toEqual(['/portal/v2/instant-vat']);
  const choicesCookie = (await page.context().cookies()).find(({ name }) => name === 'cookie_choices');
  expect(choicesCookie).toMatchObject({ value: '1.a1m0c0', path: '/', sameSite: 'Lax' });
});

test('operators’ pages are never tracked', async ({ page, portal }) => {
  await page.goto('/portal/login');
  await getBanner(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => listPageviews(portal)).toEqual(['/portal/login']);
  await logIn(page, operators.olga, sandboxPassword);
  await useAuthenticatorCode(operators.olga, async (code) => {
    await page.getByLabel('6-digit code').fill(code);
    const trackedResponse = page.waitForResponse(
      (response) => response.url().endsWith('/auth/second-factor') && response.request().method() === 'POST',
    );
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    return (await trackedResponse).ok();
  });
  // The router navigated inside the app, so the page reloads without the container. Waits for that, because the reload would interrupt the
  // next navigation.
  await expect(page.locator('script[src*="gtm.js"]')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Work queue' })).toBeVisible();
  const requests = watchRequests(page);
  await page.goto('/portal/admin/ledger');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(filterContainerRequests(requests)).toEqual([]);
  const entries = await listEntries(portal);
  expect(entries.filter(({ entry }) => entry.page_path?.includes('/admin'))).toEqual([]);
});

test('marketing tags stay on links inside the app, and on no others', async ({ page }) => {
  await page.goto('/portal/login?utm_source=news&utm_campaign=spring');
  await getBanner(page).getByRole('button', { name: 'Reject all' }).click();
  await page.getByRole('link', { name: 'Set a new password' }).click();
  await expect(page).toHaveURL(/reset-password\?utm_source=news&utm_campaign=spring$/);
  // Links don't work until the page is rendered.
  await expect(page.getByRole('heading', { level: 1, name: 'Set a new password' })).toBeVisible();
  await page.evaluate(() => {
    for (const href of ['#here', 'mailto:a@b.example', 'tel:+441', 'https://www.gov.uk/vat', '/portal/contact?utm_source=other']) {
      const link = Object.assign(document.createElement('a'), { href, textContent: href });
      link.addEventListener('click', (event) => event.preventDefault());
      document.body.append(link);
      link.click();
    }
  });
  const after = await page.locator('body > a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(after).toEqual([
    '#here',
    'mailto:a@b.example',
    'tel:+441',
    'https://www.gov.uk/vat',
    '/portal/contact?utm_source=other&utm_campaign=spring',
  ]);
  const readStorage = () => page.evaluate(() => [sessionStorage.getItem('utm_tags'), localStorage.getItem('utm_tags')]);
  await expect.poll(readStorage).toEqual([JSON.stringify({ utm_source: 'news', utm_campaign: 'spring' }), null]);
});

test('the chat asks for consent, identifies the user, and is removed after logging out', async ({ page }) => {
  await logIn(page, 'tessa@brightwell.example', sandboxPassword);
  await getBanner(page).getByRole('button', { name: 'Reject all' }).click();
  const requests = watchRequests(page);
  await page.goto('/portal/contact');
  const chat = page.getByRole('main').getByRole('button', { name: /chat/i });
  await chat.click();
  await getBanner(page).getByRole('button', { name: 'Not now' }).click();
  expect(requests.filter((url) => url.includes('/hubspot/'))).toEqual([]);

  await chat.click();
  await expect(getBanner(page)).toContainText('HubSpot');
  await getBanner(page).getByRole('button', { name: 'Allow and chat' }).click();
  await expect(page.getByRole('region', { name: 'Chat (sandbox)' })).toContainText('It knows you as tessa@brightwell.example.');
  await chat.click();
  await expect(page.locator('script#hs-script-loader')).toHaveCount(1);
  expect(requests.filter((url) => url.endsWith('.js') && url.includes('/hubspot/'))).toHaveLength(1);

  await page.goto('/portal/logout');
  await expectLoginPage(page);
  const names = (await page.context().cookies()).map(({ name }) => name);
  expect(names).not.toContain('messagesUtk');
  expect(names).not.toContain('hubspotutk');
  expect(names).toContain('cookie_choices');
});

test('the consent banner passes the quality checks at every width and does not shift the page', async ({ page }) => {
  await page.goto('/portal/login');
  await expect(getBanner(page)).toBeVisible();
  await expectPageQuality(page);
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await getBanner(page).getByRole('button', { name: 'Choose' }).focus();
    await page.keyboard.press('Enter');
    await expect(getBanner(page).getByRole('heading', { name: 'Cookie choices' })).toBeFocused();
    expect(await listViolations(page, { within: 'section[aria-label="Cookies"]' })).toEqual([]);
    await page.reload();
    await expect(getBanner(page)).toBeVisible();
  }
  const readTop = async () => (await page.getByRole('heading', { level: 1 }).boundingBox())?.y;
  const before = await readTop();
  await getBanner(page).getByRole('button', { name: 'Reject all' }).click();
  await expect(getBanner(page)).toBeHidden();
  await expect.poll(readTop).toBe(before);
});
