/** Users become operators, confirm a second factor before sensitive actions, and view the portal as a user. */
import { randomUUID } from 'node:crypto';
import { generateCode } from '../../apps/sandbox/src/seed/authenticator-code.ts';
import { expect, test } from './journey.ts';
import { logInByApi, useAuthenticatorCode } from './pages/log-in-page.ts';
import { OperatorPages, operators, sandboxPassword } from './pages/operator-pages.ts';
import { waitForLink } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';
import { createAcceptedTrader } from './trader.ts';

test('an administrator confirms their identity and invites an operator, another approves, and the operator sets up an authenticator app and logs in', async ({
  page,
  openDevice,
}) => {
  const email = `nia-${randomUUID().slice(0, 8)}@operators.example`;
  await test.step('the server asks for the factor again, and the request is made after the code', async () => {
    await logInByApi(page, operators.olga, sandboxPassword);
    await page.goto('/portal/admin/people');
    await expect(page.getByRole('row', { name: /Olga Marsh/ })).toBeVisible();
    await expectPageQuality(page);
    await page.getByRole('button', { name: 'Invite operator' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite operator' });
    await dialog.getByLabel('Full name').fill('Nia New');
    await dialog.getByLabel('Work email').fill(email);
    await dialog.getByRole('checkbox', { name: /^Underwriter/ }).check();
    await dialog.getByLabel('Reason').fill('Joins the desk in December');
    await expectPageQuality(page);
    // The session is less than ten minutes old, so the first response imitates the server's response after ten minutes.
    const problem = { type: 'about:blank', title: 'x', status: 403, message: 'Confirm', code: 'identity.factor_needed', request_id: 'r' };
    await page.route('**/operator/people/invite', (route) => route.fulfill({ status: 403, json: problem }), { times: 1 });
    await dialog.getByRole('button', { name: 'Request approval' }).click();
    const factor = page.getByRole('dialog', { name: 'Confirm that it’s you' });
    await expect(factor).toBeVisible();
    await expectPageQuality(page);
    await useAuthenticatorCode(operators.olga, async (code) => {
      await factor.getByLabel('Code from your app, or a recovery code').fill(code);
      const confirmResponse = page.waitForResponse((response) => response.url().endsWith('/auth/confirm-factor'));
      await factor.getByRole('button', { name: 'Confirm' }).click();
      return (await confirmResponse).ok();
    });
    await expect(factor).toBeHidden();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('list', { name: 'Requests awaiting a second person' })).toContainText(email);
    await expect(page.getByRole('row', { name: /Nia New/ })).toHaveCount(0);
  });
  await test.step('another administrator approves, and only then the invitation is sent', async () => {
    const omar = await openDevice();
    await logInByApi(omar, operators.omar, sandboxPassword);
    await omar.goto('/portal/admin/people');
    const request = omar.getByRole('listitem').filter({ hasText: email });
    await expect(request).toContainText('Joins the desk in December');
    await expectPageQuality(omar);
    await request.getByRole('button', { name: /^Approve/ }).click();
    await omar.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await expect(omar.getByRole('row', { name: /Nia New/ })).toContainText('Invited');
  });
  const newOperatorPage = await openDevice();
  await test.step('the link opens only the page where a second factor is set up', async () => {
    await newOperatorPage.goto(await waitForLink(email));
    await newOperatorPage.getByRole('button', { name: 'Set up access' }).click();
    await expect(newOperatorPage.getByRole('heading', { level: 1, name: 'Your second factor' })).toBeVisible();
    await expectPageQuality(newOperatorPage);
    await newOperatorPage.goto('/portal/admin');
    await expect(newOperatorPage.getByRole('heading', { level: 1, name: 'Your second factor' })).toBeVisible();
  });
  await test.step('the authenticator app’s code opens the operators’ pages', async () => {
    const card = newOperatorPage.getByRole('region', { name: 'Authenticator app' });
    await card.getByRole('button', { name: 'Set up app' }).click();
    const secret = (await card.locator('code').innerText()).replaceAll(/\s/g, '');
    await card.getByLabel('6-digit code').fill(generateCode(secret));
    await card.getByRole('button', { name: 'Turn on' }).click();
    await card.getByRole('button', { name: 'I’ve saved them' }).click();
    await newOperatorPage.getByRole('button', { name: 'Continue' }).click();
    await expect(newOperatorPage.getByRole('heading', { level: 1, name: 'Work queue' })).toBeVisible();
  });
  await test.step('the administrator ends their access, at once', async () => {
    await page.reload();
    const change = page.getByRole('button', { name: 'Change access for Nia New' });
    await test.step('on a phone, without scrolling a table to the button', async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      await expect(page.getByRole('list', { name: 'Operators' })).toBeVisible();
      await expect.poll(async () => (await change.boundingBox())?.x).toBeLessThan(200);
      await page.setViewportSize({ width: 1440, height: 900 });
    });
    await change.click();
    const access = page.getByRole('dialog', { name: 'Access for Nia New' });
    await expectPageQuality(page);
    await access.getByRole('button', { name: 'Disable' }).click();
    await expect(page.getByRole('row', { name: /Nia New/ })).toContainText('Disabled');
    await newOperatorPage.goto('/portal/admin/ledger');
    await expect(newOperatorPage).toHaveURL(/\/login/);
  });
});

// The advance's page refreshes every few seconds, and may do so after the view is closed and before the next page opens.
test.use({ expectedBrowserErrors: [/404 \(Not Found\)/] });

test('an operator views the portal as a trader, changes nothing, and stops', async ({ page, openDevice }) => {
  const trader = await createAcceptedTrader(page, 12_000);
  const olga = new OperatorPages(await openDevice());
  await olga.logIn(operators.olga);
  await olga.openAdvance(trader.organisation.name);
  await olga.page.getByRole('button', { name: 'View as Jo Journey' }).click();
  const dialog = olga.page.getByRole('dialog', { name: 'View as Jo Journey?' });
  await dialog.getByLabel('Reason').fill('They can’t find their collection account');
  await expectPageQuality(olga.page);
  await dialog.getByRole('button', { name: 'View for 30 minutes' }).click();
  const banner = olga.page.getByRole('complementary', { name: 'Viewing as a user' });
  await expect(banner).toContainText(trader.email);
  await expectPageQuality(olga.page);
  await olga.page.goto(`/portal/v2/instant-vat/dashboard/advance?company_id=${trader.companyId}`);
  await olga.page.getByRole('button', { name: 'Withdraw from the agreement' }).click();
  await olga.page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(olga.page.getByText(/so you can’t change anything/)).toBeVisible();
  await test.step('a page that is still open after the 30 minutes leaves the user’s data', async () => {
    await olga.page.clock.install();
    await olga.page.goto(`/portal/v2/instant-vat/dashboard?company_id=${trader.companyId}`);
    await expect(banner).toBeVisible();
    await olga.page.clock.fastForward('31:00');
    // The server's clock hasn't moved, so the view is still on.
    await expect(olga.page).toHaveURL(/\/portal\/admin$/);
  });
  await olga.page.goto(`/portal/v2/instant-vat/dashboard?company_id=${trader.companyId}`);
  await banner.getByRole('button', { name: 'Stop viewing' }).click();
  await expect(olga.page.getByRole('heading', { level: 1, name: 'Work queue' })).toBeVisible();
  await expect(banner).toBeHidden();
});
