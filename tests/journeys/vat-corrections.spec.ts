/** Books from other software, rows in filed periods, adjustments, and a return filed elsewhere that differs from the books. */
import { addDays, plainDate } from '../../packages/domain/src/plain-date.ts';
import { expect, test } from './journey.ts';
import { expectPageQuality } from './page-quality.ts';
import { apiRequest, createFiledTrader, createTrader, uploadBooks, writeBooks } from './trader.ts';

test('a file from other software is used once its columns are known and its gap is accepted', async ({ page }) => {
  const { companyId, obligation } = await createTrader(page);
  const { period_start: start, period_end: end } = obligation;
  await page.goto(`/portal/v2/instant-vat/steps/bookkeeping?company_id=${companyId}`);
  const input = page.getByLabel('Books file');
  const createFile = (rows: readonly string[]) => ({
    name: 'sales.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Our sales;;;;;', 'Date;In or out;Customer;Net;VAT;Rate', ...rows].join('\n')),
  });
  await input.setInputFiles(
    createFile([`${start};Out;Hull Ltd;£1,000.50;£200.10;Full`, `${addDays(plainDate(start), 9)};Out;Hull Ltd;(£10.00);(£2.00);Full`]),
  );
  await expect(page.getByRole('heading', { name: 'What do the columns of sales.csv mean?' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Columns of sales.csv' })).toBeFocused();
  await expectPageQuality(page);
  await expect(page.getByRole('button', { name: 'Continue' })).toHaveAccessibleDescription(/^Choose which columns contain/);
  await page.getByLabel('Rate', { exact: true }).selectOption({ label: 'VAT treatment or rate' });
  await page.getByLabel('In or out', { exact: true }).selectOption({ label: 'Sale or purchase' });
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('“Out” is').selectOption({ label: 'Sale' });
  await page.getByLabel('“Full” is').selectOption({ label: 'Standard rate' });
  await page.getByRole('button', { name: 'Continue' }).click();

  await expect(page.getByRole('group', { name: 'sales.csv covers only part of a period' })).toBeFocused();
  await expectPageQuality(page);
  await page.getByRole('button', { name: 'Use this file' }).click();
  await expect(page.getByRole('heading', { name: 'Books uploaded' })).toBeFocused();
  await page.goto(`/portal/v2/instant-vat/dashboard/vat-return?company_id=${companyId}&obligation_id=${obligation.obligation_id}`);
  await expect(page.getByRole('list', { name: 'The nine boxes' })).toContainText('£198.10');

  await test.step('the next file is read without a question', async () => {
    await page.goto(`/portal/v2/instant-vat/steps/bookkeeping?company_id=${companyId}`);
    await input.setInputFiles(createFile([`${start};Out;Hull Ltd;£10.00;£2.00;Full`, `${end};Out;Hull Ltd;£10.00;£2.00;Full`]));
    await expect(page.getByRole('heading', { name: 'Books uploaded' })).toBeFocused();
  });
});

test('a late row is included in the next return and taken out again, and a box is adjusted with a reason', async ({ page }) => {
  const { companyId, obligation } = await createFiledTrader(page);
  type Dashboard = { obligations: { obligation_id: string; period_start: string }[] };
  const { obligations } = await apiRequest<Dashboard>(page, 'GET', `/instant-vat/dashboard?company_id=${companyId}`);
  const nextStart = addDays(plainDate(obligation.period_end), 1);
  const next = obligations.find(({ period_start }) => period_start === nextStart);
  await uploadBooks(
    page,
    companyId,
    [
      writeBooks(obligation, 4_000).trim(),
      `${obligation.period_end},sale,INV-9,Hull Ltd,Late lamps,1000.50,200.10,standard`,
      `${nextStart},sale,INV-10,Hull Ltd,Lamps,2000.00,400.00,standard`,
    ].join('\n'),
  );
  await page.goto(`/portal/v2/instant-vat/dashboard/vat-return?company_id=${companyId}&obligation_id=${next?.obligation_id}`);
  const lateRowsRegion = page.getByRole('region', { name: 'Earlier periods: rows missing from the filed return' });
  await expect(lateRowsRegion).toContainText('Net error: £200.10');
  await lateRowsRegion.getByLabel('Select Hull Ltd INV-9').check();
  await expectPageQuality(page);
  await lateRowsRegion.getByRole('button', { name: 'Include in this return' }).click();
  await expect(lateRowsRegion).toContainText('Included in the return to');
  const adjustments = page.getByRole('region', { name: 'Adjustments' });
  await expect(adjustments).toContainText('Net error in earlier returns, from 1 row');
  const boxes = page.getByRole('list', { name: 'The nine boxes' });
  await expect(boxes.getByRole('listitem').first()).toContainText('£600.10');

  await adjustments.getByRole('button', { name: 'Add an adjustment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an adjustment' });
  await expect(dialog.getByRole('button', { name: 'Add adjustment' })).toBeDisabled();
  await expect(dialog).toContainText('Enter the amount.');
  await dialog.getByLabel('Box', { exact: true }).selectOption('4');
  await dialog.getByLabel('Amount').fill('£12.34');
  await dialog.getByLabel('Reason').fill('Partial exemption, annual adjustment');
  await expect(dialog).toContainText('will become £12.34');
  await expectPageQuality(page);
  await dialog.getByRole('button', { name: 'Add adjustment' }).click();
  await expect(boxes.getByRole('listitem').nth(3)).toContainText('£12.34');
  await page.getByRole('button', { name: 'See transactions in box 4' }).click();
  await expect(page.getByRole('dialog', { name: 'Box 4: transactions' })).toContainText('Partial exemption, annual adjustment');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expectPageQuality(page);

  await lateRowsRegion.getByRole('button', { name: 'Undo' }).click();
  await expect(boxes.getByRole('listitem').first()).toContainText('£400.00');
  await expect(lateRowsRegion).toContainText('Not in the return');
});
