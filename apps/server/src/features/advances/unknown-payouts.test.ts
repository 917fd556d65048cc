/** Tests that payouts whose submission got no usable response are paid once, and never marked as failed while they may have been paid. */
import { bankCredits, payouts } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { jobHandlers } from '../../job-handlers.ts';
import type { PausableWork } from '../../paused-work.ts';
import { readBank } from '../../testing/bank-polls.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  acceptAdvance,
  confirmCollection,
  createPaidTrader,
  createTraderWithFiledReturn,
  findAdvance,
  getTrialBalance,
  waitForState,
} from '../../testing/take-advance.ts';
import { createOperator, type Trader } from '../../testing/test-trader.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';
import { submitPayout } from './submit-payout.ts';

const HOUR_MS = 3_600_000;

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterEach(() => portal.faults.clear());
afterAll(() => portal.close());

const rejectAll = (operation: string) => portal.faults.set({ operation, kind: 'forbidden', times: 1_000 });

/** Accepts and confirms, so that the payout is submitted. Every submission's response is lost. */
async function dropSubmissions(email: string, refundPounds: number, kind: 'timeout_after_work' | 'cut_before_work'): Promise<Trader> {
  const trader = await createTraderWithFiledReturn(portal, email, refundPounds);
  await acceptAdvance(portal, trader);
  portal.faults.set({ operation: 'truelayer.create_payout', kind, times: 1_000 });
  await confirmCollection(portal, trader);
  expect((await findPayout(trader)).unknownAttempts).toBeGreaterThan(0);
  portal.faults.clear();
  return trader;
}

async function findPayout({ companyId }: Trader) {
  const [payout] = await portal.deps.database.db.select().from(payouts).where(eq(payouts.companyId, companyId));
  if (!payout) throw new Error('there is no payout yet');
  return payout;
}

const resubmit = async (trader: Trader) => submitPayout(portal.deps, trader.companyId, (await findPayout(trader)).id);
const countAtBank = (amountPence: number) => portal.bank.listPayouts().filter((payout) => payout.amount_pence === amountPence).length;

describe('a payout whose submissions got no response', () => {
  it('is found in the bank’s record when a repeat is rejected, and is paid once', async () => {
    const trader = await dropSubmissions('lost@trader.example', 4_031, 'timeout_after_work');
    rejectAll('truelayer.create_payout');
    await resubmit(trader);
    await waitForState(trader, 'awaiting_hmrc');
    expect(countAtBank(399_069)).toBe(1);
  });

  it('is found there while payouts are paused and the webhook is lost', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'paused@trader.example', 4_071);
    await acceptAdvance(portal, trader);
    // A webhook only triggers a read of the payout.
    rejectAll('truelayer.get_payout');
    portal.faults.set({ operation: 'truelayer.create_payout', kind: 'timeout_after_work', times: 1_000 });
    await confirmCollection(portal, trader);
    await vi.waitFor(() => expect(portal.faults.list().every(({ times }) => times < 1_000)).toBe(true), WAIT_OPTIONS);
    expect((await findPayout(trader)).status).toBe('created');
    portal.faults.clear();
    const paused = portal.deps.paused as Set<PausableWork>;
    paused.add('payouts');
    try {
      await resubmit(trader);
    } finally {
      paused.clear();
    }
    expect((await findPayout(trader)).status).not.toBe('created');
    expect(countAtBank(403_029)).toBe(1);
  });

  it('fails only when it can no longer appear in the bank’s record', async () => {
    const trader = await dropSubmissions('never@trader.example', 4_032, 'cut_before_work');
    rejectAll('truelayer.create_payout');
    await expect(resubmit(trader)).rejects.toThrow('refused');
    expect((await findAdvance(trader)).state).toBe('paying');
    portal.moveClock(addMilliseconds(portal.deps.clock.now(), 2 * HOUR_MS));
    await resubmit(trader);
    expect((await findAdvance(trader)).state).toBe('payout_failed');
    portal.faults.clear();
    const olga = await createOperator(portal, 'olga@operators.example');
    const { advance_id } = await findAdvance(trader);
    await olga.post('/operator/advance/retry-payout', { company_id: trader.companyId, advance_id, reason: 'The bank allows it again' });
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
    expect(countAtBank(399_168)).toBe(1);
  });

  it('isn’t submitted again once the bank has forgotten its idempotency key', async () => {
    const trader = await dropSubmissions('old@trader.example', 4_033, 'cut_before_work');
    portal.moveClock(addMilliseconds(portal.deps.clock.now(), 31 * 24 * HOUR_MS));
    await resubmit(trader);
    expect(countAtBank(399_267)).toBe(0);
    expect(await findPayout(trader)).toMatchObject({ status: 'failed', failure: 'it never reached the payments provider' });
  });
});

