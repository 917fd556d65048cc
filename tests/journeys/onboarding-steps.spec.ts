/** The onboarding steps from a new account to the dashboard, including declining, postponing and returning. */
import { expect, test } from './journey.ts';
import { HmrcPages } from './pages/hmrc-pages.ts';
import { logIn } from './pages/log-in-page.ts';
import { createOrganisation } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';
import {
  findEndedObligation,
  createCompany,
  createEmailAddress,
  createTraderWithoutBooks,
  password,
  signUp,
  uploadBooks,
  writeBooks,
} from './trader.ts';

test('the company step checks the VAT number’s check digits, then HMRC’s register', async ({ page }) => {
  const organisation = await createOrganisation();
  await signUp(page, createEmailAddress());
  await page.goto('/portal/v2/instant-vat/steps/company');
  const vrn = page.getByLabel('VAT registration number');
  const save = page.getByRole('button', { name: 'Save and continue' });
  await page.getByLabel('Company name').fill(organisation.name);
  await page.getByLabel('Company number').fill('09482716');

  await vrn.fill('123456789');
  await vrn.blur();
  await expect(page.getByText('The check digits don’t match, so at least one digit is wrong.')).toBeVisible();
  await expect(vrn).toHaveAttribute('aria-describedby', /error/);
  await expect(save).toBeDisabled();

  // 980 7806 84 is HMRC's example number: its check digits are valid, but it isn't in the simulator's register.
  await vrn.fill('980780684');
  await save.click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'HMRC has no record of a business with this VAT registration number.',
  );
  await expectPageQuality(page);

  await vrn.fill(organisation.vrn);
  await save.click();
  await expect(page.getByRole('heading', { name: 'Connect HMRC' })).toBeVisible();
});

test('HMRC’s permission can be declined, postponed and given', async ({ page }) => {
  const { companyId, organisation } = await createCompany(page);
  const hmrc = new HmrcPages(page);
  await page.goto(`/portal/v2/instant-vat/steps/government-gateway?company_id=${companyId}`);
  const connect = page.getByRole('button', { name: 'Connect HMRC' });
  await expect(connect).toBeVisible();
  await expect(page.locator('input[type=password]'), 'no page of ours has a field for the Gateway password').toHaveCount(0);
  await expectPageQuality(page);

  await test.step('the permission is declined', async () => {
    await connect.click();
    await hmrc.signInForConsent(organisation);
    await hmrc.denyButton.click();
    await expect(page.getByText('You didn’t give permission')).toBeVisible();
    await expectPageQuality(page);
  });
  await test.step('it is postponed', async () => {
    await page.getByRole('button', { name: 'Do this later' }).click();
    await expect(page.getByRole('heading', { name: 'Your books' })).toBeVisible();
  });
  await test.step('the dashboard asks again, and after giving permission the user returns to it', async () => {
    await page.goto(`/portal/v2/instant-vat/dashboard?company_id=${companyId}`);
    await expectPageQuality(page);
    await page
      .getByRole('link', { name: /^Connect HMRC/ })
      .first()
      .click();
    await expect(page.getByRole('heading', { name: 'Connect your HMRC account' })).toBeVisible();
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Connect to HMRC' }).click();
    // The browser is still signed in at HMRC.
    await page.getByRole('link', { name: 'Continue' }).click();
    await hmrc.grant.click();
    await expect(page).toHaveURL(/\/dashboard\?/);
    await expect(page.getByRole('region', { name: 'VAT returns' }).getByRole('link').first()).toBeVisible();
  });
});

test('a trader who stops continues at the right step on another device and ends on the dashboard', async ({ page, openDevice }) => {
  const { email, companyId, organisation } = await createCompany(page);
  await page.goto('/portal/home');
  await expect(page.getByRole('heading', { name: 'Connect HMRC' })).toBeVisible();

  const otherDevice = await openDevice();
  await logIn(otherDevice, email, password);
  await expect(otherDevice).toHaveURL(/\/steps\/government-gateway/);
  await otherDevice.getByRole('button', { name: 'Connect HMRC' }).click();
  const hmrc = new HmrcPages(otherDevice);
  await hmrc.signInForConsent(organisation);
  await hmrc.grant.click();
  await expect(otherDevice.getByRole('heading', { name: 'HMRC is connected' })).toBeFocused();
  await expect(otherDevice.getByText('Your next VAT return is for')).toBeVisible();
  await expectPageQuality(otherDevice);

  await test.step('on the first device the next step is now the books', async () => {
    await page.goto('/portal/home');
    await expect(page.getByRole('heading', { name: 'Your books' })).toBeVisible();
  });
  await uploadBooks(page, companyId, writeBooks(await findEndedObligation(page, companyId), 4_000));
  await page.goto('/portal/home');
  await expect(page.getByRole('heading', { name: 'Bank account' })).toBeVisible();
  await page.getByLabel('Sort code').fill('20-00-0');
  await page.getByLabel('Sort code').blur();
  await expect(page.getByRole('button', { name: 'Save and continue' })).toBeDisabled();
  await expectPageQuality(page);
  await page.getByLabel('Sort code').fill('20-00-00');
  await page.getByLabel('Account number').fill('55779911');
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await test.step('the last step leads to the identity check, which can be postponed', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Verify your identity' })).toBeVisible();
    await expectPageQuality(page);
    await expect(page.getByRole('heading', { name: 'We found £4,000.00' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Start identity check' })).toBeVisible();
    await page.goto('/portal/get-started/welcome');
    const [offer, payout] = [
      page.getByRole('region', { name: 'For your first offer' }),
      page.getByRole('region', { name: 'Before we pay you' }),
    ];
    await expect(offer).toContainText('5 of 5 done');
    await expect(payout).toContainText('Verify your identity');
    await expectPageQuality(page);
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: 'Verify your identity' })).toBeVisible();
  });
  await page.getByRole('link', { name: 'Do this later' }).click();
  await expect(page).toHaveURL(/\/dashboard\?/);
  await expect(page.getByRole('link', { name: 'Check and file' })).toBeVisible();
});

