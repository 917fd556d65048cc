/** What a trader owes us on an earlier refund or payment is deducted from the next payout, and operators release exactly what they saw. */
import { randomUUID } from 'node:crypto';
import { advances, payouts } from '@portal/db/schema/schema.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptRefund, fileBacklog } from '../../testing/file-backlog.ts';
import { addMandate, approveNextRefund, quoteNextRefund } from '../../testing/next-refund.ts';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createShortRepaidTrader, findCase, pollDirectDebitsAt, runTick, setUpDirectDebit, transfer } from '../../testing/short-refund.ts';
import {
  acceptAdvance,
  confirmCollection,
  createIdempotencyHeaders,
  createPaidTrader,
  findAdvance,
  getTrialBalance,
  postApproval,
  postRelease,
  waitForState,
} from '../../testing/take-advance.ts';
import type { Trader } from '../../testing/test-trader.ts';
import { submitPayout } from '../advances/submit-payout.ts';

let portal: TestPortal;
let operators: OperatorPair;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
});
beforeEach(() => portal.moveClock('2026-11-10T09:00:00.000Z'));
afterAll(() => portal.close());

const listPaidAmounts = async ({ companyId }: Trader): Promise<number[]> => {
  const rows = await portal.deps.database.db.select().from(payouts).where(eq(payouts.companyId, companyId)).orderBy(payouts.createdAt);
  return rows.filter(({ status }) => status === 'executed').map(({ amountPence }) => amountPence);
};

describe('an earlier difference', () => {
  it('is deducted once, although two payouts are ordered at the same moment', async () => {
    const filedAt = toInstant(Date.parse('2027-05-04T09:00:00Z'));
    const { trader, returns } = await fileBacklog(portal, 'twice@netting.example', [4_701, 4_702, 4_703], filedAt);
    const [first, ...others] = returns;
    if (!first) throw new Error('no return is due');
    await acceptRefund(portal, trader, first);
    await confirmCollection(portal, trader);
    await waitForState(trader, 'awaiting_hmrc');
    await operators.sendCredit(trader, 300_000, { remitterName: 'HMRC VAT', reference: trader.vrn });
    await waitForState(trader, 'shortfall');
    await addMandate(portal, trader);
    const accepted: string[] = [];
    for (const obligation of others) accepted.push((await acceptRefund(portal, trader, obligation)).advance_id);
    for (const advance_id of accepted)
      await trader.browser.post('/instant-vat/advance/confirm-collection-account', { company_id: trader.companyId, advance_id });
    await portal.runJobs();
    await expect.poll(() => listPaidAmounts(trader), { timeout: 20_000 }).toHaveLength(3);
    const prices = 470_100 - 4_701 + (470_200 - 4_702) + (470_300 - 4_703);
    expect((await listPaidAmounts(trader)).reduce((sum, amount) => sum + amount, 0)).toBe(prices - 170_100);
    expect((await getTrialBalance(portal, trader.companyId))['owed_to_trader']).toBeUndefined();
  });

  it('is deducted from the next payout: the release states the price and deduction, and is rejected once the deduction has changed', async () => {
    const { olga, omar } = operators;
    const trader = await createShortRepaidTrader(portal, 'owes@netting.example', 4_601, 3_000);
    const owingCase = await findCase(trader);
    const { advance_id: first } = await findAdvance(trader);
    const next = await approveNextRefund(portal, trader, 12_600, olga);
    expect(next).toMatchObject({ state: 'approved', net_pence: 1_247_400, netted_pence: 160_100 });
    // Every text for the trader names what they receive, not the price.
    const { body: dashboard } = await trader.browser.get('/instant-vat/dashboard', { company_id: trader.companyId });
    const offerMade = expect.objectContaining({ stage: 'quoted', detail: 'We offered you £10,873.00.' });
    expect(dashboard['advance']).toMatchObject({ net_pence: 1_087_300, timeline: expect.arrayContaining([offerMade]) });
    expect(next).toMatchObject({ timeline: expect.arrayContaining([offerMade]) });
    // The newer offer doesn't hide what the trader owes.
    const difference = expect.objectContaining({ kind: 'shortfall', level: 'problem', obligation_id: owingCase.obligation_id });
    expect(dashboard['tasks']).toContainEqual(difference);
    const listTasks = async () => (await trader.browser.get('/instant-vat/pending-tasks', {})).body['tasks'];
    expect(await listTasks()).toContainEqual(difference);
    const notice = owingCase.letters.find(({ heading }) => heading.startsWith('£1,601.00 is due by'));
    const letterKey = { company_id: trader.companyId, letter_id: notice?.letter_id ?? '' };
    const { body: letter } = await trader.browser.get('/instant-vat/shortfall/letter', letterKey);
    expect(letter['facts']).toEqual(expect.arrayContaining([{ label: 'Sort code', value: expect.stringMatching(/^\d\d-\d\d-\d\d$/) }]));
    const target = { company_id: trader.companyId, advance_id: next.advance_id };
    const { body } = await omar.get('/operator/advance', target);
    const seenTerms = { net_pence: next.net_pence, version: next.version, bank_account_id: body['bank_account_id'] };
    // A screen that doesn't show the deduction can't release the payout.
    const unaware = await omar.post('/operator/advance/release', { ...target, ...seenTerms }, createIdempotencyHeaders());
    expect(unaware).toMatchObject({
      status: 409,
      body: { code: 'advance.release_changed', message: expect.stringContaining('£1,601.00 is now deducted') },
    });
    // The trader pays part of the difference by transfer, so less is deducted.
    await transfer(portal, trader, 60_000, owingCase.reference);
    const getReceivedPence = async () => (await findCase(trader, first)).received_pence;
    await expect.poll(getReceivedPence, { timeout: 20_000 }).toBe(360_000);
    const outdated = await omar.post(
      '/operator/advance/release',
      { ...target, ...seenTerms, netted_pence: 160_100 },
      createIdempotencyHeaders(),
    );
    expect(outdated.body['message']).toContain('£1,001.00 is now deducted');
    expect(await listPaidAmounts(trader)).toHaveLength(1);
    expect((await postRelease(omar, trader, next.advance_id)).status).toBe(200);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
    expect((await listPaidAmounts(trader)).at(-1)).toBe(1_247_400 - 100_100);
    expect(await findCase(trader, first)).toMatchObject({ status: 'settled', owed_pence: 0 });
    expect(await listTasks()).not.toContainEqual(difference);
    expect(await getTrialBalance(portal, trader.companyId)).toMatchObject({ refunds_receivable: 1_260_000 });
  });
});

