/** The page frame (docs/product/specification.md section 2.6): header at each width, slide-out menu, mobile layout and navigation. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { logInAndOpen, expectLoginPage, logIn } from './pages/log-in-page.ts';
import { sandboxPassword } from './pages/operator-pages.ts';
import { createOrganisation } from './sandbox.ts';
import { expectPageQuality, waitUntilStill } from './page-quality.ts';
import { apiRequest, createCompany, createTrader, password } from './trader.ts';

const DESKTOP = { width: 1440, height: 900 };
const PHONE_SIZE = { width: 360, height: 800 };

const getBanner = (page: Page) => page.getByRole('banner');
const getLogo = (page: Page) => getBanner(page).getByRole('link', { name: 'Tidewater' });
const getMenuButton = (page: Page) => getBanner(page).getByRole('button', { name: 'Menu' });
const getMenu = (page: Page) => page.getByRole('navigation', { name: 'Menu' });

async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(`/portal${path}`);
  await expect(page.locator('h1').first()).toBeVisible();
}

async function listEntries(page: Page): Promise<string[]> {
  const menuTexts = await getMenu(page).getByRole('listitem').allInnerTexts();
  return menuTexts.map((text) => text.replace('(opens in a new tab)', '').trim());
}

/** Waits until the opened menu has focus, because keys pressed earlier would be lost. */
async function openMenuByKey(page: Page): Promise<void> {
  await getMenuButton(page).press('Enter');
  await expect(page.getByRole('main', { name: 'Menu' })).toBeFocused();
  await expect(getMenu(page).getByRole('listitem').first()).toBeVisible();
}

test('a visitor’s header shows only the logo, and is hidden on v2 pages on a phone', async ({ page }) => {
  for (const size of [PHONE_SIZE, DESKTOP]) {
    await page.setViewportSize(size);
    await openPage(page, '/login');
    await expect(getLogo(page)).toBeVisible();
    await expect(getLogo(page)).toHaveAttribute('target', '_blank');
    await expect.poll(async () => (await getLogo(page).boundingBox())?.height).toBe(24);
    await expect(getMenuButton(page)).toHaveCount(0);
    await expect(getBanner(page).getByRole('link', { name: 'Help' })).toHaveCount(0);
  }
  for (const path of ['/v2/auth/login', '/v2/instant-vat/steps/about', '/v2/instant-vat/help']) {
    await page.setViewportSize(PHONE_SIZE);
    await openPage(page, path);
    await expect(getBanner(page)).toHaveCount(0);
    await page.setViewportSize(DESKTOP);
    await expect(getLogo(page)).toBeVisible();
  }
});

test('a trader’s dashboard has a white bar with 35 px initials that link to the profile', async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  await logInAndOpen(page, 'tessa@brightwell.example', sandboxPassword);
  const avatar = getBanner(page).getByRole('link', { name: 'BE: your profile' });
  for (const size of [PHONE_SIZE, DESKTOP]) {
    await page.setViewportSize(size);
    await expect(avatar).toBeVisible();
    await expect.poll(async () => avatar.locator('div').boundingBox()).toMatchObject({ width: 35, height: 35 });
    await expect(getBanner(page)).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    // On a wide screen, Help is in the navigation that we add to the specification's header.
    await expect(getBanner(page).getByRole('link', { name: 'Help' })).toHaveCount(size === PHONE_SIZE ? 0 : 1);
  }
  await test.step('the bar is 81 px high, and the page fills the rest of the window', async () => {
    await expect.poll(async () => (await getBanner(page).boundingBox())?.height).toBe(81);
    await openPage(page, '/company');
    const getHeight = async (part: Locator): Promise<number> => (await part.boundingBox())?.height ?? 0;
    const measureMainWidth = async (): Promise<number> => {
      const parts = [
        page.getByRole('complementary', { name: 'Sandbox' }),
        page.getByRole('button', { name: 'Cookie choices' }).locator('..'),
        page.getByRole('main'),
      ];
      const heights = await Promise.all(parts.map(getHeight));
      return Math.round(DESKTOP.height - heights.reduce((sum, height) => sum + height, 0));
    };
    await expect.poll(measureMainWidth).toBe(81);
    await expect.poll(() => page.evaluate(() => document.scrollingElement?.scrollHeight)).toBe(DESKTOP.height);
  });
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Brightwell Exports Ltd' })).toBeVisible();
  await avatar.click();
  await expect(page).toHaveURL(/\/v2\/instant-vat\/profile\?company_id=[0-9a-f-]{36}$/);
  await test.step('the profile has a plain header, and none on a phone', async () => {
    await expect(getBanner(page).getByRole('link', { name: 'Help' }).last()).toBeVisible();
    await expect(getMenuButton(page)).toBeVisible();
    await page.setViewportSize(PHONE_SIZE);
    await expect(getBanner(page)).toHaveCount(0);
  });
  await test.step('a guest has neither menu nor help', async () => {
    await page.setViewportSize(DESKTOP);
    await openPage(page, '/company?external_user=1');
    await expect(getLogo(page)).toBeVisible();
    await expect(getMenuButton(page)).toHaveCount(0);
    await expect(getBanner(page).getByRole('link', { name: 'Help' })).toHaveCount(0);
  });
});

