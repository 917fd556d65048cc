/** Tests a database restored to a moment before a payment: the bank’s record prevents a second payment, automatic or manual. */
import { auditEntries, payouts } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { pollPayouts, readBank } from '../../testing/bank-polls.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { saveDatabase } from '../../testing/save-database.ts';
import {
  acceptAdvance,
  confirmCollection,
  createPaidTrader,
  createTraderWithFiledReturn,
  findAdvance,
  getTrialBalance,
  postApproval,
  postRelease,
  waitForState,
} from '../../testing/take-advance.ts';
import type { Trader } from '../../testing/test-trader.ts';

const HOUR_MS = 3_600_000;

let portal: TestPortal;
let operators: OperatorPair;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
});
afterAll(() => portal.close());

const listPaidPayouts = (amountPence: number) =>
  portal.bank.listPayouts().filter(({ status, amount_pence }) => status === 'executed' && amount_pence === amountPence);
const listUnrecordedPayouts = async (trader: Trader) =>
  (await operators.listExceptions(trader)).filter(({ kind }) => kind === 'unrecorded_payout');

/** Creates a trader with a refund above £10,000. Olga has approved it, and a second operator must release it. */
async function createApprovedTrader(email: string, refundPounds: number): Promise<Trader> {
  const trader = await createTraderWithFiledReturn(portal, email, refundPounds);
  const { advance_id } = await acceptAdvance(portal, trader);
  await confirmCollection(portal, trader);
  await postApproval(operators.olga, trader, advance_id);
  await portal.runJobs();
  return trader;
}

async function release(trader: Trader): Promise<void> {
  expect((await postRelease(operators.omar, trader, (await findAdvance(trader)).advance_id)).status).toBe(200);
  await portal.runJobs();
  await pollPayouts(portal);
}

/** Two operators resolve the trader's only unrecorded payment. */
async function resolveUnrecordedPayout(trader: Trader, resolution: string): Promise<void> {
  const [item] = await listUnrecordedPayouts(trader);
  const { olga } = operators;
  const ids = { company_id: trader.companyId, subject_id: item?.subject_id };
  await operators.resolve(
    trader,
    olga.post('/operator/matters/resolve-payout', { ...ids, as: resolution, reason: 'Seen in the bank’s console' }),
  );
}

