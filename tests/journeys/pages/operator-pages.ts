import { expect, type Locator, type Page } from '@playwright/test';
import { logInAndOpen } from './log-in-page.ts';

export const operators = { olga: 'olga@operator.example', omar: 'omar@operator.example', otis: 'otis@operator.example' } as const;
export const sandboxPassword = 'Sandbox-2026!';

/** Page object for operators: queues, one advance and the ledger. */
export class OperatorPages {
  readonly page: Page;
  readonly release: Locator;

  constructor(page: Page) {
    this.page = page;
    this.release = page.getByRole('region', { name: 'Release payout' });
  }

  async logIn(email: string): Promise<void> {
    await logInAndOpen(this.page, email, sandboxPassword);
    await expect(this.page.getByRole('heading', { level: 1, name: 'Work queue' })).toBeVisible();
  }

  async openAdvance(company: string): Promise<void> {
    await this.page.goto('/portal/admin');
    // Uses the keyboard, because a row may move between pressing and releasing the mouse when another journey's advance arrives.
    await this.page.getByRole('link', { name: company, exact: true }).press('Enter');
    await expect(this.page.getByRole('heading', { level: 1, name: company })).toBeVisible();
  }

  async approve(reason: string, net: string): Promise<void> {
    await this.page.getByLabel('Reason').fill(reason);
    await this.page.getByRole('button', { name: `Approve ${net}` }).click();
  }

  /** Approves another operator's request under Reconciliation. */
  async approveRequest(text: string): Promise<void> {
    await this.page.goto('/portal/admin/reconciliation');
    const requests = this.page.getByRole('list', { name: 'Requests awaiting a second person' });
    await requests
      .getByRole('listitem')
      .filter({ hasText: text })
      .getByRole('button', { name: /^Approve/ })
      .click();
    const dialog = this.page.getByRole('dialog');
    await expect(dialog).toContainText(text);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await expect(dialog).toBeHidden();
  }

  async releasePayout(net: string): Promise<void> {
    await this.release.getByRole('button', { name: `Release ${net}` }).click();
    const confirmation = this.page.getByRole('dialog', { name: `Release ${net}?` });
    await confirmation.getByRole('button', { name: 'Release payout' }).click();
    await expect(confirmation).toBeHidden();
  }
}
