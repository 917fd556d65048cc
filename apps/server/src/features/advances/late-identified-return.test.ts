/** A returned payout that the provider identifies long after the money arrived, although none of its webhooks reaches the portal. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pollPayouts, readBank } from '../../testing/bank-polls.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createPaidTrader, findAdvance } from '../../testing/take-advance.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal({ bankWebhooksTo: 'http://127.0.0.1:9' });
});
afterAll(() => portal.close());

it('is found, because unidentified money of its amount is on the account', async () => {
  const polling = setInterval(() => void pollPayouts(portal), 250);
  const trader = await createPaidTrader(portal, 'late-return@trader.example', 4_740);
  clearInterval(polling);
  const payout = portal.bank.listPayouts().find(({ reference }) => reference.includes(trader.vrn));
  const { sort_code: sortCode, account_number: accountNumber } = portal.bank.payingAccount();
  const amountPence = payout?.amount_pence ?? 0;
  const credit = portal.bank.creditAccount({ sortCode, accountNumber, amountPence, remitterName: 'Tess Exports Ltd', reference: 'RTN' });
  await readBank(portal);
  const arrivedAt = Date.parse(portal.deps.clock.now());
  for (const days of [8, 16]) {
    portal.moveClock(new Date(arrivedAt + days * 86_400_000).toISOString());
    await readBank(portal);
  }
  portal.bank.returnPayout(payout?.id ?? '', 'account closed', credit.transaction_id);
  await readBank(portal);
  expect((await findAdvance(trader)).state).toBe('payout_failed');
});
