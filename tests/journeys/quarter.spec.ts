/**
 * A quarter in the life of a practice: two colleagues and five clients join, the quarter ends, a client sends its records and approves its
 * VAT return on a phone, a rule reminds clients, the return is filed, and a colleague leaves. Each part has its own journey that checks the
 * details.
 */
import { randomUUID } from 'node:crypto';
import { systemClock, toLondonDate } from '@portal/domain/clock.ts';
import { addDays, formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { getDueDateAfter, getNextPeriod, getPeriodContaining, type Period } from '@portal/sandbox/hmrc/vat-periods.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { openPractice } from './pages/practice-founder.ts';
import { VatReturnPage } from './pages/vat-return-page.ts';
import { listEmails, listReturns, loadPortfolio, moveClockTo, waitForLink } from './sandbox.ts';

const PRACTICE = 'Quarter & Sons';
/** Its quarters end in March, June, September and December; everything earlier has been filed and paid. */
const CLIENT = 'Redwharf Timber Ltd';
/** The portfolio clients that the practice has, by position in the list. */
const PORTFOLIO = { clients: 17, seed: 10, own: [1, 2, 3, 5, 16] };
const CLIENT_EMAIL = 'peter.denholm@client17.example';
/** The entries in the client's timeline at the end, other than figures and emails, oldest first. */
const STORY = [
  'Assigned',
  'Invited to the client portal',
  'Joined the client portal',
  'Tasks created for a return',
  'Request sent to the client',
  'File received from the client',
  'Request completed',
  'Books uploaded',
  'VAT return sent for approval',
  'VAT return approved',
  'VAT return sent to HMRC',
  'VAT return filed: HMRC accepted it',
  'Tasks completed: HMRC has the return',
  'Message to the client',
  'Reassigned',
];
const PHONE_SIZE = { width: 360, height: 740 };

// A worker with different settings has its own portal. The clock moves by weeks, which other journeys don't expect.
test.use({ portalSettings: { NODE_ENV: 'test' } });

/** Returns the next quarter that ends at least two days from today. */
function findQuarter(): Period {
  const today = toLondonDate(systemClock.now());
  const current = getPeriodContaining(1, today);
  return addDays(current.end, -2) > today ? current : getNextPeriod(1, current);
}

async function inviteColleague(page: Page, companyId: string, email: string, device: Page, name: string): Promise<void> {
  await page.goto(`/portal/v2/open-tax/add-a-team-member?company_id=${companyId}`);
  await page.getByLabel('Email addresses').fill(email);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByRole('status').filter({ hasText: `Invited ${email}` })).toBeVisible();
  await device.goto(await waitForLink(email));
  await device.getByLabel('Full name').fill(name);
  await device.getByRole('button', { name: 'Create account and join' }).click();
  await expect(device).toHaveURL(/\/v2\/open-tax\/dashboard\?company_id=/);
}

/** Reads the selected clients' VAT from HMRC, as happens every night. */
async function refreshVat(page: Page, companyId: string): Promise<void> {
  await page.goto(`/portal/v2/open-tax/clients?company_id=${companyId}`);
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
  const bar = page.getByRole('region', { name: 'Selected clients' });
  await bar.getByRole('button', { name: 'Refresh VAT' }).click();
  await expect(bar.getByText('Refresh finished: 5 clients updated.')).toBeVisible();
}

const toDay = (day: PlainDate) => formatDate(day, 'short');