describe('a payout with an unknown result', () => {
  it('is found by an operator at the bank: its page shows the reference, our order and since when', async () => {
    const trader = await dropSubmissions('shown@trader.example', 4_042, 'cut_before_work');
    const operator = await createOperator(portal, 'omar@operators.example');
    const { advance_id } = await findAdvance(trader);
    const { body } = await operator.get('/operator/advance', { company_id: trader.companyId, advance_id });
    const { id, unknownAt } = await findPayout(trader);
    expect(body['payout']).toMatchObject({
      payout_id: id,
      status: 'created',
      reference: expect.stringMatching(new RegExp(`^VAT ${trader.vrn} \\d{4}$`)),
      unknown_at: unknownAt,
    });
  });
});

describe('a payout that was never sent', () => {
  it('waits while the bank issues no token', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'token@trader.example', 4_034);
    await acceptAdvance(portal, trader);
    portal.moveClock(addMilliseconds(portal.deps.clock.now(), 2 * HOUR_MS));
    rejectAll('truelayer.token');
    await confirmCollection(portal, trader);
    await expect(resubmit(trader)).rejects.toThrow('unavailable');
    expect(await findPayout(trader)).toMatchObject({ status: 'created', unknownAttempts: 0 });
    portal.faults.clear();
    await resubmit(trader);
    await waitForState(trader, 'awaiting_hmrc');
    expect(countAtBank(399_366)).toBe(1);
  });

  it('is not failed by a late rejection of one submission once another run of the job has made the payment', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'two-runs@trader.example', 4_036);
    await acceptAdvance(portal, trader);
    portal.faults.set({ operation: 'truelayer.create_payout', kind: 'too_many', times: 1_000 });
    await confirmCollection(portal, trader);
    expect(await findPayout(trader)).toMatchObject({ status: 'created', unknownAttempts: 0 });
    portal.faults.clear();
    const [stepReached, gateOpened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { payments } = portal.deps;
    const createPayout: typeof payments.createPayout = async (order) => {
      stepReached.resolve();
      await gateOpened.promise;
      return payments.createPayout(order);
    };
    const { id } = await findPayout(trader);
    const hangingSubmission = submitPayout({ ...portal.deps, payments: { ...payments, createPayout } }, trader.companyId, id);
    await stepReached.promise;
    await resubmit(trader);
    rejectAll('truelayer.create_payout');
    gateOpened.resolve();
    await expect(hangingSubmission).rejects.toMatchObject({ failure: 'refused' });
    portal.faults.clear();
    await waitForState(trader, 'awaiting_hmrc');
    expect((await findPayout(trader)).failure).toBeNull();
  });

  it('fails at once when the bank rejects its first submission', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'rejected@trader.example', 4_035);
    await acceptAdvance(portal, trader);
    rejectAll('truelayer.create_payout');
    await confirmCollection(portal, trader);
    await portal.runJobs();
    expect((await findAdvance(trader)).state).toBe('payout_failed');
    expect(countAtBank(399_465)).toBe(0);
  });
});

