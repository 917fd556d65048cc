/** What an earlier refund says about the next one: only a refund that HMRC has paid speaks for it, and one that is late speaks against it. */
import { hmrcObservations, obligations, payouts } from '@portal/db/schema/schema.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { and, eq, gt, lt } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { quoteNextRefund } from '../../testing/next-refund.ts';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { findCase, runTick } from '../../testing/short-refund.ts';
import {
  acceptAdvance,
  confirmCollection,
  createIdempotencyHeaders,
  createPaidTrader,
  createTraderWithFiledReturn,
  findAdvance,
  postApproval,
  postRelease,
  waitForState,
} from '../../testing/take-advance.ts';
import { createBridgingTrader, createOperator, type Trader } from '../../testing/test-trader.ts';
import { listPaidRefunds, listStoredCharges } from './hmrc-charges.ts';

let portal: TestPortal;
let operators: OperatorPair;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
});
beforeEach(() => portal.moveClock('2026-11-10T09:00:00.000Z'));
afterAll(() => portal.close());

const findRule = async (trader: Trader, rule: string) => (await findAdvance(trader)).rules.find((item) => item.rule === rule);
const pay = (trader: Trader) => portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');

describe('an earlier refund', () => {
  it('vouches for the size of the next one only once HMRC has paid it', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'inflated@earlier.example', 60_000);
    // Filed and not sold. HMRC still hasn’t paid it three months later.
    await quoteNextRefund(portal, trader, 70_000);
    expect(await findRule(trader, 'refund_within_history')).toMatchObject({ outcome: 'review' });
    await pay(trader);
    await trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
    await acceptAdvance(portal, trader);
    expect(await findRule(trader, 'refund_within_history')).toMatchObject({
      outcome: 'pass',
      finding: expect.stringContaining('£60,000.00'),
    });
  });

  it('doesn’t for what HMRC has claimed back for its period', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'assessed@earlier.example', 60_003);
    await pay(trader);
    const { obligation_id } = await quoteNextRefund(portal, trader, 70_000);
    expect(await findRule(trader, 'refund_within_history')).toMatchObject({ finding: expect.stringContaining('£60,003.00') });
    // An officer's assessment of £2,750.
    await portal.hmrc.chooseSituation(trader.vrn, 'debt');
    await trader.browser.post('/instant-vat/advance/quote', { company_id: trader.companyId, obligation_id });
    expect(await findRule(trader, 'refund_within_history')).toMatchObject({ finding: expect.stringContaining('£57,253.00') });
  });

  it('doesn’t either for what an assessment of several periods has claimed back', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'periods@earlier.example', 60_004);
    const { companyId, obligation } = trader;
    await pay(trader);
    await quoteNextRefund(portal, trader, 70_000);
    const { db } = portal.deps.database;
    const charges = (await listStoredCharges(db, companyId)) ?? [];
    const assessment = { type: 'VAT Officer’s Assessment', original: 275_000, outstanding: 0 };
    const period = { start: addDays(obligation.periodStart, -92), end: obligation.periodEnd };
    const isNext = and(eq(obligations.companyId, companyId), gt(obligations.periodEnd, obligation.periodEnd));
    const [next] = await db.select({ id: obligations.id }).from(obligations).where(isNext);
    const list = async (newest: typeof charges) =>
      Math.max(...(await listPaidRefunds(db, { companyId, obligationId: next?.id ?? '' }, newest)));
    expect(await list([...charges, { ...assessment, period }])).toBe(6_000_400 - 275_000);
    // Nor if HMRC no longer lists either, because both are cleared.
    const kind = 'liabilities' as const;
    const body = [{ ...assessment, period }];
    await db.insert(hmrcObservations).values({ companyId, kind, takenAt: portal.deps.clock.now(), body });
    expect(await list([])).toBe(6_000_400 - 275_000);
    // Nor if it only no longer lists the assessment.
    expect(await list(charges)).toBe(6_000_400 - 275_000);
    // A later one is claimed back too, not instead.
    const later = { ...assessment, type: 'VAT Error Correction', original: 100_000, period };
    expect(await list([...charges, later])).toBe(6_000_400 - 375_000);
  });

  it('that HMRC takes back after the next one was accepted sends that one to review before its payout', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'taken-back@earlier.example', 4_309);
    expect((await acceptAdvance(portal, trader)).state).toBe('approved');
    const { db } = portal.deps.database;
    const isEarlier = and(eq(obligations.companyId, trader.companyId), lt(obligations.periodEnd, trader.obligation.periodEnd));
    for (const { periodKey } of await db.select({ periodKey: obligations.periodKey }).from(obligations).where(isEarlier))
      portal.hmrc.amendReturn(trader.vrn, periodKey, 1);
    portal.moveClock('2026-11-11T10:00:00.000Z');
    await confirmCollection(portal, trader);
    const orders = await db.select().from(payouts).where(eq(payouts.companyId, trader.companyId));
    expect([(await findAdvance(trader)).state, orders]).toEqual(['in_review', []]);
    expect(await findRule(trader, 'refund_within_history')).toMatchObject({ outcome: 'review' });
    const { advance_id } = await findAdvance(trader);
    expect((await postApproval(operators.olga, trader, advance_id)).status).toBe(200);
    await portal.runJobs();
    expect((await findAdvance(trader)).state).toBe('approved');
  });

  it('that HMRC takes back after an operator has approved the next one, of an unusual size, sends that one back to review', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'approved-first@earlier.example', 45_001);
    const { advance_id, state } = await acceptAdvance(portal, trader);
    const before = await findRule(trader, 'refund_within_history');
    expect([state, before]).toEqual(['in_review', expect.objectContaining({ finding: expect.stringContaining('the largest earlier') })]);
    expect((await postApproval(operators.olga, trader, advance_id)).status).toBe(200);
    const { db } = portal.deps.database;
    const isEarlier = and(eq(obligations.companyId, trader.companyId), lt(obligations.periodEnd, trader.obligation.periodEnd));
    for (const { periodKey } of await db.select({ periodKey: obligations.periodKey }).from(obligations).where(isEarlier))
      portal.hmrc.amendReturn(trader.vrn, periodKey, 1);
    portal.moveClock('2026-11-11T10:00:00.000Z');
    await confirmCollection(portal, trader);
    expect((await findAdvance(trader)).state).toBe('in_review');
    expect((await findRule(trader, 'refund_within_history'))?.finding).not.toBe(before?.finding);
  });

  it('that vouches for a return filed elsewhere is looked at again before the payout, once its repayment wasn’t HMRC’s', async () => {
    const { olga, omar, allocate, resolve, sendCredit } = operators;
    const trader = await createBridgingTrader(portal, 'vouched@earlier.example', { refundPounds: 4_310 });
    const { advance_id: first } = await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    await postApproval(olga, trader, first);
    await postRelease(omar, trader, first);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
    await sendCredit(trader, 431_000, { remitterName: 'HMRC VAT' });
    await waitForState(trader, 'settled');
    await quoteNextRefund(portal, trader, 4_311);
    expect((await acceptAdvance(portal, trader)).state).toBe('approved');
    expect(await findRule(trader, 'return_filed')).toMatchObject({ outcome: 'pass' });
    // The sender only used HMRC's name.
    const { body } = await olga.get('/operator/credits', { company_id: trader.companyId });
    const [credit] = body['credits'] as { credit_id: string }[];
    await resolve(trader, allocate(olga, trader, credit?.credit_id ?? '', []));
    await confirmCollection(portal, trader);
    await portal.runJobs();
    expect((await findAdvance(trader)).state).toBe('in_review');
    expect(await findRule(trader, 'return_filed')).toMatchObject({ outcome: 'review' });
  });

  it('still doesn’t after a year, when HMRC’s list of the last year no longer has it', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'enquiry@earlier.example', 60_001);
    portal.moveClock('2027-12-10T09:00:00.000Z');
    await quoteNextRefund(portal, trader, 70_000);
    expect(await findRule(trader, 'refund_within_history')).toMatchObject({ outcome: 'review' });
  });

  it('doesn’t either if HMRC has never listed its charge, however long ago it was filed', async () => {
    portal.hmrc.setChargeDelay(365);
    const trader = await createTraderWithFiledReturn(portal, 'unlisted@earlier.example', 60_002);
    await quoteNextRefund(portal, trader, 70_000);
    portal.hmrc.setChargeDelay(0);
    expect(await findRule(trader, 'refund_within_history')).toMatchObject({ outcome: 'review' });
  });

  it('that we bought and HMRC hasn’t repaid in time sends the next one to review, until it is repaid', async () => {
    const trader = await createPaidTrader(portal, 'unpaid@earlier.example', 4_301);
    const { advance_id: first } = await findAdvance(trader);
    portal.moveClock('2027-02-03T09:00:00.000Z');
    await runTick(portal, 'advances.sweep');
    expect(await findCase(trader, first)).toMatchObject({ status: 'watching', cause: 'late' });
    await quoteNextRefund(portal, trader, 4_302);
    const rule = { outcome: 'review', finding: expect.stringContaining('HMRC hasn’t repaid an earlier refund as expected') };
    expect(await findRule(trader, 'no_unpaid_difference')).toMatchObject(rule);
    await acceptAdvance(portal, trader);
    expect((await findAdvance(trader)).state).toBe('in_review');
  });

  it('still does after one operator has closed its case', async () => {
    const trader = await createPaidTrader(portal, 'closed@earlier.example', 4_305);
    const { advance_id: first } = await findAdvance(trader);
    portal.moveClock('2027-02-03T09:00:00.000Z');
    await runTick(portal, 'advances.sweep');
    const { shortfall_id } = await findCase(trader, first);
    const olga = await createOperator(portal, 'olga@earlier.example');
    await olga.post('/operator/shortfall/close', { company_id: trader.companyId, shortfall_id, reason: 'HMRC will pay soon' });
    expect(await findCase(trader, first)).toMatchObject({ status: 'closed' });
    await quoteNextRefund(portal, trader, 4_306);
    expect(await findRule(trader, 'no_unpaid_difference')).toMatchObject({ outcome: 'review' });
  });

  it.each([
    ['late', 'reopened@earlier.example', 4_307],
    ['claimed, and paid by someone else', 'repaid-claim@earlier.example', 4_308],
  ])('is followed again once the payment that ended its case is taken back (%s)', async (kind, email, refundPounds) => {
    const { olga, allocate, resolve, sendCredit } = operators;
    const trader = await createPaidTrader(portal, email, refundPounds);
    portal.moveClock('2027-02-03T09:00:00.000Z');
    await runTick(portal, 'advances.sweep');
    const { shortfall_id } = await findCase(trader);
    if (kind !== 'late') {
      const claim = { company_id: trader.companyId, shortfall_id, amount_pence: refundPounds * 100, reason: 'HMRC paid elsewhere' };
      await olga.post('/operator/shortfall/claim', claim, createIdempotencyHeaders());
    }
    await sendCredit(trader, refundPounds * 100, { remitterName: 'Marigold Imports FZE' });
    await waitForState(trader, 'settled');
    expect((await findCase(trader)).status).toBe(kind === 'late' ? 'closed' : 'settled');
    const { credits } = (await olga.get('/operator/credits', { company_id: trader.companyId })).body as {
      credits: { credit_id: string }[];
    };
    await resolve(trader, allocate(olga, trader, credits[0]?.credit_id ?? '', []));
    await waitForState(trader, 'awaiting_hmrc');
    expect(await findCase(trader)).toMatchObject({ status: 'watching', due_on: null, next_action: expect.anything() });
  });

  it('that HMRC has repaid doesn’t', async () => {
    const trader = await createPaidTrader(portal, 'repaid@earlier.example', 4_303);
    await pay(trader);
    await waitForState(trader, 'settled');
    await quoteNextRefund(portal, trader, 4_304);
    expect(await findRule(trader, 'no_unpaid_difference')).toMatchObject({ outcome: 'pass' });
    expect(await findRule(trader, 'refund_within_history')).toMatchObject({ outcome: 'pass' });
  });
});
