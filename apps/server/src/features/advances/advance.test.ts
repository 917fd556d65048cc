import { advances, ledgerLines, ledgerPostings, payouts, users } from '@portal/db/schema/schema.ts';
import { getSqlState } from '@portal/db/sql-errors.ts';
import { pence } from '@portal/domain/money.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeBankAccount, createConnectedTrader, createOperator, type Browser, type Trader } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  acceptAdvance,
  confirmCollection,
  createPaidTrader,
  createTraderWithFiledReturn as takeFiledTrader,
  findAdvance,
  getTrialBalance,
  postApproval,
  postRelease,
  waitForState,
} from '../../testing/take-advance.ts';
import { submitPayout } from './submit-payout.ts';

let portal: TestPortal;
let olga: Browser;
let omar: Browser;
let otis: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
  omar = await createOperator(portal, 'omar@operators.example');
  otis = await createOperator(portal, 'otis@operators.example');
  await portal.deps.database.db.update(users).set({ fullName: 'Omar Operator' }).where(eq(users.email, 'omar@operators.example'));
  await portal.deps.database.db.update(users).set({ fullName: 'Otis Operator' }).where(eq(users.email, 'otis@operators.example'));
});
afterAll(() => portal.close());

const createFiledTrader = (email: string, refundPounds?: number) => takeFiledTrader(portal, email, refundPounds);
const accept = (trader: Trader) => acceptAdvance(portal, trader);
const confirm = (trader: Trader) => confirmCollection(portal, trader);
const find = findAdvance;

async function release(operatorBrowser: Browser, trader: Trader, advanceId: string) {
  const response = await postRelease(operatorBrowser, trader, advanceId);
  await portal.runJobs();
  return response;
}

const listPayoutsAtBank = (amountPence: number) => portal.bank.listPayouts().filter((payout) => payout.amount_pence === amountPence).length;

