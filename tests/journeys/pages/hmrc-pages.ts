import { expect, type Locator, type Page } from '@playwright/test';
import type { Organisation } from '../sandbox.ts';

/** Page object for the HMRC simulator's pages: start, sign-in, permission and business account. */
export class HmrcPages {
  readonly page: Page;
  readonly grant: Locator;
  readonly denyButton: Locator;

  constructor(page: Page) {
    this.page = page;
    this.grant = page.getByRole('button', { name: 'Give permission', exact: true });
    this.denyButton = page.getByRole('button', { name: 'Do not give permission' });
  }

  /** Goes from the start page to the permission page, using a user ID and password. */
  async signInForConsent({ userId, password, vrn }: Organisation): Promise<void> {
    await expect(this.page.getByRole('heading', { name: 'Authority to interact with HMRC on your behalf' })).toBeVisible();
    await this.page.getByRole('link', { name: 'Continue' }).click();
    await this.signIn(userId, password);
    await expect(this.page.getByText(`VAT number ${vrn}`)).toBeVisible();
  }

  async signIn(userId: string, password: string): Promise<void> {
    await this.page.getByLabel('Government Gateway user ID').fill(userId);
    await this.page.getByLabel('Password').fill(password);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** Sets the repayment account in HMRC's business account. */
  async changeRepaymentAccount(account: { name: string; sortCode: string; accountNumber: string }): Promise<void> {
    await this.page.getByLabel('Name on the account').fill(account.name);
    await this.page.getByLabel('Sort code').fill(account.sortCode);
    await this.page.getByLabel('Account number').fill(account.accountNumber);
    await this.page.getByRole('button', { name: 'Save' }).click();
    await expect(this.page.getByText('Your bank account has been changed.')).toBeVisible();
  }
}
