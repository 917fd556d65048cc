/** Files a return by keyboard: Tab reaches every control with visible focus, and Enter or Space activates it. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { makeTrader, password } from './trader.ts';

test('a trader logs in and files a return by keyboard alone', async ({ page, openDevice }) => {
  const trader = await makeTrader(page);
  const keys = await openDevice();
  await keys.goto('/portal/login');
  await expect(keys.getByRole('heading', { name: 'Log in', exact: true })).toBeVisible();

  await test.step('the first Tab stop skips to the content', async () => {
    await keys.keyboard.press('Tab');
    await expect(keys.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
    await keys.keyboard.press('Enter');
    await expect(keys.locator('main')).toBeFocused();
  });
  await tabTo(keys, keys.getByLabel('Email'));
  await keys.keyboard.type(trader.email);
  await tabTo(keys, keys.getByLabel('Password'));
  await keys.keyboard.type(password);
  await keys.keyboard.press('Enter');

  await expect(keys.getByRole('heading', { level: 1, name: trader.organisation.name })).toBeVisible();
  // Elements that are still loading would be replaced while the keys are pressed.
  await expect(keys.locator('[aria-busy=true]')).toHaveCount(0);
  await tabTo(keys, keys.getByRole('link', { name: 'Check and file the return' }));
  await keys.keyboard.press('Enter');
  await expect(keys.getByRole('heading', { level: 1, name: /^VAT return/ })).toBeFocused();

  await test.step('the details of a box open, trap the focus, and return it', async () => {
    const opener = keys.getByRole('button', { name: 'See transactions of box 4' });
    await tabTo(keys, opener);
    await keys.keyboard.press('Enter');
    const dialog = keys.getByRole('dialog', { name: 'Box 4: the transactions' });
    await expect(dialog.getByRole('table')).toBeVisible();
    for (let stop = 0; stop < 4; stop += 1) {
      await keys.keyboard.press('Tab');
      await expect(dialog.locator(':focus')).toHaveCount(1);
    }
    await keys.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
  });
  await tabTo(keys, keys.getByRole('checkbox', { name: 'I have read this declaration, and I make it' }));
  await keys.keyboard.press('Space');
  await tabTo(keys, keys.getByRole('button', { name: 'File this return with HMRC' }));
  await keys.keyboard.press('Enter');
  const confirmation = keys.getByRole('dialog', { name: /^File the return for/ });
  await expect(confirmation).toBeVisible();
  await tabTo(keys, confirmation.getByRole('button', { name: 'File this return' }));
  await keys.keyboard.press('Enter');
  await expect(keys.getByRole('region', { name: 'Receipt' })).toBeVisible({ timeout: 15_000 });
});

const mostStops = 60;

/** Presses Tab until the element has the focus, and expects the focus to be visible. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  for (let stop = 0; stop < mostStops; stop += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) {
      expect(await showsFocus(page), `the focus shows on ${String(wanted)}`).toBe(true);
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(wanted)}`);
}

/**
 * True if the focused element, or an element around or beside it (as in MUI's inputs and checkboxes), changes its outline, border, shadow
 * or background with the focus.
 */
function showsFocus(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    // MUI marks the focused element with a class that React sets in the next frame.
    const drawnAnew = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement)) return false;
    const drawn = [focused, focused.parentElement, ...(focused.parentElement?.children ?? [])].filter((element) => element !== null);
    const look = (): string =>
      drawn
        .map((element) => {
          const { outlineStyle, outlineWidth, outlineColor, borderColor, borderWidth, boxShadow, backgroundColor } =
            getComputedStyle(element);
          return [outlineStyle, outlineWidth, outlineColor, borderColor, borderWidth, boxShadow, backgroundColor].join(' ');
        })
        .join('|');
    await drawnAnew();
    const withFocus = look();
    focused.blur();
    await drawnAnew();
    const without = look();
    focused.focus({ preventScroll: true });
    return withFocus !== without;
  });
}
