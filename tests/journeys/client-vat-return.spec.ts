/**
 * A client's VAT return: books uploaded by the practice, approved on a phone, filed as agent, and the receipt in both portals. Then another
 * client's books from Xero, a client from FreeAgent, and another client's authorisation.
 */
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { openPractice } from './pages/practice-founder.ts';
import { expectPageQuality } from './page-quality.ts';
import { ProviderPages } from './pages/provider-pages.ts';
import { createBooks, decideAuthorisation, listEmails, loadPortfolio, waitForLink } from './sandbox.ts';

/** A client in the HMRC simulator's portfolio. */
const UNAUTHORISED_CLIENT = { name: 'Westering Timber Ltd', email: 'rachel.okafor@client10.example' };

const PHONE_SIZE = { width: 360, height: 740 };

/** The first return of each other client, which is also ready, because their books come from Xero. */
async function listOtherReturns(page: Page, companyId: string, first: StagedReturn): Promise<(StagedReturn & { vrn: string })[]> {
  let stagedReturns: StagedReturn[] = [];
  await expect
    .poll(
      async () => {
        const response = await page.request.get('/portal/open-tax/vat-returns', { params: { company_id: companyId } });
        const { returns } = (await response.json()) as { returns: StagedReturn[] };
        // In the days after a quarter, a client has two.
        const byClient = Map.groupBy(returns, ({ client_id: id }) => id);
        byClient.delete(first.client_id);
        stagedReturns = [...byClient.values()].flatMap((ofClient) => ofClient.slice(0, 1));
        return stagedReturns.length;
      },
      { message: 'other returns to prepare', timeout: 60_000 },
    )
    .toBeGreaterThan(0);
  const otherReturns = [];
  for (const stagedReturn of stagedReturns.slice(0, 2)) {
    const params = { company_id: companyId, client_id: stagedReturn.client_id };
    const profileResponse = await page.request.get('/portal/client/profile', { params });
    otherReturns.push({ ...stagedReturn, vrn: ((await profileResponse.json()) as { vrn: string }).vrn });
  }
  return otherReturns;
}

type StagedReturn = { client_id: string; client: string; period_start: string; period_end: string };

/** Waits until the imported clients' VAT has been read from HMRC. Returns the first return to prepare. */
async function waitForReturn(page: Page, companyId: string): Promise<StagedReturn> {
  let stagedReturn: StagedReturn | undefined;
  await expect
    .poll(
      async () => {
        const response = await page.request.get('/portal/open-tax/vat-returns', { params: { company_id: companyId } });
        stagedReturn = ((await response.json()) as { returns: StagedReturn[] }).returns[0];
        return stagedReturn?.client;
      },
      { message: 'a return to prepare', timeout: 60_000 },
    )
    .toBeTruthy();
  if (stagedReturn === undefined) throw new Error('no client of the practice has a return to prepare');
  return stagedReturn;
}