describe('a Direct Debit for an earlier difference', () => {
  it('is replaced by a smaller one once a part has been deducted from a payout', async () => {
    const { olga, omar } = operators;
    const trader = await createPaidTrader(portal, 'debited@netting.example', 4_602);
    const { advance_id: first } = await findAdvance(trader);
    portal.moveClock('2027-01-25T09:00:00.000Z');
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'REPAYMENT_ADJUSTED', 3_602_00);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await waitForState(trader, 'shortfall');
    await setUpDirectDebit(portal, trader);
    await pollDirectDebitsAt(portal, '2027-01-30T09:00:00.000Z');
    expect((await findCase(trader, first)).direct_debits).toMatchObject([{ amount_pence: 100_000, status: 'pending_submission' }]);
    const { advance_id: next } = await quoteNextRefund(portal, trader, 400);
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    await postApproval(olga, trader, next);
    await postRelease(omar, trader, next);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
    const { owed_pence } = await findCase(trader, first);
    expect(owed_pence).toBe(100_000 - 39_400);
    await pollDirectDebitsAt(portal, '2027-02-03T10:00:00.000Z');
    const debits = (await findCase(trader, first)).direct_debits;
    expect(debits.map(({ amount_pence, status }) => [amount_pence, status])).toEqual([
      [owed_pence, 'pending_submission'],
      [100_000, 'cancelled'],
    ]);
  });
});

