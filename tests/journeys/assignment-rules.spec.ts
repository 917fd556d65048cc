/** Rules that assign imported clients: set up in the settings, previewed with the file and applied by the import. */
import { randomUUID } from 'node:crypto';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { expect, test } from './journey.ts';
import { logInAndOpen } from './pages/log-in-page.ts';
import { sandboxPassword } from './pages/operator-pages.ts';
import { expectPageQuality } from './page-quality.ts';

test('an admin sets up rules, sees what they would assign, and the imported clients are assigned to members', async ({
  page,
  openDevice,
}) => {
  test.setTimeout(150_000);
  const id = randomUUID().slice(0, 6);
  await logInAndOpen(page, OAKLINE.emailAddress, sandboxPassword, '/v2/open-tax/dashboard');
  const companies = (await (await page.request.get('/portal/user-companies')).json()) as { company_id: string; kind: string }[];
  const companyId = companies.find(({ kind }) => kind === 'practice')?.company_id ?? '';
  await test.step('the rules are set up in the team’s settings', async () => {
    await page.goto(`/portal/v2/open-tax/settings/team?company_id=${companyId}`);
    await page.getByRole('button', { name: 'Add a rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a rule' });
    await dialog.getByLabel('Postcode areas').fill('SW1');
    await dialog.getByLabel('Assign to').selectOption({ label: 'Tom Reed' });
    await expect(dialog.getByText('“SW1” isn’t a postcode area').first()).toBeVisible();
    await dialog.getByLabel('Postcode areas').fill('sw, w');
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Save rule' }).click();
    const rules = page.getByRole('list', { name: 'Rules, in order' });
    await expect(rules.getByRole('listitem')).toHaveText(/Postcodes in SW, W.*Manager: Tom Reed/);
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await dialog.getByLabel('Choose clients by').selectOption({ label: 'First letter of the name' });
    await dialog.getByLabel('Letters').fill('A-Y');
    await dialog.getByLabel('Assign to').selectOption({ label: 'Maya Singh' });
    await dialog.getByRole('button', { name: 'Save rule' }).click();
    await expect(rules.getByRole('listitem')).toHaveCount(2);
    await expectPageQuality(page);
  });
  await test.step('the preview of a file shows who would be assigned which clients', async () => {
    await page.goto(`/portal/v2/open-tax/clients/import?company_id=${companyId}`);
    const rows = [`Ash ${id},sole_trader,SA,SW1A 1AA`, `Birch ${id},sole_trader,SA,S1 2HE`, `Zelkova ${id},sole_trader,SA,S1 2HE`];
    const buffer = Buffer.from(['name,kind,taxes,postcode', ...rows].join('\n'));
    await page.locator('input[type=file]').setInputFiles({ name: 'clients.csv', mimeType: 'text/csv', buffer });
    const preview = page.getByRole('list', { name: 'Assigned by your rules' });
    await expect(preview.getByRole('listitem')).toHaveText([
      'Postcodes in SW, W: 1 client to Tom Reed (Manager)',
      'Names that begin with A–Y: 1 client to Maya Singh (Manager)',
    ]);
    await expect(page.getByText('1 client will be unassigned.')).toBeVisible();
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Import 3 clients' }).click();
    await expect(page.getByText('Import complete')).toBeVisible();
  });
  await test.step('the members have their clients', async () => {
    const tom = await openDevice();
    await logInAndOpen(tom, 'tom@oakline.example', sandboxPassword, `/v2/open-tax/clients?company_id=${companyId}`);
    await expect(tom.getByRole('link', { name: `Ash ${id}` })).toBeVisible();
    await expect(tom.getByRole('link', { name: `Birch ${id}` })).toHaveCount(0);
  });
});