test('books are uploaded for a client, approved on a phone and filed, the receipt is in both portals, another client’s books come from Xero, and another client authorises the practice', async ({
  page,
  openDevice,
}) => {
  test.setTimeout(600_000);
  const { companyId } = await openPractice(page, 'Returns & Daughters', await loadPortfolio(12));
  const stagedReturn = await waitForReturn(page, companyId);
  const email = `cleo-${randomUUID().slice(0, 8)}@client.example`;
  const phone = await openDevice();
  await phone.setViewportSize(PHONE_SIZE);

  await test.step('the client’s user is invited and joins', async () => {
    const params = { company_id: companyId, client_id: stagedReturn.client_id };
    await page.goto(`/portal/v2/open-tax/client-dashboard?${new URLSearchParams({ ...params, tab: 'people' })}`);
    await page.getByRole('region', { name: 'Client portal' }).getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite to the client portal' });
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await phone.goto(await waitForLink(email));
    await phone.getByLabel('Full name').fill('Cleo Client');
    await phone.getByRole('button', { name: 'Create account and join' }).click();
    await expect(phone).toHaveURL(/\/clients-portal\/dashboard\?company_id=/);
  });

  await test.step('a colleague opens the return from the list and uploads the books', async () => {
    await page.goto(`/portal/v2/open-tax/vat-returns?company_id=${companyId}`);
    await expectPageQuality(page);
    await page.getByRole('link', { name: stagedReturn.client }).first().click();
    await page.getByLabel('Client’s books file').setInputFiles({
      name: 'client-books.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        [
          'date,kind,reference,counterparty,description,net,vat,treatment',
          `${stagedReturn.period_start},sale,INV-1,Oslo AS,Lamps,5000.00,1000.00,standard`,
          `${stagedReturn.period_end},purchase,B-1,Glass Ltd,Shades,2000.00,400.00,standard`,
        ].join('\n'),
      ),
    });
    await expect(page.getByText('Books uploaded')).toBeVisible();
    await page
      .getByRole('region', { name: 'VAT returns to prepare' })
      .getByRole('row', { name: /Figures ready/ })
      .getByRole('link')
      .click();
    await expect(page.getByRole('list', { name: 'The nine boxes' })).toContainText('£1,000.00');
    await expectPageQuality(page);
  });

  await test.step('the colleague sends the figures for approval', async () => {
    await page.getByRole('button', { name: 'Send for approval' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send for approval' });
    await dialog.getByLabel('Message (optional)').fill('Please check box 4.');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByText('Sent for approval').first()).toBeVisible();
    await expect(page.getByText('You can file this return once the client has approved its figures.')).toBeVisible();
  });

  await test.step('the client checks and approves them on a phone', async () => {
    await phone.reload();
    await phone.getByRole('link', { name: 'Check the figures' }).click();
    await expect(phone.getByText('VAT you reclaim on purchases')).toBeVisible();
    await expect(phone.getByText('£600.00').first()).toBeVisible();
    await expectPageQuality(phone);
    await phone.getByRole('checkbox', { name: /I’ve checked the figures/ }).check();
    await phone.getByRole('button', { name: 'Approve these figures' }).click();
    await expect(phone.getByRole('heading', { name: 'Approved', exact: true })).toBeVisible();
  });

  await test.step('the practice files, and both portals have the receipt', async () => {
    await page.reload();
    await page.getByRole('checkbox', { name: 'I confirm that the declaration above is true' }).check();
    await page.getByRole('button', { name: 'File this return with HMRC' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'File this return' }).click();
    const receipt = page.getByRole('region', { name: 'Receipt' });
    await expect(receipt).toContainText('HMRC form bundle number');
    await expectPageQuality(page);
    await phone.reload();
    await expect(phone.getByRole('region', { name: 'HMRC’s receipt' })).toContainText('Receipt number');
    await expectPageQuality(phone);
  });

  await test.step('Xero is connected once for all clients, and a match is confirmed', async () => {
    const otherReturns = await listOtherReturns(page, companyId, stagedReturn);
    const owner = `accountant-${randomUUID().slice(0, 8)}@journeys.example`;
    for (const { vrn, client: name, ...period } of otherReturns) await createBooks('xero', { vrn, name }, period, owner);
    const [first] = otherReturns;
    if (first === undefined) throw new Error('the practice has no second client with a return to prepare');
    await page.goto(`/portal/v2/open-tax/vat-returns?company_id=${companyId}`);
    await page.getByRole('link', { name: 'Clients’ books' }).click();
    await expect(page.getByRole('button', { name: 'Connect Xero' })).toBeVisible();
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Connect Xero' }).click();
    const provider = new ProviderPages(page);
    await provider.choose(owner);
    await provider.allowButton.click();
    const confirm = page.getByRole('button', { name: `Confirm that ${first.client} is ${first.client}` });
    await expect(confirm).toBeVisible({ timeout: 30_000 });
    await expectPageQuality(page);
    await confirm.click();
    await expect(page.getByRole('button', { name: `Unlink ${first.client}` })).toBeVisible();
    await page.getByRole('link', { name: first.client, exact: true }).click();
    const books = page.getByRole('region', { name: 'Books from Xero' });
    await expect(books).toContainText('Last read', { timeout: 60_000 });
    await expectPageQuality(page);
    await page
      .getByRole('region', { name: 'VAT returns to prepare' })
      .getByRole('row', { name: /Figures ready/ })
      .getByRole('link')
      .first()
      .click();
    await expect(page.getByText(new RegExp(`Xero: ${first.client}, as of`))).toBeVisible();
    await expect(page.getByRole('list', { name: 'The nine boxes' })).toContainText('£4,000.00');
    await expectPageQuality(page);
  });

  await test.step('FreeAgent’s list of clients is imported, and each is matched with its books', async () => {
    const owner = `manager-${randomUUID().slice(0, 8)}@journeys.example`;
    const period = { period_start: '2026-07-01', period_end: '2026-09-30' };
    const name = `Pier Bakery ${owner.slice(8, 12)}`;
    await createBooks('freeagent', { vrn: '999999973', name }, period, owner);
    await page.goto(`/portal/v2/open-tax/clients/import?company_id=${companyId}`);
    // The link moves when the result of the earlier import appears above it.
    await expect(page.getByText('Import complete')).toBeVisible();
    await page.getByRole('link', { name: 'Connect FreeAgent' }).click();
    await page.getByRole('button', { name: 'Connect FreeAgent' }).click();
    const provider = new ProviderPages(page);
    await provider.choose(owner);
    await provider.allowButton.click();
    await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible({ timeout: 30_000 });
    await page.goto(`/portal/v2/open-tax/clients/import?company_id=${companyId}`);
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Read clients from FreeAgent' }).click();
    await expect(page.getByText('Preview: nothing has changed yet')).toBeVisible();
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Import 1 client' }).click();
    await expect(page.getByText('Import complete')).toBeVisible({ timeout: 60_000 });
    await page.goto(`/portal/v2/open-tax/client-books?company_id=${companyId}`);
    await expect(page.getByRole('button', { name: `Confirm that ${name} is ${name}` })).toBeVisible();
    await expectPageQuality(page);
  });

  await test.step('a client who hasn’t authorised the practice is emailed HMRC’s link, and accepts', async () => {
    await page.goto(`/portal/v2/open-tax/clients?company_id=${companyId}&q=${encodeURIComponent(UNAUTHORISED_CLIENT.name)}`);
    await page.getByRole('link', { name: UNAUTHORISED_CLIENT.name }).first().click();
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Authorisation', exact: true }).click();
    const card = page.getByRole('region', { name: 'HMRC authorisation' });
    await expect(card.getByRole('checkbox', { name: /^Email the client HMRC’s link/ }).first()).toBeChecked();
    await card.getByRole('button', { name: /request for VAT$/ }).click();
    await expect(card.getByText(`Emailed to ${UNAUTHORISED_CLIENT.email}:`)).toBeVisible({ timeout: 30_000 });
    await expect(card.getByText(/We’ll remind the client once, on/)).toBeVisible();
    await expectPageQuality(page);
    const [mail] = await listEmails(UNAUTHORISED_CLIENT.email);
    expect(mail?.subject).toContain('asks you to authorise them at HMRC: VAT');
    const link = /^http\S+$/m.exec(mail?.text ?? '')?.[0] ?? '';
    await page.goto(`/portal/v2/open-tax/settings/connections?company_id=${companyId}`);
    await page.getByText('Show the client', { exact: true }).click();
    await expect(page.getByRole('list', { name: 'Clients with a link for VAT' })).toContainText(`Emailed to ${UNAUTHORISED_CLIENT.email}`);
    await expectPageQuality(page);
    await decideAuthorisation(link, 'accept');
    await page.goBack();
    await card.getByRole('button', { name: 'Check with HMRC for VAT' }).click();
    await expect(card.getByText('The client has authorised you for VAT.')).toBeVisible();
    await expect(card.getByText(/^Emailed to/)).toHaveCount(0);
  });
});
