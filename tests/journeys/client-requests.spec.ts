/**
 * A practice requests two documents and an answer from its client; the client answers on a phone, with one infected file, and signs the
 * letter.
 */
import { randomUUID } from 'node:crypto';
import { HARLOW, OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import type { Page } from '@playwright/test';
import { EICAR_TEST_FILE } from '@portal/sandbox/clamd/clamd-simulator.ts';
import { expect, test } from './journey.ts';
import { logInByApi } from './pages/log-in-page.ts';
import { sandboxPassword } from './pages/operator-pages.ts';
import { expectPageQuality } from './page-quality.ts';

const PHONE_SIZE = { width: 360, height: 740 };

type Ids = { readonly company_id: string; readonly client_id: string };

async function findHarlow(page: Page): Promise<Ids> {
  const companies = (await (await page.request.get('/portal/user-companies')).json()) as { company_id: string }[];
  const company_id = companies[0]?.company_id ?? '';
  const foundResponse = await page.request.get('/portal/client/companies', { params: { company_id, q: HARLOW.name } });
  const { companies: clients } = (await foundResponse.json()) as { companies: { client_id: string }[] };
  return { company_id, client_id: clients[0]?.client_id ?? '' };
}

const createPdf = (name: string, content: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(`%PDF-1.7\n${content}`) });

