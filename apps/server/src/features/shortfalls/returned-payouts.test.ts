/** A payout that the bank returns after its refund was claimed from the trader, or after part of it was repaid. */
import { payouts } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createShortRepaidTrader, findCase, transfer, waitForReceivedAmount } from '../../testing/short-refund.ts';
import { createIdempotencyHeaders, createPaidTrader, findAdvance, getTrialBalance, postRelease } from '../../testing/take-advance.ts';
import { changeBankAccount, type Trader } from '../../testing/test-trader.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';

let portal: TestPortal;
let operators: OperatorPair;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
});
afterAll(() => portal.close());

/** HMRC pays us nothing, and an operator claims the whole refund. */
async function createClaimedTrader(email: string, refundPounds: number): Promise<Trader> {
  const trader = await createPaidTrader(portal, email, refundPounds);
  await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'ADJUSMENT_TO_TAX_DUE', 25_000);
  await trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
  const { shortfall_id } = await findCase(trader);
  const claim = { company_id: trader.companyId, shortfall_id, amount_pence: refundPounds * 100, reason: 'HMRC’s letter' };
  await operators.olga.post('/operator/shortfall/claim', claim, createIdempotencyHeaders());
  expect((await findCase(trader)).status).toBe('due');
  return trader;
}

async function returnPayout(trader: Trader): Promise<void> {
  const isPaid = and(eq(payouts.companyId, trader.companyId), eq(payouts.status, 'executed'));
  const [paidPayout] = await portal.deps.database.db.select().from(payouts).where(isPaid);
  portal.bank.returnPayout(paidPayout?.providerPayoutId ?? '', 'account closed');
  await vi.waitFor(async () => {
    const [row] = await portal.deps.database.db
      .select()
      .from(payouts)
      .where(eq(payouts.id, paidPayout?.id ?? ''));
    expect(row?.status).toBe('returned');
  }, WAIT_OPTIONS);
}

const describeSurplus = async (trader: Trader) => (await operators.listExceptions(trader)).filter(({ kind }) => kind === 'surplus');

describe('a payout that is returned after its refund was claimed', () => {
  it('undoes the claim: the trader never had the money, so they owe nothing and we owe them nothing', async () => {
    const trader = await createClaimedTrader('claimed@returned.example', 4_701);
    await returnPayout(trader);
    expect((await findAdvance(trader)).state).toBe('payout_failed');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({});
    const closedCase = await findCase(trader);
    expect(closedCase).toMatchObject({ status: 'closed', owed_pence: 0, due_on: null, next_action: null });
    expect(closedCase.letters[0]?.heading).toBe('You don’t owe us £4,701.00');
    expect(await describeSurplus(trader)).toEqual([]);
    await portal.runJobs();
    expect(portal.sentEmails.map(({ subject }) => subject)).toContain('Tess Exports Ltd: You don’t owe us £4,701.00');
  });

  it('leaves what the trader had already paid for two operators to decide: it isn’t kept', async () => {
    const { allocate, olga, resolve, waitForException } = operators;
    const trader = await createClaimedTrader('paid@returned.example', 4_702);
    const { reference } = await findCase(trader);
    await transfer(portal, trader, 100_000, reference);
    await waitForReceivedAmount(trader, 100_000);
    await returnPayout(trader);
    expect((await findAdvance(trader)).state).toBe('payout_failed');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 100_000, owed_to_trader: -100_000 });
    expect(await findCase(trader)).toMatchObject({ status: 'closed', owed_pence: 0 });
    const { subject_id } = await waitForException(trader, 'credit', 100_000);
    await resolve(trader, allocate(olga, trader, subject_id, [{ advance_id: null, amount_pence: 100_000 }]));
    expect(await describeSurplus(trader)).toMatchObject([{ amount_pence: 100_000 }]);
  });

  it('after the whole was written off recovers the write-off, instead of being paid to the trader', async () => {
    const trader = await createClaimedTrader('written@returned.example', 4_703);
    const { shortfall_id } = await findCase(trader);
    const key = { company_id: trader.companyId, shortfall_id, reason: 'The company is dissolved' };
    await operators.resolve(trader, operators.olga.post('/operator/shortfall/write-off', key));
    await returnPayout(trader);
    // What remains is our fee, which isn't owed to us: it is both income and a bad debt.
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ bad_debts: 4_703, fee_income: -4_703 });
    expect((await findAdvance(trader)).state).toBe('written_off');
    expect(await describeSurplus(trader)).toEqual([]);
    expect((await findCase(trader)).letters[0]?.heading).toBe('Our payment to you was returned');
  });

  it('after the written-off amount was paid is paid to the trader again', async () => {
    const trader = await createClaimedTrader('recovered@returned.example', 4_707);
    const { shortfall_id, reference } = await findCase(trader);
    const key = { company_id: trader.companyId, shortfall_id, reason: 'The company is dissolved' };
    await operators.resolve(trader, operators.olga.post('/operator/shortfall/write-off', key));
    await transfer(portal, trader, 470_700, reference);
    const { advance_id } = await findAdvance(trader);
    const { subject_id } = await operators.waitForException(trader, 'credit', 470_700);
    await operators.resolve(trader, operators.allocate(operators.olga, trader, subject_id, [{ advance_id, amount_pence: 470_700 }]));
    expect((await findAdvance(trader)).state).toBe('settled');
    await returnPayout(trader);
    const owedAmount = 470_700 - 4_707;
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 470_700, fee_income: -4_707, owed_to_trader: -owedAmount });
    expect((await findAdvance(trader)).state).toBe('settled');
    expect(await describeSurplus(trader)).toMatchObject([{ amount_pence: owedAmount }]);
  });
});

