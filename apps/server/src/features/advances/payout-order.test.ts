/** A payout that someone wrote or changed in the database isn't sent: only what the portal itself ordered is. */
import { randomBytes, randomUUID } from 'node:crypto';
import { payouts } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTokenCipher } from '../../secrets/token-cipher.ts';
import { resealSecrets } from '../../secrets/reseal-secrets.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { acceptAdvance, confirmCollection, filedTrader, untilState } from '../../testing/take-advance.ts';
import type { Trader } from '../../testing/test-trader.ts';
import { submitPayout } from './submit-payout.ts';

const OLD_KEY = randomBytes(32).toString('base64');
const NEW_KEY = randomBytes(32).toString('base64');

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
  Object.assign(portal.deps, { tokenCipher: createTokenCipher([OLD_KEY]) });
});
afterEach(() => portal.faults.clear());
afterAll(() => portal.close());

const db = () => portal.deps.database.db;
const accountsPaid = () => portal.bank.listPayouts().map(({ account_number: account }) => account);

async function findOrder({ companyId }: Trader) {
  const [payout] = await db().select().from(payouts).where(eq(payouts.companyId, companyId));
  if (!payout) throw new Error('there is no payout yet');
  return payout;
}

/** A trader whose payout is ordered and hasn't reached the bank. */
async function traderWithOrder(email: string, refundPounds: number): Promise<Trader> {
  const trader = await filedTrader(portal, email, refundPounds);
  await acceptAdvance(portal, trader);
  portal.faults.set({ operation: 'truelayer.create_payout', kind: 'cut_before_work', times: 1_000 });
  await confirmCollection(portal, trader);
  portal.faults.clear();
  return trader;
}

it('an inserted payout isn’t sent, even with the seal of another', async () => {
  const trader = await traderWithOrder('insert@trader.example', 4_051);
  const order = await findOrder(trader);
  for (const orderSeal of [null, 'invented', order.orderSeal]) {
    const forged = { ...order, id: randomUUID(), advanceId: null, amountPence: pence(99_999), accountNumber: '66666666', orderSeal };
    await db().insert(payouts).values(forged);
    await expect(submitPayout(portal.deps, trader.companyId, forged.id)).rejects.toMatchObject({ code: 'payout.not_ordered' });
    await db().delete(payouts).where(eq(payouts.id, forged.id));
  }
  expect(accountsPaid()).not.toContain('66666666');
});

it('an order whose account was changed isn’t sent, and is sent once it is as it was', async () => {
  const trader = await traderWithOrder('change@trader.example', 4_052);
  const { id, accountNumber } = await findOrder(trader);
  const setAccount = (account: string) => db().update(payouts).set({ accountNumber: account }).where(eq(payouts.id, id));
  await setAccount('66666666');
  await expect(submitPayout(portal.deps, trader.companyId, id)).rejects.toMatchObject({ code: 'payout.not_ordered' });
  await setAccount(accountNumber);
  await submitPayout(portal.deps, trader.companyId, id);
  await untilState(trader, 'awaiting_hmrc');
  expect(accountsPaid()).not.toContain('66666666');
});

it('an order is still sent after its key was replaced', async () => {
  const trader = await traderWithOrder('rotate@trader.example', 4_053);
  const { id, accountNumber } = await findOrder(trader);
  const paidBefore = accountsPaid();
  await resealSecrets({ ...portal.deps, tokenCipher: createTokenCipher([NEW_KEY, OLD_KEY]) });
  await submitPayout({ ...portal.deps, tokenCipher: createTokenCipher([NEW_KEY]) }, trader.companyId, id);
  await untilState(trader, 'awaiting_hmrc');
  expect(accountsPaid()).toEqual([...paidBefore, accountNumber]);
});
