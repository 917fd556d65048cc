/** For tests: takes an advance from the filed return to HMRC's repayment, through the product's own API. */
import { ledgerLines } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { eq } from '@portal/db/sql.ts';
import { expect, vi } from 'vitest';
import { createConnectedTrader, type ApiResponse, type Browser, type Trader } from './test-trader.ts';
import type { TestPortal } from './open-test-portal.ts';
import { WAIT_OPTIONS } from './wait-options.ts';

export type AdvanceBody = {
  advance_id: string;
  obligation_id: string;
  period_end: string;
  state: string;
  version: number;
  refund_pence: number;
  fee_pence: number;
  net_pence: number;
  netted_pence: number;
  valid_until: Instant;
  eligible: boolean;
  received_pence: number;
  agreement: { hash: string };
  collection_account: { sort_code: string; account_number: string } | null;
  waiting_for: string | null;
  identity_needed: boolean;
  facts: { read_at: Instant | null; is_stale: boolean };
  rules: { rule: string; outcome: string; finding: string }[];
};

export const createIdempotencyHeaders = () => ({ 'idempotency-key': crypto.randomUUID() });

/** Creates a trader with a return that HMRC has accepted, with a refund of `refundPounds`, and with a quoted advance. */
export async function createTraderWithFiledReturn(
  portal: TestPortal,
  email: string,
  refundPounds?: number,
  options?: { isVerified: boolean },
): Promise<Trader> {
  const trader = await createConnectedTrader(portal, email, refundPounds, options);
  await fileReturn(portal, trader);
  return trader;
}

export async function fileReturn(portal: TestPortal, trader: Trader): Promise<void> {
  const ids = { company_id: trader.companyId, obligation_id: trader.obligation.id };
  const { body } = await trader.browser.get('/instant-vat/vat-return', ids);
  const filing = { ...ids, figures_version: body['figures_version'], declaration_accepted: true };
  await trader.browser.post('/instant-vat/vat-return/file', filing, createIdempotencyHeaders());
  await portal.runJobs();
}

export async function findAdvance(trader: Trader): Promise<AdvanceBody> {
  const { body } = await trader.browser.get('/instant-vat/advance', { company_id: trader.companyId });
  return body['advance'] as AdvanceBody;
}

/** Accepts the current offer and returns the response without checking it. */
export async function postAccept(trader: Trader): Promise<ApiResponse> {
  const { advance_id, version, agreement } = await findAdvance(trader);
  const acceptInput = { company_id: trader.companyId, advance_id, version, agreement_hash: agreement.hash };
  return trader.browser.post('/instant-vat/advance/accept', acceptInput, createIdempotencyHeaders());
}

export async function acceptAdvance(portal: TestPortal, trader: Trader): Promise<AdvanceBody> {
  expect((await postAccept(trader)).status).toBe(200);
  await portal.runJobs();
  return findAdvance(trader);
}

/** The trader sets the collection account at HMRC and confirms it. */
export async function confirmCollection(portal: TestPortal, trader: Trader): Promise<void> {
  const { advance_id, collection_account } = await findAdvance(trader);
  portal.hmrc.setRepaymentAccount(trader.vrn, {
    sortCode: collection_account?.sort_code ?? '',
    accountNumber: collection_account?.account_number ?? '',
    accountName: 'Tess Exports Ltd',
  });
  await trader.browser.post('/instant-vat/advance/confirm-collection-account', { company_id: trader.companyId, advance_id });
  await portal.runJobs();
}

/** Refreshes HMRC's figures as the trader, because they are too old to base a payment on. */
export async function confirmFacts(portal: TestPortal, trader: Trader): Promise<ApiResponse> {
  const { advance_id } = await findAdvance(trader);
  const response = await trader.browser.post('/instant-vat/advance/confirm-facts', { company_id: trader.companyId, advance_id });
  await portal.runJobs();
  return response;
}

export async function createPaidTrader(portal: TestPortal, email: string, refundPounds: number): Promise<Trader> {
  const trader = await createTraderWithFiledReturn(portal, email, refundPounds);
  await acceptAdvance(portal, trader);
  await confirmCollection(portal, trader);
  await waitForState(trader, 'awaiting_hmrc');
  return trader;
}

/** Waits, because the bank simulator sends its webhooks a few milliseconds later. */
export const waitForState = (trader: Trader, state: string) =>
  vi.waitFor(async () => expect((await findAdvance(trader)).state).toBe(state), WAIT_OPTIONS);

/** Returns the accounts in one company's ledger whose balance isn't zero. */
export async function getTrialBalance(portal: TestPortal, companyId: string): Promise<Record<string, number>> {
  const rows = await portal.deps.database.db.select().from(ledgerLines).where(eq(ledgerLines.companyId, companyId));
  const sums: Record<string, number> = {};
  for (const { account, amountPence } of rows) sums[account] = (sums[account] ?? 0) + amountPence;
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

/** Sends an operator's approval of an advance that is in review. */
export function postApproval(operator: Browser, trader: Trader, advanceId: string): Promise<ApiResponse> {
  const target = { company_id: trader.companyId, advance_id: advanceId };
  return operator.post('/operator/advance/decide', { ...target, decision: 'approve', reason: 'Looks right' });
}

/** Sends an operator's release of the payout as their screen currently shows it. */
export async function postRelease(operator: Browser, trader: Trader, advanceId: string): Promise<ApiResponse> {
  const target = { company_id: trader.companyId, advance_id: advanceId };
  const { body } = await operator.get('/operator/advance', target);
  const { net_pence, netted_pence, version } = body['advance'] as AdvanceBody;
  const shownTerms = { net_pence, netted_pence, version, bank_account_id: body['bank_account_id'] };
  return operator.post('/operator/advance/release', { ...target, ...shownTerms }, createIdempotencyHeaders());
}
