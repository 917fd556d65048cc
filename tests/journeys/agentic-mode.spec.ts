/** The assistant: an admin turns it on after a dry run, uses the drafts, has one reworded, reverts an action and turns it off. */
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { waitForLink } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';
import { createEmailAddress } from './trader.ts';

const CLIENT_NAMES = ['Ash', 'Birch', 'Cedar', 'Damson', 'Elder', 'Fir', 'Gorse', 'Hazel', 'Ivy', 'Juniper'].map(
  (name) => `${name} Trading`,
);
const MISSING = 'No HMRC reference for VAT';

async function post(page: Page, path: string, data: object): Promise<Record<string, unknown>> {
  const response = await page.request.post(`/portal${path}`, { data });
  expect(response.status(), await response.text()).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

/** Opens a separate practice, because turning the assistant on affects all its members. */
async function openPractice(page: Page): Promise<string> {
  const email = createEmailAddress();
  await page.goto('/portal/v2/open-tax/signup');
  await page.getByLabel('Work email').fill(email);
  await page.getByLabel('Full name').fill('Ada Admin');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/check-mail/);
  await page.goto(await waitForLink(email));
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your practice' })).toBeVisible();
  const companyId = (await post(page, '/open-tax/practice', { name: 'Assisted Accountants' }))['company_id'] as string;
  for (const name of CLIENT_NAMES) {
    await post(page, '/open-tax/client-companies', { company_id: companyId, name, kind: 'company', taxes: ['vat'] });
  }
  return companyId;
}

test('an admin switches the assistant on, works through ten drafts, reverts an action and stops everything', async ({ page }) => {
  test.setTimeout(150_000);
  const companyId = await openPractice(page);
  const getColumn = (name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });
  const getCard = (list: string, client: string) =>
    getColumn(list).getByRole('listitem').filter({ hasText: client }).filter({ hasText: MISSING }).first();

  await test.step('the dry run shows what it would have done, then it is switched on', async () => {
    await page.goto(`/portal/v2/open-tax/agentic-mode?company_id=${companyId}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Assistant' })).toBeVisible();
    await expect(page.getByText('The rules don’t run.')).toBeVisible();
    await page.getByRole('button', { name: 'Switch on' }).click();
    const dialog = page.getByRole('dialog', { name: 'Assistant mode' });
    await expect(dialog.getByText('HMRC reference missing: 10')).toBeVisible();
    await dialog.getByRole('radio', { name: /^Suggest/ }).check();
    await dialog.getByRole('button', { name: 'Switch on' }).click();
    await expect(dialog).toBeHidden();
    const countDrafts = async (): Promise<number> => {
      const params = { company_id: companyId, column: 'drafts' };
      return ((await (await page.request.get('/portal/open-tax/agent-proposals', { params })).json()) as { total: number }).total;
    };
    await expect.poll(countDrafts).toBeGreaterThanOrEqual(CLIENT_NAMES.length);
    await page.reload();
    await expect(getCard('Drafts', 'Ash Trading')).toBeVisible();
    await expectPageQuality(page);
  });

  await test.step('an admin agrees, and a draft is reworded by a language model and compared', async () => {
    const reword = page.getByRole('button', { name: `Reword “${MISSING}” for Birch Trading` });
    await expect(reword).toBeHidden();
    await page.getByRole('link', { name: 'Language model' }).click();
    await expect(page.getByText('Nothing has been sent.')).toBeVisible();
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Agree and switch on' }).click();
    await expect(page.getByText('Agreed by Ada Admin')).toBeVisible();
    await page.getByRole('link', { name: 'Proposals' }).click();
    await reword.click();
    const dialog = page.getByRole('dialog', { name: `Reword: ${MISSING}` });
    await expect(dialog.getByRole('region', { name: 'Reworded' })).toBeVisible();
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Use rewording' }).click();
    await expect(dialog).toBeHidden();
    await expect(getCard('Drafts', 'Birch Trading')).toContainText('Reworded by a model');
    await page.getByRole('link', { name: 'Language model' }).click();
    await expect(
      page.getByRole('list', { name: 'What has been sent to the model' }).getByRole('listitem').filter({ hasText: 'Birch Trading' }),
    ).toContainText('Used');
    await page.getByRole('link', { name: 'Proposals' }).click();
  });

  await test.step('drafts are approved, edited and rejected one by one, and the rest together', async () => {
    await expect(getCard('Drafts', 'Ash Trading')).toContainText('Rule “HMRC reference missing”, version 1');
    await page.getByRole('button', { name: `Approve “${MISSING}” for Ash Trading` }).click();
    await expect(getCard('Done', 'Ash Trading')).toContainText('Approved by Ada Admin');
    await page.getByRole('button', { name: `Edit “${MISSING}” for Birch Trading` }).click();
    const edit = page.getByRole('dialog', { name: `Edit: ${MISSING}` });
    await edit.getByLabel('Title').fill('Ask Birch for its VAT number');
    await edit.getByRole('button', { name: 'Save text' }).click();
    await expect(getCard('Drafts', 'Birch Trading')).toContainText('Ask Birch for its VAT number');
    await page.getByRole('button', { name: `Reject “${MISSING}” for Cedar Trading` }).click();
    const reject = page.getByRole('dialog', { name: `Reject “${MISSING}”` });
    await reject.getByRole('radio', { name: /^Never for this client/ }).check();
    await reject.getByLabel('Reason').fill('They deregister this month');
    await reject.getByRole('button', { name: 'Reject' }).click();
    await expect(getCard('Done', 'Cedar Trading')).toContainText('They deregister this month');
    for (const client of CLIENT_NAMES.filter((name) => !/Ash|Cedar/.test(name))) {
      await page.getByRole('checkbox', { name: `Select “${MISSING}” for ${client}` }).check();
    }
    await page.getByRole('button', { name: 'Approve selected' }).click();
    await expect(getColumn('Drafts').getByRole('status')).toHaveText('8 done');
    await expect(getCard('Done', 'Juniper Trading')).toBeVisible();
  });

  await test.step('one action is reverted, and its task is gone', async () => {
    await page.getByRole('button', { name: `Revert “${MISSING}” for Ash Trading` }).click();
    await expect(getCard('Done', 'Ash Trading')).toContainText('Reverted by Ada Admin');
    await page.goto(`/portal/v2/open-tax/tasks?company_id=${companyId}&owner=all`);
    await expect(page.getByRole('button', { name: 'Ask Birch for its VAT number' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add the HMRC reference for VAT' })).toHaveCount(7);
  });

  await test.step('the rules are published with their versions, and everything is stopped', async () => {
    await page.goto(`/portal/v2/open-tax/agentic-mode?company_id=${companyId}&view=rules`);
    await expect(page.getByText('Cedar Trading: HMRC reference missing, by Ada Admin')).toBeVisible();
    await expect(page.getByText(/^return-reminder, version 2\./)).toBeVisible();
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Pause assistant' }).click();
    await expect(page.getByText('Paused by Ada Admin.')).toBeVisible();
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect(page.getByRole('button', { name: 'Pause assistant' })).toBeVisible();
  });
});
