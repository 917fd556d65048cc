/** A payment that may be for a difference, and about which operators haven't decided yet, isn't collected by Direct Debit as well. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createShortRepaidTrader, findCase, pollDirectDebitsAt, setUpDirectDebit } from '../../testing/short-refund.ts';
import { findAdvance, getTrialBalance } from '../../testing/take-advance.ts';
import type { Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
let operators: OperatorPair;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
});
beforeEach(() => portal.moveClock('2026-11-10T09:00:00Z'));
afterAll(() => portal.close());

const listDebits = async (trader: Trader) =>
  (await findCase(trader)).direct_debits.map(({ amount_pence, status }) => [amount_pence, status]);

/** HMRC repays £1,000 too little, and a mandate is set up. */
async function createOwingTrader(email: string, refundPounds: number): Promise<Trader> {
  const trader = await createShortRepaidTrader(portal, email, refundPounds, refundPounds - 1_000);
  await setUpDirectDebit(portal, trader);
  return trader;
}

it.each([
  ['HMRC’s, with interest', 'hmrc', 4_371, { remitterName: 'HMRC VAT' }],
  ['the trader’s, without the reference', 'own', 4_372, {}],
] as const)('ends the Direct Debit that GoCardless hasn’t sent yet (%s)', async (_title, email, refundPounds, sender) => {
  const { olga, allocate, resolve, sendCredit, waitForException } = operators;
  const trader = await createOwingTrader(`${email}@undecided.example`, refundPounds);
  await pollDirectDebitsAt(portal, '2026-11-14T09:00:00Z');
  expect(await listDebits(trader)).toEqual([[100_000, 'pending_submission']]);
  await sendCredit(trader, 100_030, sender);
  const credit = await waitForException(trader, 'credit', 100_030);
  await portal.runJobs();
  for (const day of ['2026-11-18', '2026-11-23', '2026-11-27']) await pollDirectDebitsAt(portal, `${day}T09:00:00Z`);
  expect(await listDebits(trader)).toEqual([[100_000, 'cancelled']]);
  const { next_action } = await findCase(trader);
  expect(next_action).toMatchObject({ by: 'us', text: 'Check whether a payment that we received is for this difference' });
  const { advance_id } = await findAdvance(trader);
  const parts = [
    { advance_id, amount_pence: 100_000 },
    { advance_id: null, amount_pence: 30 },
  ];
  await resolve(trader, allocate(olga, trader, credit.subject_id, parts));
  expect((await findAdvance(trader)).state).toBe('settled');
  expect(await getTrialBalance(portal, trader.companyId)).toMatchObject({ owed_to_trader: -30 });
});

it('that can’t be for all of it, or is a stranger’s, holds nothing', async () => {
  const { sendCredit, waitForException } = operators;
  const trader = await createOwingTrader('part@undecided.example', 4_373);
  await sendCredit(trader, 99_999);
  await sendCredit(trader, 200_000, { remitterName: 'Somebody Else Ltd' });
  await waitForException(trader, 'credit', 200_000);
  await pollDirectDebitsAt(portal, '2026-11-14T09:00:00Z');
  expect(await listDebits(trader)).toEqual([[100_000, 'pending_submission']]);
});

it('holds the Direct Debit until operators have decided that it is for something else', async () => {
  const { olga, allocate, resolve, sendCredit, waitForException } = operators;
  const trader = await createOwingTrader('else@undecided.example', 4_374);
  await sendCredit(trader, 150_000, { remitterName: 'HMRC VAT' });
  const credit = await waitForException(trader, 'credit', 150_000);
  await pollDirectDebitsAt(portal, '2026-11-14T09:00:00Z');
  expect(await listDebits(trader)).toEqual([]);
  await resolve(trader, allocate(olga, trader, credit.subject_id, [{ advance_id: null, amount_pence: 150_000 }]));
  await pollDirectDebitsAt(portal, '2026-11-15T09:00:00Z');
  expect(await listDebits(trader)).toEqual([[100_000, 'pending_submission']]);
});
