/**
 * The partners' landing pages and the sign-up dialog that they open (docs/product/specification.md sections 2.1, 2.4 and 4;
 * docs/product/decisions.md sections 8 and 11).
 */
import type { Locator } from '@playwright/test';
import { expect, test } from './journey.ts';
import { ProviderPages } from './pages/provider-pages.ts';
import { SignUpDialog } from './pages/sign-up-dialog.ts';
import { createBooks, createOrganisation, waitForLink } from './sandbox.ts';
import { expectPageQuality } from './page-quality.ts';
import { createEmailAddress } from './trader.ts';

const getTop = async (part: Locator): Promise<number> => (await part.boundingBox())?.y ?? Number.NaN;

const landingPages = [
  ['/v2/quickbooks', 'quickbooks', 'QuickBooks', '1%', 'QuickBooks Xero Google Microsoft'],
  ['/v2/gofile', 'gofile', 'GoFile', '1%', 'Xero QuickBooks Google Microsoft'],
  ['/v2/swoop', 'swoop', 'Swoop', '2%', 'Xero QuickBooks Google Microsoft'],
  ['/v2/azets', 'azets', 'Azets', '1%', 'Xero QuickBooks Google Microsoft'],
  ['/v2/kashflow', 'kashflow', 'KashFlow', '1%', 'Xero QuickBooks Google Microsoft'],
  ['/freeagent', 'freeagent', 'FreeAgent', '1%', 'Xero QuickBooks Google Microsoft'],
  ['/xero', 'xero', 'Xero', '1%', 'Xero QuickBooks Google Microsoft'],
  ['/mtdsorted', 'mtdsorted', 'MTDsorted', '1%', 'Xero QuickBooks Google Microsoft'],
] as const;

for (const [path, partner, name, rate, order] of landingPages) {
  test(`${path} shows the texts and fee of ${name}, and its order of sign-up methods`, async ({ page, context }) => {
    const dialog = new SignUpDialog(page);
    await page.goto(`/portal${path}`);
    await expect(page.getByRole('banner')).toContainText(name);
    await expect(page.getByRole('heading', { name: new RegExp(`^What ${name}`) })).toBeVisible();
    await expectPageQuality(page);

    const cookie = (await context.cookies()).find((stored) => stored.name === 'partner_id');
    // Without consent, the cookie ends with the session.
    expect(cookie).toMatchObject({ value: partner, path: '/', sameSite: 'Lax', expires: -1 });

    await page.getByRole('link', { name: 'Sign up', exact: true }).click();
    await expect(dialog.box).toBeVisible();
    await expect(dialog.box).toContainText(`${rate} of your VAT refund, minimum £5`);
    const buttons = await dialog.box.getByRole('link', { name: /^Sign up with/ }).allInnerTexts();
    expect(buttons.map((text) => /Sign up with (\w+)$/.exec(text.trim())?.[1]).join(' ')).toBe(order);
    const firstButton = dialog.box.getByRole('link', { name: /^Sign up with/ }).first();
    await expect.poll(async () => (await getTop(dialog.email)) - (await getTop(firstButton))).toBeGreaterThan(0);
    await expect(dialog.box.getByRole('link', { name: 'Sign up with Google' })).toHaveAttribute(
      'href',
      new RegExp(`partner_signup=${partner}$`),
    );
  });
}

test('without a partner the dialog shows the email first, "Or", then the providers, with the specified texts', async ({
  page,
  context,
}) => {
  const dialog = new SignUpDialog(page);
  await dialog.open();
  await expect(dialog.box).toContainText('Always at least 3 working days faster');
  await expect(dialog.box).toContainText('1% of your VAT refund, minimum £5');
  await expect(dialog.box).toContainText(/Activate it in .* steps/);
  await expect(dialog.box.getByText('Or', { exact: true })).toBeVisible();
  const orText = dialog.box.getByText('Or', { exact: true });
  const xero = dialog.box.getByRole('link', { name: 'Sign up with Xero' });
  await expect.poll(async () => (await getTop(orText)) - (await getTop(dialog.email))).toBeGreaterThan(0);
  await expect.poll(async () => (await getTop(xero)) - (await getTop(orText))).toBeGreaterThan(0);
  await expect(dialog.box.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/portal/v2/auth/login');
  expect((await context.cookies()).find(({ name }) => name === 'partner_id')?.value).toBe('organic');
});

test('the dialog opens in 300 ms and closes in 200 ms', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/portal/v2/swoop');
  const dialog = new SignUpDialog(page);
  const readDuration = () => dialog.box.locator('..').evaluate((backdrop) => getComputedStyle(backdrop).animationDuration);
  await page.getByRole('link', { name: 'Sign up', exact: true }).click();
  await expect.poll(readDuration).toBe('0.3s');
  const closingDuration = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const backdrop = document.querySelector('[data-sign-up-dialog]') ?? document.body;
        // Watches only the backdrop's own class, because pressed elements inside it also change theirs.
        new MutationObserver(() => resolve(getComputedStyle(backdrop).animationDuration)).observe(backdrop, {
          attributes: true,
          attributeFilter: ['class'],
        });
      }),
  );
  await dialog.box.getByRole('button', { name: 'See how InstantVAT works in a demo account' }).click();
  expect(await closingDuration).toBe('0.2s');
  await expect(dialog.box).toBeHidden();
});