test('the slide-out menu replaces the page and its links work', async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  await logInAndOpen(page, 'tessa@brightwell.example', sandboxPassword);
  const title = page.getByRole('heading', { level: 1, name: 'Brightwell Exports Ltd' });
  await expect(title).toBeVisible();
  const companiesRequest = page.waitForRequest((request) => request.url().endsWith('/portal/user-companies'));
  await getMenuButton(page).click();
  await companiesRequest;
  await expect.poll(() => listEntries(page)).toEqual(['Home', 'Add company', 'Data policy', 'Help', 'Log out']);
  await expect(title).toBeHidden();
  await expect(getMenuButton(page)).toHaveAttribute('aria-expanded', 'true');
  await expectPageQuality(page);

  await test.step('Esc closes it and returns the focus to its button', async () => {
    await page.keyboard.press('Escape');
    await expect(title).toBeVisible();
    await expect(getMenuButton(page)).toBeFocused();
  });
  await test.step('the data policy opens in a new tab, and the menu stays open', async () => {
    await getMenuButton(page).click();
    const [policy] = await Promise.all([page.waitForEvent('popup'), getMenu(page).getByRole('link', { name: 'Data policy' }).click()]);
    await expect(policy).toHaveURL(/\/portal\/privacy$/);
    await policy.close();
    await expect(getMenu(page)).toBeVisible();
  });
  for (const [name, address] of [
    ['Help', /\/v2\/instant-vat\/help$/],
    ['Add company', /\/steps\/company\?existing_user=1$/],
    ['Home', /\/v2\/instant-vat\/dashboard/],
  ] as const) {
    await test.step(`"${name}" opens its page and focuses the heading`, async () => {
      if (!(await getMenu(page).isVisible())) await getMenuButton(page).click();
      await getMenu(page).getByRole('link', { name }).click();
      await expect(page).toHaveURL(address);
      await expect(getMenu(page)).toHaveCount(0);
      await expect(page.locator('h1').first()).toBeFocused();
    });
  }
  for (const [name, heading] of [
    ['Set-up steps', /.+/],
    ['Profile', 'Profile'],
  ] as const) {
    await getMenuButton(page).click();
    await page.getByRole('navigation', { name: 'Your account' }).getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused();
  }
  await test.step('at the gateway step, Home opens the list of companies', async () => {
    await openPage(page, '/v2/instant-vat/steps/government-gateway');
    await getMenuButton(page).click();
    await getMenu(page).getByRole('link', { name: 'Home' }).click();
    await expect(page).toHaveURL(/\/company$/);
  });
});

