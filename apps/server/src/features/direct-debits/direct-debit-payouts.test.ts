/** Tests GoCardless's payouts, from the Direct Debit to the bank statement, over real HTTP to the simulator. */
import { ledgerPostings } from '@portal/db/schema/schema.ts';
import { like } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NO_COMPANY } from '../audit/record-audit.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createShortRepaidTrader, runTick, setUpDirectDebit } from '../../testing/short-refund.ts';
import { getTrialBalance } from '../../testing/take-advance.ts';
import { createOperator, type Browser, type Trader } from '../../testing/test-trader.ts';
import { readPayouts } from './read-payouts.ts';

let portal: TestPortal;
let olga: Browser;
let clerk: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example', ['finance']);
  clerk = await createOperator(portal, 'clerk@operators.example', ['support']);
});
afterAll(() => portal.close());

async function moveTo(day: string): Promise<void> {
  portal.moveClock(`${day}T09:00:00Z`);
  portal.directDebits.followClock();
  for (const job of ['direct-debits.poll', 'direct-debit-payouts.poll', 'shortfalls.sweep'] as const) await runTick(portal, job);
  await portal.runJobs();
}

type Payout = {
  payout_id: string;
  reference: string;
  status: string;
  gross_pence: number;
  fee_pence: number;
  net_pence: number;
  problem: string | null;
  check: { statement_pence: number; by: string } | null;
  items: { type: string; amount_pence: number; debit: { company_id: string } | null }[];
};

const readCard = async () => (await olga.get('/operator/direct-debit-payouts')).body as { payouts: Payout[]; in_transit_pence: number };
const check = (operator: Browser, payout_id: string, statement_pence: number) =>
  operator.post('/operator/direct-debit-payouts/check', { payout_id, statement_pence, statement_on: '2026-11-30' });
const listExceptions = async () =>
  (await olga.get('/operator/matters', { kind: 'direct_debit_payout' })).body as { count: number; matters: { problem: string }[] };
const countPostings = async () =>
  (await portal.deps.database.db.select().from(ledgerPostings).where(like(ledgerPostings.idempotencyKey, 'gocardless-payout:%'))).length;
const findPaymentByAmount = (amount: number) => portal.directDebits.listPayments().find((payment) => payment.amount === amount)?.id ?? '';

async function createTraderWithDebit(email: string, refundPounds: number, missingPounds: number): Promise<Trader> {
  const trader = await createShortRepaidTrader(portal, email, refundPounds, refundPounds - missingPounds);
  await setUpDirectDebit(portal, trader);
  return trader;
}

it('a payout is posted once with its fee and matched to the bank statement, and a later one withholds what was charged back', async () => {
  portal.moveClock('2026-11-10T09:00:00Z');
  const firstTrader = await createTraderWithDebit('one@payouts.example', 4_401, 1_000);
  const secondTrader = await createTraderWithDebit('two@payouts.example', 4_402, 12);
  for (const day of ['2026-11-14', '2026-11-25', '2026-11-27']) await moveTo(day);
  // Announced, but hasn't reached our bank yet.
  expect(await readCard()).toMatchObject({ payouts: [{ status: 'pending' }], in_transit_pence: 101_200 });
  expect(await getTrialBalance(portal, firstTrader.companyId)).toMatchObject({ direct_debits: 100_000 });
  const [pendingPayout] = (await readCard()).payouts;
  expect((await check(olga, pendingPayout?.payout_id ?? '', 101_200)).body['code']).toBe('payout.not_paid');

  // The payout is posted once despite lost, repeated and simultaneous reads.
  portal.faults.set({ operation: 'gocardless.read', kind: 'cut_before_work', times: 1 });
  await moveTo('2026-11-30').catch(() => undefined);
  await Promise.all([readPayouts(portal.deps), readPayouts(portal.deps)]);
  await moveTo('2026-11-30');
  const { payouts, in_transit_pence } = await readCard();
  // 1% and 20p, at most £4: £4.00 and £0.32.
  expect(payouts).toMatchObject([{ status: 'paid', gross_pence: 101_200, fee_pence: 432, net_pence: 100_768, problem: null, check: null }]);
  expect(payouts[0]?.items.map(({ debit }) => debit?.company_id)).toEqual(
    expect.arrayContaining([firstTrader.companyId, secondTrader.companyId]),
  );
  expect(in_transit_pence).toBe(0);
  expect(await getTrialBalance(portal, firstTrader.companyId)).toMatchObject({ bank: 99_600, direct_debit_fees: 400 });
  expect(await getTrialBalance(portal, secondTrader.companyId)).toMatchObject({ bank: 1_168, direct_debit_fees: 32 });
  expect(await countPostings()).toBe(2);

  // If the bank statement shows less, it is an exception; with the right amount, it isn't.
  const paidPayoutId = payouts[0]?.payout_id ?? '';
  expect((await check(clerk, paidPayoutId, 100_768)).body['code']).toBe('operator.role_missing');
  expect((await check(olga, paidPayoutId, 100_700)).status).toBe(200);
  const { count, matters } = await listExceptions();
  expect([count, matters[0]?.problem]).toEqual([1, 'The bank statement shows £1,007.00.']);
  const note = { company_id: NO_COMPANY, subject_id: paidPayoutId, note_id: crypto.randomUUID(), text: 'Asked GoCardless' };
  expect((await olga.post('/operator/matters/note', note)).status).toBe(200);
  expect((await check(olga, paidPayoutId, 100_768)).status).toBe(200);
  expect((await check(olga, paidPayoutId, 100_700)).body['code']).toBe('payout.checked');
  expect((await listExceptions()).count).toBe(0);
  expect((await readCard()).payouts[0]?.check).toMatchObject({ statement_pence: 100_768, by: expect.any(String) });

  // The smaller payment is charged back after it was paid out, so the later collection of the larger one makes up for it.
  portal.directDebits.movePayment(findPaymentByAmount(1_200), 'charged_back', 'disputed by the payer');
  await moveTo('2026-12-01');
  expect(await getTrialBalance(portal, secondTrader.companyId)).toMatchObject({
    bank: 1_168,
    direct_debits: -1_200,
    due_from_trader: 1_200,
  });
  expect((await readCard()).in_transit_pence).toBe(-1_200);
  await createTraderWithDebit('three@payouts.example', 4_403, 500);
  for (const day of ['2026-12-05', '2026-12-16', '2026-12-18', '2026-12-21']) await moveTo(day);
  const laterPayout = (await readCard()).payouts.find(({ payout_id }) => payout_id !== paidPayoutId);
  expect(laterPayout).toMatchObject({ status: 'paid', gross_pence: 50_000 - 1_200, fee_pence: 400 - 32 });
  expect(laterPayout?.items).toContainEqual(expect.objectContaining({ type: 'payment_charged_back', amount_pence: -1_200 }));
  const balance = await getTrialBalance(portal, secondTrader.companyId);
  expect(balance).not.toHaveProperty('direct_debits');
  expect(balance).not.toHaveProperty('bank');
  expect(balance).toMatchObject({ due_from_trader: 1_200 });

  // Our bank returns the payout: the money is at GoCardless again, and reaches our bank when GoCardless retries.
  const [, simulatorPayout] = portal.directDebits.listPayouts();
  portal.directDebits.movePayout(simulatorPayout?.id ?? '', 'bounced');
  await moveTo('2026-12-22');
  expect((await readCard()).in_transit_pence).toBe(48_800);
  portal.directDebits.movePayout(simulatorPayout?.id ?? '', 'paid');
  await moveTo('2026-12-23');
  expect((await readCard()).in_transit_pence).toBe(0);
});