describe('a lost webhook', () => {
  const run = { id: 'poll', attempt: 1, isLastAttempt: false, lostRuns: 0, signal: new AbortController().signal };
  /** Each webhook triggers a read, which fails until `work` is done. */
  const dropWebhooks = async (operation: string, work: () => void) => {
    portal.faults.set({ operation, kind: 'server_error', times: 1_000 });
    work();
    await vi.waitFor(() => expect(portal.faults.list()[0]?.times).toBeLessThan(1_000), WAIT_OPTIONS);
    portal.faults.clear();
  };

  it('loses no money when a bank returned a payout', async () => {
    const trader = await createPaidTrader(portal, 'return@trader.example', 4_036);
    const { providerPayoutId } = await findPayout(trader);
    await dropWebhooks('truelayer.get_payout', () => void portal.bank.returnPayout(providerPayoutId ?? '', 'closed'));
    await readBank(portal);
    expect((await findAdvance(trader)).state).toBe('payout_failed');
  });

  it('loses no money when a bank returned a payout after HMRC had repaid: the money is owed to the trader', async () => {
    const trader = await createPaidTrader(portal, 'return-later@trader.example', 4_038);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await waitForState(trader, 'settled');
    const { providerPayoutId } = await findPayout(trader);
    await dropWebhooks('truelayer.get_payout', () => void portal.bank.returnPayout(providerPayoutId ?? '', 'closed'));
    for (const _attempt of [1, 2]) await readBank(portal);
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 403_800, fee_income: -4_038, owed_to_trader: -399_762 });
  });

  it('loses no money when a bank returned a payout weeks later', async () => {
    const trader = await createPaidTrader(portal, 'return-weeks@trader.example', 4_037);
    const { providerPayoutId } = await findPayout(trader);
    portal.moveClock(addMilliseconds(portal.deps.clock.now(), 20 * 24 * HOUR_MS));
    await dropWebhooks('truelayer.get_payout', () => void portal.bank.returnPayout(providerPayoutId ?? '', 'closed'));
    await readBank(portal);
    expect((await findAdvance(trader)).state).toBe('payout_failed');
  });

  it('loses no money when the bank’s record could not be read for months after it returned a payout', async () => {
    const trader = await createPaidTrader(portal, 'return-outage@trader.example', 4_041);
    await readBank(portal);
    const { providerPayoutId } = await findPayout(trader);
    await dropWebhooks('truelayer.get_payout', () => void portal.bank.returnPayout(providerPayoutId ?? '', 'closed'));
    portal.moveClock(addMilliseconds(portal.deps.clock.now(), 100 * 24 * HOUR_MS));
    portal.faults.set({ operation: 'truelayer.get_payout', kind: 'server_error', times: 1_000 });
    await expect(readBank(portal)).rejects.toThrow('failed');
    portal.faults.clear();
    portal.moveClock(addMilliseconds(portal.deps.clock.now(), 24 * HOUR_MS));
    await readBank(portal);
    expect((await findAdvance(trader)).state).toBe('payout_failed');
  });

  it('loses no money when the trader paid a shortfall, or HMRC paid a second time months later', async () => {
    const trader = await createPaidTrader(portal, 'late@trader.example', 4_039);
    const { collection_account: account } = await findAdvance(trader);
    const send = (amountPence: number, remitterName: string) =>
      portal.bank.creditAccount({
        sortCode: account?.sort_code ?? '',
        accountNumber: account?.account_number ?? '',
        amountPence,
        remitterName,
        reference: trader.vrn,
      });
    await dropWebhooks('truelayer.transactions', () => void send(403_000, 'HMRC VAT'));
    await jobHandlers(portal.deps)['credits.poll']({}, run);
    expect((await findAdvance(trader)).state).toBe('shortfall');
    await dropWebhooks('truelayer.transactions', () => void send(900, 'Tess Exports'));
    await jobHandlers(portal.deps)['credits.poll']({}, run);
    expect((await findAdvance(trader)).state).toBe('settled');
    portal.moveClock(addMilliseconds(portal.deps.clock.now(), 200 * 24 * HOUR_MS));
    await dropWebhooks('truelayer.transactions', () => void send(555, 'HMRC VAT'));
    // Accounts are read in turn, so several runs may pass before this one is read.
    await vi.waitFor(async () => {
      await jobHandlers(portal.deps)['credits.poll']({}, run);
      expect(await getTrialBalance(portal, trader.companyId)).toMatchObject({ owed_to_trader: -555 });
    }, WAIT_OPTIONS);
  });

  it('loses no money when HMRC repaid before the payout was sent', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'early@trader.example', 4_037);
    const { collection_account: account } = await acceptAdvance(portal, trader);
    await dropWebhooks('truelayer.transactions', () => {
      portal.bank.creditAccount({
        sortCode: account?.sort_code ?? '',
        accountNumber: account?.account_number ?? '',
        amountPence: 403_700,
        remitterName: 'HMRC VAT',
        reference: trader.vrn,
      });
    });
    await jobHandlers(portal.deps)['credits.poll']({}, run);
    const credits = await portal.deps.database.db.select().from(bankCredits).where(eq(bankCredits.companyId, trader.companyId));
    expect(credits).toMatchObject([{ amountPence: 403_700 }]);
  });
});
