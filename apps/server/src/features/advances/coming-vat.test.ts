/** HMRC lists a return's charge about a day after the return. Until then its debt is invisible, but HMRC sets refunds off against it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { quoteNextRefund } from '../../testing/next-refund.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { findAdvance } from '../../testing/take-advance.ts';
import { createConnectedTrader, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
beforeEach(() => portal.moveClock('2026-11-10T09:00:00.000Z'));
afterEach(() => portal.hmrc.setChargeDelay(0));
afterAll(() => portal.close());

const findRule = async (trader: Trader, rule: string) => (await findAdvance(trader)).rules.find((found) => found.rule === rule);

/** Creates a trader who files an overdue return with £60,000 to pay, so that no return is overdue, and then the next one, with a refund. */
async function fileOverdueReturn(email: string, overdueReturn: { daysAgo: number; isHidden?: boolean }): Promise<Trader> {
  const trader = await createConnectedTrader(portal, email, null);
  portal.moveClock('2027-02-03T09:00:00.000Z');
  portal.hmrc.fileElsewhere(trader.vrn, { refundPence: -6_000_000, periodKey: trader.obligation.periodKey, ...overdueReturn });
  await quoteNextRefund(portal, trader, 4_901);
  expect(await findRule(trader, 'no_overdue_return')).toMatchObject({ outcome: overdueReturn.isHidden ? 'review' : 'pass' });
  return trader;
}

describe('the debt of an overdue return that was filed just before the next one', () => {
  it('needs a review while HMRC doesn’t list it', async () => {
    portal.hmrc.setChargeDelay(2);
    const trader = await fileOverdueReturn('unlisted@coming.example', { daysAgo: 1 });
    expect(await findRule(trader, 'no_vat_debt')).toMatchObject({
      outcome: 'review',
      finding: expect.stringContaining('£60,000.00 of VAT becomes due soon, or was declared too recently'),
    });
  });

  it('needs a review for four days if HMRC doesn’t show the return’s figures either', async () => {
    portal.hmrc.setChargeDelay(2);
    const trader = await fileOverdueReturn('hidden@coming.example', { daysAgo: 1, isHidden: true });
    expect(await findRule(trader, 'no_vat_debt')).toMatchObject({ outcome: 'pass' });
    expect(await findRule(trader, 'no_overdue_return')).toMatchObject({
      outcome: 'review',
      finding: expect.stringContaining('We can’t see the figures of another return yet'),
    });
    portal.moveClock('2027-02-08T09:00:00.000Z');
    const company = { company_id: trader.companyId };
    await trader.browser.post('/instant-vat/hmrc/refresh', company);
    const { obligation_id } = await findAdvance(trader);
    await trader.browser.post('/instant-vat/advance/quote', { ...company, obligation_id });
    expect(await findRule(trader, 'no_overdue_return')).toMatchObject({ outcome: 'pass' });
    expect(await findRule(trader, 'no_vat_debt')).toMatchObject({ outcome: 'fail' });
  });

  it('rules an offer out once HMRC lists it', async () => {
    portal.hmrc.setChargeDelay(2);
    const trader = await fileOverdueReturn('listed@coming.example', { daysAgo: 3 });
    expect(await findRule(trader, 'no_vat_debt')).toMatchObject({ outcome: 'fail' });
  });
});
