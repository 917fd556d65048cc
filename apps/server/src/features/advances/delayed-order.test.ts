/** A payout order that couldn't be sent for a long time isn't sent on the facts of the day it was ordered. */
import { mandates, payouts } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { FaultKind } from '@portal/sandbox/simulator/faults.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { jobHandlers } from '../../job-handlers.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  acceptAdvance,
  confirmCollection,
  createTraderWithFiledReturn,
  findAdvance,
  getTrialBalance,
  postApproval,
  postRelease,
  waitForState,
} from '../../testing/take-advance.ts';
import { changeBankAccount, createOperator, type Trader } from '../../testing/test-trader.ts';
import { setUpDirectDebit } from '../../testing/short-refund.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';
import { submitPayout } from './submit-payout.ts';

const HOUR_MS = 3_600_000;

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterEach(() => portal.faults.clear());
afterAll(() => portal.close());

const later = (hours: number) => portal.moveClock(addMilliseconds(portal.deps.clock.now(), hours * HOUR_MS));
const findOrder = async ({ companyId }: Trader) => {
  const [order] = await portal.deps.database.db.select().from(payouts).where(eq(payouts.companyId, companyId));
  if (!order) throw new Error('no order');
  return order;
};
const send = async (trader: Trader) => submitPayout(portal.deps, trader.companyId, (await findOrder(trader)).id);

async function createUnsentOrder(email: string, refundPounds: number, kind: FaultKind = 'too_many'): Promise<Trader> {
  const trader = await createTraderWithFiledReturn(portal, email, refundPounds);
  await acceptAdvance(portal, trader);
  portal.faults.set({ operation: 'truelayer.create_payout', kind, times: 1_000 });
  // Nor can the bank's record be read, which would show a payout that was made without a response.
  if (kind === 'timeout_after_work') portal.faults.set({ operation: 'truelayer.get_payout', kind: 'server_error', times: 1_000 });
  await confirmCollection(portal, trader);
  expect(await findOrder(trader)).toMatchObject({ status: 'created' });
  portal.faults.clear();
  return trader;
}

/** HMRC pays the refund to the trader's own account, and the trader's refresh shows it. */
async function payElsewhere(trader: Trader): Promise<void> {
  portal.hmrc.setRepaymentAccount(trader.vrn, { sortCode: '200000', accountNumber: '55779911', accountName: 'Tess Exports Ltd' });
  await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
  await trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
}

async function expectUnpaid(trader: Trader, reason: RegExp): Promise<void> {
  const { id } = await findOrder(trader);
  expect(portal.bank.listPayouts().filter(({ idempotency_key }) => idempotency_key === id)).toEqual([]);
  expect(await findAdvance(trader)).toMatchObject({ state: 'payout_failed', waiting_for: expect.stringMatching(reason) });
  expect(await getTrialBalance(portal, trader.companyId)).toEqual({});
}

describe('an order that the bank didn’t take', () => {
  it('isn’t sent two days later, after HMRC paid the refund to another account', async () => {
    const trader = await createUnsentOrder('paid@delayed.example', 4_101);
    later(49);
    await payElsewhere(trader);
    await send(trader);
    await expectUnpaid(trader, /^HMRC shows this refund as paid/);
    // Sending it again is decided by a person, and waits for the same reason.
    const olga = await createOperator(portal, 'olga@operators.example');
    const { advance_id } = await findAdvance(trader);
    await olga.post('/operator/advance/retry-payout', { company_id: trader.companyId, advance_id, reason: 'The bank works again' });
    await portal.runJobs();
    expect((await findAdvance(trader)).state).toBe('approved');
  });

  it('isn’t sent two days later although nothing seems to have changed, because HMRC’s figures are too old', async () => {
    const trader = await createUnsentOrder('old@delayed.example', 4_104);
    later(49);
    await jobHandlers(portal.deps)['screening.run']({ company_id: trader.companyId }, { id: 'test' } as never);
    await send(trader);
    await expectUnpaid(trader, /checks are out of date/);
  });

  it('isn’t sent after the screening found something, in the words for any unfinished screening', async () => {
    const trader = await createUnsentOrder('listed@delayed.example', 4_102);
    portal.identity.screening.addEntity({ schema: 'Person', name: trader.fullName, topic: 'sanction' });
    await jobHandlers(portal.deps)['screening.run']({ company_id: trader.companyId }, { id: 'test' } as never);
    portal.identity.screening.removeEntity(trader.fullName);
    await send(trader);
    await expectUnpaid(trader, /^We’re completing our checks before we pay\./);
  });

  it('isn’t sent to an account that the trader has replaced', async () => {
    const trader = await createUnsentOrder('moved@delayed.example', 4_103);
    await changeBankAccount(portal, trader, { sort_code: '20-00-00', account_number: '41421420' });
    await send(trader);
    await expectUnpaid(trader, /bank account was changed/);
  });

  it('isn’t sent once the trader has cancelled the mandate that it needs', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'mandate@delayed.example', 51_000);
    const { advance_id } = await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    const mandateId = await setUpDirectDebit(portal, trader);
    portal.directDebits.moveMandate(mandateId, 'submitted');
    const [otto, ...releasers] = [
      await createOperator(portal, 'otto@operators.example'),
      await createOperator(portal, 'omar@operators.example'),
      await createOperator(portal, 'orla@operators.example'),
    ];
    await postApproval(otto, trader, advance_id);
    for (const operator of releasers) expect((await postRelease(operator, trader, advance_id)).status).toBe(200);
    portal.faults.set({ operation: 'truelayer.create_payout', kind: 'too_many', times: 1_000 });
    await vi.waitFor(async () => {
      await portal.runJobs();
      expect(await findOrder(trader)).toMatchObject({ status: 'created' });
    }, WAIT_OPTIONS);
    portal.directDebits.moveMandate(mandateId, 'cancelled', 'cancelled by the payer');
    const isCancelled = and(eq(mandates.companyId, trader.companyId), eq(mandates.status, 'cancelled'));
    await vi.waitFor(async () => expect(await portal.deps.database.db.$count(mandates, isCancelled)).toBe(1), WAIT_OPTIONS);
    portal.faults.clear();
    await send(trader);
    await expectUnpaid(trader, /Direct Debit that this payment needs has ended/);
  });

  it('is sent half an hour later, when the bank works again', async () => {
    const trader = await createUnsentOrder('soon@delayed.example', 4_105);
    later(0.5);
    await send(trader);
    await waitForState(trader, 'awaiting_hmrc');
    expect(await findOrder(trader)).toMatchObject({ status: 'executed' });
  });
});

describe('an order whose submissions had an unknown result', () => {
  it('isn’t submitted again once a fact holds it, and fails when the bank’s record is complete without it', async () => {
    const trader = await createUnsentOrder('unknown@delayed.example', 4_106, 'cut_before_work');
    await payElsewhere(trader);
    await expect(send(trader)).rejects.toThrow('isn’t sent again: HMRC’s figures no longer allowed it');
    expect((await findAdvance(trader)).state).toBe('paying');
    later(2);
    await send(trader);
    expect((await findAdvance(trader)).state).toBe('payout_failed');
    expect(await findOrder(trader)).toMatchObject({ status: 'failed', failure: 'HMRC’s figures no longer allowed it' });
  });

  it('is still found at the bank if it was paid, whatever holds it now', async () => {
    const trader = await createUnsentOrder('made@delayed.example', 4_107, 'timeout_after_work');
    await payElsewhere(trader);
    await send(trader);
    await waitForState(trader, 'awaiting_hmrc');
    expect(await findOrder(trader)).toMatchObject({ status: 'executed' });
  });
});