describe('an overpayment', () => {
  async function makeUnorderedPayment(trader: Trader, amountPence: number): Promise<void> {
    const [paidPayout] = await portal.deps.database.db.select().from(payouts).where(eq(payouts.companyId, trader.companyId));
    await portal.deps.payments.createPayout({
      idempotencyKey: randomUUID(),
      amountPence: pence(amountPence),
      beneficiary: { name: 'Tess Exports Ltd', sortCode: '200000', accountNumber: '55779911' },
      reference: paidPayout?.reference ?? '',
    });
    portal.bank.advancePayouts();
    await runTick(portal, 'returns.poll');
  }

  /** Two operators decide that the trader owes us the payment. */
  async function decideOverpayment(trader: Trader, amountPence: number): Promise<void> {
    const foundException = await operators.waitForException(trader, 'unrecorded_payout', amountPence);
    const ids = { company_id: trader.companyId, subject_id: foundException.subject_id, reason: 'Seen in the bank’s console' };
    await operators.resolve(trader, operators.olga.post('/operator/matters/resolve-payout', { ...ids, as: 'overpayment' }));
  }

  async function overpay(trader: Trader, amountPence: number): Promise<void> {
    await makeUnorderedPayment(trader, amountPence);
    await decideOverpayment(trader, amountPence);
  }

  async function createSettledTrader(email: string, refundPounds: number): Promise<Trader> {
    const trader = await createPaidTrader(portal, email, refundPounds);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await waitForState(trader, 'settled');
    return trader;
  }

  const getBalance = async (trader: Trader) => (await getTrialBalance(portal, trader.companyId))['owed_to_trader'] ?? 0;

  it('is deducted from the next payout under an agreement that allows it, and is owed again if that payout is returned', async () => {
    const { olga, omar, listExceptions } = operators;
    const trader = await createSettledTrader('overpaid@netting.example', 4_611);
    await overpay(trader, 50_000);
    expect(await getBalance(trader)).toBe(50_000);
    const next = await approveNextRefund(portal, trader, 12_610, olga);
    expect(next).toMatchObject({ state: 'approved', net_pence: 1_248_390, netted_pence: 50_000 });
    expect((await postRelease(omar, trader, next.advance_id)).status).toBe(200);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
    expect((await listPaidAmounts(trader)).at(-1)).toBe(1_248_390 - 50_000);
    expect(await findAdvance(trader)).toMatchObject({ netted_pence: 50_000 });
    expect(await getBalance(trader)).toBe(0);
    expect((await listExceptions(trader)).filter(({ kind }) => kind === 'surplus')).toEqual([]);
    const rows = await portal.deps.database.db.select().from(payouts).where(eq(payouts.advanceId, next.advance_id));
    portal.bank.returnPayout(rows[0]?.providerPayoutId ?? '', 'account closed');
    await waitForState(trader, 'payout_failed');
    expect(await getBalance(trader)).toBe(50_000);
    expect(await findAdvance(trader)).toMatchObject({ netted_pence: 50_000 });
  });

  it('keeps the company open until it is paid back, as the payment does before anyone has decided', async () => {
    const { olga, sendCredit, resolve, allocate, waitForException } = operators;
    const trader = await createSettledTrader('leaving@netting.example', 4_613);
    const listBlockers = async () =>
      ((await trader.browser.get('/v2/company/closing', { company_id: trader.companyId })).body['blockers'] as { kind: string }[]).map(
        ({ kind }) => kind,
      );
    expect(await listBlockers()).toEqual([]);
    await makeUnorderedPayment(trader, 30_000);
    expect(await listBlockers()).toEqual(['undecided_payment']);
    await decideOverpayment(trader, 30_000);
    expect(await listBlockers()).toEqual(['shortfall']);
    const closing = await trader.browser.post('/v2/company/close', { company_id: trader.companyId, confirm_with: 'Tess Exports Ltd' });
    expect([closing.status, closing.body['code']]).toEqual([409, 'closing.blocked']);
    expect(closing.body['message']).toContain('You owe us £300.00');
    await sendCredit(trader, 30_000);
    const credit = await waitForException(trader, 'credit', 30_000);
    await resolve(trader, allocate(olga, trader, credit.subject_id, [{ advance_id: null, amount_pence: 30_000 }]));
    expect(await listBlockers()).toEqual([]);
  });

  it('stops a payment of money that we owed the trader before, if the bank hasn’t taken it yet', async () => {
    const { olga, omar, sendCredit, approve } = operators;
    const trader = await createPaidTrader(portal, 'waiting@netting.example', 4_614);
    await sendCredit(trader, 461_400 + 20_000, { remitterName: 'HMRC VAT', reference: trader.vrn });
    await waitForState(trader, 'settled');
    portal.faults.set({ operation: 'truelayer.create_payout', kind: 'too_many', times: 1_000 });
    const order = { company_id: trader.companyId, amount_pence: 20_000, reason: 'Interest' };
    const { body } = await olga.post('/operator/matters/pay-surplus', order);
    expect((await approve(omar, trader, body['request_id'])).status).toBe(200);
    await portal.runJobs();
    const findSurplusOrder = async () => {
      const isSurplus = and(eq(payouts.companyId, trader.companyId), isNull(payouts.advanceId));
      return (await portal.deps.database.db.select().from(payouts).where(isSurplus))[0];
    };
    expect(await findSurplusOrder()).toMatchObject({ status: 'created' });
    portal.faults.clear();
    await overpay(trader, 50_000);
    await submitPayout(portal.deps, trader.companyId, (await findSurplusOrder())?.id ?? '');
    expect(await findSurplusOrder()).toMatchObject({ status: 'failed', failure: 'it was no longer owed' });
    expect(await getBalance(trader)).toBe(30_000);
  });

  it('doesn’t keep operators from matching a payment to a refund', async () => {
    const { olga, sendCredit, resolve, allocate, waitForException } = operators;
    const trader = await createPaidTrader(portal, 'matching@netting.example', 4_615);
    const { advance_id } = await findAdvance(trader);
    await overpay(trader, 50_000);
    await sendCredit(trader, 100_000);
    const { subject_id } = await waitForException(trader, 'credit', 100_000);
    await resolve(trader, allocate(olga, trader, subject_id, [{ advance_id, amount_pence: 100_000 }]));
    expect(await findAdvance(trader)).toMatchObject({ state: 'shortfall', received_pence: 100_000 });
    expect(await getBalance(trader)).toBe(50_000);
  });

  it('isn’t deducted under an earlier agreement that doesn’t allow it', async () => {
    const { olga } = operators;
    const trader = await createSettledTrader('agreed@netting.example', 4_612);
    await overpay(trader, 40_000);
    const next = await approveNextRefund(portal, trader, 12_620, olga);
    expect(next.netted_pence).toBe(40_000);
    await portal.deps.database.db.update(advances).set({ agreementVersion: 2 }).where(eq(advances.id, next.advance_id));
    expect((await findAdvance(trader)).netted_pence).toBe(0);
  });
});
