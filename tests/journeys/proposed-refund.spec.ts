/**
 * A practice proposes an early refund for a client's approved return; the client continues in their own company with the known details,
 * then declines.
 */
import { randomUUID } from 'node:crypto';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { signInAtHmrc, signUpFounder } from './pages/practice-founder.ts';
import { expectPageQuality } from './page-quality.ts';
import { loadPortfolio, waitForLink } from './sandbox.ts';
import { apiRequest } from './trader.ts';

const PHONE_SIZE = { width: 360, height: 740 };

type StagedReturn = { client_id: string; client: string; period_start: string; period_end: string };
type DueReturn = { obligation_id: string; period_start: string; period_end: string; state: string };

/** A founder signs up a practice that is HMRC's agent for twelve clients, and imports them. Returns the practice's id. */
async function openPractice(page: Page): Promise<string> {
  await signUpFounder(page);
  const save = page.getByRole('button', { name: 'Save and continue' });
  await page.getByLabel('Practice name').fill('Early & Sons');
  await page.getByLabel('Company number').focus();
  await save.click();
  await page.getByLabel('Agent reference number').fill(OAKLINE.arn);
  await page.getByLabel('PAYE').focus();
  await save.click();
  await page.getByRole('button', { name: 'Connect HMRC' }).click();
  await (await signInAtHmrc(page)).grant.click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await save.click();
  await page.getByRole('link', { name: 'Import clients' }).click();
  const buffer = Buffer.from(await loadPortfolio(12));
  await page.getByLabel('Client list file').setInputFiles({ name: 'clients.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: /^Import \d+ clients$/ }).click();
  await expect(page.getByText('Import complete')).toBeVisible({ timeout: 60_000 });
  return new URL(page.url()).searchParams.get('company_id') ?? '';
}

/** Uploads books with a refund of £4,000 and approves them as recorded by an admin. Returns why an early refund can't be proposed. */
async function approveRefund(page: Page, ids: { company_id: string; client_id: string }, due: DueReturn): Promise<string | null> {
  const rows = [
    'date,kind,reference,counterparty,description,net,vat,treatment',
    `${due.period_start},sale,INV-1,Oslo AS,Lamps,50000.00,0.00,zero`,
    `${due.period_end},purchase,B-1,Glass Ltd,Shades,20000.00,4000.00,standard`,
  ];
  const query = new URLSearchParams({ ...ids, file_name: 'books.csv' });
  const uploadedResponse = await page.request.post(`/portal/client/vat-books/file?${query}`, {
    headers: { 'content-type': 'text/csv' },
    data: rows.join('\n'),
  });
  expect(uploadedResponse.status()).toBe(201);
  const key = { ...ids, obligation_id: due.obligation_id };
  const { figures_version: version } = await apiRequest<{ figures_version: string }>(
    page,
    'GET',
    `/client/vat-return?${new URLSearchParams(key)}`,
  );
  const reason = 'Cleo by phone this morning';
  await apiRequest(page, 'POST', '/client/vat-return/approved-outside', { ...key, figures_version: version, reason, confirm: true });
  const { problem } = await apiRequest<{ problem: string | null }>(page, 'GET', `/client/advance-proposal?${new URLSearchParams(key)}`);
  return problem;
}

/** Returns the first client with a return for which an early refund can be proposed, once the imported clients' VAT has been read. */
async function findProposableReturn(page: Page, companyId: string) {
  const listStagedReturns = async () =>
    (await apiRequest<{ returns: StagedReturn[] }>(page, 'GET', `/open-tax/vat-returns?company_id=${companyId}`)).returns;
  await expect.poll(async () => (await listStagedReturns()).length, { message: 'returns to prepare', timeout: 60_000 }).toBeGreaterThan(2);
  for (const { client_id: clientId } of await listStagedReturns()) {
    const ids = { company_id: companyId, client_id: clientId };
    const { returns } = await apiRequest<{ returns: DueReturn[] }>(page, 'GET', `/client/vat-returns-to-file?${new URLSearchParams(ids)}`);
    const due = returns.find(({ state }) => state === 'no_books');
    if (due && (await approveRefund(page, ids, due)) === null) return { ...ids, obligation_id: due.obligation_id };
  }
  throw new Error('no client of the practice can have an early refund');
}

/** Turns the assistant on, and waits until its rules have run. Returns the card of the draft about this return. */
async function waitForDraft(page: Page, companyId: string, obligationId: string) {
  const mode = { company_id: companyId, mode: 'suggest', drafts_per_day: 100, acts_per_day: 50 };
  await apiRequest(page, 'POST', '/open-tax/agent-mode', mode);
  const query = new URLSearchParams({ company_id: companyId, column: 'drafts', rule_id: 'refund-expected' });
  const count = async () => (await apiRequest<{ total: number }>(page, 'GET', `/open-tax/agent-proposals?${query}`)).total;
  // In the days after a quarter, a return that was approved on the way to this one has a draft too.
  await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(0);
  await page.goto(`/portal/v2/open-tax/agentic-mode?company_id=${companyId}&view=drafts`);
  return page
    .getByRole('listitem')
    .filter({ hasText: 'Rule “VAT refund expected”, version 3' })
    .filter({ hasText: 'Propose the early refund' })
    .filter({ has: page.locator(`a[href*="${obligationId}"]`) });
}

test('an early refund is proposed, seen on a phone, started with the company’s known details, and declined with a reason', async ({
  page,
  openDevice,
}) => {
  test.setTimeout(300_000);
  const companyId = await openPractice(page);
  const key = await findProposableReturn(page, companyId);
  const email = `cleo-${randomUUID().slice(0, 8)}@client.example`;
  const phone = await openDevice();
  await phone.setViewportSize(PHONE_SIZE);
  const card = page.getByRole('region', { name: 'Early refund' });

  await test.step('the assistant drafts the proposal, says that the client has no users in the portal yet, and links to the return', async () => {
    const draft = await waitForDraft(page, companyId, key.obligation_id);
    await expect(draft).toContainText('Only they can accept an offer');
    await expect(draft).toContainText('Invite someone');
    await expect(draft.getByRole('button', { name: /^Approve and propose/ })).toBeVisible();
    await expectPageQuality(page);
    await draft.getByRole('link', { name: 'Open the VAT return' }).click();
    await expect(page).toHaveURL(/client-vat-return/);
  });

  await test.step('the practice has to invite the client first, and the client joins', async () => {
    await expect(card.getByRole('link', { name: 'Invite someone' })).toBeVisible();
    await apiRequest(page, 'POST', '/client-onboarding/invite', { company_id: companyId, client_id: key.client_id, email });
    await phone.goto(await waitForLink(email));
    await phone.getByLabel('Full name').fill('Cleo Client');
    await phone.getByRole('button', { name: 'Create account and join' }).click();
    await expect(phone).toHaveURL(/\/clients-portal\/dashboard\?company_id=/);
  });

  await test.step('a colleague proposes it with a note', async () => {
    await page.reload();
    await expect(card).toContainText('£4,000.00');
    await card.getByRole('button', { name: 'Propose an early refund…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Propose an early refund' });
    await dialog.getByLabel('Message (optional)').fill('This would pay for the van in January.');
    await dialog.getByRole('button', { name: 'Propose', exact: true }).click();
    await expect(card.getByText('Proposed', { exact: true }).first()).toBeVisible();
    await expectPageQuality(page);
  });

  const refundRegion = phone.getByRole('region', { name: /^Get your VAT refund for .* early$/ });
  await test.step('the client sees what it is and what it costs, and continues with the company’s details filled in', async () => {
    await phone.reload();
    await expect(refundRegion).toContainText('This would pay for the van in January.');
    await expect(refundRegion).toContainText('£3,960.00');
    await expectPageQuality(phone);
    await refundRegion.getByRole('checkbox', { name: /^Let Early & Sons see the amounts/ }).check();
    await refundRegion.getByRole('button', { name: 'See your offer' }).click();
    await expect(phone).toHaveURL(/\/instant-vat\/steps\/company\?/);
    await expect(phone.getByLabel('VAT registration number')).toHaveValue(/^\d{9}$/);
    await phone.getByRole('button', { name: 'Save and continue' }).click();
    await expect(phone).toHaveURL(/\/instant-vat\/steps\/government-gateway\?company_id=/);
    await page.reload();
    await expect(card.getByText('Started on InstantVAT')).toBeVisible();
    await expect(card).toContainText('No offer yet');
  });

  await test.step('the client then declines, and the practice sees why', async () => {
    await phone.goto(`/portal/v2/open-tax/clients-portal/dashboard?company_id=${key.client_id}`);
    await expect(refundRegion.getByRole('button', { name: 'Continue on InstantVAT' })).toBeVisible();
    await refundRegion.getByRole('button', { name: 'No, thanks' }).click();
    const dialog = phone.getByRole('dialog', { name: 'Don’t want an early refund?' });
    await dialog.getByLabel('Tell Early & Sons why (optional)').fill('We can wait.');
    await dialog.getByRole('button', { name: 'No, thanks' }).click();
    await expect(refundRegion).toHaveCount(0);
    await page.reload();
    await expect(card.getByText('Declined', { exact: true }).first()).toBeVisible();
    await expect(card).toContainText('We can wait.');
    await expect(card.getByRole('button', { name: 'Propose an early refund…' })).toHaveCount(0);
    await expectPageQuality(page);
  });
});
