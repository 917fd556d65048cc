/**
 * Two operators resolve unmatched payments: a note, a match that leaves a shortfall, the trader's payment that settles it, a payment above
 * the refund that is paid out, and a wrong match that is corrected.
 */
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { logInByApi } from './pages/log-in-page.ts';
import { OperatorPages, operators, sandboxPassword } from './pages/operator-pages.ts';
import { creditAccount } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';
import { apiRequest, createAcceptedTrader } from './trader.ts';

type AdvanceResponse = {
  advance: { advance_id: string; state: string; collection_account: { sort_code: string; account_number: string } | null };
};

type OperatorAdvance = { advance: { net_pence: number; version: number }; bank_account_id: string };

async function resolveException(page: Page, choice: string, field: string, text: string, button: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: choice }).check();
  await dialog.getByLabel(field, { exact: true }).fill(text);
  await dialog.getByRole('button', { name: button }).click();
  await expect(dialog).toBeHidden();
}

test('two operators note, match, pay out and change payments', async ({ page, openDevice }) => {
  test.setTimeout(240_000);
  const trader = await createAcceptedTrader(page, 4_000);
  const advanceKey = { company_id: trader.companyId, advance_id: trader.advanceId };
  const findAdvance = async () =>
    (await apiRequest<AdvanceResponse>(page, 'GET', `/instant-vat/advance?company_id=${trader.companyId}`)).advance;
  const company = trader.organisation.name;
  const olga = new OperatorPages(await openDevice());
  await olga.logIn(operators.olga);
  const omar = new OperatorPages(await openDevice());
  await omar.logIn(operators.omar);
  const exceptions = olga.page.getByRole('list', { name: 'Reconciliation exceptions' }).getByRole('listitem').filter({ hasText: company });

  await test.step('an advance is paid out and waits for HMRC', async () => {
    await expect.poll(async () => (await findAdvance()).collection_account !== null).toBe(true);
    await apiRequest(page, 'POST', '/instant-vat/advance/confirm-collection-account', advanceKey);
    await expect.poll(async () => (await findAdvance()).state).toBe('in_review');
    await apiRequest(olga.page, 'POST', '/operator/advance/decide', { ...advanceKey, decision: 'approve', reason: 'Looks right' });
    const omar = await openDevice();
    await logInByApi(omar, operators.omar, sandboxPassword);
    const url = `/operator/advance?company_id=${advanceKey.company_id}&advance_id=${advanceKey.advance_id}`;
    const { advance, bank_account_id } = await apiRequest<OperatorAdvance>(omar, 'GET', url);
    const shownTerms = { net_pence: advance.net_pence, version: advance.version, bank_account_id };
    await apiRequest(omar, 'POST', '/operator/advance/release', { ...advanceKey, ...shownTerms });
    await expect.poll(async () => (await findAdvance()).state, { timeout: 20_000 }).toBe('awaiting_hmrc');
  });
  const account = (await findAdvance()).collection_account;
  if (!account) throw new Error('there is no collection account');
  const openException = async (amount: string) => {
    await olga.page.goto('/portal/admin/reconciliation');
    await expect(async () => {
      await olga.page.reload();
      await expect(exceptions.filter({ hasText: amount })).toHaveCount(1, { timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
    await exceptions.filter({ hasText: amount }).getByRole('button').click();
    await expect(olga.page.getByRole('dialog')).toContainText(amount);
  };

  await test.step('a smaller payment arrives from an unknown sender, and a note changes nothing', async () => {
    await creditAccount(account, 300_000, 'Bacs Services 12');
    await openException('£3,000.00');
    await expectPageQuality(olga.page);
    await resolveException(olga.page, 'Not sure yet', 'Note', 'Asked the bank who sent it', 'Save note');
    await expect(exceptions).toContainText('1 note');
    expect((await findAdvance()).state).toBe('awaiting_hmrc');
  });
  await test.step('two operators match the payment to HMRC’s repayment, after it shows the shortfall', async () => {
    await openException('£3,000.00');
    const dialog = olga.page.getByRole('dialog');
    await expect(dialog.getByRole('list', { name: 'Notes' })).toContainText('Olga Marsh');
    await dialog.getByRole('radio', { name: 'Match or split' }).check();
    await expect(dialog).toContainText('the trader will still owe £1,000.00');
    await expectPageQuality(olga.page);
    await resolveException(olga.page, 'Match or split', 'Reason', 'The bank says it is HMRC', 'Request match');
    await expect(exceptions).toContainText('Waiting for approval');
    expect((await findAdvance()).state).toBe('awaiting_hmrc');
    await omar.approveRequest('£3,000.00 from Bacs Services 12');
    expect((await findAdvance()).state).toBe('shortfall');
  });
  await test.step('the trader pays the shortfall, which settles the advance automatically', async () => {
    await creditAccount(account, 100_000, company);
    await expect.poll(async () => (await findAdvance()).state, { timeout: 20_000 }).toBe('settled');
  });
  await test.step('a payment that belongs to the trader is paid out', async () => {
    await creditAccount(account, 12_345, company);
    await openException('£123.45');
    await olga.page.getByRole('dialog').getByRole('radio', { name: 'Match or split' }).check();
    await olga.page.getByRole('dialog').getByLabel('Belongs to the trader').fill('12345');
    await resolveException(olga.page, 'Match or split', 'Reason', 'The trader paid here by mistake', 'Request match');
    await omar.approveRequest(`£123.45 from ${company}`);
    await openException('We owe the trader £123.45');
    await resolveException(olga.page, 'Pay £123.45 to the trader', 'Reason', 'Theirs', 'Request payment');
    // Olga and Omar decided that the money is the trader's, so Omar can't also approve its payment.
    const payment = 'Olga Marsh and Omar Finch decided that this money is the trader’s';
    await omar.page.goto('/portal/admin/reconciliation');
    const requests = omar.page.getByRole('list', { name: 'Requests awaiting a second person' });
    await expect(requests.getByRole('listitem').filter({ hasText: payment }).getByRole('button')).toHaveText([/^Reject/]);
    await expectPageQuality(omar.page);
    const otis = new OperatorPages(await openDevice());
    await otis.logIn(operators.otis);
    await otis.approveRequest(payment);
    await olga.page.goto('/portal/admin/reconciliation');
    await expect(async () => {
      await olga.page.reload();
      await expect(exceptions).toHaveCount(0, { timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
  });
  await test.step('a wrong match is changed on the page of the advance, and the ledger balances', async () => {
    await olga.page.goto(`/portal/admin/advance?${new URLSearchParams(advanceKey)}`);
    await olga.page.getByRole('button', { name: 'Change match of £1,000.00' }).click();
    const dialog = olga.page.getByRole('dialog');
    await dialog.getByLabel(/^Refund for/).fill('');
    await expect(dialog).toContainText('£1,000.00 remains unmatched');
    await expectPageQuality(olga.page);
    await dialog.getByLabel('Reason', { exact: true }).fill('It was for something else');
    await dialog.getByRole('button', { name: 'Request change' }).click();
    await expect(dialog).toBeHidden();
    await omar.approveRequest('undo the match of £1,000.00');
    expect((await findAdvance()).state).toBe('collecting');
    await omar.page.getByRole('link', { name: 'Ledger' }).click();
    await expect(omar.page.getByText('Balanced: debits equal credits')).toBeVisible();
    await expect(omar.page.getByText('Reversed: £1,000.00 no longer repays').first()).toBeVisible();
  });
});
