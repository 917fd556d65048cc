/**
 * A user connects their assistant, works with what it prepares, and removes it. The assistant is the SDK's own client, like an app on the
 * user's computer.
 */
import { UnauthorizedError } from '@modelcontextprotocol/client';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { connectApp } from '../../apps/server/src/testing/test-app.ts';
import { expect, test } from './journey.ts';
import { expectPageQuality } from './page-quality.ts';
import { expectLoginPage } from './pages/log-in-page.ts';
import { createEmailAddress, password, signUp } from './trader.ts';

async function post(page: Page, path: string, data: object): Promise<Record<string, unknown>> {
  const response = await page.request.post(`/portal${path}`, { data });
  expect(response.status(), await response.text()).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

async function openPractice(page: Page): Promise<{ email: string; companyId: string }> {
  const email = createEmailAddress();
  await signUp(page, email);
  const companyId = (await post(page, '/open-tax/practice', { name: 'Connected Accountants' }))['company_id'] as string;
  for (const name of ['Ash Trading', 'Birch Trading'])
    await post(page, '/open-tax/client-companies', { company_id: companyId, name, kind: 'individual', taxes: ['sa'] });
  await post(page, '/open-tax/agent-mode', { company_id: companyId, mode: 'suggest', drafts_per_day: 100, acts_per_day: 50 });
  return { email, companyId };
}

/** Listens for the browser's return, as the app would. */
async function listenForReturn(): Promise<{ redirectUri: string; wait: Promise<URL>; close: () => void }> {
  const { promise, resolve } = Promise.withResolvers<URL>();
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Connected</title><h1>You can close this window</h1>');
    if (request.url?.startsWith('/callback')) resolve(new URL(request.url, 'http://localhost'));
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  return { redirectUri, wait: promise, close: () => void server.close() };
}

test('a user connects their assistant, approves what it drafted, and removes it', async ({ page, portal }) => {
  test.setTimeout(150_000);
  const { email, companyId } = await openPractice(page);
  await page.context().clearCookies({ name: 'portal_session' });
  const listener = await listenForReturn();

  const connectedApp = await test.step('the app sends the browser to the consent page, after a login', () =>
    connectApp(
      `${portal.url}/portal/mcp`,
      async (requestedScopes) => {
        await page.goto(requestedScopes.href);
        await expectLoginPage(page);
        await page.getByLabel('Email').fill(email);
        await page.getByLabel('Password').fill(password);
        await page.getByRole('button', { name: 'Log in', exact: true }).click();
        await expect(page.getByRole('heading', { level: 1, name: 'Connect Desk assistant?' })).toBeVisible();
        await expect(page.getByLabel('Practice')).toHaveText(/Connected Accountants/);
        await expectPageQuality(page);
        await page.getByRole('checkbox', { name: 'Prepare links to download the client list' }).uncheck();
        await page.getByRole('button', { name: 'Allow', exact: true }).click();
        return await listener.wait;
      },
      { name: 'Desk assistant', redirectUri: listener.redirectUri },
    ));

  await test.step('it searches clients and reads what is due', async () => {
    expect((await connectedApp.call('search_clients', { q: 'ash' })).data['clients']).toMatchObject([{ name: 'Ash Trading' }]);
    const listDueItems = () => connectedApp.call('list_due', { to: '2027-12-31' });
    const item = expect.objectContaining({ client_name: 'Birch Trading', tax: 'sa', source: 'rule' });
    await expect.poll(async () => (await listDueItems()).data['items']).toContainEqual(item);
    expect((await listDueItems()).content).toMatchObject({ figure_sources: ['rule'], as_of: expect.any(String) });
  });

  await test.step('the user opens its link and approves the draft', async () => {
    const [ash] = (await connectedApp.call('search_clients', { q: 'ash' })).data['clients'] as [{ client_id: string }];
    const action = {
      kind: 'task',
      title: 'Ask Ash for its bank statements',
      notes: '',
      service: 'self_assessment',
      due_on: null,
      owner_id: null,
    };
    const proposeResult = await connectedApp.call('propose', {
      client_id: ash.client_id,
      title: 'Bank statements are missing',
      act: action,
    });
    expect(proposeResult.error).toBeUndefined();
    await page.goto(String(proposeResult.data['link']));
    await page.getByRole('button', { name: 'Approve “Bank statements are missing” for Ash Trading' }).click();
    await expect(page.getByRole('region', { name: /^Done/ }).getByRole('heading', { name: 'Bank statements are missing' })).toBeVisible();
    const doneResult = await connectedApp.call('list_proposals', { column: 'done' });
    expect(doneResult.data['proposals']).toMatchObject([
      { title: 'Bank statements are missing', state: 'done', decided_by: expect.any(String) },
    ]);
  });

  await test.step('the user removes it, and its next call is rejected', async () => {
    await page.goto(`/portal/v2/open-tax/settings/developers?company_id=${companyId}`);
    const row = page.getByRole('list', { name: 'Connected apps' }).getByRole('listitem').filter({ hasText: 'Desk assistant' });
    await expect(row).toContainText('Acts for you');
    await expect(row).toContainText('Last used');
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove app' }).click();
    await expect(row).toContainText('Removed');
    await expectPageQuality(page);
    await expect(connectedApp.call('search_clients')).rejects.toThrow(UnauthorizedError);
  });
  await connectedApp.close();
  listener.close();
});