describe('a payout that is returned after HMRC repaid a part', () => {
  it('first pays what the trader owes for this refund, and only the rest is paid to them', async () => {
    const trader = await createShortRepaidTrader(portal, 'part@returned.example', 4_704, 3_000);
    expect(await findCase(trader)).toMatchObject({ status: 'due', owed_pence: 170_400 });
    await returnPayout(trader);
    const owedAmount = 470_400 - 4_704 - 170_400;
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 300_000, fee_income: -4_704, owed_to_trader: -owedAmount });
    expect((await findAdvance(trader)).state).toBe('settled');
    const settledCase = await findCase(trader);
    expect(settledCase).toMatchObject({ status: 'settled', owed_pence: 0 });
    expect(settledCase.letters[0]?.heading).toBe('Our payment to you was returned');
    expect(await describeSurplus(trader)).toMatchObject([{ amount_pence: owedAmount }]);
  });

  it('deducts nothing while the trader disputes the difference', async () => {
    const trader = await createShortRepaidTrader(portal, 'disputed@returned.example', 4_705, 3_000);
    const { shortfall_id } = await findCase(trader);
    const dispute = { company_id: trader.companyId, shortfall_id, reason: 'HMRC is wrong' };
    expect((await trader.browser.post('/instant-vat/shortfall/dispute', dispute)).status).toBe(200);
    await returnPayout(trader);
    expect(await findCase(trader)).toMatchObject({ status: 'disputed', owed_pence: 170_500 });
    expect(await getTrialBalance(portal, trader.companyId)).toMatchObject({ due_from_trader: 170_500, owed_to_trader: -(470_500 - 4_705) });
  });
});

it('is released again like any other, and waits while HMRC shows another refund', async () => {
  const { olga, omar } = operators;
  const trader = await createPaidTrader(portal, 'again@returned.example', 4_706);
  await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'REPAYMENT_ADJUSTED', 300_000);
  await trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
  const { shortfall_id } = await findCase(trader);
  const claim = { company_id: trader.companyId, shortfall_id, amount_pence: 470_600, reason: 'HMRC’s letter' };
  expect((await olga.post('/operator/shortfall/claim', claim, createIdempotencyHeaders())).status).toBe(200);
  await returnPayout(trader);
  await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'REPAYMENT_APPROVED');
  await changeBankAccount(portal, trader, { sort_code: '20-00-00', account_number: '55779911' });
  const { advance_id } = await findAdvance(trader);
  const retryInput = { company_id: trader.companyId, advance_id, reason: 'The bank allows it again' };
  expect((await olga.post('/operator/advance/retry-payout', retryInput)).status).toBe(200);
  await postRelease(omar, trader, advance_id);
  await portal.runJobs();
  // HMRC's reduced figure is still the latest, so the payout waits: nothing is paid for a refund that was claimed for good reason.
  expect(await findAdvance(trader)).toMatchObject({ state: 'approved', waiting_for: expect.stringContaining('HMRC now shows') });
});