test('an existing cookie wins over the URL, and both touches are stored', async ({ page, context, baseURL }) => {
  await context.addCookies([{ name: 'partner_id', value: 'azets', url: baseURL ?? '' }]);
  const dialog = new SignUpDialog(page);
  await dialog.open('?partner=Swoop');
  await expect(dialog.box).toContainText('1% of your VAT refund');
  const cookies = Object.fromEntries((await context.cookies()).map(({ name, value }) => [name, value]));
  expect(cookies['partner_id']).toBe('azets');
  expect(cookies['partner_touches']).toMatch(/^azets@\d+~swoop@\d+$/);
  const readStoredPartner = () => page.evaluate(() => [sessionStorage.getItem('partner'), localStorage.getItem('partner')]);
  await expect.poll(readStoredPartner).toEqual(['{"name":"swoop"}', null]);
});

test('with consent the partner is stored for 30 days', async ({ page, context, baseURL }) => {
  await context.addCookies([{ name: 'cookie_choices', value: '1.a0m1c0', url: baseURL ?? '' }]);
  await new SignUpDialog(page).open('?partner_id=SWOOP');
  const cookie = (await context.cookies()).find(({ name }) => name === 'partner_id');
  expect(cookie?.value).toBe('swoop');
  expect(Math.abs((cookie?.expires ?? 0) - Date.now() / 1000 - 2_592_000)).toBeLessThan(60);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('partner'))).toBe('{"name":"swoop"}');
});

test('through QuickBooks with Google, the steps are below signup/ and ask for the books before HMRC', async ({ page }) => {
  const email = createEmailAddress();
  const google = new ProviderPages(page);
  await page.goto('/portal/v2/quickbooks');
  await page.getByRole('link', { name: 'Sign up', exact: true }).click();
  await new SignUpDialog(page).box.getByRole('link', { name: 'Sign up with Google' }).click();
  await google.signIn(email);
  await google.allowButton.click();
  await expect(page).toHaveURL(/\/v2\/instant-vat\/signup\/company/);

  const { name, vrn } = await createOrganisation();
  await page.getByLabel(/Company name/).fill(name);
  await page.getByLabel(/Company number/).fill('09482716');
  await page.getByLabel(/VAT registration number/).fill(vrn);
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect(page).toHaveURL(/\/v2\/instant-vat\/signup\/bookkeeping/);
  await expect(page.getByRole('heading', { level: 1, name: 'Your books' })).toBeVisible();
});

test('through Xero, one permission signs up and connects the books of the organisation that is chosen next', async ({ page }) => {
  const organisation = await createOrganisation();
  const { email } = await createBooks('xero', organisation, { period_start: '2026-07-01', period_end: '2026-09-30' });
  const xero = new ProviderPages(page);
  await page.goto('/portal/xero');
  await page.getByRole('link', { name: 'Sign up', exact: true }).click();
  await new SignUpDialog(page).box.getByRole('link', { name: 'Sign up with Xero' }).click();
  await xero.choose(email);
  await expect(page.getByText('view your invoices, credit notes and quotes')).toBeVisible();
  await xero.allowButton.click();

  await expect(page.getByText('We sent a link to the email address of your Xero login')).toBeVisible();
  await expectPageQuality(page);
  await page.goto(await waitForLink(email));
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await expect(page).toHaveURL(/\/v2\/instant-vat\/signup\/company/);

  await page.getByRole('radio', { name: new RegExp(`^${organisation.name}, VAT number`) }).check();
  await expect(page.getByLabel(/Company number/)).toHaveValue(organisation.companyNumber);
  await expectPageQuality(page);
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect(page).toHaveURL(/\/v2\/instant-vat\/signup\/(bookkeeping|government-gateway)/);
  await page.goto(page.url().replace('government-gateway', 'bookkeeping'));
  await expect(page.getByRole('heading', { name: 'Your bookkeeping software' })).toBeVisible();
  await expect(page.getByText('Standard accounting: by invoice date')).toBeVisible({ timeout: 60_000 });
  await expectPageQuality(page);
});

test('through Swoop by email, the steps are below signup/ and ask for HMRC first', async ({ page }) => {
  const email = createEmailAddress();
  const dialog = new SignUpDialog(page);
  await page.goto('/portal/v2/swoop');
  await page.getByRole('link', { name: 'Sign up', exact: true }).click();
  await dialog.email.fill(email);
  await dialog.continueButton.click();
  await expect(page).toHaveURL(/\/v2\/instant-vat\/signup\/about/);
  await page.getByLabel('Full name').fill('Jo Journey');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.goto(await waitForLink(email));
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await expect(page).toHaveURL(/\/v2\/instant-vat\/signup\/company/);

  const { name, vrn } = await createOrganisation();
  await page.getByLabel(/Company name/).fill(name);
  await page.getByLabel(/Company number/).fill('09482716');
  await page.getByLabel(/VAT registration number/).fill(vrn);
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect(page).toHaveURL(/\/v2\/instant-vat\/signup\/government-gateway/);
});
