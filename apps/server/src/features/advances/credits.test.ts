import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listHeldCredits } from './credit-facts.ts';
import { createOperator, type Browser, type Trader } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';
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

let portal: TestPortal;
let olga: Browser;
let omar: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
  omar = await createOperator(portal, 'omar@operators.example');
});
afterAll(() => portal.close());

/** Credits a payment from another bank to the trader's collection account. */
async function sendCredit(trader: Trader, amountPence: number, remitterName: string): Promise<void> {
  const { collection_account } = await findAdvance(trader);
  portal.bank.creditAccount({
    sortCode: collection_account?.sort_code ?? '',
    accountNumber: collection_account?.account_number ?? '',
    amountPence,
    remitterName,
    reference: 'REF',
  });
}

const waitForUnmatched = (trader: Trader, count: number) =>
  vi.waitFor(async () => {
    expect(await listHeldCredits(portal.deps.database.db, trader.companyId)).toHaveLength(count);
  }, WAIT_OPTIONS);

describe('credit on a collection account', () => {
  it('is no shortfall when it is small and not from HMRC: HMRC’s repayment still settles the advance', async () => {
    const trader = await createPaidTrader(portal, 'stranger@trader.example', 4_031);
    await sendCredit(trader, 100, 'Somebody Else Ltd');
    await waitForUnmatched(trader, 1);
    expect((await findAdvance(trader)).state).toBe('awaiting_hmrc');
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await waitForState(trader, 'settled');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_131, fee_income: -4_031, owed_to_trader: -100 });
  });

  it('settles the advance after the payout when it arrived before it', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'early@trader.example', 12_000);
    const { advance_id } = await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    expect((await findAdvance(trader)).state).toBe('in_review');
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await waitForUnmatched(trader, 1);
    await postApproval(olga, trader, advance_id);
    await postRelease(omar, trader, advance_id);
    await portal.runJobs();
    await waitForState(trader, 'settled');
    expect(await findAdvance(trader)).toMatchObject({ received_pence: 1_200_000 });
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 12_000, fee_income: -12_000 });
    await portal.runJobs();
    const [lastEmail] = portal.sentEmails.filter(({ to }) => to === 'early@trader.example').slice(-1);
    expect(lastEmail?.subject).toBe('Tess Exports Ltd: we’ve paid you £11,880.00');
    expect(lastEmail?.text).toContain('HMRC has already repaid the refund of £12,000.00');
  });

  it('leaves the net amount owed to the trader when the payout is returned afterwards', async () => {
    const trader = await createPaidTrader(portal, 'back@trader.example', 4_032);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await waitForState(trader, 'settled');
    const bankPayout = portal.bank.listPayouts().find((payout) => payout.amount_pence === 399_168);
    portal.bank.returnPayout(bankPayout?.id ?? '', 'account closed');
    const expectedBalance = { cash: 403_200, fee_income: -4_032, owed_to_trader: -399_168 };
    await vi.waitFor(async () => expect(await getTrialBalance(portal, trader.companyId)).toEqual(expectedBalance), WAIT_OPTIONS);
  });
});
