/**
 * An operator resolves unmatched payments: a note, a match that leaves a shortfall, the trader's payment that settles it, and a returned
 * payment.
 */
import { randomUUID } from 'node:crypto';
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

test('an operator adds a note to, matches and returns payments that repaid no advance', async ({ page, openDevice }) => {
  test.setTimeout(240_000);
  const trader = await createAcceptedTrader(page, 4_000);
  const advanceKey = { company_id: trader.companyId, advance_id: trader.advanceId };
  const findAdvance = async () =>
    (await apiRequest<AdvanceResponse>(page, 'GET', `/instant-vat/advance?company_id=${trader.companyId}`)).advance;
  const company = trader.organisation.name;
  const olga = new OperatorPages(await openDevice());
  await olga.logIn(operators.olga);
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
    const shown = { net_pence: advance.net_pence, version: advance.version, bank_account_id };
    await apiRequest(omar, 'POST', '/operator/advance/release', { ...advanceKey, ...shown });
    await expect.poll(async () => (await findAdvance()).state, { timeout: 20_000 }).toBe('awaiting_hmrc');
  });
  const account = (await findAdvance()).collection_account;
  if (!account) throw new Error('there is no collection account');
  const openException = async (amount: string) => {
    await olga.page.goto('/portal/admin');
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
  await test.step('the payment is matched to HMRC’s repayment, after showing the shortfall', async () => {
    await openException('£3,000.00');
    await expect(olga.page.getByRole('dialog').getByRole('list', { name: 'Notes' })).toContainText('Olga Marsh');
    await expect(olga.page.getByRole('dialog')).toContainText('The trader will still owe £1,000.00');
    await resolveException(olga.page, 'Refund of £4,000.00', 'Reason', 'The bank says it is HMRC', 'Match payment');
    await expect(exceptions.filter({ hasText: 'Shortfall' })).toContainText('£1,000.00');
    expect((await findAdvance()).state).toBe('shortfall');
  });
  await test.step('the trader pays the shortfall, which settles the advance', async () => {
    await creditAccount(account, 100_000, company);
    await openException('£1,000.00 received from');
    await resolveException(olga.page, 'Refund of £4,000.00', 'Reason', 'The trader paid the shortfall', 'Match payment');
    await expect(exceptions).toHaveCount(0);
    expect((await findAdvance()).state).toBe('settled');
  });
  await test.step('a stray payment is returned, and the ledger balances', async () => {
    await creditAccount(account, 12_345, 'Somebody Else Ltd');
    await openException('£123.45');
    const dialog = olga.page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Returned to sender' }).check();
    await dialog.getByLabel('Reason', { exact: true }).fill('Sent here by mistake');
    await dialog.getByRole('button', { name: 'Record return' }).click();
    await expect(dialog).toContainText('Enter the payment’s reference');
    await dialog.getByLabel('Payment reference').fill(`TL ${randomUUID().slice(0, 8)}`);
    await dialog.getByRole('button', { name: 'Record return' }).click();
    await expect(dialog).toBeHidden();
    await expect(exceptions).toHaveCount(0);
    await olga.page.getByRole('link', { name: 'Ledger' }).click();
    await expect(olga.page.getByText('Balanced: debits equal credits')).toBeVisible();
    await expect(olga.page.getByText('Credit of £123.45 returned to its sender').first()).toBeVisible();
  });
});
