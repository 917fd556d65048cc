/** The trader's documents: where they are, and that each one downloads. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { OperatorPages, operators } from './pages/operator-pages.ts';
import { expectPageQuality } from './page-quality.ts';
import { apiRequest, createAcceptedTrader } from './trader.ts';

async function download(page: Page, name: string | RegExp): Promise<{ fileName: string; text: string }> {
  const downloadPromise = page.waitForEvent('download');
  await page.getByRole('link', { name }).click();
  const file = await downloadPromise;
  return { fileName: file.suggestedFilename(), text: await readFile(await file.path(), 'latin1') };
}

test('a trader downloads the receipt, the offer, the agreement, the statement and the journals', async ({ page, openDevice }) => {
  test.setTimeout(240_000);
  const { companyId, advanceId, obligation } = await createAcceptedTrader(page, 4_000);
  const period = `${obligation.period_start}-to-${obligation.period_end}`;

  await test.step('the return page has the receipt, and the early refund page the offer and the agreement', async () => {
    const query = new URLSearchParams({ company_id: companyId, obligation_id: obligation.obligation_id });
    await page.goto(`/portal/v2/instant-vat/dashboard/vat-return?${query}`);
    expect((await download(page, /^Download PDF of the receipt/)).fileName).toBe(`VAT-return-receipt-${period}.pdf`);
    await page.goto(`/portal/v2/instant-vat/dashboard/advance?${query}`);
    expect((await download(page, /^Download offer/)).fileName).toBe(`VAT-refund-offer-${period}-version-1.pdf`);
    const agreement = await download(page, /^Download PDF of the agreement/);
    expect(agreement.fileName).toBe(`VAT-refund-agreement-${period}.pdf`);
    expect(agreement.text).toMatch(/^%PDF-1\.7/);
  });

  await test.step('before the payment there is no statement', async () => {
    await page.getByRole('navigation', { name: 'InstantVAT' }).getByRole('link', { name: 'Documents' }).click();
    await expect(page.getByRole('heading', { name: 'Documents', level: 1 })).toBeVisible();
    await expect(page.getByText('No statement yet')).toBeVisible();
    await expectPageQuality(page);
  });

  await test.step('after it, the statement and the journals download for a chosen period', async () => {
    const advanceKey = { company_id: companyId, advance_id: advanceId };
    const expectSqlState = (state: string) =>
      expect
        .poll(
          async () =>
            (await apiRequest<{ advance: { state: string } }>(page, 'GET', `/instant-vat/advance?company_id=${companyId}`)).advance.state,
          { timeout: 60_000 },
        )
        .toBe(state);
    await apiRequest(page, 'POST', '/instant-vat/advance/confirm-collection-account', advanceKey);
    await expectSqlState('in_review');
    const [olga, omar] = [new OperatorPages(await openDevice()), new OperatorPages(await openDevice())];
    await olga.logIn(operators.olga);
    await apiRequest(olga.page, 'POST', '/operator/advance/decide', { ...advanceKey, decision: 'approve', reason: 'Looks right' });
    await omar.logIn(operators.omar);
    const { advance, bank_account_id } = await apiRequest<{ advance: { net_pence: number; version: number }; bank_account_id: string }>(
      omar.page,
      'GET',
      `/operator/advance?${new URLSearchParams(advanceKey)}`,
    );
    const shownTerms = { net_pence: advance.net_pence, version: advance.version, bank_account_id };
    await apiRequest(omar.page, 'POST', '/operator/advance/release', { ...advanceKey, ...shownTerms });
    await expectSqlState('awaiting_hmrc');
    await page.reload();
    await expect(page.getByText('Balance due to us today, from HMRC or you')).toBeVisible();
    await expectPageQuality(page);
    expect((await download(page, 'Download statement (PDF)')).fileName).toMatch(/^Statement-of-account-.*\.pdf$/);
    expect((await download(page, 'Download statement (CSV)')).text).toContain('4000.00');
    await page.getByLabel('Last day').fill('2020-01-01');
    await expect(page.getByText('Choose a last day on or after the first day')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Download statement (PDF)' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Everything' }).click();
  });

  await test.step('the chosen accounts are in the journals', async () => {
    await page.getByLabel('Bookkeeping software').selectOption('QuickBooks');
    await page.getByLabel('Our fee (name)').fill('Factoring charges');
    await page.getByRole('button', { name: 'Save accounts' }).click();
    await expect(page.getByText('Accounts saved')).toBeVisible();
    const journals = await download(page, 'Download journals for QuickBooks (CSV)');
    expect(journals.fileName).toMatch(/^Journals-for-QuickBooks-.*\.csv$/);
    expect(journals.text).toContain(',Factoring charges,Fee for an early VAT refund,40.00,');
    await expect(page.getByLabel('Our fee (name)')).toHaveValue('Factoring charges');
    await expectPageQuality(page);
  });
});
