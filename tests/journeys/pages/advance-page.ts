import { expect, type Locator, type Page } from '@playwright/test';

/** Page object for the trader's advance page: offer, agreement, collection account and timeline. */
export class AdvancePage {
  readonly page: Page;
  readonly agreement: Locator;
  readonly timeline: Locator;
  readonly collectionAccount: Locator;

  constructor(page: Page) {
    this.page = page;
    this.agreement = page.getByRole('checkbox', { name: 'I’ve read the agreement and am authorised to accept it' });
    this.timeline = page.getByRole('list', { name: 'Refund progress' });
    this.collectionAccount = page.getByRole('region', { name: 'Tell HMRC to repay into this account' });
  }

  async open(companyId: string): Promise<void> {
    await this.page.goto(`/portal/v2/instant-vat/dashboard/advance?company_id=${companyId}`);
  }

  /** Expects the current stage, which changes when the bank responds and the page polls. */
  async expectStage(title: string | RegExp): Promise<void> {
    await expect(this.timeline.locator('[aria-current=step]')).toContainText(title, { timeout: 30_000 });
  }

  async accept(net: string): Promise<void> {
    await this.agreement.check();
    await this.page.getByRole('button', { name: `Accept ${net}` }).click();
    await expect(this.collectionAccount).toBeVisible();
  }

  async readCollectionAccount(): Promise<{ name: string; sortCode: string; accountNumber: string }> {
    const read = async (term: string): Promise<string> => {
      const value = this.collectionAccount.locator('dt', { hasText: term }).locator('+ dd');
      return (await value.locator('> *').first().innerText()).trim();
    };
    return {
      name: await read('Name on the account'),
      sortCode: await read('Sort code'),
      accountNumber: await read('Account number'),
    };
  }
}
