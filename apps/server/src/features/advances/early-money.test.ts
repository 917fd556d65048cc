/**
 * Tests money from HMRC that reaches the collection account before the payout is sent: operators decide what it is for before anything is
 * paid.
 */
import { randomUUID } from 'node:crypto';
import { advances, bankCredits, payouts } from '@portal/db/schema/schema.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pollPayouts } from '../../testing/bank-polls.ts';
import { acceptRefund, fileBacklog } from '../../testing/file-backlog.ts';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { runTick } from '../../testing/short-refund.ts';
import {
  acceptAdvance,
  confirmCollection,
  createTraderWithFiledReturn,
  findAdvance,
  getTrialBalance,
  waitForState,
} from '../../testing/take-advance.ts';
import type { Trader } from '../../testing/test-trader.ts';
import { progressAdvance } from './progress-advance.ts';

let portal: TestPortal;
let operators: OperatorPair;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
});
afterAll(() => portal.close());

const HMRC_CREDIT = { remitterName: 'HMRC VAT', reference: '123456789' };
const HOLD_REASON = 'Money from HMRC has reached your collection account. Your payment is on hold while we check what it’s for.';

const listOrders = ({ companyId }: Trader) => portal.deps.database.db.select().from(payouts).where(eq(payouts.companyId, companyId));

async function getOperatorView(trader: Trader) {
  const { advance_id } = await findAdvance(trader);
  return (await operators.olga.get('/operator/advance', { company_id: trader.companyId, advance_id })).body;
}

/** Creates a trader whose refund is accepted and approved, and waits only for the trader to confirm the collection account. */
async function createApprovedTrader(email: string, refundPounds: number): Promise<Trader> {
  const trader = await createTraderWithFiledReturn(portal, email, refundPounds);
  await acceptAdvance(portal, trader);
  expect((await findAdvance(trader)).state).toBe('approved');
  return trader;
}

async function continueHeld(trader: Trader): Promise<void> {
  await progressAdvance(portal.deps, trader.companyId, (await findAdvance(trader)).advance_id);
  await portal.runJobs();
}

