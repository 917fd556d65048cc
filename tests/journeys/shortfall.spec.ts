/**
 * HMRC repays less than the refund. The trader sees why and how to pay, sets up a Direct Debit, chooses instalments and disputes the
 * amount; two operators check the collected payment against the bank statement, reply, and write off the rest.
 */
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { AdvancePage } from './pages/advance-page.ts';
import { logInByApi } from './pages/log-in-page.ts';
import { OperatorPages, operators, sandboxPassword } from './pages/operator-pages.ts';
import { listDirectDebits, moveClock, payReducedRepayment } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';
import { apiRequest, createAcceptedTrader } from './trader.ts';

type BankAccount = { sort_code: string; account_number: string; account_holder: string };
type AdvanceResponse = { advance: { state: string; collection_account: BankAccount | null } };
type OperatorAdvance = { advance: { net_pence: number; version: number }; bank_account_id: string };

/** Olga approves and Omar releases through the API; other journeys do so on screen. */
async function payOut(olga: Page, omar: Page, key: { company_id: string; advance_id: string }): Promise<void> {
  await apiRequest(olga, 'POST', '/operator/advance/decide', { ...key, decision: 'approve', reason: 'Looks right' });
  const { advance, bank_account_id } = await apiRequest<OperatorAdvance>(omar, 'GET', `/operator/advance?${new URLSearchParams(key)}`);
  await apiRequest(omar, 'POST', '/operator/advance/release', {
    ...key,
    net_pence: advance.net_pence,
    version: advance.version,
    bank_account_id,
  });
}

