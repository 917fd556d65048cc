/** A trader connects Xero, QuickBooks or FreeAgent in the browser, sees the nine boxes of the period, and files the return from them. */
import { expect, test } from './journey.ts';
import { expectPageQuality } from './page-quality.ts';
import { ProviderPages } from './pages/provider-pages.ts';
import { VatReturnPage } from './pages/vat-return-page.ts';
import { type BooksProgram, createBooks, listReturns } from './sandbox.ts';
import { createTraderWithoutBooks } from './trader.ts';

const PROGRAMS = [
  ['xero', 'Xero'],
  ['quickbooks', 'QuickBooks'],
  ['freeagent', 'FreeAgent'],
] as const satisfies readonly (readonly [BooksProgram, string])[];

for (const [program, name] of PROGRAMS) {
  test(`books in ${name} are connected, read and filed from`, async ({ page }) => {
    const trader = await createTraderWithoutBooks(page);
    const { email } = await createBooks(program, trader.organisation, trader.obligation);
    const provider = new ProviderPages(page);

    await test.step('connects the organisation', async () => {
      await page.goto(`/portal/v2/instant-vat/dashboard/books?company_id=${trader.companyId}`);
      await expect(page.getByRole('button', { name: `Connect ${name}` })).toBeVisible();
      await expectPageQuality(page);
      await page.getByRole('button', { name: `Connect ${name}` }).click();
      await provider.choose(email);
      await provider.allow.click();
      await expect(page.getByRole('heading', { name: `Books from ${name}` })).toBeVisible();
      await expect(page.getByText(trader.organisation.name).first()).toBeVisible();
    });
    if (program !== 'xero') {
      await test.step('says once how it accounts for VAT', async () => {
        await page.getByRole('radio', { name: /^Invoice accounting/ }).check();
        await page.getByRole('button', { name: 'Save and work out the figures' }).click();
      });
    }
    await test.step('sees what was read', async () => {
      await expect(page.getByRole('heading', { name: 'Current figures' })).toBeVisible({ timeout: 60_000 });
      await expectPageQuality(page);
    });
    await test.step('sees the boxes, each with documents that open in the program, and files', async () => {
      const vatReturn = new VatReturnPage(page);
      await vatReturn.open(trader);
      await vatReturn.expectBox(4, '£4,000.00');
      await vatReturn.expectBox(6, '£50,000');
      await vatReturn.expectBox(7, '£20,000');
      await expect(page.getByText(`${name}: ${trader.organisation.name}`)).toBeVisible();
      await expect(page.getByText('agrees with these boxes: £4,000.00 to reclaim.')).toBeVisible();
      await page.getByRole('button', { name: 'See transactions of box 4' }).click();
      const dialog = page.getByRole('dialog', { name: 'Box 4: transactions' });
      await expect(dialog.getByRole('link', { name: /^Open B-1 of Severn Glassworks Ltd/ })).toHaveAttribute('target', '_blank');
      await expectPageQuality(page);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await vatReturn.declareAndFile();
      await expect(vatReturn.receipt).toBeVisible();
      expect(await listReturns(trader.organisation.vrn)).toMatchObject([{ times_accepted: 1 }]);
    });
  });
}
