/** A trader who pays an instalment by bank transfer isn't charged the next one early by the Direct Debit that was ordered for it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  createShortRepaidTrader,
  findCase,
  pollDirectDebitsAt,
  setUpDirectDebit,
  transfer,
  waitForReceivedAmount,
} from '../../testing/short-refund.ts';
import { createIdempotencyHeaders } from '../../testing/take-advance.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

it('is cancelled, and the next one is ordered for its own day', async () => {
  portal.moveClock('2026-11-10T09:00:00.000Z');
  const trader = await createShortRepaidTrader(portal, 'early@instalment.example', 4_361, 3_461);
  const { shortfall_id, reference } = await findCase(trader);
  const plan = { company_id: trader.companyId, shortfall_id, count: 3 };
  await trader.browser.post('/instant-vat/shortfall/plan', plan, createIdempotencyHeaders());
  await setUpDirectDebit(portal, trader);
  await pollDirectDebitsAt(portal, '2026-11-14T09:00:00.000Z');
  const listDebits = async () => (await findCase(trader)).direct_debits.map(({ amount_pence, status }) => [amount_pence, status]);
  expect(await listDebits()).toEqual([[30_000, 'pending_submission']]);
  await transfer(portal, trader, 30_000, reference);
  await waitForReceivedAmount(trader, 346_100 + 30_000);
  await portal.runJobs();
  expect(await listDebits()).toEqual([[30_000, 'cancelled']]);
  await pollDirectDebitsAt(portal, '2026-12-13T09:00:00.000Z');
  expect(await listDebits()).toEqual([[30_000, 'cancelled']]);
  await pollDirectDebitsAt(portal, '2026-12-15T09:00:00.000Z');
  expect(await listDebits()).toEqual([
    [30_000, 'pending_submission'],
    [30_000, 'cancelled'],
  ]);
});
