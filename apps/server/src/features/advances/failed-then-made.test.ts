/** Tests a payout that the bank reports as failed and makes nevertheless: nothing is paid twice, and no payment stays unrecorded. */
import { payouts } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { pollPayouts, readBank } from '../../testing/bank-polls.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import {
  acceptAdvance,
  confirmCollection,
  confirmFacts,
  createTraderWithFiledReturn,
  findAdvance,
  getTrialBalance,
  waitForState,
} from '../../testing/take-advance.ts';
import type { Trader } from '../../testing/test-trader.ts';
import { submitPayout } from './submit-payout.ts';

let portal: TestPortal;
let operators: OperatorPair;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
});
afterAll(() => portal.close());

type MadePayout = { trader: Trader; net: number; advanceId: string };

/** Returns a trader whose payout failed here, and was then made at the bank, after `daysLater` with regular reads. */
async function createMadePayout(email: string, refundPounds: number, daysLater = 0): Promise<MadePayout> {
  const trader = await createTraderWithFiledReturn(portal, email, refundPounds);
  await acceptAdvance(portal, trader);
  portal.bank.failNextPayout('scheme_error');
  await confirmCollection(portal, trader);
  await waitForState(trader, 'payout_failed');
  const { net_pence: net, advance_id: advanceId } = await findAdvance(trader);
  const failed = portal.bank.listPayouts().find(({ amount_pence }) => amount_pence === net);
  if (daysLater > 0) await passDays(daysLater);
  expect(portal.bank.makeFailedPayout(failed?.id ?? '')).toBe(true);
  return { trader, net, advanceId };
}

/** Passes days on which the bank's record was read completely. */
async function passDays(days: number): Promise<void> {
  portal.moveClock(addMilliseconds(portal.deps.clock.now(), days * 86_400_000));
  await readBank(portal);
}

const retry = (trader: Trader, advance_id: string) =>
  operators.olga.post('/operator/advance/retry-payout', { company_id: trader.companyId, advance_id, reason: 'The bank allows it again' });
const countPaid = (net: number) =>
  portal.bank.listPayouts().filter(({ status, amount_pence }) => status === 'executed' && amount_pence === net).length;
const listUnrecorded = async (trader: Trader) =>
  (await operators.listExceptions(trader)).filter(({ kind }) => kind === 'unrecorded_payout');

it.each(['before', 'after'])('isn’t paid again when it is sent again %s the bank’s record was read', async (order) => {
  const { trader, net, advanceId } = await createMadePayout(`again-${order}@made.example`, order === 'before' ? 4_701 : 4_702);
  if (order === 'after') await readBank(portal);
  expect((await retry(trader, advanceId)).status).toBe(200);
  await portal.runJobs();
  await pollPayouts(portal);
  await waitForState(trader, 'awaiting_hmrc');
  expect(countPaid(net)).toBe(1);
  expect((await listUnrecorded(trader))[0]?.problem).toContain('We recorded it and paid nothing');
});

it('is recorded as the refund’s payout by two operators', async () => {
  const { trader, net, advanceId } = await createMadePayout('recorded@made.example', 4_703);
  for (const _attempt of [1, 2]) await readBank(portal);
  const [found] = await listUnrecorded(trader);
  expect(found).toMatchObject({ amount_pence: net, advance_id: advanceId });
  const resolution = { company_id: trader.companyId, subject_id: found?.subject_id, as: 'advance', reason: 'Seen in the bank’s console' };
  await operators.resolve(trader, operators.olga.post('/operator/matters/resolve-payout', resolution));
  await pollPayouts(portal);
  await waitForState(trader, 'awaiting_hmrc');
  expect(countPaid(net)).toBe(1);
  expect(await listUnrecorded(trader)).toEqual([]);
  expect(await getTrialBalance(portal, trader.companyId)).toMatchObject({ refunds_receivable: 470_300, cash: -net });
});

it.each([
  ['without a read', 0],
  ['after another read', 1],
])('isn’t paid again nine days later, %s', async (_title, daysUntilRetry) => {
  const { trader, net, advanceId } = await createMadePayout(`late-${daysUntilRetry}@made.example`, 4_704 + daysUntilRetry, 9);
  if (daysUntilRetry > 0) await passDays(daysUntilRetry);
  expect((await retry(trader, advanceId)).status).toBe(200);
  await portal.runJobs();
  await confirmFacts(portal, trader);
  await pollPayouts(portal);
  await waitForState(trader, 'awaiting_hmrc');
  expect(countPaid(net)).toBe(1);
});

it('is found by a regular read nine days later', async () => {
  const { trader, net, advanceId } = await createMadePayout('found-late@made.example', 4_706, 9);
  // Each read takes a few of the failed orders, also those of other tests.
  const readAndList = async () => {
    await readBank(portal);
    return listUnrecorded(trader);
  };
  await expect.poll(readAndList, { timeout: 20_000 }).toMatchObject([{ amount_pence: net, advance_id: advanceId }]);
});

it('isn’t paid again if it was made while the new order waited for an answer of the bank', async () => {
  const trader = await createTraderWithFiledReturn(portal, 'waiting@made.example', 4_707);
  await acceptAdvance(portal, trader);
  portal.bank.failNextPayout('scheme_error');
  await confirmCollection(portal, trader);
  await waitForState(trader, 'payout_failed');
  const { net_pence: net, advance_id: advanceId } = await findAdvance(trader);
  const failed = portal.bank.listPayouts().find(({ amount_pence }) => amount_pence === net);
  portal.faults.set({ operation: 'truelayer.create_payout', kind: 'cut_before_work', times: 1_000 });
  expect((await retry(trader, advanceId)).status).toBe(200);
  await portal.runJobs();
  portal.faults.clear();
  const findOrder = async () => {
    const isSecond = and(eq(payouts.companyId, trader.companyId), eq(payouts.round, 2));
    return (await portal.deps.database.db.select().from(payouts).where(isSecond))[0];
  };
  const order = await findOrder();
  expect(order).toMatchObject({ status: 'created', unknownAttempts: expect.toSatisfy((count: number) => count > 0) });
  expect(portal.bank.makeFailedPayout(failed?.id ?? '')).toBe(true);
  await submitPayout(portal.deps, trader.companyId, order?.id ?? '').catch(() => undefined);
  expect(portal.bank.listPayouts().filter(({ status, amount_pence }) => status !== 'failed' && amount_pence === net)).toHaveLength(1);
  // The bank's record has had an hour by then, so the order certainly paid nothing.
  portal.moveClock(addMilliseconds(portal.deps.clock.now(), 2 * 3_600_000));
  await submitPayout(portal.deps, trader.companyId, order?.id ?? '');
  expect(await findOrder()).toMatchObject({ status: 'failed' });
  expect((await retry(trader, advanceId)).status).toBe(200);
  await portal.runJobs();
  await pollPayouts(portal);
  await waitForState(trader, 'awaiting_hmrc');
  expect(countPaid(net)).toBe(1);
});
