/** Files a return by keyboard: Tab reaches every control with a visible focus, and Enter or Space activates it. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { expectPageQuality } from './page-quality.ts';
import { logInByApi } from './pages/log-in-page.ts';
import { operators, sandboxPassword } from './pages/operator-pages.ts';
import { createTrader, password } from './trader.ts';

test('a trader logs in and files a return by keyboard alone', async ({ page, openDevice }) => {
  const trader = await createTrader(page);
  const device = await openDevice();
  await device.goto('/portal/login');
  await expect(device.getByRole('heading', { name: 'Log in', exact: true })).toBeVisible();

  await test.step('the first Tab stop skips to the content', async () => {
    await device.keyboard.press('Tab');
    await expect(device.getByRole('link', { name: 'Skip to main content' })).toBeFocused();
    await device.keyboard.press('Enter');
    await expect(device.locator('main')).toBeFocused();
  });
  await tabTo(device, device.getByLabel('Email'));
  await device.keyboard.type(trader.email);
  await tabTo(device, device.getByLabel('Password'));
  await device.keyboard.type(password);
  await device.keyboard.press('Enter');

  await expect(device.getByRole('heading', { level: 1, name: trader.organisation.name })).toBeVisible();
  // Elements that are still loading would be replaced while the keys are pressed.
  await expect(device.locator('[aria-busy=true]')).toHaveCount(0);
  await tabTo(device, device.getByRole('link', { name: 'Check and file' }));
  await device.keyboard.press('Enter');
  await expect(device.getByRole('heading', { level: 1, name: /^VAT return/ })).toBeFocused();

  await test.step('the details of a box open, trap the focus, and return it', async () => {
    const openButton = device.getByRole('button', { name: 'See transactions in box 4' });
    await tabTo(device, openButton);
    await device.keyboard.press('Enter');
    const dialog = device.getByRole('dialog', { name: 'Box 4: transactions' });
    await expect(dialog.getByRole('table')).toBeVisible();
    for (let stop = 0; stop < 4; stop += 1) {
      await device.keyboard.press('Tab');
      await expect(dialog.locator(':focus')).toHaveCount(1);
    }
    await device.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(openButton).toBeFocused();
  });
  await tabTo(device, device.getByRole('checkbox', { name: 'I confirm that the declaration above is true' }));
  await device.keyboard.press('Space');
  await tabTo(device, device.getByRole('button', { name: 'File this return with HMRC' }));
  await device.keyboard.press('Enter');
  const confirmation = device.getByRole('dialog', { name: /^File the return for/ });
  await expect(confirmation).toBeVisible();
  await tabTo(device, confirmation.getByRole('button', { name: 'File this return' }));
  await device.keyboard.press('Enter');
  await expect(device.getByRole('region', { name: 'Receipt' })).toBeVisible({ timeout: 15_000 });
});

test('a trader opens pages from the command palette by keyboard', async ({ page }) => {
  const trader = await createTrader(page);
  await page.goto('/portal/home');
  await expect(page.getByRole('heading', { level: 1, name: trader.organisation.name })).toBeVisible();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search companies, pages and actions' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('vat ret');
  await expect(palette.getByRole('option', { name: 'VAT returns' })).toHaveAttribute('data-highlighted');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'VAT returns' })).toBeFocused();
});

test('an operator opens and leaves “More” by keyboard, without a stop between the menu and the page', async ({ page }) => {
  await logInByApi(page, operators.olga, sandboxPassword);
  await page.goto('/portal/admin/ledger');
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  const links = page.getByRole('navigation', { name: 'Operators' });
  const moreButton = links.getByRole('button', { name: 'More' });
  const menu = page.getByRole('menu');
  for (const key of ['Tab', 'Shift+Tab']) {
    await moreButton.focus();
    await page.keyboard.press('Enter');
    await expect(menu.getByRole('menuitem').first()).toBeFocused();
    await expectPageQuality(page);
    await page.keyboard.press(key);
    // The library's focus guards are hidden from screen readers, so focus must not stay on them.
    await expect(page.locator('[data-base-ui-focus-guard]:focus')).toHaveCount(0);
    await expect(page.locator('a:focus, button:focus, input:focus')).toHaveCount(1);
    expect(await hasVisibleFocus(page)).toBe(true);
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
  }
  await test.step('in a narrowed window, the navigation starts with a whole link and the current one is in view', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    const getEdges = async (link: Locator) => {
      const { x, width } = (await link.boundingBox()) ?? { x: 0, width: 0 };
      return { left: Math.round(x), right: Math.round(x + width) };
    };
    const [line, end] = [await getEdges(links), await getEdges(moreButton)];
    const readEdges = () => Promise.all(['Shortfalls', 'Ledger'].map((name) => getEdges(links.getByRole('link', { name }))));
    await expect.poll(async () => (await readEdges())[0]?.left).toBe(line.left);
    expect((await readEdges())[1]?.right).toBeLessThanOrEqual(end.left);
  });
});

const MAX_STOPS = 60;

/** Presses Tab until the element has focus, and expects that focus to be visible. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      expect(await hasVisibleFocus(page), `the focus shows on ${String(target)}`).toBe(true);
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(target)}`);
}

/**
 * Returns true if the focused element, or one around or beside it (as with inputs and checkboxes), changes its outline, border, shadow or
 * background on focus.
 */
function hasVisibleFocus(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    // React may mark the focused element in the next frame.
    const waitForRedraw = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const focusedElement = document.activeElement;
    if (!(focusedElement instanceof HTMLElement)) return false;
    const candidates = [focusedElement, focusedElement.parentElement, ...(focusedElement.parentElement?.children ?? [])].filter(
      (element) => element !== null,
    );
    const readStyles = (): string =>
      candidates
        .map((element) => {
          const { outlineStyle, outlineWidth, outlineColor, borderColor, borderWidth, boxShadow, backgroundColor } =
            getComputedStyle(element);
          return [outlineStyle, outlineWidth, outlineColor, borderColor, borderWidth, boxShadow, backgroundColor].join(' ');
        })
        .join('|');
    await waitForRedraw();
    const stylesWithFocus = readStyles();
    focusedElement.blur();
    await waitForRedraw();
    const stylesWithoutFocus = readStyles();
    focusedElement.focus({ preventScroll: true });
    return stylesWithFocus !== stylesWithoutFocus;
  });
}
