/** A difference isn't written off while a Direct Debit is collecting it: the whole of what it collects would then be the trader's. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createShortRepaidTrader, findCase, pollDirectDebitsAt, setUpDirectDebit } from '../../testing/short-refund.ts';
import { getTrialBalance, waitForState } from '../../testing/take-advance.ts';

let portal: TestPortal;
let operators: OperatorPair;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
});
afterAll(() => portal.close());

it('waits for the result of a Direct Debit that the bank already has', async () => {
  const trader = await createShortRepaidTrader(portal, 'in-flight@write-off.example', 4_301, 3_301);
  await setUpDirectDebit(portal, trader);
  await pollDirectDebitsAt(portal, '2026-11-14T09:00:00Z');
  await pollDirectDebitsAt(portal, '2026-11-23T09:00:00Z');
  const { shortfall_id, direct_debits } = await findCase(trader);
  expect(direct_debits).toMatchObject([{ status: 'submitted', amount_pence: 100_000 }]);
  const writeOff = { company_id: trader.companyId, shortfall_id, reason: 'The company can’t pay' };
  const { body } = await operators.olga.post('/operator/shortfall/write-off', writeOff);
  if (body['request_id'] !== undefined) await operators.approve(operators.omar, trader, body['request_id']);
  expect(body).toMatchObject({ code: 'shortfall.being_paid' });
  await pollDirectDebitsAt(portal, '2026-11-25T09:00:00Z');
  await waitForState(trader, 'settled');
  const { direct_debits: inTransit = 0, cash = 0, ...rest } = await getTrialBalance(portal, trader.companyId);
  expect([inTransit + cash, rest]).toEqual([4_301, { fee_income: -4_301 }]);
});
