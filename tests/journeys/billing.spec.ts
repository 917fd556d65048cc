/**
 * A practice pays, using Stripe's simulator: two operators publish a price list and a code; an admin of the practice chooses connections,
 * subscribes with a card that fails and one that works, changes, cancels and downloads an invoice; two operators refund part of it, which
 * is returned and then paid by bank transfer.
 */
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { logInAndOpen, logInByApi } from './pages/log-in-page.ts';
import { operators, sandboxPassword } from './pages/operator-pages.ts';
import { sendRefundBack } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';

const PAYING_CARD = '4242424242424242';
const DECLINING_CARD = '4000000000000341';

/** Returns today's date in London, as YYYY-MM-DD. */
const getToday = (): string => new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' }).format(new Date());

async function approveAll(page: Page): Promise<void> {
  const requests = page.getByRole('list', { name: 'Requests awaiting a second person' });
  for (const text of ['Publishes version 2', 'Creates the promotion code WINTER26']) {
    const request = requests.getByRole('listitem').filter({ hasText: text });
    await request.getByRole('button', { name: /^Approve/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await expect(request).toHaveCount(0);
  }
}

/** Enters a test card on Stripe's page and returns. */
async function enterCard(page: Page, number: string): Promise<void> {
  await page.getByRole('button', { name: /^(Add a card|Use another card)$/ }).click();
  await expect(page.getByRole('heading', { name: 'Save a card' })).toBeVisible();
  await page.getByRole('radio', { name: new RegExp(number) }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`Visa ending ${number.slice(-4)}`)).toBeVisible();
}

test('operators publish prices, and a practice subscribes, recovers from a failed card, changes, cancels, downloads its invoice and gets a refund', async ({
  page,
  openDevice,
}) => {
  test.setTimeout(240_000);
  await test.step('one operator drafts a price list and asks for a code', async () => {
    await logInByApi(page, operators.olga, sandboxPassword);
    await page.goto('/portal/admin/pricing');
    await expect(page.getByRole('table', { name: 'Tiers of version 1' })).toBeVisible();
    await page.getByRole('button', { name: 'Draft version 2 from version 1' }).click();
    await page.getByLabel('New customers from').fill(getToday());
    await page.getByRole('button', { name: 'Remove Practice' }).click();
    await page.getByRole('button', { name: 'Remove Firm' }).click();
    await page.getByLabel('Up to connections of tier 1').fill('0');
    await page.getByLabel('Included of tier 1').fill('0');
    await page.getByLabel('Included of tier 2').fill('0');
    await page.getByLabel('Each extra, £ of tier 2').fill('1.01');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await expect(page.getByText('Starter: prices must be multiples of 5p.')).toBeVisible();
    await page.getByLabel('Each extra, £ of tier 2').fill('5.00');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Request publication' }).click();
    const publish = page.getByRole('dialog', { name: 'Publish version 2' });
    await publish.getByLabel('Reason').fill('Agreed by the board');
    await publish.getByRole('button', { name: 'Request approval' }).click();
    await expect(publish).toBeHidden();
    await page.getByRole('link', { name: 'Promotion codes' }).click();
    await page.getByRole('button', { name: 'New code' }).click();
    const dialog = page.getByRole('dialog', { name: 'New promotion code' });
    await dialog.getByLabel('Code', { exact: true }).fill('winter26');
    await dialog.getByLabel('Percentage', { exact: true }).fill('50');
    await dialog.getByLabel('Number of months').fill('3');
    await dialog.getByLabel('First day').fill('2026-01-01');
    await dialog.getByLabel('Reason').fill('Campaign of the winter');
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Request approval' }).click();
    await expect(page.getByRole('list', { name: 'Requests awaiting a second person' })).toContainText('WINTER26: 50% off');
  });
  await test.step('another operator approves both', async () => {
    const omar = await openDevice();
    await logInByApi(omar, operators.omar, sandboxPassword);
    await omar.goto('/portal/admin/pricing?view=codes');
    await approveAll(omar);
    await omar.reload();
    await expect(omar.getByRole('row', { name: /WINTER26/ })).toContainText('Can be used');
  });
  const practice = await openDevice();
  await logInAndOpen(practice, OAKLINE.emailAddress, sandboxPassword, '/v2/open-tax/dashboard');
  const companies = (await (await practice.request.get('/portal/user-companies')).json()) as { company_id: string; kind: string }[];
  const companyId = companies.find(({ kind }) => kind === 'practice')?.company_id ?? '';
  const price = practice.getByRole('region', { name: 'Your price' });
  const state = practice.getByRole('definition').first();
  await test.step('an admin selects what a filter shows, and tries codes', async () => {
    await practice.goto(`/portal/v2/instant-vat/premium/setup?company_id=${companyId}`);
    await expect(practice.getByRole('heading', { level: 1, name: 'Plan and price' })).toBeVisible();
    await practice.getByRole('searchbox', { name: 'Search clients' }).fill('harlow');
    await practice.getByLabel('Tax', { exact: true }).selectOption('PAYE');
    await practice.getByRole('button', { name: 'Select all 1' }).click();
    // £15.00 and one connection at £5.00, with 20% VAT.
    await expect(price).toContainText('£24.00');
    await expectPageQuality(practice);
    await price.getByLabel('Promotion code').fill('spring26');
    await price.getByRole('button', { name: 'Apply' }).click();
    await expect(price).toContainText('This promotion code has expired');
    await price.getByLabel('Promotion code').fill('winter26');
    await price.getByRole('button', { name: 'Apply' }).click();
    await expect(price).toContainText('The discount lasts 3 months; after that it’s £24.00 a month.');
  });
  await test.step('the contact is saved, a card entered at Stripe, and its payment fails', async () => {
    await practice.getByLabel('Name', { exact: true }).fill('Olivia Oak');
    await practice.getByLabel('Email for invoices').fill('olivia@oakline.example');
    await practice.getByLabel('Address on the invoice').fill('1 High Street\nLeeds LS1 1AA');
    await practice.getByRole('button', { name: 'Save contact' }).click();
    await expect(practice.getByRole('button', { name: 'Save contact' })).toBeDisabled();
    await enterCard(practice, DECLINING_CARD);
    await price.getByLabel('Promotion code').fill('winter26');
    await price.getByRole('button', { name: 'Apply' }).click();
    await price.getByRole('button', { name: 'Subscribe and pay £12.00' }).click();
    await price.getByRole('link', { name: 'Billing settings' }).click();
    await expect(practice.getByText('£12.00 to pay')).toBeVisible();
    await expectPageQuality(practice);
  });
  await test.step('another card pays', async () => {
    await enterCard(practice, PAYING_CARD);
    await practice.getByRole('button', { name: 'Pay £12.00' }).click();
    await expect(state).toHaveText('Active');
    await expect(practice.getByText('£12.00 to pay')).toHaveCount(0);
  });
  await test.step('a change is priced before it is confirmed', async () => {
    await practice.getByRole('link', { name: 'Change connections' }).click();
    // The selection shows only once the list’s data has changed; check() would expect it immediately.
    const corporationTax = practice.getByRole('checkbox', { name: 'Select Harlow Joinery Ltd, Corporation tax' });
    await corporationTax.click();
    await expect(corporationTax).toBeChecked();
    await expect(price).toContainText('Charged today');
    await expectPageQuality(practice);
    await price.getByRole('button', { name: /^Change to £/ }).click();
    await expect(price).toContainText('You pay for 2 connections');
  });
  await test.step('the subscription is cancelled, kept and cancelled, and its invoice downloaded', async () => {
    await price.getByRole('link', { name: 'Billing settings' }).click();
    const confirm = practice.getByRole('dialog', { name: 'Cancel subscription?' });
    await practice.getByRole('button', { name: 'Cancel subscription' }).click();
    await confirm.getByRole('button', { name: 'Cancel subscription' }).click();
    await expect(practice.getByText('Ends on')).toBeVisible();
    await practice.getByRole('button', { name: 'Keep subscription' }).click();
    await expect(practice.getByText('Renews on')).toBeVisible();
    await practice.getByRole('button', { name: 'Cancel subscription' }).click();
    await confirm.getByRole('button', { name: 'Cancel subscription' }).click();
    await expect(practice.getByText('Ends on')).toBeVisible();
    await practice.getByRole('link', { name: 'Invoices', exact: true }).click();
    const invoices = practice.getByRole('table', { name: 'Invoices' });
    await expect(invoices.getByRole('row').last()).toContainText('£12.00');
    await expectPageQuality(practice);
    const download = practice.waitForEvent('download');
    await invoices.getByRole('link', { name: /^PDF/ }).last().click();
    expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
  });
  await test.step('an operator asks for a refund of half of it, and sees revenue', async () => {
    await page.goto('/portal/admin/billing');
    await expect(page.getByRole('row', { name: /Active/ })).toContainText('2');
    await expectPageQuality(page);
    await page.getByRole('link', { name: 'Invoices', exact: true }).click();
    await page
      .getByRole('row', { name: /£12\.00/ })
      .getByRole('button', { name: /^Refund/ })
      .click();
    const dialog = page.getByRole('dialog', { name: /^Refund INV-/ });
    await dialog.getByRole('radio', { name: /An amount including VAT/ }).check();
    await dialog.getByLabel('Amount including VAT (£)').fill('13');
    await expect(dialog.getByText('Enter at most £12.00.')).toBeVisible();
    await dialog.getByLabel('Amount including VAT (£)').fill('6');
    await dialog.getByLabel('Reason').fill('A client was selected by mistake');
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Request approval' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('link', { name: 'Revenue', exact: true }).click();
    await expect(page.getByRole('table', { name: 'Revenue by month' }).getByRole('row').nth(1)).toContainText('£');
    await expectPageQuality(page);
  });
  const omar = await openDevice();
  await test.step('another operator approves it, Stripe pays it back, and the practice has the credit note', async () => {
    await logInByApi(omar, operators.omar, sandboxPassword);
    await omar.goto('/portal/admin/billing?view=refunds');
    const request = omar.getByRole('list', { name: 'Requests awaiting a second person' }).getByRole('listitem');
    await expect(request).toContainText('Refunds £6.00 of VAT invoice');
    await request.getByRole('button', { name: /^Approve/ }).click();
    await omar.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await expect(async () => {
      await omar.reload();
      await expect(omar.getByRole('row', { name: /£6\.00/ })).toContainText('Refunded', { timeout: 10_000 });
    }).toPass({ timeout: 60_000 });
    await expectPageQuality(omar);
    await practice.reload();
    const note = practice.getByRole('row', { name: /Credit note for INV-.*selected by mistake/ });
    await expect(note).toContainText('−£6.00');
    await expect(note).toContainText('Refunded');
  });
  await test.step('the refund is returned, and two operators record the bank transfer that paid it', async () => {
    await sendRefundBack();
    await expect(async () => {
      await omar.reload();
      await expect(omar.getByRole('row', { name: /£6\.00/ })).toContainText('Bounced', { timeout: 10_000 });
    }).toPass({ timeout: 60_000 });
    await omar.getByRole('button', { name: /^Record transfer/ }).click();
    const dialog = omar.getByRole('dialog', { name: 'Record a bank transfer of £6.00' });
    await dialog.getByLabel('Amount on the statement (£)').fill('5');
    await expect(dialog.getByText(/^Enter £6\.00/)).toBeVisible();
    await dialog.getByLabel('Amount on the statement (£)').fill('6');
    await dialog.getByLabel('Paid on').fill(getToday());
    await dialog.getByLabel('Reference on the statement').fill('TIDEWATER REFUND 7');
    await dialog.getByLabel('Evidence of the payment').fill('Statement of our account, page 3');
    await expectPageQuality(omar);
    await dialog.getByRole('button', { name: 'Request approval' }).click();
    await expect(dialog).toBeHidden();
    await page.goto('/portal/admin/billing?view=refunds');
    const request = page.getByRole('list', { name: 'Requests awaiting a second person' }).getByRole('listitem');
    await expect(request).toContainText('was paid from our bank account');
    await request.getByRole('button', { name: /^Approve/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByRole('row', { name: /£6\.00/ })).toContainText('TIDEWATER REFUND 7');
    await practice.reload();
    await expect(practice.getByRole('row', { name: /Credit note for INV-.*selected by mistake/ })).toContainText(
      'reference TIDEWATER REFUND 7',
    );
  });
});
