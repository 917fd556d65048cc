/** A client's own page: taxes and dates, notes, details, and the page for an unknown client. */
import { expect, test } from './journey.ts';
import { expectPageQuality } from './page-quality.ts';
import { createEmailAddress, signUp } from './trader.ts';

test.use({ expectedBrowserErrors: [/status of (404|409)/] });

test('a practice opens a client, sees its dates with their source, and writes a note', async ({ page }) => {
  // Three quality checks, each at three widths and in both colour schemes.
  test.setTimeout(180_000);
  await signUp(page, createEmailAddress());
  const practiceResponse = await page.request.post('/portal/open-tax/practice', { data: { name: 'Fernhill Accounting' } });
  const { company_id: companyId } = (await practiceResponse.json()) as { company_id: string };
  const details = { company_id: companyId, name: 'Alder Bakery Ltd', kind: 'company', taxes: ['vat', 'ct'], year_end: '2026-03-31' };
  const clientResponse = await page.request.post('/portal/open-tax/client-companies', { data: details });
  const { client_id: clientId } = (await clientResponse.json()) as { client_id: string };
  const clientPath = `/portal/v2/open-tax/client-dashboard?company_id=${companyId}&client_id=`;

  await page.goto(`${clientPath}${clientId}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Alder Bakery Ltd' })).toBeVisible();
  await expect(page).toHaveTitle(/^Tidewater OpenTax – /);
  const card = page.getByRole('region', { name: 'Corporation tax', exact: true });
  await expect(card).toContainText('No figures yet, so amounts aren’t known. The dates are statutory deadlines.');
  await expect(card).toContainText('Statutory deadline');
  await expectPageQuality(page);
  const openSection = (name: string) => page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true }).click();
  await test.step('each section has a URL, and the header with the name stays in view', async () => {
    await openSection('Authorisation');
    await expect(page).toHaveURL(/&tab=authorisation$/);
    await expect(page.getByRole('region', { name: 'HMRC authorisation' })).toBeVisible();
    await openSection('Corporation tax');
    await expect(page.getByRole('table', { name: 'Corporation tax, periods' })).toBeVisible();
    await page.mouse.wheel(0, 2000);
    await expect(page.getByRole('heading', { level: 1, name: 'Alder Bakery Ltd' })).toBeInViewport();
    await expectPageQuality(page);
  });
  await test.step('on a phone its tables become blocks, and nothing scrolls sideways', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    const table = page.getByRole('table', { name: 'Corporation tax, periods' });
    await expect(table.getByRole('row').nth(1).getByRole('cell').first()).toContainText('Return due');
    const scrollableElements = await page.evaluate(() =>
      [...document.querySelectorAll('main *')].filter(
        (element) => element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX === 'auto',
      ),
    );
    expect(scrollableElements).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('without an HMRC connection, refreshing is disabled and a link leads to the connection', async () => {
    await openSection('VAT');
    const refreshButton = page.getByRole('button', { name: 'Refresh VAT from HMRC' });
    await expect(refreshButton).toBeDisabled();
    await expect(refreshButton).toHaveAccessibleDescription(/^HMRC isn’t connected, so we can’t refresh figures\./);
    const connect = page.getByRole('link', { name: 'Connect HMRC' }).first();
    await expect(connect).toHaveAttribute('href', `/portal/v2/open-tax/settings/connections?company_id=${companyId}`);
  });
  await test.step('tags and contacts are saved with the client', async () => {
    await page.getByRole('button', { name: 'Add tags' }).click();
    await page.getByLabel('New tag').fill('Payroll bureau');
    await page.getByRole('button', { name: 'Add tag', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Tags' })).toContainText('Payroll bureau');
    await page.getByRole('button', { name: 'Done' }).click();
    await openSection('People');
    await page.getByRole('button', { name: 'Add contact' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add contact' });
    await dialog.getByLabel('Name').fill('Jo Alder');
    await dialog.getByRole('button', { name: 'Save contact' }).click();
    await expect(page.getByRole('table', { name: 'People to contact' })).toContainText('Jo Alder');
    await expectPageQuality(page);
    await openSection('Notes');
  });
  await test.step('a note draft survives a reload, and the saved note appears in the timeline', async () => {
    await page.getByLabel('New note').fill('Rang about the year end.');
    await page.reload();
    await expect(page.getByLabel('New note')).toHaveValue('Rang about the year end.');
    await page.getByRole('button', { name: 'Add note' }).click();
    await expect(page.getByRole('list', { name: 'Notes' })).toContainText('Rang about the year end.');
    await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('Rang about the year end.');
    await expect(page.getByLabel('New note')).toHaveValue('');
    await page.reload();
    await expect(page.getByRole('list', { name: 'Notes' })).toBeVisible();
    await expect(page.getByLabel('New note')).toHaveValue('');
    await expectPageQuality(page);
  });
  await test.step('the note is edited and pinned, and then shown on the overview', async () => {
    await page.getByRole('button', { name: 'Edit note “Rang about the year end.”' }).click();
    await page.getByLabel('Edit note').fill('Year end moves to June.');
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByRole('button', { name: 'Pin note “Year end moves to June.”' }).click();
    await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('Previously: Rang about the year end.');
    await openSection('Overview');
    await expect(page.getByRole('list', { name: 'Pinned notes' })).toContainText('Year end moves to June.');
  });
  await test.step('the page says what is missing for the figures and opens the form for it', async () => {
    const missingStepsRegion = page.getByRole('region', { name: 'Set up this client’s figures' });
    await expect(missingStepsRegion).toContainText('VAT. Add the client’s VAT number.');
    await missingStepsRegion.getByRole('button', { name: 'Add it' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Edit details' });
    await dialog.getByLabel('VAT number (optional)').fill('123456789');
    await dialog.getByLabel('UTR (optional)').focus();
    await expect(dialog.getByLabel('VAT number (optional)')).toHaveAttribute('aria-invalid', 'true');
    await dialog.getByLabel('VAT number (optional)').fill('193054661');
  });
  await test.step('a conflicting change by another user is reported, and both changes are saved', async () => {
    const dialog = page.getByRole('dialog', { name: 'Edit details' });
    const clientKey = { company_id: companyId, client_id: clientId };
    const otherUsersChange = { ...details, ...clientKey, phone: '0113 496 0000' };
    expect((await page.request.post('/portal/open-tax/client-companies/facts', { data: otherUsersChange })).status()).toBe(200);
    await dialog.getByRole('button', { name: 'Save details' }).click();
    await expect(dialog.getByRole('alert')).toContainText('changed this client while you were editing it');
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Save details' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('VAT number from none to 193054661');
    await expect(page.getByRole('main')).toContainText('0113 496 0000');
  });
  await test.step("the practice's own records appear beside HMRC’s figure", async () => {
    await page.getByRole('button', { name: 'Enter balance for VAT' }).click();
    await page.getByLabel('Owed to HMRC in your records, in pounds').fill('1,234.50');
    await page.getByRole('button', { name: 'Save balance' }).click();
    await expect(page.getByRole('region', { name: 'Your records v HMRC', exact: true })).toContainText('£1,234.50 owed');
  });
  await test.step('a statement is validated before it changes anything, and its rejected rows are shown', async () => {
    await page.goto(`/portal/v2/open-tax/clients/statements?company_id=${companyId}&tax_type=ct`);
    const template = await (await page.request.get('/portal/open-tax/tax-statements/template?tax_type=ct')).body();
    await page
      .getByLabel('Corporation tax statement', { exact: true })
      .setInputFiles({ name: 'ct.csv', mimeType: 'text/csv', buffer: template });
    await expect(page.getByText('Preview: nothing has changed yet')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Rows of the statement' })).toContainText('Not one of your clients');
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByText('Cancelled', { exact: true })).toBeVisible();
    await page.goto(`${clientPath}${clientId}`);
  });
  await test.step('the client is archived and restored', async () => {
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Restore this client' }).click();
    await expect(page.getByRole('button', { name: 'Archive' })).toBeVisible();
  });
  await test.step('an unknown client shows a not-found page', async () => {
    await page.goto(`${clientPath}00000000-0000-4000-8000-000000000000`);
    await expect(page.getByRole('heading', { level: 2, name: 'We can’t find this client' })).toBeVisible();
    await expectPageQuality(page);
  });
});
