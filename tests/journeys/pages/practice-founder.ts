/** The steps of a founder who signs up a practice (docs/product/specification.md section 2.3). */
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { expect, type Page } from '@playwright/test';
import { waitForLink } from '../sandbox.ts';
import { createEmailAddress } from '../trader.ts';
import { HmrcPages } from './hmrc-pages.ts';

/** Confirms a new user's email address, up to the first step. Returns the email address. */
export async function signUpFounder(page: Page): Promise<string> {
  const email = createEmailAddress();
  await page.goto('/portal/v2/open-tax');
  await page.getByRole('link', { name: 'Sign up your practice' }).click();
  await page.getByLabel('Work email').fill(email);
  await page.getByLabel('Full name').fill('Fay Founder');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/check-mail/);
  await page.goto(await waitForLink(email));
  await page.getByRole('button', { name: 'Confirm email' }).click();
  return email;
}

/** Opens HMRC's pages and signs in as Oakline's agent. */
export async function signInAtHmrc(page: Page): Promise<HmrcPages> {
  const hmrc = new HmrcPages(page);
  await page.getByRole('link', { name: 'Continue' }).click();
  // A browser that has already signed in at HMRC goes straight to the permission page.
  const userId = page.getByLabel('Government Gateway user ID');
  await expect(userId.or(hmrc.grant)).toBeVisible();
  if (await userId.isVisible()) await hmrc.signIn(OAKLINE.hmrcUserId, OAKLINE.hmrcPassword);
  await expect(page.getByText(`agent reference ${OAKLINE.arn}`)).toBeVisible();
  return hmrc;
}

/** A founder signs up a practice that is HMRC's agent for Oakline's clients, and imports the ones in the file. */
export async function openPractice(page: Page, name: string, clientsFile: string): Promise<{ companyId: string; email: string }> {
  const email = await signUpFounder(page);
  const save = page.getByRole('button', { name: 'Save and continue' });
  await page.getByLabel('Practice name').fill(name);
  await page.getByLabel('Company number').focus();
  await save.click();
  await page.getByLabel('Agent reference number').fill(OAKLINE.arn);
  await page.getByLabel('PAYE').focus();
  await save.click();
  await page.getByRole('button', { name: 'Connect HMRC' }).click();
  await (await signInAtHmrc(page)).grant.click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await save.click();
  await page.getByRole('link', { name: 'Import clients' }).click();
  await page.getByLabel('Client list file').setInputFiles({ name: 'clients.csv', mimeType: 'text/csv', buffer: Buffer.from(clientsFile) });
  await page.getByRole('button', { name: /^Import \d+ clients$/ }).click();
  await expect(page.getByText('Import complete')).toBeVisible({ timeout: 60_000 });
  return { companyId: new URL(page.url()).searchParams.get('company_id') ?? '', email };
}
