/** Steps of a founder who signs up a practice (docs/product/specification.md section 2.3). */
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { expect, type Page } from '@playwright/test';
import { waitForLink } from '../sandbox.ts';
import { newEmail } from '../trader.ts';
import { HmrcPages } from './hmrc-pages.ts';

/** Confirms a new user's email address, up to the first step. */
export async function signUpFounder(page: Page): Promise<void> {
  const email = newEmail();
  await page.goto('/portal/v2/open-tax');
  await page.getByRole('link', { name: 'Sign up your practice' }).click();
  await page.getByLabel('Work email').fill(email);
  await page.getByLabel('Full name').fill('Fay Founder');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/check-mail/);
  await page.goto(await waitForLink(email));
  await page.getByRole('button', { name: 'Confirm email' }).click();
}

/** Opens HMRC's pages and signs in as Oakline's agent. */
export async function signInAtHmrc(page: Page): Promise<HmrcPages> {
  const hmrc = new HmrcPages(page);
  await page.getByRole('link', { name: 'Continue' }).click();
  // A browser that has signed in at HMRC before goes straight to the permission page.
  const userId = page.getByLabel('Government Gateway user ID');
  await expect(userId.or(hmrc.grant)).toBeVisible();
  if (await userId.isVisible()) await hmrc.signIn(OAKLINE.hmrcUserId, OAKLINE.hmrcPassword);
  await expect(page.getByText(`agent reference ${OAKLINE.arn}`)).toBeVisible();
  return hmrc;
}
