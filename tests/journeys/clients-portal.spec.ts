/** A client signs up: is invited by the practice, accepts on a phone, sees what is due and how to pay it, and chooses its emails. */
import { randomUUID } from 'node:crypto';
import { HARLOW, OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { logInAndOpen, logInByApi } from './pages/log-in-page.ts';
import { sandboxPassword } from './pages/operator-pages.ts';
import { waitForLink } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';

const PHONE_SIZE = { width: 360, height: 740 };

/** Opens the People section of Harlow Joinery as a colleague. */
async function openPeople(page: Page): Promise<void> {
  const companies = (await (await page.request.get('/portal/user-companies')).json()) as { company_id: string }[];
  const company_id = companies[0]?.company_id ?? '';
  const foundResponse = await page.request.get('/portal/client/companies', { params: { company_id, q: HARLOW.name } });
  const { companies: clients } = (await foundResponse.json()) as { companies: { client_id: string }[] };
  const query = new URLSearchParams({ company_id, client_id: clients[0]?.client_id ?? '', tab: 'people' });
  await page.goto(`/portal/v2/open-tax/client-dashboard?${query}`);
  await expect(page.getByRole('region', { name: 'Client portal' })).toBeVisible();
}

test('a practice invites a client’s second director, who accepts on a phone, copies a reference and chooses emails', async ({
  page,
  openDevice,
}) => {
  test.setTimeout(240_000);
  const email = `dora-${randomUUID().slice(0, 8)}@harlow.example`;
  await logInAndOpen(page, OAKLINE.emailAddress, sandboxPassword, '/v2/open-tax/dashboard');
  const card = page.getByRole('region', { name: 'Client portal' });
  await test.step('the practice sends the invitation', async () => {
    await openPeople(page);
    await expect(card.getByRole('row', { name: /Carl Harlow/ })).toBeVisible();
    await card.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite to the client portal' });
    await dialog.getByLabel('Email').fill(email);
    await expectPageQuality(page);
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await expect(card.getByRole('row', { name: new RegExp(email) })).toContainText('Sent');
    await expectPageQuality(page);
  });
  const dora = await openDevice();
  await dora.setViewportSize(PHONE_SIZE);
  await test.step('the client opens the link, twice, and creates an account', async () => {
    const link = await waitForLink(email);
    await (await openDevice()).goto(link);
    await dora.goto(link);
    await expect(dora.getByRole('heading', { level: 1, name: 'Harlow Joinery Ltd’s taxes, in one place' })).toBeVisible();
    await expect(dora.getByText(email)).toBeVisible();
    await expectPageQuality(dora);
    await dora.getByLabel('Full name').fill('Dora Harlow');
    await dora.getByRole('button', { name: 'Create account and join' }).click();
    await expect(dora).toHaveURL(/\/clients-portal\/dashboard\?company_id=/);
  });
  await test.step('what is due is listed first, and the payment’s details are copied with a tap', async () => {
    await dora.setViewportSize(PHONE_SIZE);
    await expect(dora.getByRole('heading', { level: 1, name: HARLOW.name })).toBeVisible();
    const details = dora.getByRole('group').filter({ hasText: 'How to pay the PAYE payment' }).first();
    await details.getByText('How to pay').click();
    await expect(details).toContainText('08-32-10');
    await dora.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await details.getByRole('button', { name: 'Copy the payment reference' }).click();
    await expect(details.getByRole('button', { name: 'Copied the payment reference' })).toBeVisible();
    expect(await dora.evaluate(() => navigator.clipboard.readText())).toMatch(/^\d{3}P[A-Z]\d{7}[\dX](\d{4})?$/);
    await expectPageQuality(dora);
  });
  await test.step('the menu leads to the notification preferences', async () => {
    await dora.setViewportSize(PHONE_SIZE);
    await dora.getByRole('button', { name: 'DH: your menu' }).click();
    await dora.getByRole('menuitem', { name: 'Notification Preferences' }).click();
    await expect(dora).toHaveURL(/settings\?.*tab=1/);
    await expect(dora.getByRole('radio', { name: '7 days before' })).toBeChecked();
    await dora.getByRole('radio', { name: '14 days before' }).check();
    await dora.getByRole('button', { name: 'Save preferences' }).click();
    await expect(dora.getByText('Preferences saved')).toBeVisible();
    await dora.reload();
    await expect(dora.getByRole('radio', { name: '14 days before' })).toBeChecked();
    await expectPageQuality(dora);
  });
  await test.step('the profile shows who else sees the taxes', async () => {
    await dora.getByRole('button', { name: 'DH: your menu' }).click();
    await dora.getByRole('menuitem', { name: 'Profile' }).click();
    await expect(dora.getByRole('region', { name: 'People who can see Harlow Joinery Ltd’s taxes' })).toContainText('Carl Harlow');
    await expectPageQuality(dora);
  });
  await test.step('the client logs out, and the practice ends the access', async () => {
    await dora.getByRole('button', { name: 'DH: your menu' }).click();
    await dora.getByRole('menuitem', { name: 'Log Out' }).click();
    await expect(dora.getByRole('heading', { name: 'Log in', exact: true })).toBeVisible();
    await openPeople(page);
    await card.getByRole('button', { name: 'End access of Dora Harlow' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
    await expect(card.getByRole('row', { name: /Dora Harlow/ })).toHaveCount(0);
  });
});

test('an invitation whose address is rejected is sent to a corrected one, and its earlier link says what to do', async ({
  page,
  openDevice,
}) => {
  const [mistypedEmail, email] = ['no-such-mailbox', 'right'].map((name) => `${name}-${randomUUID().slice(0, 8)}@harlow.example`) as [
    string,
    string,
  ];
  await logInByApi(page, OAKLINE.emailAddress, sandboxPassword);
  await openPeople(page);
  const card = page.getByRole('region', { name: 'Client portal' });
  await card.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('dialog').getByLabel('Email').fill(mistypedEmail);
  await page.getByRole('dialog').getByRole('button', { name: 'Send invitation' }).click();
  await expect(async () => {
    await page.reload();
    await expect(card.getByRole('row', { name: new RegExp(mistypedEmail) })).toContainText('Bounced', { timeout: 2_000 });
  }).toPass();
  await card.getByRole('button', { name: `Manage the invitation of ${mistypedEmail}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Invitation' });
  await dialog.getByLabel('Email').fill(email);
  await expectPageQuality(page);
  await dialog.getByRole('button', { name: 'Send to this address' }).click();
  await expect(card.getByRole('row', { name: new RegExp(email) })).toBeVisible();
  const device = await openDevice();
  const earlierLink = await waitForLink(email);
  await card.getByRole('button', { name: `Manage the invitation of ${email}` }).click();
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => waitForLink(email)).not.toBe(earlierLink);
  await device.goto(earlierLink);
  await expect(device.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible();
  await expectPageQuality(device);
  await device.goto(await waitForLink(email));
  await device.getByRole('button', { name: 'Don’t remind me' }).click();
  await expect(device.getByText('We won’t send any more reminders.')).toBeVisible();
  const visitor = await openDevice();
  await visitor.goto('/portal/v2/open-tax/client-signup');
  await expect(visitor.getByRole('heading', { name: 'Sign up as a client' })).toBeVisible();
  await expectPageQuality(visitor);
});
