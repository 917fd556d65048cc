import { expect, type Locator, type Page } from '@playwright/test';
import type { Trader } from '../trader.ts';

/** Page object for a VAT return: boxes, declaration, confirmation and receipt. */
export class VatReturnPage {
  readonly page: Page;
  readonly boxes: Locator;
  readonly declaration: Locator;
  readonly file: Locator;
  readonly confirmation: Locator;
  readonly receipt: Locator;

  constructor(page: Page) {
    this.page = page;
    this.boxes = page.getByRole('list', { name: 'The nine boxes' }).getByRole('listitem');
    this.declaration = page.getByRole('checkbox', { name: 'I confirm that the declaration above is true' });
    this.file = page.getByRole('button', { name: 'File this return with HMRC' });
    this.confirmation = page.getByRole('dialog', { name: /^File the return for/ });
    this.receipt = page.getByRole('region', { name: 'Receipt' });
  }

  async open({ companyId, obligation }: Trader): Promise<void> {
    const query = new URLSearchParams({ company_id: companyId, obligation_id: obligation.obligation_id });
    await this.page.goto(`/portal/v2/instant-vat/dashboard/vat-return?${query}`);
  }

  async expectBox(number: number, amount: string): Promise<void> {
    await expect(this.boxes.nth(number - 1)).toContainText(amount);
  }

  /** Ticks the declaration, confirms, and waits for the response; the server itself waits up to 15 s for HMRC. */
  async declareAndFile(): Promise<void> {
    await this.declaration.check();
    await this.file.click();
    await this.confirmation.getByRole('button', { name: 'File this return' }).click();
    await expect(this.confirmation).toBeHidden({ timeout: 30_000 });
  }
}
