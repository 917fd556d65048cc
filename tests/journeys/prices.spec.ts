/** Prices: two operators create a promotion code and draft a price list, and a practice chooses its connections and tries the code. */
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { expect, test } from './journey.ts';
import { logInAndOpen, logInByApi } from './pages/log-in-page.ts';
import { operators, sandboxPassword } from './pages/operator-pages.ts';
import { expectPageQuality } from './page-quality.ts';

test('operators create a promotion code together, and a practice chooses connections, sees the price and tries the code', async ({
  page,
  openDevice,
}) => {
  test.setTimeout(180_000);
  await test.step('one operator drafts a price list and asks for a code', async () => {
    await logInByApi(page, operators.olga, sandboxPassword);
    await page.goto('/portal/admin/pricing');
    await expect(page.getByRole('table', { name: 'Tiers of version 1' })).toBeVisible();
    await page.getByRole('button', { name: 'Draft version 2 from version 1' }).click();
    await page.getByLabel('New customers from').fill('2027-04-06');
    await page.getByLabel('Base price, £ of tier 2').fill('16.00');
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Save draft' }).click();
    await expect(page.getByRole('button', { name: 'Ask to publish' })).toBeEnabled();
    await page.getByRole('link', { name: 'Promotion codes' }).click();
    await page.getByRole('button', { name: 'New code' }).click();
    const dialog = page.getByRole('dialog', { name: 'New promotion code' });
    await dialog.getByLabel('Code', { exact: true }).fill('winter26');
    await dialog.getByLabel('Percent').fill('10');
    await dialog.getByLabel('For how many months').fill('3');
    await dialog.getByLabel('First day').fill('2026-01-01');
    await dialog.getByLabel('Reason').fill('Campaign of the winter');
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Ask for approval' }).click();
    await expect(page.getByRole('list', { name: 'Requests for a second person' })).toContainText('WINTER26: 10% off');
  });
  await test.step('another approves', async () => {
    const omar = await openDevice();
    await logInByApi(omar, operators.omar, sandboxPassword);
    await omar.goto('/portal/admin/pricing?view=codes');
    const requests = omar.getByRole('list', { name: 'Requests for a second person' });
    await requests.getByRole('button', { name: /^Approve/ }).click();
    await omar.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await omar.reload();
    await expect(omar.getByRole('row', { name: /WINTER26/ })).toContainText('Can be used');
  });
  await test.step('an admin of a practice selects what a filter shows, sees the price move, and tries codes', async () => {
    const practice = await openDevice();
    await logInAndOpen(practice, OAKLINE.emailAddress, sandboxPassword, '/v2/open-tax/dashboard');
    const companyId = new URL(practice.url()).searchParams.get('company_id') ?? '';
    await practice.goto(`/portal/v2/instant-vat/premium/setup?company_id=${companyId}`);
    await expect(practice.getByRole('heading', { level: 1, name: 'Plan and price' })).toBeVisible();
    const price = practice.getByRole('region', { name: 'Your price' });
    await expect(price).toContainText('Free, 0 connections');
    await practice.getByRole('searchbox', { name: 'Search clients' }).fill('harlow');
    await practice.getByLabel('Tax').selectOption('PAYE');
    await practice.getByRole('button', { name: 'Select all 1' }).click();
    await expect(price).toContainText(/Free, 1 connection(?!s)/);
    await practice.getByLabel('Tax').selectOption('');
    await practice.getByRole('checkbox', { name: 'Select Harlow Joinery Ltd, Corporation tax' }).check();
    await expect(price).toContainText('Free, 2 connections');
    await expectPageQuality(practice);
    await price.getByLabel('Promotion code').fill('spring26');
    await price.getByRole('button', { name: 'Apply' }).click();
    await expect(price).toContainText('This promotion code has expired');
    await price.getByLabel('Promotion code').fill('winter26');
    await price.getByRole('button', { name: 'Apply' }).click();
    await expect(price).toContainText('The discount lasts 3 months');
    await practice.reload();
    await expect(price).toContainText('Free, 2 connections');
  });
});
