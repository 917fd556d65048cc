/** An advance from offer to settlement: the trader's pages, HMRC's business account, three operators and the bank. */
import { expect, test } from './journey.ts';
import { AdvancePage } from './pages/advance-page.ts';
import { HmrcPages } from './pages/hmrc-pages.ts';
import { OperatorPages, operators } from './pages/operator-pages.ts';
import { fileElsewhere, listPayouts, payRepayment } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';
import { apiRequest, createAcceptedTrader, createFiledTrader, createTraderWithoutBooks } from './trader.ts';

test('a large refund is offered, accepted, reviewed, approved by one operator and released by two others, paid, repaid and settled', async ({
  page,
  openDevice,
}) => {
  test.setTimeout(240_000);
  const net = '£29,700.00';
  const trader = await createFiledTrader(page, 30_000);
  const { name: company, vrn } = trader.organisation;
  const advance = new AdvancePage(page);

  await test.step('the dashboard leads to the offer', async () => {
    await page.goto(`/portal/v2/instant-vat/dashboard?company_id=${trader.companyId}`);
    await expect(page.getByText(net, { exact: true }).first()).toBeVisible();
    await expectPageQuality(page);
    await page.getByRole('link', { name: 'See the offer' }).click();
    await expect(page.getByText(`We can pay you ${net} early`)).toBeVisible();
    await expect(page.getByText(/^Accept(, verify your identity)? and tell HMRC to repay into our collection account\./)).toBeVisible();
    await expect(page.getByText('Our fee, 1% of the refund')).toBeVisible();
    await expect(page.getByText(/^[-−]£300\.00$/)).toBeVisible();
    await expectPageQuality(page);
  });
  await test.step('the offer cannot be accepted until the agreement is ticked', async () => {
    await expect(page.getByRole('button', { name: `Accept ${net}` })).toBeDisabled();
    await expect(page.getByRole('button', { name: `Accept ${net}` })).toHaveAccessibleDescription(
      'Confirm that you’ve read the agreement.',
    );
    await advance.accept(net);
    await expect(page.getByRole('heading', { name: /^Offer accepted/ })).toBeFocused();
    await advance.expectStage('We’re checking the refund');
    await expectPageQuality(page);
  });
  await test.step('the trader enters the collection account in HMRC’s own service', async () => {
    const account = await advance.readCollectionAccount();
    const popupPromise = page.waitForEvent('popup');
    await page.getByRole('link', { name: /^Open HMRC’s service/ }).click();
    const businessAccountPage = await popupPromise;
    const hmrc = new HmrcPages(businessAccountPage);
    await hmrc.signIn(trader.organisation.userId, trader.organisation.password);
    await hmrc.changeRepaymentAccount(account);
    await businessAccountPage.close();
    await page.getByRole('button', { name: 'I’ve given HMRC this account' }).click();
    await expect(page.getByText('Confirmed by you', { exact: true })).toBeVisible();
  });

  const [olga, omar, otis] = [
    new OperatorPages(await openDevice()),
    new OperatorPages(await openDevice()),
    new OperatorPages(await openDevice()),
  ];
  await test.step('Olga reviews the advance, and cannot release what she approved', async () => {
    await olga.logIn(operators.olga);
    await expectPageQuality(olga.page);
    await olga.openAdvance(company);
    await expect(olga.page.getByText('Size of the refund')).toBeVisible();
    await expectPageQuality(olga.page);
    await olga.approve('Books and history fit', net);
    await expect(olga.release).toContainText('2 operators other than Olga Marsh, who approved it, must release it');
    await expect(olga.release).toContainText('You approved this refund');
    await expect(olga.release.getByRole('button')).toHaveCount(0);
    await expectPageQuality(olga.page);
  });
  await test.step('Omar gives the first release, cannot give the second, and nothing is paid', async () => {
    await omar.logIn(operators.omar);
    await omar.openAdvance(company);
    await omar.releasePayout(net);
    await expect(omar.release).toContainText('Needs 1 more release');
    await omar.page.reload();
    await expect(omar.release).toContainText('You’ve released this payout');
    await expect(omar.release.getByRole('button')).toHaveCount(0);
    await expect(omar.release.getByText('Released by Omar Finch')).toHaveCount(1);
    expect(await listPayouts()).not.toContainEqual(expect.objectContaining({ amount_pence: 29_700_00 }));
  });
  await test.step('Otis releases it, and the bank pays it once', async () => {
    await otis.logIn(operators.otis);
    await otis.openAdvance(company);
    await otis.releasePayout(net);
    await advance.expectStage('Waiting for HMRC');
    await expect(page.getByText(`We paid you ${net}`)).toBeVisible();
    expect((await listPayouts()).filter(({ amount_pence }) => amount_pence === 29_700_00)).toHaveLength(1);
    await expectPageQuality(page);
  });
  await test.step('HMRC repays, and the advance is settled', async () => {
    await payRepayment(vrn);
    await expect(async () => {
      await page.reload();
      await expect(page.getByText('Settled. You’re all done')).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
    await expect(advance.timeline.getByRole('listitem')).toHaveCount(7);
    await expect(advance.timeline.getByRole('listitem').last()).toContainText('Settled');
    await expectPageQuality(page);
  });
  await test.step('the ledger balances and shows the postings', async () => {
    await olga.page.getByRole('link', { name: 'Ledger' }).click();
    await expect(olga.page.getByText('Balanced: debits equal credits')).toBeVisible();
    await expect(olga.page.getByRole('region', { name: 'Postings' })).toContainText(company);
    await expectPageQuality(olga.page);
  });
});

test('a trader withdraws from the agreement before the payout', async ({ page }) => {
  const trader = await createAcceptedTrader(page);
  const advance = new AdvancePage(page);
  await advance.open(trader.companyId);
  await page.getByRole('button', { name: 'Withdraw from the agreement' }).click();
  const dialog = page.getByRole('dialog', { name: 'Withdraw from the agreement?' });
  await expect(dialog).toContainText('£3,960.00');
  await expectPageQuality(page);
  await dialog.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(page.getByText('You’ve withdrawn', { exact: true })).toBeVisible();
  await expectPageQuality(page);
});

test('a refund claimed with other software is found wherever a trader looks for it, until its offer is accepted', async ({ page }) => {
  const { companyId, organisation, obligation } = await createTraderWithoutBooks(page);
  await fileElsewhere(organisation.vrn, 510_100);
  await apiRequest(page, 'POST', '/instant-vat/hmrc/refresh', { company_id: companyId });
  const claimText = page.getByText(/^You claimed £5,101\.00 for .* with other software\. If HMRC hasn’t repaid it yet/);
  for (const path of ['dashboard', 'dashboard/advance']) {
    await page.goto(`/portal/v2/instant-vat/${path}?company_id=${companyId}`);
    await expect(claimText).toBeVisible();
  }
  await page.getByRole('link', { name: 'See the return' }).click();
  await expect(page.getByText('We can pay you the refund early')).toBeVisible();
  await page.getByRole('link', { name: 'Get this refund early' }).click();
  await expect(claimText).toBeVisible();
  await page.getByRole('button', { name: 'Get an offer' }).click();
  const net = '£5,049.99';
  await expect(page.getByText(`We can pay you ${net} early`)).toBeVisible();
  await new AdvancePage(page).accept(net);
  const returnUrl = new URLSearchParams({ company_id: companyId, obligation_id: obligation.obligation_id });
  await page.goto(`/portal/v2/instant-vat/dashboard/vat-return?${returnUrl}`);
  await expect(page.getByText('HMRC owes £5,101.00, and you’ve accepted our offer.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'See your early refund' })).toBeVisible();
  await page.goto(`/portal/v2/instant-vat/dashboard/advance?company_id=${companyId}`);
  await expect(claimText).toHaveCount(0);
});
