import { expect, type Locator, type Page } from '@playwright/test';

/** Another company's sign-in and consent pages, as the doubles of Google, Microsoft, Xero, Intuit and FreeAgent show them. */
export class ProviderPages {
  readonly page: Page;
  readonly allow: Locator;
  readonly cancel: Locator;

  constructor(page: Page) {
    this.page = page;
    this.allow = page.getByRole('button', { name: 'Allow', exact: true });
    this.cancel = page.getByRole('button', { name: 'Cancel', exact: true });
  }

  /** As somebody who has not been there before, up to the question. `verified`: whether the provider vouches for the address. */
  async signIn(email: string, verified = true): Promise<void> {
    await this.page.getByLabel('Email', { exact: true }).fill(email);
    await this.page.getByLabel('Full name').fill('Pat Provided');
    await this.page.getByRole('checkbox', { name: /has verified this email address/ }).setChecked(verified);
    await this.page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(this.page.getByText(email)).toBeVisible();
  }

  /** As somebody who holds an account there. */
  async choose(email: string): Promise<void> {
    await this.page.getByRole('button', { name: email }).click();
  }
}
