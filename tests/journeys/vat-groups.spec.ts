/** VAT groups: an admin records on a client's page that it is in one, and finds the group's VAT at its representative member. */
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { logInAndOpen } from './pages/log-in-page.ts';
import { sandboxPassword } from './pages/operator-pages.ts';
import { expectPageQuality } from './page-quality.ts';

const [ALDER, BIRCH] = ['Alder VAT Group Ltd', 'Birch VAT Group Ltd'];

async function addClient(page: Page, companyId: string, client: object): Promise<string> {
  const data = { company_id: companyId, kind: 'company', ...client };
  const response = await page.request.post('/portal/open-tax/client-companies', { data });
  expect(response.status(), await response.text()).toBe(200);
  return ((await response.json()) as { client_id: string }).client_id;
}

test('an admin records a VAT group on the client’s page, and undoes it', async ({ page }) => {
  await logInAndOpen(page, OAKLINE.emailAddress, sandboxPassword, '/v2/open-tax/dashboard');
  const companies = (await (await page.request.get('/portal/user-companies')).json()) as { company_id: string; kind: string }[];
  const companyId = companies.find(({ kind }) => kind === 'practice')?.company_id ?? '';
  await addClient(page, companyId, { name: ALDER, taxes: ['vat'], vrn: '314159228' });
  const birch = await addClient(page, companyId, { name: BIRCH, taxes: ['vat', 'ct'], vrn: '314159283' });
  const section = `/portal/v2/open-tax/client-dashboard?company_id=${companyId}&client_id=${birch}&tab=vat`;
  await test.step('the member’s VAT section says where its VAT is reported', async () => {
    await page.goto(section);
    await page.getByRole('button', { name: 'Set VAT group' }).click();
    const dialog = page.getByRole('dialog', { name: 'VAT group' });
    await dialog.getByRole('radio', { name: /^Another member/ }).check();
    await dialog.getByLabel('Representative member, if it’s a client').pressSequentially('Alder VAT');
    await page.getByRole('option', { name: ALDER }).click();
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Save VAT group' }).click();
    await expect(page.getByText(`Not applicable: in the VAT group of ${ALDER}`)).toBeInViewport();
    await expectPageQuality(page);
  });
  await test.step('the representative member’s page lists it', async () => {
    await page.getByRole('link', { name: ALDER }).click();
    await page.getByRole('link', { name: 'VAT', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Members of the VAT group' })).toContainText(BIRCH);
    await expectPageQuality(page);
  });
  await test.step('the member has its own VAT again once it is removed', async () => {
    await page.goto(section);
    await page.getByRole('button', { name: 'Change VAT group' }).click();
    await page.getByRole('radio', { name: /^Not in a VAT group/ }).check();
    await page.getByRole('button', { name: 'Save VAT group' }).click();
    await expect(page.getByText('Not known to be in a VAT group.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Prepare VAT returns' })).toBeVisible();
  });
});

test('an admin says once who represents a VAT group when two clients in a file share a VAT number', async ({ page }) => {
  await logInAndOpen(page, OAKLINE.emailAddress, sandboxPassword, '/v2/open-tax/dashboard');
  const companies = (await (await page.request.get('/portal/user-companies')).json()) as { company_id: string; kind: string }[];
  const companyId = companies.find(({ kind }) => kind === 'practice')?.company_id ?? '';
  const importPath = `/portal/v2/open-tax/clients/import?company_id=${companyId}`;
  const [CEDAR, DAMSON] = ['Cedar VAT Group Ltd', 'Damson VAT Group Ltd'];
  const rows = ['name,kind,taxes,vrn', `${CEDAR},company,VAT CT,314160055`, `${DAMSON},company,VAT CT,314160055`];
  const file = { name: 'group.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) };
  await test.step('after the import, the row asks for the representative member', async () => {
    await page.goto(importPath);
    await page.getByLabel('Client list file').setInputFiles(file);
    await page.getByRole('button', { name: 'Import 2 clients' }).click();
    await page.getByRole('button', { name: `Set VAT group of row 3, ${DAMSON}` }).click();
    const dialog = page.getByRole('dialog', { name: 'VAT group' });
    await expect(dialog.getByText('Choose the representative member.')).toBeVisible();
    await expectPageQuality(page);
    await dialog.getByRole('radio', { name: DAMSON }).check();
    await dialog.getByRole('button', { name: 'Save VAT group' }).click();
    await expect(dialog).toBeHidden();
    await expectPageQuality(page);
  });
  await test.step('importing the same file again asks nothing', async () => {
    await page.goto(importPath);
    await page.getByLabel('Client list file').setInputFiles(file);
    await expect(page.getByRole('row', { name: new RegExp(DAMSON) })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Set VAT group of row/ })).toHaveCount(0);
  });
  await test.step('the representative member’s page lists the other client', async () => {
    await page.goto(`/portal/v2/open-tax/clients?company_id=${companyId}&q=Damson`);
    await page.getByRole('link', { name: DAMSON }).first().click();
    await page.getByRole('link', { name: 'VAT', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Members of the VAT group' })).toContainText(CEDAR);
  });
});