test('a practice asks for documents, and the client answers at 360 px, with an infected and a clean file, and signs the letter', async ({
  page,
  openDevice,
}) => {
  test.setTimeout(300_000);
  const requestTitle = `Accounts ${randomUUID().slice(0, 8)}`;
  await logInByApi(page, OAKLINE.emailAddress, sandboxPassword);
  const ids = await findHarlow(page);
  const query = new URLSearchParams({ ...ids, tab: 'papers' });
  await test.step('the practice writes its letter, and sends it and a request', async () => {
    await page.goto(`/portal/v2/open-tax/settings/practice?company_id=${ids.company_id}`);
    const template = page.getByRole('region', { name: 'Letter of engagement' });
    await template.getByLabel('Text').fill(`Dear {client},\n\nWe act for you in {taxes}. ${requestTitle}\n\n{practice}`);
    await template.getByRole('button', { name: 'Save letter' }).click();
    await expect(page.getByText('Letter saved')).toBeVisible();
    await page.goto(`/portal/v2/open-tax/client-dashboard?${query}`);
    const letter = page.getByRole('region', { name: 'Letter of engagement' });
    await letter.getByRole('button', { name: /^Send/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send letter' }).click();
    await expect(letter.getByText('Not signed yet').first()).toBeVisible();
    await page.getByRole('button', { name: 'New request' }).click();
    const dialog = page.getByRole('dialog', { name: 'New request' });
    await dialog.getByLabel('Title').fill(requestTitle);
    await dialog.getByLabel('Item 1', { exact: true }).fill('Bank statement of May');
    await dialog.getByRole('button', { name: 'Add document' }).click();
    await dialog.getByLabel('Item 2', { exact: true }).fill('Van lease');
    await dialog.getByRole('button', { name: 'Add question' }).click();
    await dialog.getByLabel('Item 3', { exact: true }).fill('Was the van used privately?');
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: requestTitle }).getByText('Waiting for client').first()).toBeVisible();
  });

  const carl = await openDevice();
  await logInByApi(carl, HARLOW.email, sandboxPassword);
  await carl.setViewportSize(PHONE_SIZE);
  await test.step('the client sees at once what is needed', async () => {
    await carl.goto(`/portal/v2/open-tax/clients-portal/dashboard?company_id=${ids.client_id}`);
    await expect(carl.getByText('Oakline Accounting needs 3 things from you')).toBeVisible();
    await expectPageQuality(carl);
    await carl.getByRole('link', { name: 'See what’s needed' }).click();
    await expect(carl.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible();
  });
  const request = carl.getByRole('region', { name: requestTitle });
  await test.step('an infected file is rejected with the reason, and a clean one is sent', async () => {
    const statement = request.getByRole('listitem').filter({ hasText: 'Bank statement of May' }).first();
    await statement.locator('input[type=file]').setInputFiles(createPdf('Infected.pdf', EICAR_TEST_FILE));
    await expect(statement.getByText(/Infected\.pdf contains a virus/)).toBeVisible();
    await statement.locator('input[type=file]').setInputFiles(createPdf('May.pdf', 'Statement'));
    await expect(statement.getByText('May.pdf sent')).toBeVisible();
    await expect(statement.getByText('Sent', { exact: true })).toBeVisible();
    await expectPageQuality(carl);
  });
  await test.step('a document that doesn’t exist and the question are answered in words', async () => {
    const lease = request.getByRole('listitem').filter({ hasText: 'Van lease' }).first();
    await lease.getByRole('button', { name: 'I don’t have it: “Van lease”' }).click();
    await lease.getByLabel('Your answer to “Van lease”').fill('We own the van');
    await lease.getByRole('button', { name: 'Send answer' }).click();
    await expect(lease.getByText('We own the van')).toBeVisible();
    const question = request.getByRole('listitem').filter({ hasText: 'Was the van used privately?' }).first();
    await question.getByLabel('Your answer to “Was the van used privately?”').fill('Only on Sundays');
    await question.getByRole('button', { name: 'Send answer' }).click();
    await expect(request.getByText('Sent. Oakline Accounting is reviewing it.')).toBeVisible();
  });
  await test.step('the client signs the letter', async () => {
    const letter = carl.getByRole('region', { name: 'Letter of engagement' });
    await expect(letter.getByText(`Dear ${HARLOW.name}`)).toBeVisible();
    await expect(carl.getByText('isn’t waiting for anything from you')).toHaveCount(0);
    await letter.getByRole('checkbox').check();
    await letter.getByLabel('Type your full name to sign').fill('Carl Harlow');
    await letter.getByRole('button', { name: 'Sign the letter' }).click();
    await expect(letter.getByText(/Signed by Carl Harlow on/).first()).toBeVisible();
    await expectPageQuality(carl);
  });
  await test.step('the client also asks a question', async () => {
    await carl.getByRole('link', { name: 'Messages' }).click();
    await carl.getByLabel('New message').fill(`Can we reclaim the VAT? ${requestTitle}`);
    await carl.getByRole('button', { name: 'Send message' }).click();
    await expect(carl.getByRole('listitem').filter({ hasText: requestTitle })).toBeVisible();
    await expectPageQuality(carl);
  });

  await test.step('the practice opens the file, asks another question, and sees the signature and the message', async () => {
    await page.reload();
    const row = page.getByRole('listitem').filter({ hasText: requestTitle }).first();
    await expect(row.getByText('To check')).toBeVisible();
    await page.getByRole('link', { name: 'All clients’ requests' }).click();
    const requestRow = page.getByRole('row').filter({ hasText: requestTitle });
    await expect(requestRow).toContainText(HARLOW.name);
    await expect(requestRow).toContainText('3 of 3 answered');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Overdue');
    await expect(requestRow).toHaveCount(0);
    await page.getByRole('combobox', { name: 'Status' }).selectOption('To check');
    await expectPageQuality(page);
    await requestRow.getByRole('link').click();
    const download = page.waitForEvent('download');
    await row.getByRole('link', { name: 'Download May.pdf' }).click();
    expect((await download).suggestedFilename()).toBe('May.pdf');
    await row.getByRole('button', { name: 'Accept “Bank statement of May”' }).click();
    await row.getByRole('button', { name: 'Accept “Van lease”' }).click();
    await row.getByRole('button', { name: 'Ask again for “Was the van used privately?”' }).click();
    await row.getByLabel('What’s missing?').fill('How many miles?');
    await row.getByRole('button', { name: 'Ask again', exact: true }).click();
    await expect(row.getByText('Waiting for client')).toBeVisible();
    await expect(page.getByText(/Signed by Carl Harlow/).first()).toBeVisible();
    await expect(
      page.getByRole('region', { name: 'Messages with the client' }).getByText(`Can we reclaim the VAT? ${requestTitle}`),
    ).toBeVisible();
    await expectPageQuality(page);
  });
  await test.step('the client answers, and the practice accepts', async () => {
    await carl.getByRole('link', { name: 'Documents' }).click();
    await expect(request.getByText('Oakline Accounting has asked again: How many miles?')).toBeVisible();
    await request.getByLabel('Your answer to “Was the van used privately?”').fill('200 miles');
    await request.getByRole('button', { name: 'Send answer' }).click();
    await expect(request.getByText('Sent. Oakline Accounting is reviewing it.')).toBeVisible();
    await page.reload();
    const row = page.getByRole('listitem').filter({ hasText: requestTitle }).first();
    await row.getByRole('button', { name: 'Accept “Was the van used privately?”' }).click();
    await expect(row.getByText('Completed')).toBeVisible();
  });
});
