/** Files a return: review, declaration, confirmation and exactly one submission, even if a response is lost. */
import { expect, test } from './journey.ts';
import { VatReturnPage } from './pages/vat-return-page.ts';
import { listCalls, listReturns, setFault } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';
import { createTrader, uploadBooks, writeBooks } from './trader.ts';

test('a return is reviewed box by box and filed from the dashboard, and its receipt is stored', async ({ page }) => {
  const trader = await createTrader(page);
  await page.goto(`/portal/v2/instant-vat/dashboard?company_id=${trader.companyId}`);
  await expect(page.getByRole('heading', { level: 1, name: trader.organisation.name })).toBeVisible();
  await page.getByRole('link', { name: 'Check and file' }).click();
  const vatReturn = new VatReturnPage(page);

  await test.step('the boxes come from the file', async () => {
    await vatReturn.expectBox(1, '£0.00');
    await vatReturn.expectBox(4, '£4,000.00');
    await vatReturn.expectBox(5, '£4,000.00');
    await vatReturn.expectBox(6, '£50,000');
    await vatReturn.expectBox(7, '£20,000');
    await expect(page.getByText('HMRC owes you', { exact: true })).toBeVisible();
    await expectPageQuality(page);
  });
  await test.step('each box with an amount lists its transactions, except boxes 3 and 5, which are calculated', async () => {
    await expect(page.getByRole('button', { name: /^See transactions in box/ })).toHaveCount(3);
    for (const [box, company] of [
      ['6', 'Oslo Lamper AS'],
      ['7', 'Severn Glassworks Ltd'],
      ['4', 'Severn Glassworks Ltd'],
    ] as const) {
      await page.getByRole('button', { name: `See transactions in box ${box}` }).click();
      const dialog = page.getByRole('dialog', { name: `Box ${box}: transactions` });
      await expect(dialog.getByRole('table')).toContainText(company);
      if (box === '4') {
        await expect(dialog.getByRole('table')).toContainText('Standard rate');
        await expectPageQuality(page);
        await dialog.getByLabel('Search transactions').fill('no such supplier');
        await expect(dialog).toContainText('No transactions match “no such supplier”.');
        await dialog.getByLabel('Search transactions').fill('severn');
        await expect(dialog.getByRole('table')).toContainText(company);
        const download = page.waitForEvent('download');
        await dialog.getByRole('button', { name: 'Download CSV' }).click();
        expect((await download).suggestedFilename()).toBe('vat-return-box-4.csv');
      }
      await dialog.getByRole('button', { name: 'Close' }).click();
      await expect(dialog).toBeHidden();
    }
  });
  await test.step('without the declaration nothing is confirmed or submitted', async () => {
    await expect(vatReturn.file).toBeDisabled();
    await page.getByRole('button', { name: 'Tick the declaration first' }).click();
    await expect(vatReturn.declaration).toBeFocused();
    await expectPageQuality(page);
  });
  await test.step('the confirmation shows the figures, and going back submits nothing', async () => {
    await vatReturn.declaration.check();
    await vatReturn.file.click();
    await expect(vatReturn.confirmation).toContainText('£4,000.00');
    await expect(vatReturn.confirmation).toContainText('HMRC owes you');
    await expectPageQuality(page);
    await vatReturn.confirmation.getByRole('button', { name: 'Go back' }).click();
    await expect(vatReturn.confirmation).toBeHidden();
    expect((await listReturns(trader.organisation.vrn)).filter(({ times_accepted }) => times_accepted > 0)).toEqual([]);
  });
  await vatReturn.declareAndFile();
  await expect(page.getByRole('heading', { name: 'HMRC has accepted your return' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'HMRC has accepted your return' })).toBeInViewport();
  await expect(vatReturn.receipt).toContainText('£4,000.00, HMRC owes you');
  await expect(vatReturn.receipt).toContainText('Jo Journey');
  await expect(vatReturn.receipt).toContainText(/HMRC form bundle number\s*\d{12}/);
  await expectPageQuality(page);
  await test.step('the receipt is still there after a reload', async () => {
    await page.reload();
    await expect(vatReturn.receipt).toContainText(/HMRC form bundle number\s*\d{12}/);
  });
  await test.step('HMRC has it once, with the fraud prevention headers of this browser', async () => {
    expect(await listReturns(trader.organisation.vrn)).toMatchObject([{ times_accepted: 1 }]);
    const submission = (await listCalls()).find(({ operation }) => operation === 'hmrc.submit_return');
    const headers = Object.fromEntries(Object.entries(submission?.fraud_headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
    expect(headers['gov-client-connection-method']).toBe('WEB_APP_VIA_SERVER');
    expect(headers['gov-client-window-size']).toBe('width=1440&height=900');
    expect(headers['gov-client-browser-js-user-agent']).toContain('Chrome');
  });
  await test.step('the returns before and after it are one click away', async () => {
    const others = page.getByRole('navigation', { name: 'Other VAT returns' });
    await others.getByRole('link', { name: /^Previous return/ }).click();
    await expect(page.getByRole('heading', { level: 1, name: /^VAT return, / })).toBeVisible();
    await others.getByRole('link', { name: /^Next return/ }).click();
    await expect(vatReturn.receipt).toContainText(/HMRC form bundle number\s*\d{12}/);
  });
  await page.getByRole('link', { name: 'Get this refund early' }).click();
  await expect(page.getByRole('heading', { name: 'Early refund' })).toBeVisible();
});

test('two tabs file a return once', async ({ page, context }) => {
  const trader = await createTrader(page);
  const [first, second] = [new VatReturnPage(page), new VatReturnPage(await context.newPage())];
  await first.open(trader);
  await second.open(trader);
  await expect(second.file).toBeVisible();
  await first.declareAndFile();
  await expect(first.receipt).toBeVisible();
  await second.declareAndFile();
  await expect(second.receipt).toBeVisible();
  expect(await listReturns(trader.organisation.vrn)).toMatchObject([{ times_accepted: 1 }]);
});

test.describe('a lost response', () => {
  // While the HMRC simulator fails, the portal returns 502 and says so on the screen.
  test.use({ expectedBrowserErrors: [/status of 502/] });

  test('a lost response from HMRC is recovered by reading the return, without submitting it twice', async ({ page }) => {
    const trader = await createTrader(page);
    const vatReturn = new VatReturnPage(page);
    await vatReturn.open(trader);
    await expect(vatReturn.file).toBeVisible();
    // HMRC accepts the return but its response is lost, and the first two requests to view the return fail.
    await setFault('hmrc.submit_return', 'timeout_after_work');
    await setFault('hmrc.view_return', 'server_error', 2);
    await vatReturn.declareAndFile();
    await expect(page.getByText('We don’t know yet whether HMRC has this return')).toBeVisible();
    await expect(vatReturn.file).toBeHidden();
    await expectPageQuality(page);
    await test.step('the dashboard shows it first', async () => {
      const otherPage = await page.context().newPage();
      await otherPage.goto(`/portal/v2/instant-vat/dashboard?company_id=${trader.companyId}`);
      await expect(otherPage.getByText(/^Check whether HMRC has your return to|^Get £/).first()).toBeVisible();
      await otherPage.close();
    });
    await expect(async () => {
      // The page also checks automatically, so the button may be disabled or absent.
      const refreshButton = page.getByRole('button', { name: 'Check again' });
      if (!(await vatReturn.receipt.isVisible())) await refreshButton.click({ timeout: 1_000 }).catch(() => undefined);
      await expect(vatReturn.receipt).toBeVisible({ timeout: 3_000 });
    }).toPass({ timeout: 60_000 });
    await expect(vatReturn.receipt).toContainText('HMRC’s response was lost.');
    await expectPageQuality(page);
    expect(await listReturns(trader.organisation.vrn)).toMatchObject([{ times_accepted: 1 }]);
  });
});

test('figures that changed after they were shown are not filed', async ({ page }) => {
  const trader = await createTrader(page);
  const vatReturn = new VatReturnPage(page);
  await vatReturn.open(trader);
  await expect(vatReturn.file).toBeVisible();
  await uploadBooks(page, trader.companyId, writeBooks(trader.obligation, 4_400));
  await vatReturn.declareAndFile();
  await expect(page.getByText('The figures have changed since you opened this return')).toBeVisible();
  await vatReturn.expectBox(5, '£4,400.00');
  await expect(vatReturn.declaration).not.toBeChecked();
  await expectPageQuality(page);
  expect(await listReturns(trader.organisation.vrn)).toEqual([]);
});
