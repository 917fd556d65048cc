/** HMRC's money that arrives after a Direct Debit has paid in its place is our security until the bank stops returning the Direct Debit. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { quoteNextRefund } from '../../testing/next-refund.ts';
import { payouts } from '@portal/db/schema/schema.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createShortRepaidTrader, findCase, pollDirectDebitsAt, setUpDirectDebit } from '../../testing/short-refund.ts';
import {
  acceptAdvance,
  confirmCollection,
  findAdvance,
  getTrialBalance,
  postApproval,
  postRelease,
  waitForState,
} from '../../testing/take-advance.ts';
import { createOperator, type Browser, type Trader } from '../../testing/test-trader.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { submitPayout } from '../advances/submit-payout.ts';

let portal: TestPortal;
let operators: OperatorPair;
let otis: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
  otis = await createOperator(portal, 'otis@operators.example');
});
beforeEach(() => portal.moveClock('2026-11-10T09:00:00Z'));
afterEach(() => portal.faults.clear());
afterAll(() => portal.close());

const moveTo = (at: string): Promise<void> => pollDirectDebitsAt(portal, at);

const waitForStatus = (trader: Trader, status: string) =>
  vi.waitFor(async () => expect((await findCase(trader)).direct_debits.at(-1)?.status).toBe(status), WAIT_OPTIONS);

const HMRC = { remitterName: 'HMRC VAT' };

/** HMRC repays £1,000 too little, and a Direct Debit collects it. */
async function createDebitedTrader(email: string, beforeOrder = async (_trader: Trader): Promise<void> => {}): Promise<Trader> {
  const trader = await createShortRepaidTrader(portal, email, 4_351, 3_351);
  await beforeOrder(trader);
  await setUpDirectDebit(portal, trader);
  await moveTo('2026-11-14T09:00:00Z');
  await moveTo('2026-11-23T09:00:00Z');
  await moveTo('2026-11-27T09:00:00Z');
  await waitForStatus(trader, 'paid_out');
  await waitForState(trader, 'settled');
  return trader;
}

/** HMRC pays it after all, which two operators decide is the trader's. */
async function createDoublyPaidTrader(email: string): Promise<Trader> {
  const { olga, allocate, resolve, sendCredit, waitForException } = operators;
  const trader = await createDebitedTrader(email);
  await sendCredit(trader, 100_000, { ...HMRC, reference: trader.vrn });
  const credit = await waitForException(trader, 'credit', 100_000);
  await resolve(trader, allocate(olga, trader, credit.subject_id, [{ advance_id: null, amount_pence: 100_000 }]));
  return trader;
}

/** Sent twice, because the first request has the company screened. */
async function requestPayout(trader: Trader, amount_pence: number): Promise<unknown> {
  const order = { company_id: trader.companyId, amount_pence, reason: 'HMRC paid after all' };
  await otis.post('/operator/matters/pay-surplus', order);
  await portal.runJobs();
  return (await otis.post('/operator/matters/pay-surplus', order)).body['code'];
}

it('isn’t paid out while the trader’s bank would still return the Direct Debit, which would pay the trader twice', async () => {
  const trader = await createDoublyPaidTrader('doubly@debit.example');
  const order = { company_id: trader.companyId, reason: 'HMRC paid after all' };
  const requestPayout = (amount_pence: number) => otis.post('/operator/matters/pay-surplus', { ...order, amount_pence });
  expect((await requestPayout(100_000)).body['code']).toBe('surplus.on_hold');
  await portal.runJobs();
  expect((await requestPayout(100_000)).body['code']).toBe('surplus.reclaimable');
  const [payment] = portal.directDebits.listPayments().slice(-1);
  portal.directDebits.movePayment(payment?.id ?? '', 'charged_back', 'disputed by the payer');
  await waitForStatus(trader, 'charged_back');
  // The trader owes what we hold for them, so nothing is lost.
  expect(await getTrialBalance(portal, trader.companyId)).toMatchObject({ due_from_trader: 100_000, owed_to_trader: -100_000 });
});

it('is paid out once that time has passed', async () => {
  const trader = await createDoublyPaidTrader('patient@debit.example');
  await moveTo('2027-03-29T09:00:00Z');
  const order = { company_id: trader.companyId, amount_pence: 100_000, reason: 'HMRC paid after all' };
  await otis.post('/operator/matters/pay-surplus', order);
  await portal.runJobs();
  await operators.resolve(trader, otis.post('/operator/matters/pay-surplus', order));
  await portal.runJobs();
  expect(
    portal.bank.listPayouts().filter(({ amount_pence, reference }) => amount_pence === 100_000 && reference.includes(trader.vrn)),
  ).toHaveLength(1);
});

