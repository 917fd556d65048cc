import type { Locator, Page } from '@playwright/test';

/** Page object for the landing page's sign-up dialog. */
export class SignUpDialog {
  readonly page: Page;
  readonly box: Locator;
  readonly email: Locator;
  readonly continueButton: Locator;

  constructor(page: Page) {
    this.page = page;
    this.box = page.getByRole('dialog', { name: 'Get your VAT refund in as little as 24 hours' });
    this.email = this.box.getByLabel('Sign up with email');
    this.continueButton = this.box.getByRole('button', { name: 'Continue' });
  }

  async open(query = ''): Promise<void> {
    await this.page.goto(`/portal/v2/instant-vat${query}`);
  }
}
