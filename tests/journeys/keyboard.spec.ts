/** A return is filed without a pointing device: every stop is reached by Tab, can be seen, and works by Enter or Space. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { makeTrader, password } from './trader.ts';

test('from the login to the filed return by keyboard alone', async ({ page, openDevice }) => {
  const trader = await makeTrader(page);
  const keys = await openDevice();
  await keys.goto('/portal/login');
  await expect(keys.getByRole('heading', { name: 'Log in', exact: true })).toBeVisible();

  await test.step('the first stop skips to the content', async () => {
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
  // What is still being read would be drawn anew under the keys.
  await expect(keys.locator('[aria-busy=true]')).toHaveCount(0);
  await tabTo(keys, keys.getByRole('link', { name: 'Check and file the return' }));
  await keys.keyboard.press('Enter');
  await expect(keys.getByRole('heading', { level: 1, name: /^VAT return/ })).toBeFocused();

  await test.step('a box opens, keeps the focus inside, and gives it back', async () => {
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

/** Presses Tab until the element has the focus, and sees that the focus shows on it. */
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

/** Whether the focused element, or a box drawn around it (MUI's inputs and tick boxes), has a ring, a border or a shadow that it lacks without the focus. */
function showsFocus(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    // MUI marks the focused element by a class that React sets.
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
