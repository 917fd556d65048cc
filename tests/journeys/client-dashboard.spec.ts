/** One client's own page: found from the address, its taxes and dates, a note, and no page for a client that is not there. */
import { expect, test } from './journey.ts';
import { expectSoundPage } from './sound-page.ts';
import { newEmail, signUp } from './trader.ts';

test.use({ expectedComplaints: [/status of 404/] });

test('a practice opens a client, sees its dates with their source, and writes a note', async ({ page }) => {
  // Three looks, each at three widths and in both schemes.
  test.setTimeout(180_000);
  await signUp(page, newEmail());
  const made = await page.request.post('/portal/open-tax/practice', { data: { name: 'Fernhill Accounting' } });
  const { company_id: companyId } = (await made.json()) as { company_id: string };
  const facts = { company_id: companyId, name: 'Alder Bakery Ltd', kind: 'company', taxes: ['vat', 'ct'], year_end: '2026-03-31' };
  const added = await page.request.post('/portal/open-tax/client-companies', { data: facts });
  const { client_id: clientId } = (await added.json()) as { client_id: string };
  const address = `/portal/v2/open-tax/client-dashboard?company_id=${companyId}&client_id=`;

  await page.goto(`${address}${clientId}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Alder Bakery Ltd' })).toBeVisible();
  await expect(page).toHaveTitle('Tidewater OpenTax');
  const card = page.getByRole('region', { name: 'Corporation tax', exact: true });
  await expect(card).toContainText('Amounts are not known yet; the dates follow from the rules.');
  await expect(card).toContainText('Worked out by rule');
  await expect(page.getByRole('region', { name: 'Authority at HMRC' })).toBeVisible();
  await expectSoundPage(page);

  await test.step('without HMRC connected a reading says what is missing', async () => {
    await page.getByRole('button', { name: 'Read again VAT at HMRC' }).click();
    await expect(page.getByRole('region', { name: 'VAT', exact: true }).getByRole('alert')).toContainText('It was not read');
  });
  await test.step('a note stays, and stands in the timeline', async () => {
    await page.getByLabel('New note').fill('Rang about the year end.');
    await page.getByRole('button', { name: 'Add this note' }).click();
    await expect(page.getByRole('list', { name: 'Notes' })).toContainText('Rang about the year end.');
    await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('Rang about the year end.');
    await expect(page.getByLabel('New note')).toHaveValue('');
    await expectSoundPage(page);
  });
  await test.step('a client that is not there has no page', async () => {
    await page.goto(`${address}00000000-0000-4000-8000-000000000000`);
    await expect(page.getByRole('heading', { level: 2, name: 'We cannot find this client' })).toBeVisible();
    await expectSoundPage(page);
  });
});
