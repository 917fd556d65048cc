/** Client groups: an admin groups a family, and a team member sees their part of it. */
import { randomUUID } from 'node:crypto';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { logInAndOpen } from './pages/log-in-page.ts';
import { sandboxPassword } from './pages/operator-pages.ts';
import { expectPageQuality } from './page-quality.ts';

const id = randomUUID().slice(0, 6);
const [ANN, BOB, GROUP] = [`Ann Groves ${id}`, `Bob Groves ${id}`, `Groves family ${id}`];

async function addClient(page: Page, companyId: string, name: string): Promise<string> {
  const data = { company_id: companyId, name, kind: 'individual', taxes: ['sa'] };
  const response = await page.request.post('/portal/open-tax/client-companies', { data });
  expect(response.status(), await response.text()).toBe(200);
  return ((await response.json()) as { client_id: string }).client_id;
}

test('an admin groups a family and sees its totals, and a team member sees only their own clients in it', async ({ page, openDevice }) => {
  test.setTimeout(150_000);
  await logInAndOpen(page, OAKLINE.emailAddress, sandboxPassword, '/v2/open-tax/dashboard');
  const companies = (await (await page.request.get('/portal/user-companies')).json()) as { company_id: string; kind: string }[];
  const companyId = companies.find(({ kind }) => kind === 'practice')?.company_id ?? '';
  const [ann] = [await addClient(page, companyId, ANN), await addClient(page, companyId, BOB)];
  await test.step('two clients are selected in the list and put into a new group', async () => {
    await page.goto(`/portal/v2/open-tax/clients?company_id=${companyId}&q=groves ${id}`);
    await page.getByRole('checkbox', { name: `Select ${ANN}` }).check();
    await page.getByRole('button', { name: 'Add to group' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add 1 client to a group' });
    await dialog.getByLabel('Group', { exact: true }).selectOption({ label: 'New group' });
    await dialog.getByLabel('Name of the new group').fill(GROUP);
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Add to group' }).click();
    await expect(page.getByText(`1 client added to ${GROUP}`)).toBeVisible();
  });
  await test.step('the groups’ page links to it, and a client is added there by name', async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Client groups' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Client groups' })).toBeVisible();
    await expectPageQuality(page);
    await page.getByRole('link', { name: GROUP }).click();
    await expect(page.getByRole('heading', { level: 1, name: GROUP })).toBeVisible();
    await page.getByRole('button', { name: 'Add clients' }).click();
    await page.getByLabel('Client', { exact: true }).fill(BOB);
    await page.getByRole('option', { name: BOB }).click();
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Add 1 client' }).click();
    await expect(page.getByRole('table', { name: 'Clients in the group' }).getByRole('row')).toHaveCount(3);
    await expectPageQuality(page);
  });
  await test.step('moving a client to another group needs confirmation', async () => {
    await page.goto(`/portal/v2/open-tax/clients/groups?company_id=${companyId}`);
    await page.getByRole('button', { name: 'Create a group' }).click();
    await page.getByLabel('Name').fill(`Second ${id}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Create group' }).click();
    await page.getByRole('button', { name: 'Add clients' }).click();
    await page.getByLabel('Client', { exact: true }).fill(BOB);
    await page.getByRole('option', { name: BOB }).click();
    await page.getByRole('button', { name: 'Add 1 client' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('alert')).toContainText(`${BOB} is in the group “${GROUP}”`);
    await dialog.getByRole('checkbox', { name: /^Move clients/ }).check();
    await dialog.getByRole('button', { name: 'Add 1 client' }).click();
    await expect(page.getByRole('row', { name: new RegExp(BOB) })).toBeVisible();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete group' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Client groups' })).toBeVisible();
    await expect(page.getByRole('link', { name: GROUP })).toBeVisible();
  });
  await test.step('the client’s page and the list’s filter show the group', async () => {
    await page.goto(`/portal/v2/open-tax/client-dashboard?company_id=${companyId}&client_id=${ann}`);
    await page.getByRole('link', { name: GROUP }).click();
    await expect(page.getByRole('heading', { level: 1, name: GROUP })).toBeVisible();
    await page.goto(`/portal/v2/open-tax/clients?company_id=${companyId}`);
    const filters = page.getByRole('button', { name: 'Filters' });
    if ((await filters.getAttribute('aria-expanded')) !== 'true') await filters.click();
    await page.getByRole('combobox', { name: 'Group' }).selectOption({ label: GROUP });
    await expect(page.getByRole('link', { name: ANN })).toBeVisible();
    await expect(page.getByRole('link', { name: BOB })).toHaveCount(0);
  });
  await test.step('a team member sees the group once one of its clients is theirs, and can’t change it', async () => {
    const tom = await openDevice();
    await logInAndOpen(tom, 'tom@oakline.example', sandboxPassword, `/v2/open-tax/clients/groups?company_id=${companyId}`);
    await expect(tom.getByRole('heading', { level: 1, name: 'Client groups' })).toBeVisible();
    await expect(tom.getByRole('link', { name: GROUP })).toHaveCount(0);
    const groupMembers = (await (
      await page.request.get('/portal/open-tax/client-companies/members', { params: { company_id: companyId } })
    ).json()) as {
      members: { user_id: string; full_name: string }[];
    };
    const userId = groupMembers.members.find(({ full_name: name }) => name === 'Tom Reed')?.user_id;
    const data = { company_id: companyId, client_ids: [ann], user_id: userId, duty: 'manager', action: 'add' };
    expect((await page.request.post('/portal/open-tax/client-companies/assign', { data })).ok()).toBe(true);
    await tom.reload();
    await tom.getByRole('link', { name: GROUP }).click();
    // Her name may also appear above the table, next to the next item due.
    await expect(tom.getByRole('table', { name: 'Clients in the group' }).getByRole('link', { name: ANN })).toBeVisible();
    await expect(tom.getByRole('button', { name: /^(Add clients|Rename|Delete|Take out)/ })).toHaveCount(0);
    await expectPageQuality(tom);
  });
});