describe('before the payout, a payment from HMRC', () => {
  it('that is less than the refund holds it, and says why, until two people have decided what it pays', async () => {
    const { olga, allocate, resolve, sendCredit, waitForException } = operators;
    const trader = await createApprovedTrader('short@early.example', 4_501);
    await sendCredit(trader, 300_000, HMRC_CREDIT);
    const { subject_id } = await waitForException(trader, 'credit', 300_000);
    await confirmCollection(portal, trader);
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved', waiting_for: HOLD_REASON });
    expect(await listOrders(trader)).toEqual([]);
    expect(await getOperatorView(trader)).toMatchObject({
      payout_hold: HOLD_REASON,
      early_credits: [{ credit_id: subject_id, amount_pence: 300_000, unallocated_pence: 300_000, remitter: 'HMRC VAT' }],
    });
    // One of the two operators isn't enough.
    const { body } = await allocate(olga, trader, subject_id, [{ advance_id: null, amount_pence: 300_000 }]);
    await continueHeld(trader);
    expect((await findAdvance(trader)).waiting_for).toBe(HOLD_REASON);
    const { requests } = (await olga.get('/operator/approvals')).body as { requests: { request_id: string; description: string }[] };
    expect(requests.find(({ request_id }) => request_id === body['request_id'])?.description).toMatch(
      /^Warning: we’re about to pay for refunds of £4,501\.00\. If this payment is HMRC’s repayment of one of them, decline that advance first\./,
    );
    await resolve(trader, Promise.resolve({ status: 200, body, cookie: undefined }));
    await continueHeld(trader);
    await waitForState(trader, 'awaiting_hmrc');
    expect(await getOperatorView(trader)).toMatchObject({ early_credits: [] });
  });

  it('that shows that HMRC reduced the refund lets an operator decline it, and the money belongs to the trader', async () => {
    const { olga, sendCredit, waitForException } = operators;
    const trader = await createApprovedTrader('decline@early.example', 4_502);
    await sendCredit(trader, 310_000, HMRC_CREDIT);
    await waitForException(trader, 'credit', 310_000);
    await confirmCollection(portal, trader);
    const target = { company_id: trader.companyId, advance_id: (await findAdvance(trader)).advance_id };
    const declineResponse = await olga.post('/operator/advance/decide', { ...target, decision: 'decline', reason: 'HMRC has paid £3,100' });
    expect(declineResponse.body['advance']).toMatchObject({ state: 'declined' });
    const { body } = await trader.browser.get('/instant-vat/advance', { company_id: trader.companyId });
    expect(body['advance']).toMatchObject({ has_hmrc_money: true });
    expect(JSON.stringify(body)).toContain('Money from HMRC has already reached your collection account.');
    expect(JSON.stringify(body)).not.toContain('HMRC will repay you as usual');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 310_000, owed_to_trader: -310_000 });
  });

  it('that is the whole refund, but arrived before the acceptance, holds it: we must not buy what HMRC has repaid', async () => {
    const { sendCredit, waitForException } = operators;
    const trader = await createApprovedTrader('before@early.example', 4_503);
    await sendCredit(trader, 450_300, HMRC_CREDIT);
    await waitForException(trader, 'credit', 450_300);
    const before = { receivedAt: toInstant(Date.parse('2026-11-01T09:00:00Z')) };
    await portal.deps.database.db.update(bankCredits).set(before).where(eq(bankCredits.companyId, trader.companyId));
    await confirmCollection(portal, trader);
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved', waiting_for: HOLD_REASON });
  });

  it('that covers the refund doesn’t hold the payout, and neither does a third party’s', async () => {
    const { sendCredit, waitForException } = operators;
    const trader = await createApprovedTrader('covered@early.example', 4_504);
    await sendCredit(trader, 450_400, HMRC_CREDIT);
    await waitForException(trader, 'credit', 450_400);
    await sendCredit(trader, 1, { remitterName: 'Somebody Else Ltd', reference: trader.vrn });
    await waitForException(trader, 'credit', 1);
    await confirmCollection(portal, trader);
    await waitForState(trader, 'settled');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_504 + 1, fee_income: -4_504, owed_to_trader: -1 });
  });

  it('isn’t taken for the repayment of a smaller refund that we have bought, with the rest as the trader’s', async () => {
    const { sendCredit, waitForException } = operators;
    const filedAt = toInstant(Date.parse('2027-02-03T09:00:00Z'));
    const { trader, returns } = await fileBacklog(portal, 'smaller@early.example', [1_000, 4_514], filedAt);
    const [small, large] = returns;
    if (!small || !large) throw new Error('two returns are due');
    await acceptRefund(portal, trader, small);
    await confirmCollection(portal, trader);
    await waitForState(trader, 'awaiting_hmrc');
    await acceptRefund(portal, trader, large);
    await sendCredit(trader, 451_400, { ...HMRC_CREDIT, reference: trader.vrn });
    await waitForException(trader, 'credit', 451_400);
    await confirmCollection(portal, trader);
    await waitForState(trader, 'settled');
    await sendCredit(trader, 100_000, { ...HMRC_CREDIT, reference: trader.vrn });
    const listStates = async () =>
      (await portal.deps.database.db.select().from(advances).where(eq(advances.companyId, trader.companyId))).map(({ state }) => state);
    await expect.poll(listStates, { timeout: 20_000 }).toEqual(['settled', 'settled']);
    expect(await operators.listExceptions(trader)).toEqual([]);
  });

  it.each([
    ['of the same amount', 4_511, 4_511],
    ['of a smaller amount', 4_513, 4_512],
  ])('lets us buy only one refund, although another %s waits too', async (_name, amountOfFirst, amountOfSecond) => {
    const { sendCredit, waitForException } = operators;
    const filedAt = toInstant(Date.parse('2027-02-03T09:00:00Z'));
    const { trader, returns } = await fileBacklog(portal, `two-${amountOfSecond}@early.example`, [amountOfFirst, amountOfSecond], filedAt);
    const accepted: string[] = [];
    for (const obligation of returns) accepted.push((await acceptRefund(portal, trader, obligation)).advance_id);
    expect(accepted).toHaveLength(2);
    await sendCredit(trader, amountOfFirst * 100, { ...HMRC_CREDIT, reference: trader.vrn });
    await waitForException(trader, 'credit', amountOfFirst * 100);
    // HMRC pays both, the second one to another account.
    portal.hmrc.setRepaymentAccount(trader.vrn, { sortCode: '200000', accountNumber: '55779911', accountName: 'Tess Exports Ltd' });
    for (const { periodKey } of returns) await portal.hmrc.moveRepayment(trader.vrn, periodKey, 'PAID');
    for (const advance_id of accepted)
      await trader.browser.post('/instant-vat/advance/confirm-collection-account', { company_id: trader.companyId, advance_id });
    await portal.runJobs();
    for (const advance_id of accepted) await progressAdvance(portal.deps, trader.companyId, advance_id);
    await portal.runJobs();
    expect(await listOrders(trader)).toHaveLength(1);
    expect(await listOrders(trader)).toMatchObject([{ advanceId: accepted[0] }]);
    await pollPayouts(portal);
    for (const advance_id of accepted) await progressAdvance(portal.deps, trader.companyId, advance_id);
    const rows = await portal.deps.database.db.select().from(advances).where(eq(advances.companyId, trader.companyId));
    expect(accepted.map((id) => rows.find((row) => row.id === id))).toMatchObject([
      { state: 'settled' },
      { state: 'approved', payoutHold: expect.stringMatching(/^HMRC shows this refund as paid/) },
    ]);
  });

  it('is needed once HMRC shows the refund as paid: the same amount from anyone else doesn’t let us buy it', async () => {
    const { sendCredit, waitForException } = operators;
    const trader = await createApprovedTrader('swapped@early.example', 4_506);
    portal.hmrc.setRepaymentAccount(trader.vrn, { sortCode: '200000', accountNumber: '55779911', accountName: 'Tess Exports Ltd' });
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    // A friend’s money, which we would have to return to them.
    await sendCredit(trader, 450_600, { remitterName: 'Marigold Imports FZE', reference: 'INV 77' });
    await waitForException(trader, 'credit', 450_600);
    const { advance_id } = await findAdvance(trader);
    await trader.browser.post('/instant-vat/advance/confirm-collection-account', { company_id: trader.companyId, advance_id });
    await portal.runJobs();
    expect(await findAdvance(trader)).toMatchObject({
      state: 'approved',
      waiting_for: expect.stringMatching(/^HMRC shows this refund as paid/),
    });
    expect(await listOrders(trader)).toEqual([]);
  });

  it('holds the payout if it may as well be for another refund that we have bought', async () => {
    const { sendCredit, waitForException } = operators;
    const { db } = portal.deps.database;
    const trader = await createApprovedTrader('ambiguous@early.example', 4_507);
    const [approved] = await db.select().from(advances).where(eq(advances.companyId, trader.companyId));
    if (!approved) throw new Error('the trader has no advance');
    for (const [month, refundPence] of [
      ['07', pence(500_000)],
      ['08', pence(600_000)],
    ] as const) {
      const period = { periodStart: plainDate(`2025-${month}-01`), periodEnd: plainDate(`2025-${month}-28`) };
      const bought = { id: randomUUID(), obligationId: randomUUID(), state: 'awaiting_hmrc', refundPence, ...period } as const;
      const quotedAt = toInstant(Date.parse('2026-10-01T09:00:00Z'));
      await db.insert(advances).values({ ...approved, ...bought, quotedAt });
    }
    // HMRC has paid this refund elsewhere, and now pays a part of one of the others.
    portal.hmrc.setRepaymentAccount(trader.vrn, { sortCode: '200000', accountNumber: '55779911', accountName: 'Tess Exports Ltd' });
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await sendCredit(trader, 460_000, HMRC_CREDIT);
    await waitForException(trader, 'credit', 460_000);
    const target = { company_id: trader.companyId, advance_id: approved.id };
    await trader.browser.post('/instant-vat/advance/confirm-collection-account', target);
    await portal.runJobs();
    expect(await listOrders(trader)).toEqual([]);
    const [held] = await db.select().from(advances).where(eq(advances.id, approved.id));
    expect(held).toMatchObject({ state: 'approved', payoutHold: HOLD_REASON });
  });

  it('that arrives after the order was written, but before it is sent, stops the payout: nothing is sent, and a retry waits too', async () => {
    const { olga, allocate, resolve, sendCredit, waitForException } = operators;
    const trader = await createApprovedTrader('stopped@early.example', 4_505);
    const { advance_id, collection_account } = await findAdvance(trader);
    portal.hmrc.setRepaymentAccount(trader.vrn, {
      sortCode: collection_account?.sort_code ?? '',
      accountNumber: collection_account?.account_number ?? '',
      accountName: 'Tess Exports Ltd',
    });
    await trader.browser.post('/instant-vat/advance/confirm-collection-account', { company_id: trader.companyId, advance_id });
    await progressAdvance(portal.deps, trader.companyId, advance_id);
    expect(await listOrders(trader)).toMatchObject([{ status: 'created' }]);
    await sendCredit(trader, 320_000, HMRC_CREDIT);
    await runTick(portal, 'credits.poll');
    const { subject_id } = await waitForException(trader, 'credit', 320_000);
    await portal.runJobs();
    const [order] = await listOrders(trader);
    expect(order).toMatchObject({ status: 'failed', failure: expect.stringContaining('HMRC') });
    expect(portal.bank.listPayouts().filter(({ idempotency_key }) => idempotency_key === order?.id)).toEqual([]);
    expect(await findAdvance(trader)).toMatchObject({ state: 'payout_failed', waiting_for: HOLD_REASON });

    const retryInput = { company_id: trader.companyId, advance_id, reason: 'Try again' };
    expect((await olga.post('/operator/advance/retry-payout', retryInput)).status).toBe(200);
    await portal.runJobs();
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved', waiting_for: HOLD_REASON });
    await resolve(trader, allocate(olga, trader, subject_id, [{ advance_id: null, amount_pence: 320_000 }]));
    await continueHeld(trader);
    await waitForState(trader, 'awaiting_hmrc');
    expect(await listOrders(trader)).toHaveLength(2);
  });
});