test('a trader with a company adds another and chooses between them', async ({ page }) => {
  const first = await createCompany(page);
  const second = await createOrganisation();
  await page.goto('/portal/v2/instant-vat/steps/company?existing_user=1');
  await expect(page.getByRole('heading', { level: 1, name: 'Add a company' })).toBeVisible();
  await expect(page.getByLabel('VAT registration number'), 'nothing of the first company is filled in').toHaveValue('');
  await expectPageQuality(page);
  await page.getByLabel('Company name').fill(second.name);
  await page.getByLabel('Company number').fill('09482716');
  await page.getByLabel('VAT registration number').fill(second.vrn);
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await expect(page.getByRole('heading', { name: 'Connect HMRC' })).toBeVisible();
  expect(page.url()).not.toContain(first.companyId);
  await page.goto('/portal/company');
  for (const name of [first.organisation.name, second.name]) await expect(page.getByRole('main')).toContainText(name);
  await expectPageQuality(page);
});

test('when the session ends before the upload, the user logs in and returns to the books', async ({ page }) => {
  const { email, companyId } = await createCompany(page);
  await page.goto(`/portal/v2/instant-vat/steps/bookkeeping?company_id=${companyId}`);
  const input = page.getByLabel('Books file');
  await expect(input).toBeAttached();
  await page.context().clearCookies();
  await input.setInputFiles({ name: 'books.csv', mimeType: 'text/csv', buffer: Buffer.from('date,kind\n') });
  await expect(page).toHaveURL(/\/portal\/login$/);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/steps/bookkeeping\\?company_id=${companyId}$`));
});

test('an invalid file is rejected line by line and changes nothing; the corrected file is accepted', async ({ page }) => {
  const { companyId, organisation } = await createCompany(page);
  await uploadBooks(page, companyId, writeBooks({ obligation_id: '', period_start: '2026-07-01', period_end: '2026-09-30' }, 4_000));
  await page.goto(`/portal/v2/instant-vat/steps/bookkeeping?company_id=${companyId}`);
  await expect(page.getByText('Your current books')).toBeVisible();
  await expectPageQuality(page);
  const heading = 'date,kind,reference,counterparty,description,net,vat,treatment';
  const createFile = (name: string, rows: readonly string[]) => ({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from([heading, ...rows, ''].join('\n')),
  });
  const input = page.getByLabel('Books file');

  await input.setInputFiles(
    createFile('wrong.csv', ['2026-07-01,sale,INV-1,Oslo AS,Lamps,50000.00,0.00,zero', 'soon,sale,INV-2,Oslo AS,Lamps,ten,0.00,zero']),
  );
  await expect(page.getByText('We couldn’t read wrong.csv')).toBeVisible();
  const lines = page.getByRole('table', { name: 'How to fix the file' });
  await expect(lines.getByRole('row').nth(1)).toContainText('Row 3');
  await expect(lines).toContainText('date');
  await expect(lines).toContainText('net');
  await expectPageQuality(page);
  await test.step('the earlier books are still there', async () => {
    await page.reload();
    await expect(page.getByText('books.csv')).toBeVisible();
  });

  await input.setInputFiles(createFile('fixed.csv', ['2026-07-01,sale,INV-1,Oslo AS,Lamps,50000.00,0.00,zero']));
  await expect(page.getByRole('heading', { name: 'Books uploaded' })).toBeFocused();
  await expect(page.getByText('fixed.csv')).toBeVisible();
  await expectPageQuality(page);
  expect(organisation.vrn).toMatch(/^\d{9}$/);
});

test('changing the bank account waits for the password, says so, and ends with what happened', async ({ page }) => {
  const { companyId, organisation } = await createTraderWithoutBooks(page);
  await page.goto(`/portal/v2/instant-vat/steps/bank-account?company_id=${companyId}`);
  await page.getByLabel('Sort code').fill('200000');
  await page.getByLabel('Account number').fill(organisation.vrn.slice(1));
  const changeButton = page.getByRole('button', { name: 'Change account' });
  await expect(changeButton).toBeDisabled();
  await expect(changeButton).toHaveAccessibleDescription('Enter your password.');
  await page.getByLabel('Your password').fill(password);
  await changeButton.click();
  await expect(page.getByRole('heading', { name: 'Bank account changed' })).toBeFocused();
});
