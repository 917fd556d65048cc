/** A trader connects Xero, QuickBooks or FreeAgent in the browser, sees the period's nine boxes, and files the return from them. */
import type { Page } from '@playwright/test';
import { MAX_LAYOUT_SHIFT, readLayoutShift, watchLayoutShifts } from '../../scripts/testing/layout-shift.ts';
import { expect, test } from './journey.ts';
import { expectPageQuality } from './page-quality.ts';
import { ProviderPages } from './pages/provider-pages.ts';
import { VatReturnPage } from './pages/vat-return-page.ts';
import { type BooksProvider, createBooks, listReturns } from './sandbox.ts';
import { createTraderWithoutBooks, uploadBooks, writeBooks } from './trader.ts';

const BOOKS_PROVIDERS = [
  ['xero', 'Xero'],
  ['quickbooks', 'QuickBooks'],
  ['freeagent', 'FreeAgent'],
] as const satisfies readonly (readonly [BooksProvider, string])[];

for (const [providerKey, name] of BOOKS_PROVIDERS) {
  test(`books in ${name} are connected, read and filed from`, async ({ page }) => {
    const trader = await createTraderWithoutBooks(page);
    const { email } = await createBooks(providerKey, trader.organisation, trader.obligation);
    const provider = new ProviderPages(page);

    await test.step('connects the organisation', async () => {
      await page.goto(`/portal/v2/instant-vat/dashboard/books?company_id=${trader.companyId}`);
      await expect(page.getByRole('button', { name: `Connect ${name}` })).toBeVisible();
      await expectPageQuality(page);
      await page.getByRole('button', { name: `Connect ${name}` }).click();
      await provider.choose(email);
      await provider.allowButton.click();
      await expect(page.getByRole('heading', { name: `Books from ${name}` })).toBeVisible();
      await expect(page.getByText(trader.organisation.name).first()).toBeVisible();
    });
    if (providerKey !== 'xero') {
      await test.step('says once how it accounts for VAT', async () => {
        await page.getByRole('radio', { name: /^Invoice accounting/ }).check();
        await page.getByRole('button', { name: 'Save and work out the figures' }).click();
      });
    }
    await test.step('sees what was read', async () => {
      await expect(page.getByRole('heading', { name: 'Current figures' })).toBeVisible({ timeout: 60_000 });
      await expectPageQuality(page);
    });
    await test.step('sees the boxes, each with documents that open in the software, and files', async () => {
      const vatReturn = new VatReturnPage(page);
      await vatReturn.open(trader);
      await vatReturn.expectBox(4, '£4,000.00');
      await vatReturn.expectBox(6, '£50,000');
      await vatReturn.expectBox(7, '£20,000');
      await expect(page.getByText(`${name}: ${trader.organisation.name}`)).toBeVisible();
      await expect(page.getByText('agrees with these boxes: £4,000.00 to reclaim.')).toBeVisible();
      await page.getByRole('button', { name: 'See transactions in box 4' }).click();
      const dialog = page.getByRole('dialog', { name: 'Box 4: transactions' });
      await expect(dialog.getByRole('link', { name: /^Open B-1 from Severn Glassworks Ltd/ })).toHaveAttribute('target', '_blank');
      await expectPageQuality(page);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await vatReturn.declareAndFile();
      await expect(vatReturn.receipt).toBeVisible();
      expect(await listReturns(trader.organisation.vrn)).toMatchObject([{ times_accepted: 1 }]);
    });
  });
}

/** The two requests for the page's content, whose order isn't certain. */
const [CONNECTION, FILES] = ['**/instant-vat/books/connection?*', '**/instant-vat/books?*'];

/** Opens the page so that the response to `lateEntry` arrives after the one to `earlyEntry` has been rendered. Returns how far the page moved. */
async function openBooks(page: Page, companyId: string, earlyEntry: string, lateEntry: string): Promise<number> {
  const waitForFrames = 'new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))';
  const responsePromise = page.waitForResponse(earlyEntry);
  await page.route(lateEntry, async (route) => {
    await (await responsePromise).finished();
    for (let turn = 0; turn < 5; turn += 1) await page.evaluate(waitForFrames);
    await route.continue();
  });
  await page.goto(`/portal/v2/instant-vat/dashboard/books?company_id=${companyId}`);
  await expect(page.getByRole('button', { name: 'Connect FreeAgent' })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.evaluate(waitForFrames);
  await page.unroute(lateEntry);
  return readLayoutShift(page);
}

test('the books page moves nothing while it loads, before and after the first file', async ({ page }) => {
  test.setTimeout(240_000);
  const { companyId, obligation } = await createTraderWithoutBooks(page);
  await watchLayoutShifts(page);
  const expectNoLayoutShift = async (heading: string): Promise<void> => {
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const [earlyEntry, lateEntry] of [
        [CONNECTION, FILES],
        [FILES, CONNECTION],
      ] as const) {
        const shift = await openBooks(page, companyId, earlyEntry, lateEntry);
        await expect(page.getByRole('heading', { name: heading })).toBeVisible();
        expect.soft(shift, `layout shift at ${width} px, ${lateEntry} last`).toBeLessThanOrEqual(MAX_LAYOUT_SHIFT);
      }
    }
  };
  await test.step('without books', () => expectNoLayoutShift('No books yet'));
  await uploadBooks(page, companyId, writeBooks(obligation, 4_000));
  await test.step('with a file', () => expectNoLayoutShift('Current file'));
});
