/** Importing clients from a file: validate, import, resolve an ambiguous row and undo. Only admins of the practice may import. */
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { logInByApi } from './pages/log-in-page.ts';
import { sandboxPassword } from './pages/operator-pages.ts';
import { expectPageQuality } from './page-quality.ts';

const IMPORT_PATH = '/portal/v2/open-tax/clients/import';
const HEADER = 'name,kind,taxes,company_number,postcode,email,Partner in charge';

async function getCompanyId(page: Page): Promise<string> {
  const answer = await page.request.get('/portal/user-companies');
  const companies = (await answer.json()) as { company_id?: string; id?: string }[];
  return companies[0]?.company_id ?? companies[0]?.id ?? '';
}

/** Opens the import page and returns its path. */
async function openImport(page: Page, email: string): Promise<string> {
  await logInByApi(page, email, sandboxPassword);
  const importPath = `${IMPORT_PATH}?company_id=${await getCompanyId(page)}`;
  await page.goto(importPath);
  return importPath;
}

async function chooseFile(page: Page, name: string, rows: readonly string[]): Promise<void> {
  const buffer = Buffer.from([HEADER, ...rows].join('\r\n'));
  await page.getByLabel('File of clients').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

test('Priya validates a file, imports it, resolves an ambiguous row and undoes the import', async ({ page }) => {
  // Nine quality checks, each at every width and in both colour schemes.
  test.slow();
  const importPath = await openImport(page, 'priya@oakline.example');
  await expect(page.getByRole('heading', { level: 1, name: 'Import clients' })).toBeVisible();
  await expect(page).toHaveTitle('Tidewater OpenTax – Import clients');
  await expectPageQuality(page);

  await test.step('a file of another type is rejected with advice', async () => {
    await page
      .getByLabel('File of clients')
      .setInputFiles({ name: 'list.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
    await expect(page.getByRole('main').getByRole('alert')).toContainText('this is a PDF');
    await expectPageQuality(page);
  });
  await test.step('a dry run shows what each row would do, without changing anything', async () => {
    await chooseFile(page, 'clients.csv', [
      'Journey One Ltd,company,VAT CT,09999001,LS1 4DY,,PO',
      'Journey Two Ltd,company,CT,09999002,LS1 4DY,,PO',
      'Journey Two Limited,company,CT,09999002,,,PO',
      'Journey Bad Ltd,company,CT,09999003,LEEDS,no-address,PO',
    ]);
    await expect(page.getByText('This is a dry run: nothing has been changed yet')).toBeVisible();
    await expect(page.getByText('2 new clients will be added.')).toBeVisible();
    await expect(page.getByText('Columns we do nothing with: Partner in charge.')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Rows by outcome' }).getByRole('link')).toHaveText([
      'All rows 4',
      'To mend 1',
      'New 2',
      'Twice in the file 1',
    ]);
    await expectPageQuality(page);
    await page.getByRole('link', { name: 'To mend 1' }).click();
    const row = page.getByRole('row', { name: /Journey Bad Ltd/ });
    await expect(row).toContainText('Postcode “LEEDS”: This isn’t a UK postcode. A UK postcode looks like LS1 4DY.');
    await expect(row).toContainText('Email “no-address”: This isn’t an email address.');
    await expect(page.getByRole('row')).toHaveCount(2);
  });
  await test.step('the validated import is still there after coming back, and reports its result when it has run', async () => {
    await page.goto(importPath);
    await page.getByRole('button', { name: 'Import 2 clients' }).click();
    await expect(page.getByText('The clients are in')).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText('2 clients added.')).toBeVisible();
    await expect(page.getByRole('row', { name: /Journey One Ltd/ })).toContainText('Added');
    await expectPageQuality(page);
  });
  await test.step('an ambiguous row waits for a decision', async () => {
    await chooseFile(page, 'more.csv', [
      'Journey One Ltd,company,CT,09999009,LS1 4DY,one@journey.example,PO',
      'Journey Three Ltd,company,CT,,,,PO',
    ]);
    await page.getByRole('button', { name: 'Choose for line 2, Journey One Ltd' }).click();
    const dialog = page.getByRole('dialog', { name: 'Line 2: Journey One Ltd' });
    await expectPageQuality(page);
    await dialog.getByRole('radio', { name: /It is Journey One Ltd/ }).check();
    await dialog.getByRole('button', { name: 'Keep this choice' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Import 2 clients' }).click();
    await expect(page.getByText('1 client added, 1 client completed.')).toBeVisible({ timeout: 20_000 });
  });
  await test.step('the import can be undone within a day, after a summary of what that does', async () => {
    await page.getByRole('button', { name: 'Undo the import' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo this import?' });
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Undo it' }).click();
    await expect(page.getByText('The import was undone')).toBeVisible();
    await expect(page.getByText('1 client removed, 1 client put back as they were.')).toBeVisible();
    await expectPageQuality(page);
  });
});

test.describe('for anyone else', () => {
  test.use({ expectedBrowserErrors: [/status of 404/] });

  test('Tom, a team member, sees that he cannot import clients', async ({ page }) => {
    await openImport(page, 'tom@oakline.example');
    await expect(page.getByRole('heading', { level: 1, name: 'Import clients' })).toBeVisible();
    await expect(page.getByLabel('File of clients')).toHaveCount(0);
    await expectPageQuality(page);
  });
});
