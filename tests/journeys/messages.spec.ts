/** A practice connects its mailbox, emails a filtered list of its clients, sees the outcomes, and loses access to the mailbox. */
import { randomUUID } from 'node:crypto';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { logInAndOpen } from './pages/log-in-page.ts';
import { sandboxPassword } from './pages/operator-pages.ts';
import { ProviderPages } from './pages/provider-pages.ts';
import { expectPageQuality } from './page-quality.ts';
import { listEmails, revokeAccess } from './sandbox.ts';

async function addClient(page: Page, companyId: string, name: string, email: string): Promise<string> {
  const data = { company_id: companyId, name, kind: 'company', taxes: ['vat'], email };
  const response = await page.request.post('/portal/open-tax/client-companies', { data });
  expect(response.status(), await response.text()).toBe(200);
  return ((await response.json()) as { client_id: string }).client_id;
}

async function getPracticeId(page: Page): Promise<string> {
  const response = await page.request.get('/portal/user-companies');
  const companies = (await response.json()) as { company_id: string; kind: string }[];
  return companies.find(({ kind }) => kind === 'practice')?.company_id ?? '';
}

test('a practice connects Gmail, writes to a filter of clients, sees what happened, and is warned when Google ends it', async ({
  page,
}) => {
  test.setTimeout(150_000);
  const tag = randomUUID().slice(0, 6);
  const office = `office-${tag}@oakline.example`;
  const toName = (tree: string) => `${tree} ${tag} Ltd`;
  await logInAndOpen(page, OAKLINE.emailAddress, sandboxPassword, '/v2/open-tax/dashboard');
  const companyId = await getPracticeId(page);
  const ash = await addClient(page, companyId, toName('Ash'), `ash-${tag}@client.example`);
  await addClient(page, companyId, toName('Birch'), `birch-${tag}@client.example`);
  await addClient(page, companyId, toName('Cedar'), '');
  const settings = `/portal/v2/open-tax/settings/connections?company_id=${companyId}`;

  await test.step('connects its mailbox, with permission to send only', async () => {
    await page.goto(settings);
    await page.getByRole('button', { name: 'Connect Gmail' }).click();
    const google = new ProviderPages(page);
    await google.signIn(office);
    await expect(page.getByText('send email on your behalf')).toBeVisible();
    await google.allowButton.click();
    await expect(page.getByText(`Emails to clients are sent from ${office}`)).toBeVisible();
    await expectPageQuality(page);
  });

  await test.step('writes to a filter: a preview says who gets it, who doesn’t, and how it looks', async () => {
    await page.goto(`/portal/v2/open-tax/clients?company_id=${companyId}&q=${tag}`);
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await page.getByRole('button', { name: 'Send message' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Start from').selectOption({ label: 'Your own text' });
    await dialog.getByLabel('Subject').fill('About {client}');
    await dialog.getByRole('textbox', { name: 'Message' }).fill('Hello ');
    await dialog.getByRole('button', { name: 'client', exact: true }).click();
    await expect(dialog.getByRole('textbox', { name: 'Message' })).toHaveValue('Hello {client}');
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await expect(dialog.getByText('2 clients will get this message.')).toBeVisible();
    await expect(dialog.getByText(`${toName('Cedar')}: no email address`)).toBeVisible();
    await expect(dialog.getByRole('article', { name: `Preview for ${toName('Ash')}` })).toContainText(`Hello ${toName('Ash')}`);
    await dialog.getByRole('button', { name: 'Send a test to yourself' }).click();
    await expect(dialog.getByText(`On its way to ${OAKLINE.emailAddress}.`)).toBeVisible();
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Send to 2 clients' }).click();
    await expect(dialog.getByText('On its way to 2 clients')).toBeVisible();
    await dialog.getByRole('link', { name: 'See its progress' }).click();
  });

  await test.step('sees the outcome for each client, and the text on the client’s timeline', async () => {
    await expect(page.getByText('2 sent.')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Outcome for each client' })).toContainText(`from ${office}`);
    await expectPageQuality(page);
    const [mail] = await listEmails(`ash-${tag}@client.example`);
    expect(mail?.from).toBe(`Oakline Accounting <${office}>`);
    expect(mail?.text.trim()).toBe(`Hello ${toName('Ash')}`);
    expect(await listEmails(OAKLINE.emailAddress)).toContainEqual(expect.objectContaining({ subject: `Test: About ${toName('Ash')}` }));
    await page.goto(`/portal/v2/open-tax/client-dashboard?company_id=${companyId}&client_id=${ash}`);
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await expect(timeline).toContainText(`Email sent: About ${toName('Ash')}`);
    await expect(timeline.getByText(`Hello ${toName('Ash')}`)).toBeHidden();
    await timeline.getByText('Show the email').first().click();
    await expect(timeline.getByText(`Hello ${toName('Ash')}`)).toBeVisible();
    await page.goto(`/portal/v2/open-tax/messages?company_id=${companyId}`);
    await expect(page.getByRole('row', { name: /About \{client\}/ })).toContainText('2 sent');
    await expectPageQuality(page);
  });

  await test.step('is warned on every page when Google ends the permission, and its new messages wait', async () => {
    await revokeAccess('google', office);
    await page.goto(`/portal/v2/open-tax/client-dashboard?company_id=${companyId}&client_id=${ash}`);
    await page.getByRole('button', { name: 'Send message' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Start from').selectOption({ label: 'Your own text' });
    await dialog.getByLabel('Subject').fill('A second message');
    await dialog.getByRole('textbox', { name: 'Message' }).fill('Hello again');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Send to 1 client' }).click();
    await dialog.getByRole('link', { name: 'See its progress' }).click();
    await expect(page.getByText('Waiting for your mailbox').first()).toBeVisible();
    await page.reload();
    const banner = page.getByRole('complementary', { name: 'Connection to Gmail' });
    await expect(banner).toContainText('the connection to Gmail has ended');
    await expectPageQuality(page);
    await banner.getByRole('link', { name: 'Connect Gmail again' }).click();
    await expect(page.getByText(`We can’t send from ${office} any more`)).toBeVisible();
    await expectPageQuality(page);
  });

  await test.step('disconnects it: the message is sent from our address', async () => {
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await expect(page.getByText('Emails to clients are sent from our address, with your practice’s name.')).toBeVisible();
    await expect.poll(async () => (await listEmails(`ash-${tag}@client.example`))[0]?.subject).toBe('A second message');
    const [mail] = await listEmails(`ash-${tag}@client.example`);
    expect(mail?.from).toMatch(/^Oakline Accounting via Tidewater </);
  });
});
