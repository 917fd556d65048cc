/** A payout that someone wrote or changed in the database isn't sent: only what the portal itself ordered is. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { payouts } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTokenCipher } from '../../secrets/token-cipher.ts';
import { resealSecrets } from '../../secrets/reseal-secrets.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { connectedTrader } from '../../testing/test-trader.ts';
import { orderPayout } from './payout-order.ts';
import { submitPayout } from './submit-payout.ts';

const OLD_KEY = randomBytes(32).toString('base64');
const NEW_KEY = randomBytes(32).toString('base64');
const THIEF = '66666666';

let portal: TestPortal;
let companyId: string;
let id: string;
let account: string;

beforeAll(async () => {
  portal = await openTestPortal();
  Object.assign(portal.deps, { tokenCipher: createTokenCipher([OLD_KEY]) });
  ({ companyId } = await connectedTrader(portal, 'tess@trader.example'));
});
afterAll(() => portal.close());

/** A payout that is ordered, and whose job hasn't run yet. */
beforeEach(async () => {
  id = randomUUID();
  account = String(randomInt(10_000_000, 60_000_000));
  await db().delete(payouts);
  const order = { companyId, id, advanceId: null, round: 1, amountPence: pence(4_200), reference: `REFUND ${account}` };
  const payee = { accountHolder: 'Tess Exports Ltd', sortCode: '200000', accountNumber: account };
  await db().transaction((tx) => orderPayout(portal.deps, tx, { ...order, ...payee, createdAt: portal.deps.clock.now() }));
});

const db = () => portal.deps.database.db;
const accountsPaid = () => portal.bank.listPayouts().map(({ account_number: paid }) => paid);
const NOT_ORDERED = { code: 'payout.not_ordered' };

it('an inserted payout isn’t sent, even with the seal of another', async () => {
  const [order] = await db().select().from(payouts).where(eq(payouts.id, id));
  if (!order) throw new Error('there is no order');
  await db().update(payouts).set({ status: 'failed' }).where(eq(payouts.id, id));
  for (const orderSeal of [null, 'invented', order.orderSeal]) {
    const forged = { ...order, id: randomUUID(), accountNumber: THIEF, orderSeal };
    await db().insert(payouts).values(forged);
    await expect(submitPayout(portal.deps, companyId, forged.id)).rejects.toMatchObject(NOT_ORDERED);
    await db().delete(payouts).where(eq(payouts.id, forged.id));
  }
  expect(accountsPaid()).not.toContain(THIEF);
});

it('an order whose account or amount was changed isn’t sent, and is sent once it is as it was', async () => {
  const change = (values: Partial<typeof payouts.$inferInsert>) => db().update(payouts).set(values).where(eq(payouts.id, id));
  await change({ accountNumber: THIEF });
  await expect(submitPayout(portal.deps, companyId, id)).rejects.toMatchObject(NOT_ORDERED);
  await change({ accountNumber: account, amountPence: pence(420_000) });
  await expect(submitPayout(portal.deps, companyId, id)).rejects.toMatchObject(NOT_ORDERED);
  await change({ amountPence: pence(4_200) });
  await submitPayout(portal.deps, companyId, id);
  expect(accountsPaid()).toContain(account);
  expect(accountsPaid()).not.toContain(THIEF);
});

it('an order is still sent after its key was replaced', async () => {
  await resealSecrets({ ...portal.deps, tokenCipher: createTokenCipher([NEW_KEY, OLD_KEY]) });
  await submitPayout({ ...portal.deps, tokenCipher: createTokenCipher([NEW_KEY]) }, companyId, id);
  expect(accountsPaid()).toContain(account);
});