test('a refund is repaid short, and the case is followed to its end by the trader and two operators', async ({ page, openDevice }) => {
  test.setTimeout(360_000);
  const trader = await createAcceptedTrader(page, 4_000);
  const { name: company, vrn } = trader.organisation;
  const key = { company_id: trader.companyId, advance_id: trader.advanceId };
  const findAdvance = async () =>
    (await apiRequest<AdvanceResponse>(page, 'GET', `/instant-vat/advance?company_id=${trader.companyId}`)).advance;
  const advance = new AdvancePage(page);
  const [olga, omar] = [await openDevice(), await openDevice()];

  await test.step('the advance is paid out, and HMRC repays £3,000.00 of £4,000.00', async () => {
    await expect.poll(async () => (await findAdvance()).collection_account !== null).toBe(true);
    await apiRequest(page, 'POST', '/instant-vat/advance/confirm-collection-account', key);
    await expect.poll(async () => (await findAdvance()).state).toBe('in_review');
    await logInByApi(olga, operators.olga, sandboxPassword);
    await logInByApi(omar, operators.omar, sandboxPassword);
    await payOut(olga, omar, key);
    await expect.poll(async () => (await findAdvance()).state, { timeout: 20_000 }).toBe('awaiting_hmrc');
    const account = (await findAdvance()).collection_account;
    if (!account) throw new Error('there is no collection account');
    await payReducedRepayment(vrn, 300_000, account);
    await expect.poll(async () => (await findAdvance()).state, { timeout: 60_000 }).toBe('shortfall');
  });
  const repaymentRegion = page.getByRole('region', { name: 'What HMRC repaid' });
  await test.step('the trader sees what is missing and how to pay', async () => {
    await advance.open(trader.companyId);
    await expect(repaymentRegion).toContainText('£1,000.00');
    await expect(repaymentRegion).toContainText('You owe us');
    await expect(page.getByRole('region', { name: 'How to pay' })).toContainText('Bank transfer');
    await expectPageQuality(page);
    const letter = page.getByRole('region', { name: 'Letters' }).getByRole('link', { name: /^£1,000\.00 is due by/ });
    await letter.click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('£1,000.00 is due by');
    await expectPageQuality(page);
    await advance.open(trader.companyId);
  });
  await test.step('the trader sets up a Direct Debit at GoCardless and pays in two instalments', async () => {
    await page.getByRole('button', { name: 'Set up Direct Debit' }).click();
    await page.getByLabel('Account number').fill('31510634');
    await page.getByRole('button', { name: 'Confirm Direct Debit' }).click();
    await expect(page.getByRole('region', { name: 'How to pay' })).toContainText('an account that ends in 34');
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Set up Direct Debit' }).click();
    await page.getByRole('button', { name: 'Confirm Direct Debit' }).click();
    await expect(page.getByRole('region', { name: 'How to pay' })).toContainText('We’ll email you the amount and date');
    await page.getByRole('button', { name: 'Pay in instalments' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pay in instalments' });
    await dialog.getByRole('radio', { name: '2 monthly instalments' }).check();
    await expect(dialog).toContainText('£500.00');
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: /instalments$/ }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('region', { name: 'Your instalments' }).getByText('£500.00')).toHaveCount(2);
  });
  await test.step('the first instalment is collected, and an operator matches GoCardless’s payout to the bank statement', async () => {
    // Ordered ten days ahead, charged on the due date, and received a few working days later.
    await moveClock(5);
    await expect.poll(() => listDirectDebits(50_000), { timeout: 60_000 }).toHaveLength(1);
    await moveClock(14);
    await expect.poll(() => listDirectDebits(50_000)).toEqual(['paid_out']);
    await moveClock(5);
    const payouts = olga.getByRole('region', { name: 'Direct Debits paid out by GoCardless' });
    const payout = payouts.getByRole('row').filter({ hasText: company });
    await expect(async () => {
      await olga.goto('/portal/admin/reconciliation');
      // 1% and 20p, at most £4.
      await expect(payout).toContainText('£4.00', { timeout: 5_000 });
      await expect(payout.getByRole('button', { name: 'Check payout' })).toBeVisible({ timeout: 5_000 });
    }).toPass({ timeout: 60_000 });
    await expect(payout).toContainText('£500.00 collected');
    await expectPageQuality(olga);
    await test.step('on a phone, without scrolling a table to the button', async () => {
      await olga.setViewportSize({ width: 360, height: 740 });
      const card = payouts.getByRole('listitem').filter({ has: olga.getByRole('button', { name: 'Check payout' }) });
      await expect.poll(async () => (await card.getByRole('button').boundingBox())?.x).toBeLessThan(200);
      await olga.setViewportSize({ width: 1440, height: 900 });
    });
    await payout.getByRole('button', { name: 'Check payout' }).click();
    const dialog = olga.getByRole('dialog', { name: /^Payout / });
    await dialog.getByLabel('Amount on the bank statement').fill('495.00');
    await expect(dialog.getByText('A different amount')).toBeVisible();
    await dialog.getByLabel('Amount on the bank statement').fill('496.00');
    await expectPageQuality(olga);
    await dialog.getByRole('button', { name: 'Record' }).click();
    await expect(dialog).toBeHidden();
    await expect(payout).toContainText('Found');
    await expect(payouts).toContainText('Every payout has been found on the bank statement.');
    await page.reload();
  });
  await test.step('the trader disputes the amount, and collection stops', async () => {
    await page.getByRole('button', { name: 'Dispute this amount' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dispute this amount' });
    await dialog.getByLabel('Why do you disagree?').fill('HMRC has agreed to look at it again');
    await dialog.getByRole('button', { name: 'Send dispute' }).click();
    await expect(page.getByText('We’re looking into your dispute')).toBeVisible();
    await expectPageQuality(page);
  });
  await test.step('an operator finds the case under “Needs us”, and answers', async () => {
    await olga.goto('/portal/admin/shortfalls');
    await olga.getByRole('link', { name: /^Needs action/ }).click();
    await expectPageQuality(olga);
    await olga.getByRole('link', { name: company, exact: true }).click();
    await expect(olga.getByText('Us: Reply to the trader’s dispute')).toBeVisible();
    await expect(olga.getByRole('region', { name: 'The trader’s dispute' })).toContainText('HMRC has agreed to look at it again');
    await expectPageQuality(olga);
    await olga.getByLabel('Your reply or reason').fill('HMRC has confirmed its figure to us.');
    await olga.getByRole('button', { name: 'Send reply' }).click();
    await expect(olga.getByRole('region', { name: 'History' })).toContainText('Dispute answered: HMRC has confirmed its figure to us.');
    await page.reload();
    await expect(page.getByRole('link', { name: 'Our reply to your dispute' })).toBeVisible();
  });
  await test.step('one operator requests the write-off, and another approves it', async () => {
    await olga.getByLabel('Reason').fill('The company is being wound up');
    await olga.getByRole('button', { name: 'Request write-off' }).click();
    await expect(olga.getByText('Someone else must approve or reject the write-off')).toBeVisible();
    await new OperatorPages(omar).approveRequest('Write off £500.00');
    await page.reload();
    await expect(repaymentRegion).toContainText('You don’t owe us anything');
    await expectPageQuality(page);
    await olga.goto('/portal/admin/shortfalls?show=ended');
    await expect(olga.getByRole('row', { name: company })).toContainText('Written off');
  });
  // The next file's journeys may use the same portal, so the clock is restored.
  await moveClock(-24);
});
