/** Tasks: a template creates them for a return, a colleague works on them, and reassigns them before leaving. */
import { randomUUID } from 'node:crypto';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { logInAndOpen } from './pages/log-in-page.ts';
import { sandboxPassword } from './pages/operator-pages.ts';
import { waitForLink } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';

async function post(page: Page, path: string, data: object): Promise<Record<string, unknown>> {
  const response = await page.request.post(`/portal${path}`, { data });
  expect(response.status(), await response.text()).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

async function getPracticeId(page: Page): Promise<string> {
  const companies = (await (await page.request.get('/portal/user-companies')).json()) as { company_id: string; kind: string }[];
  return companies.find(({ kind }) => kind === 'practice')?.company_id ?? '';
}

test('a template creates the tasks of a return; a colleague ticks items, comments and finishes; a leaver hands over', async ({
  page,
  openDevice,
}) => {
  const id = randomUUID().slice(0, 8);
  const [client, tag, template, colleague] = [`Task Client ${id}`, `Tag ${id}`, `Year end ${id}`, `Kit Vale ${id}`];
  await logInAndOpen(page, OAKLINE.emailAddress, sandboxPassword, '/v2/open-tax/dashboard');
  const companyId = await getPracticeId(page);
  const email = `kit-${id}@oakline.example`;
  const kit = await openDevice();
  await test.step('a colleague joins and gets a new client with Self Assessment', async () => {
    const individualClient = { company_id: companyId, name: client, kind: 'individual', taxes: ['sa'] };
    const clientId = (await post(page, '/open-tax/client-companies', individualClient))['client_id'] as string;
    await post(page, '/client/tags', { company_id: companyId, client_id: clientId, tags: [tag] });
    await page.goto(`/portal/v2/open-tax/add-a-team-member?company_id=${companyId}`);
    await page.getByLabel('Email addresses').fill(email);
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await kit.goto(await waitForLink(email));
    await kit.getByLabel('Full name').fill(colleague);
    await kit.getByRole('button', { name: 'Create account and join' }).click();
    await expect(kit).toHaveURL(/\/v2\/open-tax\/dashboard\?company_id=/);
    const query = { params: { company_id: companyId, full_name: colleague } };
    const team = (await (await page.request.get('/portal/open-tax/team-members', query)).json()) as { team_members: { user_id: string }[] };
    const assign = {
      company_id: companyId,
      client_ids: [clientId],
      user_id: team.team_members[0]?.user_id,
      duty: 'manager',
      action: 'add',
    };
    await post(page, '/open-tax/client-companies/assign', assign);
  });
  await test.step('the admin adds a template and switches it on for clients with a tag', async () => {
    await page.goto(`/portal/v2/open-tax/tasks/templates?company_id=${companyId}`);
    await expect(page.getByRole('heading', { level: 2, name: 'VAT return' })).toBeVisible();
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'New template' }).click();
    const dialog = page.getByRole('dialog', { name: 'New template' });
    await dialog.getByLabel('Name', { exact: true }).fill(template);
    await dialog.getByLabel('Create tasks automatically').selectOption({ label: 'When a Self Assessment tax year ends' });
    await dialog.getByLabel('Title').fill('Prepare the return');
    await dialog.getByLabel('Checklist').fill('Dividends\nPensions');
    await dialog.getByRole('button', { name: 'Add a task' }).click();
    await dialog.getByLabel('Title').nth(1).fill('File the return');
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Save template' }).click();
    await page.getByRole('button', { name: `Switch on ${template}` }).click();
    await page.getByLabel('Only clients with this tag').fill(tag);
    await expectPageQuality(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
    await expect(page.getByText('2 tasks created')).toBeVisible();
    await expect(page.getByRole('button', { name: `Switch off ${template}` })).toBeVisible();
  });
  await test.step('the colleague sees the tasks, ticks an item and mentions the admin', async () => {
    await kit.goto(`/portal/v2/open-tax/tasks?company_id=${companyId}`);
    await expect(kit.getByRole('table', { name: 'Tasks' }).getByRole('row')).toHaveCount(3);
    await expectPageQuality(kit);
    await kit.getByRole('button', { name: /^Prepare the return/ }).click();
    const dialog = kit.getByRole('dialog', { name: /^Prepare the return/ });
    await dialog.getByRole('checkbox', { name: 'Dividends' }).check();
    await dialog.getByLabel('Mention a colleague').selectOption({ label: 'Priya Oakes' });
    await dialog.getByLabel('Your comment').pressSequentially('please look');
    await dialog.getByRole('button', { name: 'Comment', exact: true }).click();
    await expect(dialog.getByRole('status').filter({ hasText: 'Emailed: Priya Oakes' })).toBeVisible();
    await expect(dialog.getByRole('list', { name: 'Comments' })).toContainText('@Priya Oakes please look');
    await expectPageQuality(kit);
    await dialog.getByLabel(/^Status of Prepare the return/).selectOption({ label: 'Done' });
    await expect(dialog.getByText(/Done by Kit Vale/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(kit.getByRole('table', { name: 'Tasks' }).getByRole('row')).toHaveCount(2);
  });
  await test.step('the board moves a task, and undo returns it', async () => {
    await kit.getByRole('link', { name: 'My board' }).click();
    await expectPageQuality(kit);
    await kit.getByLabel(/^Status of File the return/).selectOption({ label: 'In progress' });
    await expect(kit.getByRole('list', { name: 'In progress' })).toContainText('File the return');
    await kit.getByRole('button', { name: 'Undo' }).click();
    await expect(kit.getByRole('list', { name: 'To do' })).toContainText('File the return');
  });
  await test.step('a task is added manually, with the keyboard', async () => {
    await kit.goto(`/portal/v2/open-tax/tasks?company_id=${companyId}`);
    await expect(kit.getByRole('button', { name: /^File the return/ })).toBeVisible();
    await kit.keyboard.press('n');
    const dialog = kit.getByRole('dialog', { name: 'New task' });
    await dialog.getByLabel('Title').fill(`Order stamps ${id}`);
    await expectPageQuality(kit);
    await dialog.getByRole('button', { name: 'Create task' }).click();
    await expect(kit.getByRole('button', { name: `Order stamps ${id}` })).toBeVisible();
  });
  await test.step('the colleague leaves: the client’s task is assigned to the successor, the other to no one', async () => {
    await page.goto(`/portal/v2/open-tax/settings/team?company_id=${companyId}`);
    await page.getByRole('button', { name: `Manage ${colleague}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    const dialog = page.getByRole('dialog', { name: `Deactivate ${colleague}` });
    await dialog.getByLabel('Who takes over?').selectOption({ label: 'Priya Oakes (you)' });
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await expect(page.getByText('1 client reassigned.')).toBeVisible();
    await page.goto(`/portal/v2/open-tax/tasks?company_id=${companyId}&tag=${encodeURIComponent(tag)}`);
    const tasks = page.getByRole('table', { name: 'Tasks' });
    await expect(tasks.getByRole('row', { name: /File the return/ })).toContainText('Priya Oakes');
    await page.goto(`/portal/v2/open-tax/tasks?company_id=${companyId}&owner=none`);
    const taskRow = tasks.getByRole('row', { name: new RegExp(`Order stamps ${id}`) });
    await taskRow.getByRole('checkbox').check();
    await page.getByLabel('Reassign to').selectOption({ label: 'Priya Oakes (you)' });
    await expect(page.getByText('1 task reassigned')).toBeVisible();
    await expect(taskRow).toHaveCount(0);
  });
});