test('the mobile menu works by keyboard', async ({ page }) => {
  const { companyId, organisation } = await createTrader(page);
  await page.setViewportSize(PHONE_SIZE);
  await openPage(page, `/v2/instant-vat/dashboard?company_id=${companyId}`);
  const title = page.getByRole('heading', { level: 1, name: organisation.name });
  await expect(title).toBeVisible();
  await test.step('its button is the Tab stop after the logo', async () => {
    await getLogo(page).focus();
    await page.keyboard.press('Tab');
    await expect(getMenuButton(page)).toBeFocused();
    await expect(getMenuButton(page)).toHaveAttribute('aria-expanded', 'false');
    await page.keyboard.press('Enter');
    await expect(getMenuButton(page)).toHaveAttribute('aria-expanded', 'true');
  });
  await expect
    .poll(() => listEntries(page))
    .toEqual(['Go to dashboard', expect.stringMatching(/^Pending tasks/), 'Manage connections', 'Data policy', 'Contact us', 'Log out']);
  await expect(title).toBeHidden();
  // A tick would mean that there's nothing left to do.
  await expect(getMenu(page).getByRole('link', { name: 'Pending tasks' })).toContainText(/\d+ to do/);
  await test.step('the first Tab stop inside is its first entry', async () => {
    await expect(page.getByRole('main', { name: 'Menu' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(getMenu(page).getByRole('link', { name: 'Go to dashboard' })).toBeFocused();
  });
  await expectPageQuality(page);
  // When the layout changes, the menu is rendered again and takes focus.
  await page.setViewportSize(PHONE_SIZE);
  await waitUntilStill(page);
  await test.step('the skip link leads into it', async () => {
    await page.getByRole('link', { name: 'Skip to main content' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main', { name: 'Menu' })).toBeFocused();
  });
  await test.step('choosing the current page closes it too', async () => {
    await getMenu(page).getByRole('link', { name: 'Go to dashboard' }).press('Enter');
    await expect(title).toBeVisible();
    await expect(getMenu(page)).toHaveCount(0);
  });
  for (const [name, address] of [
    ['Pending tasks', /\/pending-tasks\?company_id=/],
    ['Manage connections', /\/connections\?company_id=/],
    ['Contact us', /\/contact$/],
  ] as const) {
    await test.step(`"${name}" opens its page`, async () => {
      await openMenuByKey(page);
      await getMenu(page).getByRole('link', { name }).press('Enter');
      await expect(page).toHaveURL(address);
      await expect(getMenu(page)).toHaveCount(0);
      await expect(page.locator('h1').first()).toBeFocused();
    });
  }
  await openMenuByKey(page);
  await getMenu(page).getByRole('button', { name: 'Log out' }).press('Enter');
  await expectLoginPage(page);
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
});

test('with several companies the menu starts with them', async ({ page }) => {
  const { companyId } = await createCompany(page);
  const second = await createOrganisation();
  await apiRequest(page, 'POST', '/instant-vat/steps/company', { name: second.name, company_number: '09482716', vrn: second.vrn });
  await page.setViewportSize(DESKTOP);
  await openPage(page, `/v2/instant-vat/dashboard?company_id=${companyId}`);
  await getMenuButton(page).click();
  await expect.poll(async () => (await listEntries(page))[0]).toBe('My companies');
  await page.getByRole('link', { name: 'Change company' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your companies' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);
  await getMenuButton(page).click();
  await getMenu(page).getByRole('link', { name: 'My companies' }).click();
  await expect(page).toHaveURL(/\/v2\/instant-vat\/profile\?company_id=/);
});

test('a visitor at a later step sees why to log in, and returns to the step afterwards', async ({ page, openDevice }) => {
  const { email } = await createCompany(page);
  const device = await openDevice();
  await openPage(device, '/v2/instant-vat/steps/bank-account');
  await expect(device.getByRole('heading', { level: 1, name: 'Log in to continue your sign-up' })).toBeVisible();
  await expect(device).toHaveURL(/\/steps\/bank-account$/);
  await expectPageQuality(device);
  await device.getByRole('link', { name: 'Log in' }).click();
  await device.getByLabel('Email').fill(email);
  await device.getByLabel('Password').fill(password);
  await device.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(device).toHaveURL(/\/steps\/bank-account$/);
  await expect(device.getByLabel('Sort code')).toBeVisible();
});

test('titles follow the brand, and going back restores the scroll position', async ({ page }) => {
  await openPage(page, '/login');
  await expect(page).toHaveTitle('Tidewater Login');
  await logIn(page, 'tessa@brightwell.example', sandboxPassword);
  await expect(page).toHaveTitle('Tidewater InstantVAT Refunds – Overview – Brightwell Exports Ltd');
  await page.setViewportSize(PHONE_SIZE);
  const link = page.getByRole('main').getByRole('link').last();
  await expect(page.getByRole('heading', { level: 1, name: 'Brightwell Exports Ltd' })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  // The narrow layout replaces the links once more.
  await expect(() => link.scrollIntoViewIfNeeded({ timeout: 1_000 })).toPass();
  // The browser moves the position by itself when something above the link changes its height, so it counts at the time of the click.
  const leftAt = await link.evaluateHandle((element) => {
    const place = { scroll: 0, top: 0 };
    const note = () => Object.assign(place, { scroll: window.scrollY, top: element.getBoundingClientRect().top });
    element.addEventListener('click', note, { capture: true, once: true });
    return place;
  });
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Brightwell Exports Ltd' })).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  const { scroll, top } = await leftAt.jsonValue();
  expect(scroll).toBeGreaterThan(100);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Brightwell Exports Ltd' })).toBeVisible();
  // The same scroll position, or the same link in the same place if the company's figures changed above it.
  await expect
    .poll(async () => {
      const [scrollNow, topNow] = await link.evaluate((element) => [window.scrollY, element.getBoundingClientRect().top] as const);
      return Math.min(Math.abs(scrollNow - scroll), Math.abs(topNow - top));
    })
    .toBeLessThanOrEqual(1);
});
