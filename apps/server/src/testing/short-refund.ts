/** For tests: takes an advance up to a short repayment by HMRC, through the product's own API. */
import { expect, vi } from 'vitest';
import { jobHandlers } from '../job-handlers.ts';
import type { PortalJobHandlers } from '../jobs/job-kinds.ts';
import type { TestPortal } from './open-test-portal.ts';
import { createPaidTrader, findAdvance, waitForState } from './take-advance.ts';
import type { Trader } from './test-trader.ts';
import { WAIT_OPTIONS } from './wait-options.ts';

export type ShortfallCase = {
  shortfall_id: string;
  obligation_id: string;
  status: string;
  cause: string;
  cause_text: string;
  owed_pence: number;
  suspected_pence: number;
  received_pence: number;
  reference: string;
  due_on: string | null;
  next_action: { by: string; text: string } | null;
  next_payment: { amount_pence: number; due_on: string; number: number | null } | null;
  instalments: { paid_pence: number; amount_pence: number; due_on: string }[];
  mandate: { status: string } | null;
  direct_debits: { status: string; amount_pence: number; charge_on: string; failure: string | null }[];
  letters: { letter_id: string; heading: string }[];
  events: { text: string; by: string }[];
  may_pay_in_instalments: boolean;
};

export async function findCase(trader: Trader, advanceId?: string): Promise<ShortfallCase> {
  const advance_id = advanceId ?? (await findAdvance(trader)).advance_id;
  const { body } = await trader.browser.get('/instant-vat/shortfall', { company_id: trader.companyId, advance_id });
  return body['shortfall'] as ShortfallCase;
}

/** Runs a periodic job once. */
export function runTick(portal: TestPortal, kind: keyof PortalJobHandlers): Promise<void> {
  const run = { id: '', attempt: 1, isLastAttempt: false, lostRuns: 0, signal: AbortSignal.timeout(60_000) };
  return jobHandlers(portal.deps)[kind]({} as never, run);
}

/** Moves the clock and reads the results of the Direct Debits by then. Webhooks arrive by themselves; this finds any that were missed. */
export async function pollDirectDebitsAt(portal: TestPortal, at: string): Promise<void> {
  portal.moveClock(at);
  portal.directDebits.followClock();
  await runTick(portal, 'direct-debits.poll');
  await runTick(portal, 'shortfalls.sweep');
  await portal.runJobs();
}

/** HMRC repays part of the refund, so the trader owes the rest. */
export async function createShortRepaidTrader(
  portal: TestPortal,
  email: string,
  refundPounds: number,
  repaidPounds: number,
): Promise<Trader> {
  const trader = await createPaidTrader(portal, email, refundPounds);
  const { periodKey } = trader.obligation;
  await portal.hmrc.moveRepayment(trader.vrn, periodKey, 'REPAYMENT_ADJUSTED', repaidPounds * 100);
  await portal.hmrc.moveRepayment(trader.vrn, periodKey, 'PAID');
  await waitForState(trader, 'shortfall');
  return trader;
}

/** The trader pays by bank transfer. */
export async function transfer(portal: TestPortal, trader: Trader, amountPence: number, reference: string): Promise<void> {
  const { collection_account } = await findAdvance(trader);
  portal.bank.creditAccount({
    sortCode: collection_account?.sort_code ?? '',
    accountNumber: collection_account?.account_number ?? '',
    amountPence,
    remitterName: 'Tess Exports Ltd',
    reference,
  });
}

export const waitForReceivedAmount = (trader: Trader, pence: number) =>
  vi.waitFor(async () => expect((await findCase(trader)).received_pence).toBe(pence), WAIT_OPTIONS);

/** The trader sets up a Direct Debit on GoCardless's page. Returns GoCardless's id of the mandate. */
export async function setUpDirectDebit(portal: TestPortal, trader: Trader, accountNumber = '55779911'): Promise<string> {
  const input = { company_id: trader.companyId, obligation_id: trader.obligation.id };
  const { body } = await trader.browser.post('/instant-vat/direct-debit/start', input);
  const earlierMandateIds = new Set(portal.directDebits.listMandates().map(({ id }) => id));
  const form = new URLSearchParams({ choice: 'confirm', account_number: accountNumber });
  await fetch(String(body['authorisation_url']), { method: 'POST', body: form, redirect: 'manual' });
  const mandate = portal.directDebits.listMandates().find(({ id }) => !earlierMandateIds.has(id));
  if (!mandate) throw new Error(`no mandate was set up: ${JSON.stringify(body)}`);
  return mandate.id;
}
