/**
 * An operator works at the desk by keyboard: filters, a saved view, the details beside the list, assignment, a note, and the company's
 * page.
 */
import { expect, test } from './journey.ts';
import { OperatorPages, operators } from './pages/operator-pages.ts';
import { expectPageQuality } from './page-quality.ts';
import { createAcceptedTrader } from './trader.ts';

test('the desk is filtered, saved as a view and worked by keyboard', async ({ page, openDevice }) => {
  const trader = await createAcceptedTrader(page, 12_000);
  const company = trader.organisation.name;
  const { page: desk } = await test.step('an operator logs in', async () => {
    const olga = new OperatorPages(await openDevice());
    await olga.logIn(operators.olga);
    return olga;
  });
  const row = desk.getByRole('link', { name: company, exact: true });
  const details = desk.getByRole('complementary', { name: `Details of ${company}` });
  const views = desk.getByRole('navigation', { name: 'Views' });
  await expect(row).toBeVisible();
  await expectPageQuality(desk);

  await test.step('a filter without matches says so, and is cleared', async () => {
    await desk.getByLabel('Refund', { exact: true }).selectOption('Over £25,000');
    await expect(desk.getByText('No advances match')).toBeVisible();
    await expectPageQuality(desk);
    await desk.getByRole('button', { name: 'Clear filters' }).click();
    await expect(row).toBeVisible();
  });
  await test.step('filters are saved as a view, which opens with one click', async () => {
    await desk.getByLabel('Trader', { exact: true }).selectOption('New');
    await desk.getByLabel('Refund', { exact: true }).selectOption('Over £10,000');
    await expect(row).toBeVisible();
    await desk.getByRole('button', { name: 'Save view' }).click();
    const dialog = desk.getByRole('dialog', { name: 'Save view' });
    await dialog.getByLabel('Name').fill('Large first refunds');
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await expect(dialog).toBeHidden();
    await views.getByRole('link', { name: 'All' }).click();
    await expect(desk.getByLabel('Trader', { exact: true })).toHaveValue('');
    await views.getByRole('link', { name: 'Large first refunds' }).click();
    await expect(desk).toHaveURL(/trader=new/);
    await expect(desk.getByLabel('Trader', { exact: true })).toHaveValue('new');
    await expect(row).toBeVisible();
  });
  await test.step('the keyboard moves to the advance, assigns it, and shows and hides its details', async () => {
    await desk.getByRole('heading', { level: 1, name: 'Work queue' }).focus();
    // Other journeys' advances on this portal may come first.
    await expect(async () => {
      await desk.keyboard.press('j');
      await expect(row).toBeFocused({ timeout: 1_000 });
    }).toPass({ timeout: 30_000 });
    await expect(details).toContainText('£12,000.00');
    await expect(details.getByLabel('Owner')).toHaveValue('');
    await desk.keyboard.press('a');
    await expect(details.getByLabel('Owner').locator('option:checked')).toHaveText('Olga Marsh (you)');
    await desk.keyboard.press(' ');
    await expect(details).toBeHidden();
    await desk.keyboard.press('?');
    await expect(desk.getByRole('dialog')).toContainText('Write a note');
    await expectPageQuality(desk);
    await desk.keyboard.press('Escape');
    await expect(desk.getByRole('dialog')).toBeHidden();
  });
  await test.step('a note is written for the others, and the company’s page shows everything about it', async () => {
    await row.focus();
    await desk.keyboard.press('n');
    await expect(details.getByLabel('New note for other operators')).toBeFocused();
    await desk.keyboard.type('Called them, invoice follows');
    await desk.keyboard.press('Control+Enter');
    await expect(details).toContainText('Called them, invoice follows');
    await expect(desk.getByText('1 note')).toBeVisible();
    await row.focus();
    await desk.keyboard.press('c');
    await expect(desk.getByRole('heading', { level: 1, name: company })).toBeVisible();
    await expect(desk.getByRole('region', { name: 'Exposure' })).toContainText('£12,000.00');
    await expect(desk.getByRole('region', { name: 'People and identity' })).toContainText(trader.email);
    await expectPageQuality(desk);
  });
});