it('isn’t paid out either if the rules matched it to the refund that HMRC was expected to repay next, and the rest is the trader’s', async () => {
  const trader = await createDebitedTrader('mixed@debit.example');
  const { advance_id } = await quoteNextRefund(portal, trader, 300);
  await acceptAdvance(portal, trader);
  await confirmCollection(portal, trader);
  if ((await findAdvance(trader)).state === 'in_review') await postApproval(operators.olga, trader, advance_id);
  await postRelease(operators.omar, trader, advance_id);
  await portal.runJobs();
  await waitForState(trader, 'awaiting_hmrc');
  // The missing £1,000 of the refund before: HMRC’s reference names the company only.
  await operators.sendCredit(trader, 100_000, { ...HMRC, reference: trader.vrn });
  await waitForState(trader, 'settled');
  expect(await requestPayout(trader, 70_000)).toBe('surplus.reclaimable');
});

it('isn’t paid out either if it had arrived before the Direct Debit was ordered, and operators decided about it afterwards', async () => {
  const { olga, allocate, resolve, sendCredit, waitForException } = operators;
  const trader = await createDebitedTrader('undecided@debit.example', async (short) => {
    await sendCredit(short, 99_500, { ...HMRC, reference: short.vrn });
    await waitForException(short, 'credit', 99_500);
  });
  const { subject_id } = await waitForException(trader, 'credit', 99_500);
  await resolve(trader, allocate(olga, trader, subject_id, [{ advance_id: null, amount_pence: 99_500 }]));
  expect(await requestPayout(trader, 99_500)).toBe('surplus.reclaimable');
});

/** HMRC pays the missing £1,000 with £5 of interest, and two operators take it for the trader's. */
async function giveLateRepayment(trader: Trader): Promise<void> {
  const { olga, allocate, resolve, sendCredit, waitForException } = operators;
  await sendCredit(trader, 100_500, { ...HMRC, reference: trader.vrn });
  const { subject_id } = await waitForException(trader, 'credit', 100_500);
  await resolve(trader, allocate(olga, trader, subject_id, [{ advance_id: null, amount_pence: 100_500 }]));
}

it('isn’t paid out either if operators had decided about it before the Direct Debit was ordered', async () => {
  const trader = await createDebitedTrader('decided@debit.example', giveLateRepayment);
  expect(await requestPayout(trader, 100_500)).toBe('surplus.reclaimable');
  expect(await requestPayout(trader, 500)).toBeUndefined();
});

it('isn’t paid out either while the Direct Debit is on its way, which the trader could return once it has paid', async () => {
  const trader = await createShortRepaidTrader(portal, 'on-its-way@debit.example', 4_351, 3_351);
  await setUpDirectDebit(portal, trader);
  await moveTo('2026-11-14T09:00:00Z');
  await moveTo('2026-11-23T09:00:00Z');
  await waitForStatus(trader, 'submitted');
  await giveLateRepayment(trader);
  expect(await requestPayout(trader, 100_500)).toBe('surplus.reclaimable');
});

it('isn’t sent either if its order had waited since before the Direct Debit', async () => {
  const trader = await createDebitedTrader('waited@debit.example', async (short) => {
    portal.faults.set({ operation: 'truelayer.create_payout', kind: 'too_many', times: 1_000 });
    await giveLateRepayment(short);
    await requestPayout(short, 100_500);
    const order = { company_id: short.companyId, amount_pence: 100_500, reason: 'HMRC paid after all' };
    await operators.resolve(short, otis.post('/operator/matters/pay-surplus', order));
    await portal.runJobs();
  });
  portal.faults.clear();
  const isSurplus = and(eq(payouts.companyId, trader.companyId), isNull(payouts.advanceId));
  const findOrder = async () => (await portal.deps.database.db.select().from(payouts).where(isSurplus))[0];
  expect(await findOrder()).toMatchObject({ status: 'created' });
  await jobHandlers(portal.deps)['screening.run']({ company_id: trader.companyId }, { id: 'test' } as never);
  await submitPayout(portal.deps, trader.companyId, (await findOrder())?.id ?? '');
  expect(await findOrder()).toMatchObject({ status: 'failed', failure: expect.stringContaining('Direct Debit') });
});
