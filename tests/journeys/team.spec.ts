/** A practice's team: a colleague is invited, joins, is assigned clients, and leaves; a user who already has an account joins with it. */
import { randomUUID } from 'node:crypto';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { logInAndOpen, logInByApi } from './pages/log-in-page.ts';
import { sandboxPassword } from './pages/operator-pages.ts';
import { waitForLink } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';

const createColleagueEmail = (name: string): string => `${name}-${randomUUID().slice(0, 8)}@oakline.example`;

/** Adds a client to the practice. */
async function addClient(page: Page, companyId: string, name: string): Promise<string> {
  const data = { company_id: companyId, name, kind: 'company', taxes: ['vat'] };
  const response = await page.request.post('/portal/open-tax/client-companies', { data });
  expect(response.status(), await response.text()).toBe(200);
  return ((await response.json()) as { client_id: string }).client_id;
}

async function getPracticeId(page: Page): Promise<string> {
  const response = await page.request.get('/portal/user-companies');
  const companies = (await response.json()) as { company_id: string; kind: string }[];
  return companies.find(({ kind }) => kind === 'practice')?.company_id ?? '';
}

test('an admin invites a colleague, who creates an account, works on the assigned client and leaves with a hand-over', async ({
  page,
  openDevice,
}) => {
  test.setTimeout(150_000);
  const email = createColleagueEmail('ann');
  await logInAndOpen(page, OAKLINE.emailAddress, sandboxPassword, '/v2/open-tax/dashboard');
  const companyId = await getPracticeId(page);
  await test.step('the admin finds the page in the menu and pastes a list', async () => {
    await page.goto(`/portal/v2/open-tax/add-a-team-member?company_id=${companyId}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Add a team member' })).toBeVisible();
    await expectPageQuality(page);
    await page.getByLabel('Email addresses').fill(`Ann Lee <${email}>, tom@oakline.example, nonsense`);
    await page.getByLabel('Groups').focus();
    await expect(page.getByText('“nonsense” isn’t an email address').first()).toBeVisible();
    await page.getByLabel('Email addresses').fill(`Ann Lee <${email}>; tom@oakline.example`);
    await page.getByLabel('Groups').fill('Leeds');
    await page.getByRole('button', { name: 'Invite 2 people' }).click();
    await expect(page.getByRole('status').filter({ hasText: `Invited ${email}` })).toContainText(
      'tom@oakline.example: already in your team',
    );
    await expectPageQuality(page);
  });
  const ann = await openDevice();
  await test.step('opening the link uses nothing, and the colleague creates an account with it', async () => {
    const link = await waitForLink(email);
    await (await openDevice()).goto(link);
    await ann.goto(link);
    await expect(ann.getByRole('heading', { level: 1, name: /^Join Oakline/ })).toBeVisible();
    await expect(ann.getByText(email)).toBeVisible();
    await expectPageQuality(ann);
    await ann.getByLabel('Full name').fill('Ann Lee');
    await ann.getByRole('button', { name: 'Create account and join' }).click();
    await expect(ann).toHaveURL(/\/v2\/open-tax\/dashboard\?company_id=/);
  });
  const clientName = `Handover ${randomUUID().slice(0, 8)} Ltd`;
  await test.step('the colleague sees a client once it is assigned', async () => {
    const clientId = await addClient(page, companyId, clientName);
    const teamResponse = await page.request.get('/portal/open-tax/team-members', { params: { company_id: companyId, full_name: email } });
    const { team_members: teamMembers } = (await teamResponse.json()) as { team_members: { user_id: string }[] };
    const data = { company_id: companyId, client_ids: [clientId], user_id: teamMembers[0]?.user_id, duty: 'manager', action: 'add' };
    expect((await page.request.post('/portal/open-tax/client-companies/assign', { data })).ok()).toBe(true);
    await ann.goto(`/portal/v2/open-tax/clients?company_id=${companyId}`);
    await expect(ann.getByRole('link', { name: clientName })).toBeVisible();
    await expect(ann.getByRole('link', { name: 'My work' })).toHaveAttribute('aria-current', /./);
    await ann.goto(`/portal/v2/open-tax/settings/team?company_id=${companyId}`);
    await expect(ann.getByRole('row', { name: /Ann Lee \(you\)/ })).toBeVisible();
    await expect(ann.getByRole('button', { name: /^Manage/ })).toHaveCount(0);
  });
  await test.step('the workload shows the client, which goes to Tom and back', async () => {
    await page.goto(`/portal/v2/open-tax/settings/team?company_id=${companyId}`);
    await page.getByRole('button', { name: 'Show table' }).click();
    const workload = page.getByRole('table', { name: 'Workload by team member' });
    await expect(
      workload
        .getByRole('row', { name: /Ann Lee/ })
        .getByRole('cell')
        .first(),
    ).toHaveText('1');
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Reassign clients' }).click();
    await page.getByLabel('From').selectOption({ label: 'Ann Lee (1 client)' });
    // Other journeys assign clients of the same practice to Tom.
    const to = page.getByLabel('To', { exact: true });
    await to.selectOption(await to.getByRole('option', { name: /^Tom Reed/ }).getAttribute('value'));
    await expectPageQuality(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Reassign' }).click();
    const doneDialog = page.getByRole('dialog', { name: '1 client reassigned' });
    await doneDialog.getByRole('button', { name: 'Undo' }).click();
    await expect(doneDialog.getByRole('status')).toHaveText('1 client restored.');
    await doneDialog.getByRole('button', { name: 'Done' }).click();
    await expect(
      workload
        .getByRole('row', { name: /Ann Lee/ })
        .getByRole('cell')
        .first(),
    ).toHaveText('1');
  });
  await test.step('the admin deactivates them, and has to say who takes over', async () => {
    await page.goto(`/portal/v2/open-tax/settings/team?company_id=${companyId}`);
    const row = page.getByRole('table', { name: 'Team' }).getByRole('row', { name: /Ann Lee/ });
    await expect(row).toContainText('Leeds');
    await expectPageQuality(page);
    await row.getByRole('button', { name: 'Manage Ann Lee' }).click();
    await expectPageQuality(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deactivate Ann Lee' });
    await expect(dialog.getByRole('button', { name: 'Deactivate' })).toBeDisabled();
    await dialog.getByLabel('Who takes over?').selectOption({ label: 'Tom Reed' });
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await expect(page.getByText('1 client reassigned.')).toBeVisible();
    await page.getByRole('link', { name: 'See what Ann Lee could see and did' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Access report: Ann Lee' })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Clients' })).toContainText(clientName);
    await expectPageQuality(page);
  });
  await test.step('the colleague loses access at once, and Tom has the client', async () => {
    await ann.reload();
    await expect(ann).toHaveURL(/\/login/);
    const tom = await openDevice();
    await logInAndOpen(tom, 'tom@oakline.example', sandboxPassword, `/v2/open-tax/clients?company_id=${companyId}`);
    await expect(tom.getByRole('link', { name: clientName })).toBeVisible();
  });
});

test('a user with an account is sent to log in and joins with it; a custom role limits what they can do', async ({ page, openDevice }) => {
  test.setTimeout(150_000);
  const email = createColleagueEmail('cy');
  await logInAndOpen(page, OAKLINE.emailAddress, sandboxPassword, '/v2/open-tax/dashboard');
  const companyId = await getPracticeId(page);
  const role = `Trainee ${randomUUID().slice(0, 6)}`;
  await test.step('the admin adds a custom role, which appears in the matrix', async () => {
    await page.goto(`/portal/v2/open-tax/settings/roles?company_id=${companyId}`);
    await page.getByRole('button', { name: 'Add a role' }).click();
    await page.getByLabel('Name').fill(role);
    await page.getByRole('checkbox', { name: /^Export clients/ }).uncheck();
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('columnheader', { name: new RegExp(role) })).toBeVisible();
    await expectPageQuality(page);
  });
  const cy = await openDevice();
  await test.step('the invited person already has an account', async () => {
    await cy.goto('/portal/v2/open-tax/signup');
    await cy.getByLabel('Work email').fill(email);
    await cy.getByLabel('Full name').fill('Cy Known');
    await cy.getByLabel('Password').fill('seven green bottles 4711');
    await cy.getByRole('button', { name: 'Create account' }).click();
    await expect(cy).toHaveURL(/\/check-mail/);
    await cy.goto(await waitForLink(email));
    await cy.getByRole('button', { name: 'Confirm email' }).click();
    await expect(cy).toHaveURL(/\/steps\/practice/);
    await page.goto(`/portal/v2/open-tax/add-a-team-member?company_id=${companyId}`);
    await page.getByLabel('Email addresses').fill(email);
    await page.getByLabel('Role').selectOption({ label: role });
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await expect(page.getByRole('status').filter({ hasText: `Invited ${email}` })).toBeVisible();
  });
  await test.step('on another device the link asks for the login first, then comes back', async () => {
    const device = await openDevice();
    // The first email was the account's own confirmation.
    await device.goto(await waitForLink(email, 1));
    await device.getByRole('button', { name: 'Log in to continue' }).click();
    await device.getByLabel('Email').fill(email);
    await device.getByLabel('Password').fill('seven green bottles 4711');
    await device.getByRole('button', { name: 'Log in', exact: true }).click();
    await device.getByRole('button', { name: /^Join Oakline/ }).click();
    await expect(device).toHaveURL(/\/v2\/open-tax\/dashboard\?company_id=/);
    const fileResponse = await device.request.get('/portal/open-tax/export-table', { params: { company_id: companyId } });
    expect(fileResponse.status()).toBe(403);
  });
  await test.step('the used link tells anyone else who opens it nothing more', async () => {
    const tom = await openDevice();
    await logInByApi(tom, 'tom@oakline.example', sandboxPassword);
    await tom.goto(await waitForLink(email));
    await expect(tom.getByRole('heading', { level: 1, name: 'This invitation no longer works' })).toBeVisible();
    await expectPageQuality(tom);
  });
});
