import { expect, type Locator, type Page } from '@playwright/test';

/** Page object for the simulated providers' sign-in and consent pages: Google, Microsoft, Xero, Intuit and FreeAgent. */
export class ProviderPages {
  readonly page: Page;
  readonly allowButton: Locator;
  readonly cancel: Locator;

  constructor(page: Page) {
    this.page = page;
    this.allowButton = page.getByRole('button', { name: 'Allow', exact: true });
    this.cancel = page.getByRole('button', { name: 'Cancel', exact: true });
  }

  /** Signs in as a new user, up to the consent question. `isVerified`: whether the provider has verified the email address. */
  async signIn(email: string, isVerified = true): Promise<void> {
    await this.page.getByLabel('Email', { exact: true }).fill(email);
    await this.page.getByLabel('Full name').fill('Pat Provided');
    await this.page.getByRole('checkbox', { name: /has verified this email address/ }).setChecked(isVerified);
    await this.page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(this.page.getByText(email)).toBeVisible();
  }

  /** Signs in as a user with an existing account. */
  async choose(email: string): Promise<void> {
    await this.page.getByRole('button', { name: email }).click();
  }
}