describe('an advance', () => {
  it('is quoted at 1%, paid automatically when every rule passes, and settled by HMRC’s repayment', async () => {
    const trader = await createFiledTrader('plain@trader.example', 4_021);
    const offer = await find(trader);
    expect(offer).toMatchObject({ state: 'quoted', refund_pence: 402_100, fee_pence: 4_021, net_pence: 398_079, eligible: true });
    expect((await accept(trader)).waiting_for).toContain('Ask HMRC');
    await confirm(trader);
    await waitForState(trader, 'awaiting_hmrc');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ refunds_receivable: 402_100, cash: -398_079, fee_income: -4_021 });
    expect(listPayoutsAtBank(398_079)).toBe(1);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await waitForState(trader, 'settled');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_021, fee_income: -4_021 });
  });

  it('above £25,000 needs three people: one who approves it and two who release it', async () => {
    const trader = await createFiledTrader('large@trader.example', 40_000);
    const { advance_id, rules } = await accept(trader);
    expect(rules.find(({ rule }) => rule === 'amount_reviewed')?.outcome).toBe('review');
    await confirm(trader);
    expect((await find(trader)).state).toBe('in_review');
    await postApproval(olga, trader, advance_id);
    expect((await release(olga, trader, advance_id)).body['code']).toBe('advance.own_approval');
    await release(omar, trader, advance_id);
    await release(omar, trader, advance_id);
    expect((await find(trader)).state).toBe('approved');
    expect(listPayoutsAtBank(3_960_000)).toBe(0);
    await release(otis, trader, advance_id);
    await waitForState(trader, 'awaiting_hmrc');
    expect(listPayoutsAtBank(3_960_000)).toBe(1);
    const { body } = await olga.get('/operator/advance', { company_id: trader.companyId, advance_id });
    const payingEntry = (body['history'] as { to: string; reason: string }[]).find(({ to }) => to === 'paying');
    expect(payingEntry?.reason).toBe('Released by Omar Operator and Otis Operator.');
  });

  it('is paid once when the payout is submitted again after a lost response', async () => {
    const trader = await createFiledTrader('twice@trader.example', 4_022);
    await accept(trader);
    portal.faults.set({ operation: 'truelayer.create_payout', kind: 'timeout_after_work', times: 1 });
    await confirm(trader);
    await portal.runJobs();
    const [payout] = await portal.deps.database.db.select().from(payouts).where(eq(payouts.companyId, trader.companyId));
    await submitPayout(portal.deps, trader.companyId, payout?.id ?? '');
    await waitForState(trader, 'awaiting_hmrc');
    expect(listPayoutsAtBank(398_178)).toBe(1);
  });

  it('names the account that was paid, even after the company has changed its account', async () => {
    const trader = await createFiledTrader('moved@trader.example', 4_026);
    await accept(trader);
    await confirm(trader);
    await waitForState(trader, 'awaiting_hmrc');
    const paidAccount = { account_holder: 'Tess Exports Ltd', sort_code: '200000', account_number_end: '9911' };
    expect(await find(trader)).toMatchObject({ payout_account: paidAccount, repayment_late: false });
    expect((await changeBankAccount(portal, trader, { sort_code: '40-00-00', account_number: '12345678' })).status).toBe(200);
    expect(await find(trader)).toMatchObject({ payout_account: paidAccount, payout_reference: expect.stringContaining(trader.vrn) });
  });

  it('records a shortfall due from the trader when HMRC pays less, and the ledger still balances', async () => {
    const trader = await createFiledTrader('short@trader.example', 4_023);
    await accept(trader);
    await confirm(trader);
    await waitForState(trader, 'awaiting_hmrc');
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'REPAYMENT_ADJUSTED', 300_000);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await waitForState(trader, 'shortfall');
    const balance = await getTrialBalance(portal, trader.companyId);
    expect(balance['due_from_trader']).toBe(102_300);
    expect(balance['refunds_receivable']).toBeUndefined();
  });

  it('is paid again after the bank returned the payout and an operator retried it', async () => {
    const trader = await createFiledTrader('returned@trader.example', 4_024);
    const { advance_id } = await accept(trader);
    await confirm(trader);
    await waitForState(trader, 'awaiting_hmrc');
    const bankPayout = portal.bank.listPayouts().find((payout) => payout.amount_pence === 398_376);
    portal.bank.returnPayout(bankPayout?.id ?? '', 'returned');
    await waitForState(trader, 'payout_failed');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({});
    await olga.post('/operator/advance/retry-payout', { company_id: trader.companyId, advance_id, reason: 'Account reopened' });
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
    expect(listPayoutsAtBank(398_376)).toBe(2);
  });

  it('holds the payout for 24 hours after a change of bank account', async () => {
    const trader = await createFiledTrader('moved@trader.example', 4_025);
    await accept(trader);
    await changeBankAccount(portal, trader, { sort_code: '400000', account_number: '11112222' });
    await confirm(trader);
    const advanceOnHold = await find(trader);
    expect(advanceOnHold).toMatchObject({ state: 'approved', waiting_for: expect.stringContaining('the payment is on hold until') });
  });

  it('rejects a changed quote, an expired quote and another company’s quote', async () => {
    const trader = await createFiledTrader('stale@trader.example', 4_026);
    const offer = await find(trader);
    const body = {
      company_id: trader.companyId,
      advance_id: offer.advance_id,
      version: offer.version + 1,
      agreement_hash: offer.agreement.hash,
    };
    const key = { 'idempotency-key': crypto.randomUUID() };
    expect((await trader.browser.post('/instant-vat/advance/accept', body, key)).body['code']).toBe('advance.quote_changed');
    expect((await olga.post('/instant-vat/advance/accept', body, key)).status).toBe(404);
    await portal.deps.database.db
      .update(advances)
      .set({ validUntil: portal.deps.clock.now() })
      .where(eq(advances.companyId, trader.companyId));
    const lateAcceptance = { ...body, version: offer.version };
    const response = await trader.browser.post('/instant-vat/advance/accept', lateAcceptance, { 'idempotency-key': crypto.randomUUID() });
    expect(response.body['code']).toBe('advance.quote_expired');
  });

  it('is not offered when the minimum fee would leave nothing', async () => {
    const trader = await createFiledTrader('tiny@trader.example', 5);
    const response = await trader.browser.post('/instant-vat/advance/quote', {
      company_id: trader.companyId,
      obligation_id: trader.obligation.id,
    });
    expect(response.body).toMatchObject({ advance: null, reason: expect.stringContaining('too small') });
  });

  it('is not eligible while another return is overdue, and says so', async () => {
    const trader = await createConnectedTrader(portal, 'overdue@trader.example');
    await portal.hmrc.chooseSituation(trader.vrn, 'overdue_return');
    await trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
    const { body } = await trader.browser.get('/instant-vat/vat-return', {
      company_id: trader.companyId,
      obligation_id: trader.obligation.id,
    });
    await trader.browser.post(
      '/instant-vat/vat-return/file',
      {
        company_id: trader.companyId,
        obligation_id: trader.obligation.id,
        figures_version: body['figures_version'],
        declaration_accepted: true,
      },
      { 'idempotency-key': crypto.randomUUID() },
    );
    await portal.runJobs();
    const { eligible, rules } = await find(trader);
    expect(eligible).toBe(false);
    expect(rules.find(({ rule }) => rule === 'no_overdue_return')?.outcome).toBe('fail');
  });
});

describe('the ledger', () => {
  it('rejects unbalanced postings and changes to past postings in the database itself', async () => {
    const { db } = portal.deps.database;
    const trader = await createPaidTrader(portal, 'ledger@trader.example', 4_027);
    const { companyId } = trader;
    const unbalancedPosting = db.transaction(async (tx) => {
      const id = crypto.randomUUID();
      await tx.insert(ledgerPostings).values({
        companyId,
        id,
        idempotencyKey: id,
        description: 'one-sided',
        onDate: portal.deps.clock.today(),
        postedAt: portal.deps.clock.now(),
      });
      await tx.insert(ledgerLines).values({ companyId, postingId: id, account: 'cash', amountPence: pence(1) });
    });
    await expect(unbalancedPosting).rejects.toSatisfy(isRefusedByTrigger);
    await expect(db.update(ledgerLines).set({ amountPence: pence(0) })).rejects.toSatisfy(isRefusedByTrigger);
    await expect(db.delete(ledgerPostings)).rejects.toSatisfy(isRefusedByTrigger);
  });

  it('is shown to operators as a balanced trial balance', async () => {
    await createPaidTrader(portal, 'balance@trader.example', 4_028);
    const { body } = await olga.get('/operator/ledger');
    expect(body['difference_pence']).toBe(0);
    expect(Number(body['total_debit_pence'])).toBeGreaterThanOrEqual(402_800);
  });
});

/** The triggers raise integrity_constraint_violation (SQLSTATE 23000). */
const isRefusedByTrigger = (error: unknown) => getSqlState(error) === '23000';
