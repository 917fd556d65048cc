/** A practice works with its client list: add, find, change in bulk, export, totals and deadlines (docs/product/decisions.md section 5). */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { MAX_LAYOUT_SHIFT, readLayoutShift, watchLayoutShifts } from '../../scripts/testing/layout-shift.ts';
import { expect, test } from './journey.ts';
import { expectPageQuality } from './page-quality.ts';
import { listViolations } from './axe.ts';
import { logInAndOpen } from './pages/log-in-page.ts';
import { sandboxPassword } from './pages/operator-pages.ts';
import { createEmailAddress, signUp } from './trader.ts';

/** Creates a practice for a new user through the API, opens its dashboard and returns its id. */
async function createPractice(page: Page): Promise<string> {
  await signUp(page, createEmailAddress());
  const response = await page.request.post('/portal/open-tax/practice', { data: { name: 'Longacre Accounting' } });
  const { company_id: companyId } = (await response.json()) as { company_id: string };
  await page.goto(`/portal/v2/open-tax/dashboard?company_id=${companyId}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  return companyId;
}

async function addClient(page: Page, name: string, otherFields: Readonly<Record<string, string>> = {}): Promise<void> {
  await page.getByRole('button', { name: 'Add a client' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a client' });
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  for (const [label, text] of Object.entries(otherFields)) await dialog.getByLabel(label).fill(text);
  await dialog.getByRole('button', { name: 'Add client' }).click();
  await expect(dialog).toHaveCount(0);
}

test('a practice without clients is guided to add some, and then finds, changes and exports them', async ({ page }) => {
  // Six screens, each at three widths and in both colour schemes.
  test.setTimeout(240_000);
  const companyId = await createPractice(page);
  await test.step('empty pages say what to do first', async () => {
    await expect(page.getByRole('heading', { name: 'Add your clients to get started' })).toBeVisible();
    await expectPageQuality(page);
    await page.getByRole('navigation', { name: 'OpenTax' }).getByRole('link', { name: 'Clients' }).click();
    await expect(page.getByRole('heading', { name: 'No clients yet' })).toBeVisible();
    await expectPageQuality(page);
  });

  await test.step('clients are added by hand, and a duplicate reference is rejected', async () => {
    await addClient(page, 'Alder Bakery Ltd', { 'Company number (optional)': '01234567', 'Year end (optional)': '2026-03-31' });
    const table = page.getByRole('table', { name: 'Clients' });
    await expect(table.getByRole('rowheader', { name: 'Alder Bakery Ltd' })).toBeVisible();
    await addClient(page, 'Birch Joinery Ltd');
    await addClient(page, 'Cedar Dental Ltd');
    await expect(page.getByText('3 clients', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Add a client' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a client' });
    await dialog.getByLabel('Name', { exact: true }).fill('Alder Two Ltd');
    await dialog.getByLabel('Company number (optional)').fill('1234567');
    await page.reload();
    await page.getByRole('button', { name: 'Add a client' }).click();
    await expect(dialog.getByText('We’ve filled in what you entered before')).toBeVisible();
    await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Alder Two Ltd');
    await dialog.getByRole('button', { name: 'Add client' }).click();
    await expect(dialog.getByText(/Alder Bakery Ltd already has this company number/)).toBeVisible();
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
    await expectPageQuality(page);
    await test.step('a submitted form starts empty next time, and Escape returns the focus', async () => {
      await page.getByRole('button', { name: 'Add a client' }).press('Enter');
      await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('button', { name: 'Add a client' })).toBeFocused();
    });
  });

  await test.step('the slash key focuses the search, and the URL keeps the search', async () => {
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox', { name: 'Search clients' })).toBeFocused();
    await page.keyboard.type('birch');
    await expect(page.getByText('1 of 3', { exact: true })).toBeVisible();
    await expect(page).toHaveURL(/q=birch/);
    await page.reload();
    await expect(page.getByText('1 of 3', { exact: true })).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search clients' }).fill('no such client');
    await expect(page.getByRole('heading', { name: 'No clients match' })).toBeVisible();
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await expect(page.getByText('3 clients', { exact: true })).toBeVisible();
  });

  await test.step('clients are archived, and the change is undone', async () => {
    await page.getByRole('checkbox', { name: 'Select Birch Joinery Ltd' }).check();
    await page.getByRole('button', { name: 'Archive' }).click();
    await expect(page.getByText('1 client archived')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('1 client restored.')).toBeVisible();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(page.getByText('1 client archived')).toHaveCount(0);
    await expect(page.locator('section[data-live="true"]')).toHaveCount(1);
  });

  await test.step('all matching clients are archived, and undo skips clients that were changed since', async () => {
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await page.getByRole('button', { name: 'Archive' }).click();
    await expect(page.getByText('3 clients archived')).toBeVisible();
    const response = await page.request.get(`/portal/open-tax/client-companies?company_id=${companyId}&q=cedar`);
    const [cedar] = ((await response.json()) as { clients: { client_id: string }[] }).clients;
    const status = { company_id: companyId, client_ids: [cedar?.client_id], status: 'active' };
    expect((await page.request.post('/portal/open-tax/client-companies/status', { data: status })).status()).toBe(200);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('2 clients restored. 1 client left as it is, because of a later change.')).toBeVisible();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
  });

  await test.step('several clients are changed at once, with the result for each', async () => {
    await page.getByRole('checkbox', { name: 'Select Birch Joinery Ltd' }).check();
    await page.getByRole('checkbox', { name: 'Select Cedar Dental Ltd' }).check();
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Change status' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change status of 2 clients' });
    await dialog.getByLabel('Status').selectOption('closed');
    await dialog.getByRole('button', { name: 'Set 2 clients to closed' }).click();
    await expect(dialog.getByText('2 clients changed.')).toBeVisible();
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('closed');
    await expect(page.getByText('2 of 3', { exact: true })).toBeVisible();
  });

  await test.step('a list is saved as a view, which then has its own tab', async () => {
    await page.getByRole('button', { name: 'More' }).click();
    await expect(page.getByRole('menuitem', { name: 'Save or edit views' })).toBeVisible();
    expect(await listViolations(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Save or edit views' }).click();
    const dialog = page.getByRole('dialog', { name: 'Views' });
    await dialog.getByLabel('Save the current list as').fill('Gone clients');
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await expect(dialog.getByRole('link', { name: 'Gone clients' })).toBeVisible();
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    const views = page.getByRole('navigation', { name: 'Views' });
    await expect(views.getByRole('link', { name: 'Gone clients' })).toHaveAttribute('aria-current', 'page');
    await views.getByRole('link', { name: 'Unassigned' }).click();
    await expect(page.getByText('1 of 3', { exact: true })).toBeVisible();
    await expectPageQuality(page);
    await views.getByRole('link', { name: 'Gone clients' }).click();
    await expect(page).toHaveURL(/status=closed/);
    await expect(page.getByText('2 of 3', { exact: true })).toBeVisible();
  });

  await test.step('the whole result is downloaded as a file', async () => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Download as CSV' }).click();
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file.trimEnd().split('\r\n')).toHaveLength(3);
    expect(file).toContain('Birch Joinery Ltd,Company,Closed');
  });

  await test.step('the totals link to the clients behind them', async () => {
    await page.goto(`/portal/v2/open-tax/dashboard?company_id=${companyId}&tax=all`);
    await expect(page.getByRole('heading', { name: 'Coming up' })).toBeVisible();
    await page.getByRole('button', { name: 'Show table' }).click();
    await expectPageQuality(page);
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Corporation tax' }).click();
    await expect(page).toHaveURL(/tax=ct/);
    await page.getByRole('link', { name: 'View all active clients' }).click();
    await expect(page.getByText('1 of 3', { exact: true })).toBeVisible();
  });

  await test.step('a list filtered by date shows the items that it counted', async () => {
    const { clients } = (await (await page.request.get(`/portal/open-tax/client-companies?company_id=${companyId}&q=alder`)).json()) as {
      clients: { next_due_on: string }[];
    };
    await page.goto(`/portal/v2/open-tax/clients?company_id=${companyId}&status=in_hand&due_before=${clients[0]?.next_due_on ?? ''}`);
    const row = page.getByRole('table', { name: 'Clients' }).getByRole('row', { name: /Alder Bakery Ltd/ });
    await expect(row).toContainText('CT payment');
    await expect(row).toContainText('Not known');
    await expect(page.getByText('1 return, quarterly update or payment, amounts not known yet')).toBeVisible();
    await expectPageQuality(page);
    await page.setViewportSize({ width: 360, height: 800 });
    await expect(page.getByRole('list', { name: 'Clients' }).getByText(/, CT payment/)).toBeVisible();
    await expectPageQuality(page);
    // With another filter, the list has both sums and both columns.
    await page.goto(`${page.url()}&pay_in=${clients[0]?.next_due_on ?? ''}`);
    await expect(page.getByText(/^By .*: 1 return, quarterly update or payment, amounts not known yet$/)).toBeVisible();
    await expect(page.getByText(/^[A-Z].*: 1 payment, amounts not known yet$/)).toBeVisible();
    await expectPageQuality(page);
    await page.setViewportSize({ width: 1280, height: 720 });
    await expect(page.getByRole('columnheader', { name: /^Payments in / })).toBeVisible();
    await expectPageQuality(page);
  });

  await test.step('the calendar shows the deadlines of active clients', async () => {
    const response = await page.request.get(`/portal/open-tax/client-companies?company_id=${companyId}&q=alder`);
    const { clients } = (await response.json()) as { clients: { next_due_on: string }[] };
    const day = clients[0]?.next_due_on ?? '';
    await page.goto(`/portal/v2/open-tax/calendar?company_id=${companyId}&month=${day.slice(0, 7)}`);
    await page.getByRole('link', { name: /: CT: 1 payment$/ }).click();
    await expect(page).toHaveURL(new RegExp(`day=${day}`));
    await expect(page.getByRole('list', { name: /^Due on / })).toContainText('Alder Bakery Ltd');
    await page.getByRole('button', { name: 'Create private calendar link' }).click();
    const url = await page.locator('code').innerText();
    await expectPageQuality(page);
    expect(await (await page.request.get(url)).text()).toContain('SUMMARY:Corporation tax: 1');
    await page.getByRole('button', { name: 'Delete link' }).click();
    await expect(page.getByRole('button', { name: 'Create private calendar link' })).toBeVisible();
    expect((await page.request.get(url)).status()).toBe(404);
  });
});

const VISIBLE_ROWS = 20;

/** Adds clients through the API, named so that they sort by number. */
async function addClients(page: Page, companyId: string, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const name = `Client ${String(number).padStart(2, '0')} Ltd`;
    const data = { company_id: companyId, name, kind: 'company', taxes: ['ct'], client_code: `C-${number}` };
    expect((await page.request.post('/portal/open-tax/client-companies', { data })).status()).toBe(200);
  }
}

test('the list shows 20 rows, moves nothing while it loads, and keeps its place', async ({ page }) => {
  const companyId = await createPractice(page);
  await addClients(page, companyId, 40);
  const address = `/portal/v2/open-tax/clients?company_id=${companyId}&sort=name`;
  const table = page.getByRole('table', { name: 'Clients' });
  await watchLayoutShifts(page);

  await test.step('at every width the page is laid out once', async () => {
    for (const [width, height] of [
      [360, 800],
      [768, 1024],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(address);
      await expect(page.getByText('40 clients', { exact: true })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Client 01 Ltd' })).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      expect(await readLayoutShift(page), `layout shift at ${width} px`).toBeLessThanOrEqual(MAX_LAYOUT_SHIFT);
    }
  });

  await test.step('on a phone the list begins at its first client, whether the session or the list loads first', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    const listResponse = page.waitForResponse(/open-tax\/client-companies\?/);
    await page.route('**/check-login**', async (route) => {
      await listResponse;
      await route.continue();
    });
    await page.goto(address);
    await expect(page.getByRole('link', { name: 'Client 01 Ltd' })).toBeVisible();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.unroute('**/check-login**');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(address);
    await expect(page.getByRole('link', { name: 'Client 01 Ltd' })).toBeVisible();
  });

  await test.step('1440 x 900 shows 20 rows with all default columns', async () => {
    const heights = await table.getByRole('row').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().bottom));
    expect(heights.filter((bottom) => bottom <= 900.5).length - 1).toBeGreaterThanOrEqual(VISIBLE_ROWS);
    const navigation = page.getByRole('navigation', { name: 'OpenTax' });
    expect(await navigation.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 'links out of view').toBeLessThanOrEqual(
      0,
    );
    const headings = table.getByRole('columnheader');
    expect(await headings.allInnerTexts()).toEqual(
      expect.arrayContaining(['Next due', 'What', 'Amount', 'Owed to HMRC', 'Overdue', 'Refund due', 'Taxes', 'Owner']),
    );
    const last = await headings.last().boundingBox();
    expect((last?.x ?? 0) + (last?.width ?? 1440)).toBeLessThanOrEqual(1440);
  });

  await test.step('the arrow keys lead from the search through the rows, Enter opens one, and Back returns to the place', async () => {
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    await expect(table.getByRole('link', { name: 'Client 01 Ltd' })).toBeFocused();
    for (let row = 2; row <= 30; row += 1) await page.keyboard.press('ArrowDown');
    await expect(table.getByRole('link', { name: 'Client 30 Ltd' })).toBeFocused();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
    const place = await page.evaluate(() => scrollY);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Client 30 Ltd' })).toBeVisible();
    await page.goBack();
    await expect(table.getByRole('link', { name: 'Client 30 Ltd' })).toBeVisible();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
  });

  await test.step('a click anywhere on a row opens the client', async () => {
    await table
      .getByRole('row', { name: /Client 30 Ltd/ })
      .getByText('CT', { exact: true })
      .click();
    await expect(page.getByRole('heading', { name: 'Client 30 Ltd' })).toBeVisible();
  });
});

test('a client with figures for only some taxes has its amounts and their words in full at 1440 px', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await logInAndOpen(page, OAKLINE.emailAddress, sandboxPassword, '/v2/open-tax/clients');
  const row = page.getByRole('row', { name: /Harlow Joinery Ltd/ });
  await expect(row).toContainText('At least £');
  const clipped = await row.getByRole('cell').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const text = document.createRange();
      text.selectNodeContents(cell);
      const [inner, outer] = [text.getBoundingClientRect(), cell.getBoundingClientRect()];
      return inner.left < outer.left - 1 || inner.right > outer.right + 1 ? [cell.textContent] : [];
    }),
  );
  expect(clipped).toEqual([]);
  const [preset, count] = [page.getByRole('link', { name: 'Refunds' }), page.getByText(/^[\d,]+ clients?$/)];
  const [presetBox, countBox] = [await preset.boundingBox(), await count.boundingBox()];
  expect((presetBox?.x ?? 0) + (presetBox?.width ?? 0), 'the last preset view ends before the count').toBeLessThanOrEqual(countBox?.x ?? 0);
});

test('a long name is shown in full at 1440 px, on two lines of its row', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const companyId = await createPractice(page);
  const name = 'Tamworth & Thackray Landscapes Ltd';
  const data = { company_id: companyId, name, kind: 'company', taxes: ['vat', 'paye', 'ct'] };
  expect((await page.request.post('/portal/open-tax/client-companies', { data })).status()).toBe(200);
  await page.goto(`/portal/v2/open-tax/clients?company_id=${companyId}`);
  const link = page.getByRole('link', { name });
  await expect(link).toBeVisible();
  const size = await link.evaluate((element) => ({
    cut: element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth,
    top: element.getBoundingClientRect().top - (element.closest('[role=row]')?.getBoundingClientRect().top ?? 0),
    height: element.getBoundingClientRect().height,
  }));
  expect(size.cut).toBe(false);
  expect(size.top).toBeGreaterThanOrEqual(0);
  expect(size.top + size.height).toBeLessThanOrEqual(36);
});

test('the command palette finds clients, pages and actions on every page', async ({ page }) => {
  test.setTimeout(120_000);
  const companyId = await createPractice(page);
  await addClients(page, companyId, 3);
  const palette = page.getByRole('dialog', { name: 'Search clients, pages and actions' });
  const field = palette.getByRole('combobox');

  await test.step('Ctrl+K opens it, a client is found by its code, and Enter opens the client', async () => {
    await page.keyboard.press('Control+k');
    await expect(field).toBeFocused();
    await expectPageQuality(page);
    await field.fill('c-2');
    await expect(palette.getByRole('option', { name: /Client 02 Ltd/ })).toContainText('Code C-2');
    await expectPageQuality(page);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Client 02 Ltd' })).toBeVisible();
    await expect(palette).toHaveCount(0);
  });

  await test.step('the button in the navigation opens it, and Escape returns the focus', async () => {
    const button = page.getByRole('button', { name: 'Search', exact: true });
    await button.press('Enter');
    await expect(field).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(palette).toHaveCount(0);
    await expect(button).toBeFocused();
  });

  await test.step('it opens pages and starts actions', async () => {
    await page.keyboard.press('Control+k');
    await field.fill('cal');
    await expect(palette.getByRole('option', { name: /Calendar/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/open-tax\/calendar/);
    await page.keyboard.press('Control+k');
    await field.fill('add client');
    await expect(palette.getByRole('option', { name: 'Add a client' })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Add a client' })).toBeVisible();
  });
});
