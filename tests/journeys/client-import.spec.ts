/** Importing clients from a file: validate, import, resolve an ambiguous row and undo. Only the practice's admins may import. */
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { logInByApi } from './pages/log-in-page.ts';
import { sandboxPassword } from './pages/operator-pages.ts';
import { expectPageQuality } from './page-quality.ts';

const IMPORT_PATH = '/portal/v2/open-tax/clients/import';
const HEADER = 'name,kind,taxes,company_number,postcode,email,Partner in charge';

async function getCompanyId(page: Page): Promise<string> {
  const response = await page.request.get('/portal/user-companies');
  const companies = (await response.json()) as { company_id?: string; id?: string }[];
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
  await page.getByLabel('Client list file').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

test('Priya validates a file, imports it, resolves an ambiguous row and undoes the import', async ({ page }) => {
  // Nine quality checks, each at every width and in both colour schemes.
  test.slow();
  const importPath = await openImport(page, 'priya@oakline.example');
  await expect(page.getByRole('heading', { level: 1, name: 'Import clients' })).toBeVisible();
  await expect(page).toHaveTitle(/^Tidewater OpenTax – /);
  await expectPageQuality(page);

  await test.step('a file of another type is rejected with advice', async () => {
    await page
      .getByLabel('Client list file')
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
      ',company,CT,09999004,,,PO',
    ]);
    // One column is unknown, so the user checks the columns first.
    const columns = page.getByRole('list', { name: 'Columns of the file' });
    await expect(columns.getByLabel('company_number')).toHaveValue('company_number');
    await expect(columns.getByLabel('Partner in charge')).toHaveValue('');
    await expect(columns.getByRole('listitem').last()).toContainText('PO');
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Preview: nothing has changed yet')).toBeVisible();
    await expect(page.getByText('3 new clients will be added. 1 client has details we couldn’t read')).toBeVisible();
    await expect(page.getByText('Columns ignored: Partner in charge.')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Rows by outcome' }).getByRole('link')).toHaveText([
      'All rows 5',
      'Can’t be imported 1',
      'Needs fixing 1',
      'New 3',
      'Duplicates 1',
    ]);
    await expectPageQuality(page);
    await page.getByRole('link', { name: 'Needs fixing 1' }).click();
    const row = page.getByRole('row', { name: /Journey Bad Ltd/ });
    await expect(row).toContainText('Postcode “LEEDS”: This isn’t a UK postcode. Enter one such as LS1 4DY.');
    await expect(row).toContainText('Email “no-address”: This isn’t an email address. Enter one such as name@example.com.');
    await expect(page.getByRole('row')).toHaveCount(2);
  });
  await test.step('a row is corrected on screen, and the rejected one downloads with its reason', async () => {
    await page.getByRole('button', { name: 'Correct row 5, Journey Bad Ltd' }).click();
    const dialog = page.getByRole('dialog', { name: 'Correct row 5' });
    await expect(dialog).toContainText('This isn’t an email address. Enter one such as name@example.com.');
    await expectPageQuality(page);
    await dialog.getByLabel('Postcode').fill('LS1 4DY');
    await dialog.getByLabel('Email').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('list', { name: 'Rows by outcome' })).not.toContainText('Needs fixing 1');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download 2 rows to fix' }).click();
    expect((await download).suggestedFilename()).toBe('clients - rows to fix.csv');
  });
  await test.step('the validated import is still there after coming back, and reports its result when it has run', async () => {
    await page.goto(importPath);
    await page.getByRole('button', { name: 'Import 3 clients' }).click();
    await expect(page.getByText('Import complete')).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText('3 clients added.')).toBeVisible();
    await expect(page.getByRole('row', { name: /Journey One Ltd/ })).toContainText('Added');
    await expectPageQuality(page);
  });
  await test.step('an ambiguous row waits for a decision', async () => {
    await chooseFile(page, 'more.csv', [
      'Journey One Ltd,company,CT,09999009,LS1 4DY,one@journey.example,PO',
      'Journey Three Ltd,company,CT,,,,PO',
    ]);
    await page.getByRole('button', { name: 'Choose for row 2, Journey One Ltd' }).click();
    const dialog = page.getByRole('dialog', { name: 'Row 2: Journey One Ltd' });
    await expectPageQuality(page);
    await dialog.getByRole('radio', { name: /Journey One Ltd.*add missing details/ }).check();
    await dialog.getByRole('button', { name: 'Save choice' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Import 2 clients' }).click();
    await expect(page.getByText('1 client added. 1 client updated.')).toBeVisible({ timeout: 20_000 });
  });
  await test.step('the import can be undone within a day, after a summary of what that does', async () => {
    await page.getByRole('button', { name: 'Undo import' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo this import?' });
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Undo import' }).click();
    await expect(page.getByText('Import undone')).toBeVisible();
    await expect(page.getByText('1 client removed. 1 client restored.')).toBeVisible();
    // Each number links to its rows.
    await page.getByRole('link', { name: '1 client' }).first().click();
    await expect(page).toHaveURL(/outcome=removed/);
    await expectPageQuality(page);
  });
});

test.describe('for anyone else', () => {
  test.use({ expectedBrowserErrors: [/status of 404/] });

  test('Tom, a team member, sees that he cannot import clients', async ({ page }) => {
    await openImport(page, 'tom@oakline.example');
    await expect(page.getByRole('heading', { level: 1, name: 'Import clients' })).toBeVisible();
    await expect(page.getByText('Only admins can import clients')).toBeVisible();
    await expect(page.getByText('Ask Priya Oakes or Ruth Okafor to import your clients')).toBeVisible();
    await expect(page.getByLabel('Client list file')).toHaveCount(0);
    await expectPageQuality(page);
  });
});
