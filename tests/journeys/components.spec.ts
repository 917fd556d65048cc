/** The component gallery: quality at every width, a URL for each section, and dialogs that behave as specified. */
import { expect, test } from './journey.ts';
import { expectPageQuality } from './page-quality.ts';

const COMPONENTS_PATH = '/portal/dev/components';

test('every component in every state passes the quality checks', async ({ page }) => {
  await page.goto(COMPONENTS_PATH);
  await expect(page.getByRole('heading', { level: 1, name: 'Components' })).toBeVisible();
  await expectPageQuality(page);
});

test('the URL of a section opens it', async ({ page }) => {
  await page.goto(`${COMPONENTS_PATH}#status-panel`);
  await expect(page.getByRole('heading', { name: 'Status panel' })).toBeInViewport();
  for (const [name, size] of [
    ['Status panel', { width: 80, height: 80 }],
    ['Headers', { width: 35, height: 35 }],
  ] as const) {
    const section = page.getByRole('region', { name, exact: true });
    const icon =
      name === 'Headers'
        ? section.getByRole('link', { name: /your / }).first().locator('div')
        : section.getByRole('img', { name: 'Waiting' });
    await expect.poll(() => icon.boundingBox()).toMatchObject(size);
  }
});

test('sign-in buttons are 48 px high, or 36 px when small, and at most 300 px wide', async ({ page }) => {
  await page.goto(COMPONENTS_PATH);
  const buttons = page.getByRole('region', { name: 'Sign-in buttons' }).getByRole('button', { name: 'Sign in with Google' });
  const measureBoxes = () => Promise.all([0, 1, 2].map((index) => buttons.nth(index).boundingBox()));
  await expect.poll(async () => (await measureBoxes()).map((box) => box?.height)).toEqual([48, 48, 36]);
  await expect.poll(async () => (await measureBoxes()).map((box) => box?.width)).toEqual([300, 300, 300]);
});

test('dialogs have the specified widths, and become sheets on a small screen', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${COMPONENTS_PATH}#modal-dialog`);
  const section = page.getByRole('region', { name: 'Modal dialog' });
  const dialog = page.getByRole('dialog').last();
  const measureDialog = async (sample: string) => {
    await section.getByRole('figure', { name: sample }).getByRole('button').click();
    await expect(dialog).toBeVisible();
    const box = await dialog.boundingBox();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    return box;
  };
  await page.setViewportSize({ width: 1440, height: 900 });
  expect((await measureDialog('Small: 500 px'))?.width).toBe(500);
  expect((await measureDialog('Wide: up to 852 px'))?.width).toBe(852);
  await page.setViewportSize({ width: 360, height: 800 });
  const sheet = await measureDialog('Small: 500 px');
  expect([sheet?.width, (sheet?.y ?? 0) + (sheet?.height ?? 0)]).toEqual([360, 800]);
});

test('opened components pass the quality checks and close again', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(COMPONENTS_PATH);
  await test.step('the dropdown menu works by keyboard', async () => {
    const menuButton = page.getByRole('button', { name: 'Account' });
    await menuButton.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Home' })).toBeFocused();
    await page.keyboard.press('End');
    await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menuButton).toBeFocused();
  });
  await test.step('a loading notification stays until the app hides it', async () => {
    await page.getByRole('button', { name: 'Show the loading state' }).click();
    const dialog = page.getByRole('dialog', { name: 'Filing your return' });
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeVisible();
    await expect(dialog).toBeHidden({ timeout: 6000 });
  });
  await test.step('alerts are shown one at a time', async () => {
    await page.getByRole('button', { name: 'Show four alerts' }).click();
    const queue = page.getByRole('figure', { name: 'Queue' });
    await expect(queue.getByRole('alert')).toContainText('3 more messages after this');
    await queue.getByRole('button', { name: /^Dismiss/ }).click();
    await expect(queue.getByRole('alert')).toBeEmpty();
    await expect(queue.getByRole('status')).toContainText('2 more messages after this');
  });
  await test.step('a page theme changes the whole page', async () => {
    await page.getByRole('radio', { name: 'plum' }).check();
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(249, 246, 252)');
  });
});