test('a practice works through a quarter', async ({ page, openDevice }) => {
  test.setTimeout(240_000);
  const tag = randomUUID().slice(0, 8);
  const quarter = findQuarter();
  const due = getDueDateAfter(quarter.end);
  const [beaEmail, casEmail] = [`bea-${tag}@quarter.example`, `cas-${tag}@quarter.example`];
  const [bea, cas, phone] = [await openDevice(), await openDevice(), await openDevice()];
  await phone.setViewportSize(PHONE_SIZE);
  await moveClockTo(addDays(quarter.end, -2));
  const [header = '', ...rows] = (await loadPortfolio(PORTFOLIO.clients, PORTFOLIO.seed)).split('\r\n');
  const ownRows = PORTFOLIO.own.map((index) => rows[index] ?? '');
  const vrn = /,(\d{9}),/.exec(ownRows.at(-1) ?? '')?.[1] ?? '';
  let [companyId, email] = ['', ''];
  let clientId = '';
  const openClient = (device: Page, tab: string) =>
    device.goto(`/portal/v2/open-tax/client-dashboard?${new URLSearchParams({ company_id: companyId, client_id: clientId, tab })}`);

  await test.step('the owner signs up the practice and imports five clients', async () => {
    ({ companyId, email } = await openPractice(page, PRACTICE, [header, ...ownRows, ''].join('\r\n')));
  });

  await test.step('the owner invites two colleagues, and assigns the clients to Bea', async () => {
    await inviteColleague(page, companyId, beaEmail, bea, 'Bea Booker');
    await inviteColleague(page, companyId, casEmail, cas, 'Cas Cooper');
    await page.goto(`/portal/v2/open-tax/clients?company_id=${companyId}`);
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Assign 5 clients' });
    await dialog.getByLabel('Colleague').selectOption({ label: 'Bea Booker' });
    await dialog.getByRole('button', { name: 'Assign 5 clients' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
  });

  await test.step('the owner invites all five clients, and Peter logs in to the client portal on his phone', async () => {
    await page.goto(`/portal/v2/open-tax/clients?company_id=${companyId}`);
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await page.getByRole('button', { name: 'Invite to portal' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite 5 clients to the client portal' });
    await dialog.getByRole('button', { name: 'Invite 5 clients' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'See progress' }).click();
    const row = page.getByRole('table', { name: 'Invited clients' }).getByRole('row', { name: new RegExp(CLIENT) });
    await expect(row).toContainText('Sent');
    await phone.goto(await waitForLink(CLIENT_EMAIL));
    await phone.getByLabel('Full name').fill('Peter Denholm');
    await phone.getByRole('button', { name: 'Create account and join' }).click();
    await expect(phone).toHaveURL(/\/clients-portal\/dashboard\?company_id=/);
    clientId = new URL(phone.url()).searchParams.get('company_id') ?? '';
    // The first read of HMRC's figures may not have finished yet.
    await expect(async () => {
      await phone.reload();
      const vatReturn = phone.getByRole('listitem').filter({ hasText: 'VAT return' }).first();
      await expect(vatReturn).toContainText(`Due on ${formatDate(due)}`, { timeout: 5_000 });
    }).toPass({ timeout: 90_000 });
  });

  await test.step('the owner switches on the tasks of VAT returns', async () => {
    await page.goto(`/portal/v2/open-tax/tasks/templates?company_id=${companyId}`);
    await page.getByRole('button', { name: 'Switch on VAT return' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
    await expect(page.getByRole('button', { name: 'Switch off VAT return' })).toBeVisible();
    await bea.goto(`/portal/v2/open-tax/tasks?company_id=${companyId}`);
    await expect(bea.getByRole('heading', { level: 1, name: 'Tasks' })).toBeVisible();
    await expect(bea.getByText(CLIENT)).toHaveCount(0);
  });

  const tasks = bea.getByRole('table', { name: 'Tasks' });
  await test.step('the quarter ends: its three tasks are in Bea’s list, each with its day', async () => {
    await moveClockTo(addDays(quarter.end, 1));
    await refreshVat(page, companyId);
    await expect(async () => {
      await bea.reload();
      await expect(tasks.getByRole('row').filter({ hasText: CLIENT })).toHaveCount(3, { timeout: 2_000 });
    }).toPass();
    for (const [title, day] of [
      ['Prepare the VAT return', addDays(quarter.end, 14)],
      ['Get the VAT return approved', addDays(due, -10)],
      ['File the VAT return', addDays(due, -5)],
    ] as const) {
      const row = tasks.getByRole('row').filter({ hasText: CLIENT }).filter({ hasText: title });
      await expect(row).toContainText(toDay(day));
      await expect(row).toContainText('Bea Booker');
    }
  });

  await test.step('Bea requests the records', async () => {
    await openClient(bea, 'papers');
    await bea.getByRole('button', { name: 'New request' }).click();
    const dialog = bea.getByRole('dialog', { name: 'New request' });
    await dialog.getByLabel('Title').fill('Your VAT records');
    await dialog.getByLabel('Item 1', { exact: true }).fill('Bank statement of the quarter');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await expect(bea.getByRole('listitem').filter({ hasText: 'Your VAT records' }).getByText('Waiting for client').first()).toBeVisible();
  });

  await test.step('Peter uploads them, and Bea accepts them', async () => {
    await phone.reload();
    await expect(phone.getByText(`${PRACTICE} needs one thing from you`)).toBeVisible();
    await expect(phone.getByText(`By ${formatDate(addDays(quarter.end, 15))}.`)).toBeVisible();
    await phone.getByRole('link', { name: 'See what’s needed' }).click();
    const item = phone.getByRole('region', { name: 'Your VAT records' }).getByRole('listitem').first();
    const statement = { name: 'Statement.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\nStatement') };
    await item.locator('input[type=file]').setInputFiles(statement);
    await expect(item.getByText('Sent', { exact: true })).toBeVisible();
    await bea.reload();
    const request = bea.getByRole('listitem').filter({ hasText: 'Your VAT records' }).first();
    await request.getByRole('button', { name: 'Accept “Bank statement of the quarter”' }).click();
    await expect(request.getByText('Completed')).toBeVisible();
  });

  await test.step('Bea prepares the return and sends it to Peter', async () => {
    await openClient(bea, 'vat');
    await bea
      .getByLabel('Client’s books file')
      .setInputFiles({ name: 'books.csv', mimeType: 'text/csv', buffer: writeClientBooks(quarter) });
    await expect(bea.getByText('Books uploaded')).toBeVisible();
    const preparedRow = bea.getByRole('region', { name: 'VAT returns to prepare' }).getByRole('row', { name: /Figures ready/ });
    await preparedRow.getByRole('link').click();
    await new VatReturnPage(bea).expectBox(5, '£824.90');
    await bea.getByRole('button', { name: 'Send for approval' }).click();
    await bea.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
    await expect(bea.getByText('Sent for approval').first()).toBeVisible();
  });

  await test.step('Peter checks £824.90 and approves it', async () => {
    await phone.getByRole('link', { name: 'Taxes' }).click();
    await phone.getByRole('link', { name: 'Check the figures' }).click();
    await expect(phone.getByText('£824.90').first()).toBeVisible();
    await phone.getByRole('checkbox', { name: /I’ve checked the figures/ }).check();
    await phone.getByRole('button', { name: 'Approve these figures' }).click();
    await expect(phone.getByRole('heading', { name: 'Approved', exact: true })).toBeVisible();
  });

  await test.step('the owner switches on a rule, which reminds the clients whose returns are still open', async () => {
    await page.goto(`/portal/v2/open-tax/messages/reminders?company_id=${companyId}`);
    await page.getByRole('button', { name: 'New rule' }).click();
    const editor = page.getByRole('dialog', { name: 'New reminder rule' });
    await editor.getByLabel('Name').fill('VAT returns');
    await editor.getByLabel('Days before', { exact: true }).fill('60');
    await editor.getByRole('button', { name: 'Save rule' }).click();
    await page.getByRole('button', { name: 'Preview and switch on VAT returns' }).click();
    const dialog = page.getByRole('dialog', { name: 'Switch on VAT returns?' });
    await expect(dialog.getByRole('status')).toContainText(/, [1-9]\d* of them today/);
    const sample = (await dialog.getByText(/^What .+ will receive: /).innerText()).replace(/^What .+ will receive: /, '');
    const [reminded = ''] = sample.split(':');
    // Peter’s own reminders are on, so the rule leaves him to them.
    expect(reminded).not.toBe(CLIENT);
    await dialog.getByRole('button', { name: 'Switch on' }).click();
    await expect(dialog).toBeHidden();
    await page.goto(`/portal/v2/open-tax/clients?company_id=${companyId}`);
    await page.getByRole('link', { name: reminded }).click();
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await expect(async () => {
      await page.reload();
      await expect(timeline).toContainText(`Email sent: ${sample}`, { timeout: 5_000 });
    }).toPass({ timeout: 60_000 });
  });

  await test.step('the owner files it, and HMRC has it once', async () => {
    await page.goto(`/portal/v2/open-tax/vat-returns?company_id=${companyId}&stage=approved`);
    await expect(page.getByRole('row', { name: new RegExp(CLIENT) })).toContainText('£824.90');
    await page.getByRole('link', { name: CLIENT }).click();
    const vatReturn = new VatReturnPage(page);
    await vatReturn.declareAndFile();
    await expect(vatReturn.receipt).toContainText(/HMRC form bundle number\s*\d{12}/);
    expect(await listReturns(vrn)).toMatchObject([{ times_accepted: 1 }]);
  });

  await test.step('HMRC shows the return as filed within days, and its tasks are done', async () => {
    // HMRC takes until the next day, or until Tuesday after a weekend.
    await moveClockTo(addDays(quarter.end, 4));
    await refreshVat(page, companyId);
    await bea.goto(`/portal/v2/open-tax/tasks?company_id=${companyId}&status=done`);
    await expect(async () => {
      await bea.reload();
      await expect(tasks.getByRole('row').filter({ hasText: CLIENT })).toHaveCount(3, { timeout: 2_000 });
    }).toPass();
    await tasks.getByRole('button', { name: /^File the VAT return/ }).click();
    await expect(bea.getByRole('dialog').getByText(/Done because HMRC has the return/)).toBeVisible();
    await bea.keyboard.press('Escape');
  });

  await test.step('Bea writes to Peter, who sees what to pay, by when and how', async () => {
    await openClient(bea, 'papers');
    const conversation = bea.getByRole('region', { name: 'Messages with the client' });
    await conversation.getByLabel('New message').fill('Your VAT return is filed. Please pay £824.90 in time.');
    await conversation.getByRole('button', { name: 'Send message' }).click();
    await expect(conversation.getByRole('listitem')).toContainText('Please pay £824.90');
    await phone.goto(`/portal/v2/open-tax/clients-portal/dashboard?company_id=${clientId}`);
    const payment = phone.getByRole('listitem').filter({ hasText: 'VAT payment' }).first();
    await expect(payment).toContainText('£824.90');
    await expect(payment).toContainText(`Due on ${formatDate(due)}`);
    await payment.getByText('How to pay').click();
    await expect(payment).toContainText(vrn);
    await expect(phone.getByRole('region', { name: 'VAT returns' })).toContainText(`filed on ${formatDate(addDays(quarter.end, 1))}`);
    await phone.getByRole('link', { name: 'Messages' }).click();
    await expect(phone.getByRole('list', { name: 'Messages, oldest first' })).toContainText('Please pay £824.90');
  });

  await test.step('Bea leaves, and Cas takes over her clients and tasks', async () => {
    await page.goto(`/portal/v2/open-tax/settings/team?company_id=${companyId}`);
    await page.getByRole('button', { name: 'Manage Bea Booker' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deactivate Bea Booker' });
    await dialog.getByLabel('Who takes over?').selectOption({ label: 'Cas Cooper' });
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await expect(page.getByText('5 clients reassigned.')).toBeVisible();
    // Her open page may be leaving for the login page by itself at this moment, which would interrupt a navigation of ours.
    const nextPage = await bea.context().newPage();
    await nextPage.goto(`/portal/v2/open-tax/clients?company_id=${companyId}`);
    await expect(nextPage).toHaveURL(/\/login/);
    await cas.goto(`/portal/v2/open-tax/clients?company_id=${companyId}`);
    await expect(cas.getByRole('link', { name: CLIENT })).toBeVisible();
  });

  await test.step('the client’s timeline shows everything, in order', async () => {
    await openClient(cas, 'overview');
    await cas.getByRole('button', { name: /^Show all/ }).click();
    const entries = await cas.getByRole('list', { name: 'Timeline' }).getByRole('listitem').allInnerTexts();
    const titles = entries.map((entry) => entry.split('\n')[0] ?? '');
    expect(titles.filter((title) => STORY.includes(title)).toReversed()).toEqual(STORY);
  });

  await test.step('the owner’s morning digest says what has changed or is due', async () => {
    const toText = async () => (await listEmails(email)).find(({ subject }) => subject.startsWith(`${PRACTICE}: your day, `))?.text ?? '';
    // Digests are sent within a minute of real time: on the first morning if the run is slow, otherwise on a later one.
    await expect.poll(toText, { timeout: 90_000 }).toMatch(/figures have changed since yesterday|due in the next 7 days/);
  });
});

/** Writes books with £1,234.56 of VAT on a sale and £409.66 on a purchase. */
function writeClientBooks({ start, end }: Period): Buffer {
  return Buffer.from(
    [
      'date,kind,reference,counterparty,description,net,vat,treatment',
      `${start},sale,INV-1,Oslo AS,Oak boards,6172.80,1234.56,standard`,
      `${end},purchase,B-1,Sawmill Ltd,Logs,2048.30,409.66,standard`,
    ].join('\n'),
  );
}