describe('a database restored to before a payout', () => {
  it.each([0, 3])('isn’t paid again after an operator’s release, %i hours later', async (hours) => {
    const refund = 12_100 + hours;
    const trader = await createApprovedTrader(`release-${hours}@restored.example`, refund);
    const { net_pence: net } = await findAdvance(trader);
    const restoreDatabase = await saveDatabase(portal.deps.database, `release_${hours}`);
    await release(trader);
    await waitForState(trader, 'awaiting_hmrc');
    const balance = await getTrialBalance(portal, trader.companyId);
    await restoreDatabase();
    expect((await findAdvance(trader)).state).toBe('approved');
    portal.moveClock(addMilliseconds(portal.deps.clock.now(), hours * HOUR_MS));
    if (hours > 0) {
      // The portal reads the bank’s record as soon as it starts.
      for (const _attempt of [1, 2]) await readBank(portal);
      const { advance_id } = await findAdvance(trader);
      expect(await listUnrecordedPayouts(trader)).toMatchObject([{ amount_pence: net, advance_id }]);
    }
    await release(trader);
    await waitForState(trader, 'awaiting_hmrc');
    expect(listPaidPayouts(net)).toHaveLength(1);
    expect(await getTrialBalance(portal, trader.companyId)).toEqual(balance);
    const isFound = and(eq(auditEntries.companyId, trader.companyId), eq(auditEntries.action, 'payout.found_at_bank'));
    expect(await portal.deps.database.db.select().from(auditEntries).where(isFound)).toHaveLength(1);
    expect((await listUnrecordedPayouts(trader))[0]?.problem).toContain('We recorded it and paid nothing');
    await resolveUnrecordedPayout(trader, 'confirmed');
    expect(await listUnrecordedPayouts(trader)).toEqual([]);
    // The confirmed record stays matched after another read.
    await readBank(portal);
    expect(await listUnrecordedPayouts(trader)).toEqual([]);
  });

  it.each(['before', 'after'])('isn’t paid again by the rules, %s the bank’s record was read', async (order) => {
    const refund = order === 'before' ? 4_301 : 4_302;
    const trader = await createTraderWithFiledReturn(portal, `rules-${order}@restored.example`, refund);
    await acceptAdvance(portal, trader);
    const { net_pence: net } = await findAdvance(trader);
    const restoreDatabase = await saveDatabase(portal.deps.database, `rules_${order}`);
    await confirmCollection(portal, trader);
    await waitForState(trader, 'awaiting_hmrc');
    await restoreDatabase();
    portal.moveClock(addMilliseconds(portal.deps.clock.now(), 5 * HOUR_MS));
    if (order === 'after') await readBank(portal);
    await confirmCollection(portal, trader);
    await pollPayouts(portal);
    await waitForState(trader, 'awaiting_hmrc');
    expect(listPaidPayouts(net)).toHaveLength(1);
  });

  it('shows the advance as paid once two people have recorded the bank’s payment, without a release', async () => {
    const trader = await createApprovedTrader('record@restored.example', 12_400);
    const { net_pence: net } = await findAdvance(trader);
    const restoreDatabase = await saveDatabase(portal.deps.database, 'record');
    await release(trader);
    await waitForState(trader, 'awaiting_hmrc');
    const balance = await getTrialBalance(portal, trader.companyId);
    await restoreDatabase();
    await readBank(portal);
    await resolveUnrecordedPayout(trader, 'advance');
    await pollPayouts(portal);
    await waitForState(trader, 'awaiting_hmrc');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual(balance);
    expect(listPaidPayouts(net)).toHaveLength(1);
    expect(await listUnrecordedPayouts(trader)).toEqual([]);
    // The bank can still return the payment.
    portal.bank.returnPayout(listPaidPayouts(net)[0]?.id ?? '', 'account closed');
    await waitForState(trader, 'payout_failed');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({});
  });

  it('shows every payment when an advance had been paid twice, and the second one as owed to us', async () => {
    const trader = await createPaidTrader(portal, 'twice@restored.example', 4_310);
    const { net_pence: net } = await findAdvance(trader);
    const [first] = listPaidPayouts(net);
    // Made manually in the bank’s console.
    await portal.deps.payments.createPayout({
      idempotencyKey: crypto.randomUUID(),
      amountPence: (await findPayout(trader)).amountPence,
      beneficiary: { name: 'Tess Exports Ltd', sortCode: first?.sort_code ?? '', accountNumber: first?.account_number ?? '' },
      reference: first?.reference ?? '',
    });
    await readBank(portal);
    expect(await listUnrecordedPayouts(trader)).toMatchObject([{ amount_pence: net }]);
    const before = await getTrialBalance(portal, trader.companyId);
    await resolveUnrecordedPayout(trader, 'overpayment');
    const after = await getTrialBalance(portal, trader.companyId);
    expect(after).toEqual({ ...before, cash: (before['cash'] ?? 0) - net, owed_to_trader: net });
    expect((await operators.listExceptions(trader)).map(({ problem }) => problem)).toEqual([expect.stringContaining('The trader owes us')]);
  });
});

describe('a database restored to before a surplus was paid', () => {
  it('isn’t paid again, and the bank’s payment counts', async () => {
    const { resolve, olga, sendCredit, waitForException } = operators;
    const trader = await createPaidTrader(portal, 'surplus@restored.example', 4_320);
    await sendCredit(trader, 432_000 + 1_500, { remitterName: 'HMRC VAT', reference: trader.vrn });
    await waitForException(trader, 'surplus', 1_500);
    const restoreDatabase = await saveDatabase(portal.deps.database, 'surplus');
    const pay = async (): Promise<void> => {
      const order = { company_id: trader.companyId, amount_pence: 1_500, reason: 'HMRC’s interest' };
      await resolve(trader, olga.post('/operator/matters/pay-surplus', order));
      await portal.runJobs();
      await pollPayouts(portal);
    };
    const isPaid = async (): Promise<void> => {
      await expect.poll(() => getTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_320, fee_income: -4_320 });
    };
    await pay();
    await isPaid();
    await restoreDatabase();
    await pay();
    await isPaid();
    expect(listPaidPayouts(1_500)).toHaveLength(1);
  });
});

async function findPayout({ companyId }: Trader) {
  const [payout] = await portal.deps.database.db.select().from(payouts).where(eq(payouts.companyId, companyId));
  if (!payout) throw new Error('there is no payout yet');
  return payout;
}
