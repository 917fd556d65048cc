/** A practice sees which documents of a client's return changed after its figures were approved, in the boxes and in their transactions. */
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { openPractice } from './pages/practice-founder.ts';
import { expectPageQuality } from './page-quality.ts';
import { loadPortfolio } from './sandbox.ts';

type StagedReturn = { client_id: string; client: string; period_start: string; period_end: string };

async function waitForReturn(page: Page, companyId: string): Promise<StagedReturn> {
  const list = async (): Promise<StagedReturn[]> => {
    const response = await page.request.get('/portal/open-tax/vat-returns', { params: { company_id: companyId } });
    return ((await response.json()) as { returns: StagedReturn[] }).returns;
  };
  await expect.poll(async () => (await list()).length, { message: 'a return to prepare', timeout: 60_000 }).toBeGreaterThan(0);
  const [first] = await list();
  if (!first) throw new Error('no client of the practice has a return to prepare');
  return first;
}

test('documents that change after an approval are marked in the boxes and in their transactions', async ({ page }) => {
  test.setTimeout(300_000);
  const { companyId } = await openPractice(page, 'Changes & Co', await loadPortfolio(12));
  const stagedReturn = await waitForReturn(page, companyId);
  const upload = async (...lines: string[]): Promise<void> => {
    const vatTab = { company_id: companyId, client_id: stagedReturn.client_id, tab: 'vat' };
    await page.goto(`/portal/v2/open-tax/client-dashboard?${new URLSearchParams(vatTab)}`);
    const content = ['date,kind,reference,counterparty,description,net,vat,treatment', ...lines].join('\n');
    const file = { name: 'client-books.csv', mimeType: 'text/csv', buffer: Buffer.from(content) };
    await page.getByLabel('Client’s books file').setInputFiles(file);
    await expect(page.getByText('Books uploaded')).toBeVisible();
    const row = page.getByRole('region', { name: 'VAT returns to prepare' }).getByRole('row', { name: /Figures ready/ });
    await row.getByRole('link').click();
  };
  const sale = `${stagedReturn.period_start},sale,INV-1,Oslo AS,Lamps,5000.00,1000.00,standard`;
  const createPurchase = (reference: string, supplier: string, net: number) =>
    `${stagedReturn.period_end},purchase,${reference},${supplier},Shades,${net}.00,${net / 5}.00,standard`;

  await test.step('the client approves the figures', async () => {
    await upload(
      sale,
      createPurchase('B-1', 'Glass Ltd', 600),
      createPurchase('B-2', 'Oak Ltd', 100),
      createPurchase('B-3', 'Severn Paper Ltd', 50),
    );
    await page.getByRole('button', { name: 'Client approved elsewhere' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('Approved by phone on Monday');
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Record approval' }).click();
    await expect(page.getByText('You can file this return once the client has approved its figures.')).toHaveCount(0);
    await expect(page.getByText(/changed since/)).toHaveCount(0);
  });

  await test.step('documents change afterwards', async () => {
    await upload(
      sale,
      createPurchase('B-1', 'Glass Ltd', 600),
      createPurchase('B-2', 'Oak Ltd', 150),
      createPurchase('B-4', 'Harbour Print Ltd', 40),
    );
    await expect(page.getByText(/^3 documents changed since these figures were approved on /)).toBeVisible();
    await expect(page.getByText('Boxes 4 and 7 differ. The transactions of each box show what changed.')).toBeVisible();
    await expectPageQuality(page);
  });

  await test.step('the box lists them with the former amounts, and can show only them', async () => {
    await page.getByRole('button', { name: 'See transactions in box 4' }).click();
    const dialog = page.getByRole('dialog', { name: 'Box 4: transactions' });
    await expect(dialog.getByText('3 transactions, and 1 removed since approval')).toBeVisible();
    await expect(dialog.getByRole('row', { name: /Glass Ltd/ })).not.toContainText('since approval');
    await expect(dialog.getByRole('row', { name: /Oak Ltd/ })).toContainText('Changed since approval');
    await expect(dialog.getByRole('row', { name: /Oak Ltd/ })).toContainText('£30.00was £20.00');
    await expect(dialog.getByRole('row', { name: /Harbour Print Ltd/ })).toContainText('Added since approval');
    await expect(dialog.getByRole('row', { name: /Severn Paper Ltd/ })).toContainText('Removed since approval');
    await expectPageQuality(page);
    await dialog.getByRole('checkbox', { name: 'Show only these documents' }).check();
    await expect(dialog.getByRole('row', { name: /Glass Ltd/ })).toHaveCount(0);
    await expect(dialog.getByRole('row', { name: /Severn Paper Ltd/ })).toContainText('was £10.00');
  });
});
