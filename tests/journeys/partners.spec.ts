/**
 * Traders referred by partners: GoFile's trader has already filed and sells that refund; Azets becomes its trader's agent and sees only the
 * stages.
 */
import { expect, test } from './journey.ts';
import { AdvancePage } from './pages/advance-page.ts';
import { HmrcPages } from './pages/hmrc-pages.ts';
import { OperatorPages, operators } from './pages/operator-pages.ts';
import { SignUpDialog } from './pages/sign-up-dialog.ts';
import { fileElsewhere, listPayouts, createOrganisation, payRepayment, waitForLink } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';
import { createEmailAddress, signUp, verifyIdentity } from './trader.ts';

test('through GoFile, a return filed there is found at HMRC, quoted, accepted, reviewed, paid, repaid and settled', async ({
  page,
  openDevice,
}) => {
  test.setTimeout(240_000);
  const net = '£7,919.01';
  const organisation = await createOrganisation();
  await fileElsewhere(organisation.vrn, 799_900);
  const hmrc = new HmrcPages(page);
  const advance = new AdvancePage(page);

  await test.step('a visitor signs up by email on GoFile’s landing page', async () => {
    const email = createEmailAddress();
    const dialog = new SignUpDialog(page);
    await page.goto('/portal/v2/gofile');
    await expect(page.getByRole('heading', { level: 1, name: 'You file with GoFile. Get your VAT refund sooner' })).toBeVisible();
    await page.getByRole('link', { name: 'Sign up', exact: true }).click();
    await dialog.email.fill(email);
    await dialog.continueButton.click();
    await page.getByLabel('Full name').fill('Jo Journey');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.goto(await waitForLink(email));
    await page.getByRole('button', { name: 'Confirm email' }).click();
    await expect(page).toHaveURL(/\/signup\/company/);
  });
  await test.step('the steps ask for the VAT number, HMRC’s permission and the bank account, but not for books', async () => {
    await page.getByLabel(/Company name/).fill(organisation.name);
    await page.getByLabel(/Company number/).fill(organisation.companyNumber);
    await page.getByLabel(/VAT registration number/).fill(organisation.vrn);
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.getByRole('button', { name: 'Connect HMRC' }).click();
    await hmrc.signInForConsent(organisation);
    await hmrc.grant.click();
    await expect(page.getByRole('heading', { name: 'HMRC is connected' })).toBeVisible();
    await page
      .getByRole('link', { name: 'Continue' })
      .or(page.getByRole('button', { name: 'Continue' }))
      .first()
      .click();
    await expect(page).toHaveURL(/\/signup\/bank-account/);
    await page.getByLabel('Account holder').fill(organisation.name);
    await page.getByLabel('Sort code').fill('20-00-00');
    await page.getByLabel('Account number').fill(organisation.vrn.slice(0, 8));
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Verify your identity' })).toBeVisible();
    await verifyIdentity(page);
    await page.reload();
    await page.getByRole('link', { name: 'Go to your dashboard' }).click();
  });
  await test.step('the dashboard finds the return and shows the offer', async () => {
    await expect(page.getByText(net, { exact: true })).toBeVisible({ timeout: 20_000 });
    await page.getByRole('button', { name: /^Show all \d steps$/ }).click();
    await expect(page.getByText('Return found at HMRC')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Upload your books' })).toHaveCount(0);
    await expectPageQuality(page);
    await page
      .getByRole('table', { name: 'VAT returns' })
      .getByRole('row', { name: /£7,999\.00/ })
      .getByRole('link')
      .click();
    await expect(page.getByText('This return was filed with other software')).toBeVisible();
    await expectPageQuality(page);
    await page.getByRole('link', { name: 'Get this refund early' }).click();
    await expect(page.getByText(`We can pay you ${net} early`)).toBeVisible();
    await expectPageQuality(page);
  });
  await test.step('the offer is accepted, and the collection account is entered at HMRC', async () => {
    await advance.accept(net);
    const account = await advance.readCollectionAccount();
    const popupPromise = page.waitForEvent('popup');
    await page.getByRole('link', { name: /^Open HMRC’s service/ }).click();
    const businessAccountPage = await popupPromise;
    // The browser is still signed in at HMRC from giving permission.
    await new HmrcPages(businessAccountPage).changeRepaymentAccount(account);
    await businessAccountPage.close();
    await page.getByRole('button', { name: 'I’ve given HMRC this account' }).click();
    await expect(page.getByText('Confirmed by you', { exact: true })).toBeVisible();
  });
  await test.step('one operator reviews the advance, another releases it, and the bank pays it once', async () => {
    const olga = new OperatorPages(await openDevice());
    await olga.logIn(operators.olga);
    await olga.openAdvance(organisation.name);
    await expect(olga.page.getByText('Filed with other software', { exact: true })).toBeVisible();
    await expectPageQuality(olga.page);
    await olga.approve('HMRC shows the return and the charge', net);
    await expect(olga.release).toContainText('You approved this refund');
    const omar = new OperatorPages(await openDevice());
    await omar.logIn(operators.omar);
    await omar.openAdvance(organisation.name);
    await omar.releasePayout(net);
    await advance.expectStage('Waiting for HMRC');
    const paidPayouts = (await listPayouts()).filter(({ beneficiary_name }) => beneficiary_name === organisation.name);
    expect(paidPayouts.map(({ amount_pence }) => amount_pence)).toEqual([791_901]);
  });
  await test.step('HMRC repays, and the advance is settled', async () => {
    await payRepayment(organisation.vrn);
    await expect(async () => {
      await page.reload();
      await expect(page.getByText('Settled. You’re all done')).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
  });
});

test('Azets is set as agent, sees its client’s stage but no figures, and is removed', async ({ page, openDevice }) => {
  const contactEmail = createEmailAddress();
  const contact = await openDevice();
  await signUp(contact, contactEmail);
  await contact.goto('/portal/partner');
  await expect(contact.getByText('You don’t have any referrals to see')).toBeVisible();

  await test.step('an operator adds the contact', async () => {
    const olga = new OperatorPages(await openDevice());
    await olga.logIn(operators.olga);
    await olga.page.getByRole('button', { name: 'More' }).click();
    await olga.page.getByRole('menuitem', { name: 'Partners' }).click();
    await expectPageQuality(olga.page);
    await olga.page.getByRole('button', { name: 'Add a contact of Azets' }).click();
    const azetsDialog = olga.page.getByRole('dialog', { name: 'Contacts at Azets' });
    await azetsDialog.getByLabel('The email address they log in with').fill(contactEmail);
    await azetsDialog.getByRole('button', { name: 'Add contact' }).click();
    await expect(azetsDialog.getByRole('list')).toContainText(contactEmail);
    await expectPageQuality(olga.page);
    await azetsDialog.getByRole('button', { name: 'Close' }).click();
    await expect(azetsDialog).toBeHidden();
    await expect(olga.page.getByRole('row', { name: /^Azets/ })).toContainText('1 contact');
  });
  const organisation = await createOrganisation();
  await test.step('a trader signs up through Azets’s landing page', async () => {
    await signUp(page, createEmailAddress(), 'azets');
    await page.goto('/portal/v2/instant-vat/signup/company');
    await page.getByLabel(/Company name/).fill(organisation.name);
    await page.getByLabel(/Company number/).fill(organisation.companyNumber);
    await page.getByLabel(/VAT registration number/).fill(organisation.vrn);
    await page.getByRole('button', { name: /^Save/ }).click();
    await expect(page.getByRole('heading', { name: 'Connect HMRC' })).toBeVisible();
  });
  await test.step('Azets sees the stage', async () => {
    await contact.goto('/portal/home');
    await expect(contact.getByRole('heading', { level: 1, name: 'Referrals from Azets' })).toBeVisible();
    const row = contact.getByRole('row', { name: new RegExp(organisation.name) });
    await expect(row).toContainText('Signed up');
    await expect(contact.getByRole('main')).not.toContainText('£');
    await expectPageQuality(contact);
  });
  await test.step('the trader removes Azets, which then sees nothing', async () => {
    await page.goto('/portal/v2/instant-vat/profile?tab=company');
    const remove = page.getByRole('button', { name: 'Remove Azets as your agent' });
    await expect(remove).toBeVisible();
    await expectPageQuality(page);
    await remove.click();
    await expect(page.getByRole('button', { name: 'Set Azets as your agent' })).toBeVisible();
    await contact.reload();
    await expect(contact.getByText('What the stages mean')).toBeVisible();
    await expect(contact.getByText(organisation.name)).toHaveCount(0);
  });
});
