/**
 * Tests advances on returns filed with other software: found at HMRC, quoted, bought and settled (docs/product/decisions.md section 8,
 * gofile and mtdsorted).
 */
import { advances, foundReturns, ledgerLines, obligations } from '@portal/db/schema/schema.ts';
import { getSqlState } from '@portal/db/sql-errors.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createBridgingTrader,
  authorisePortal,
  makeOrganisation,
  createOperator,
  signUp,
  type Browser,
  type Trader,
} from '../../testing/test-trader.ts';
import { quoteNextRefund } from '../../testing/next-refund.ts';
import { transfer } from '../../testing/short-refund.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  acceptAdvance,
  confirmCollection,
  findAdvance,
  getTrialBalance,
  postAccept,
  postApproval,
  postRelease,
  waitForState,
} from '../../testing/take-advance.ts';
import { quoteRefund } from './quote-refund.ts';

let portal: TestPortal;
let olga: Browser;
let omar: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
  omar = await createOperator(portal, 'omar@operators.example');
});
afterAll(() => portal.close());

const toReturnKey = (trader: Trader) => ({ company_id: trader.companyId, obligation_id: trader.obligation.id });
const requestQuote = (trader: Trader) => trader.browser.post('/instant-vat/advance/quote', toReturnKey(trader));
const listAdvances = (trader: Trader) => portal.deps.database.db.select().from(advances).where(eq(advances.companyId, trader.companyId));
const listFoundReturns = (trader: Trader) =>
  portal.deps.database.db.select().from(foundReturns).where(eq(foundReturns.companyId, trader.companyId));
const listPayoutsAtBank = (amountPence: number) => portal.bank.listPayouts().filter((payout) => payout.amount_pence === amountPence).length;

async function getFoundReturn(trader: Trader): Promise<typeof foundReturns.$inferSelect> {
  const [foundReturn] = await listFoundReturns(trader);
  if (!foundReturn) throw new Error('no found return');
  return foundReturn;
}

async function approve(trader: Trader): Promise<void> {
  const { advance_id } = await findAdvance(trader);
  await postApproval(olga, trader, advance_id);
  await postRelease(omar, trader, advance_id);
  await portal.runJobs();
}

/** Accepts the offer and confirms that the collection account is set. */
async function acceptAndConfirm(trader: Trader): Promise<void> {
  await acceptAdvance(portal, trader);
  await confirmCollection(portal, trader);
}

describe('a return filed with other software', () => {
  it('is found at HMRC, quoted automatically at 1%, accepted, reviewed, paid once and settled, and the ledger balances', async () => {
    const trader = await createBridgingTrader(portal, 'whole@gofile.example', { refundPounds: 4_101 });
    const offer = await findAdvance(trader);
    expect(offer).toMatchObject({ state: 'quoted', refund_pence: 410_100, fee_pence: 4_101, net_pence: 405_999, eligible: true });
    expect(offer).toMatchObject({ found_on: '2026-11-08', agreement: { text: expect.stringContaining('filed with other software') } });
    expect(offer.rules.find(({ rule }) => rule === 'return_filed')?.outcome).toBe('review');
    const { body: dashboard } = await trader.browser.get('/instant-vat/dashboard', { company_id: trader.companyId });
    expect(dashboard['advance']).toMatchObject({
      net_pence: 405_999,
      timeline: expect.arrayContaining([expect.objectContaining({ title: 'Return found at HMRC' })]),
    });
    expect((dashboard['tasks'] as { task: string }[]).map(({ task }) => task)).not.toContain('add_books');
    await acceptAndConfirm(trader);
    expect((await findAdvance(trader)).state).toBe('in_review');
    await approve(trader);
    await waitForState(trader, 'awaiting_hmrc');
    expect(listPayoutsAtBank(405_999)).toBe(1);
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ refunds_receivable: 410_100, cash: -405_999, fee_income: -4_101 });
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await waitForState(trader, 'settled');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_101, fee_income: -4_101 });
    const lines = await portal.deps.database.db.select().from(ledgerLines).where(eq(ledgerLines.companyId, trader.companyId));
    expect(lines.reduce((sum, { amountPence }) => sum + amountPence, 0)).toBe(0);
    // HMRC has repaid this refund, and each period can be advanced only once.
    await requestQuote(trader);
    expect(await listAdvances(trader)).toHaveLength(1);
  });

  it('is offered at 2% to customers referred by Swoop, and only when they ask', async () => {
    const trader = await createBridgingTrader(portal, 'broker@swoop.example', { partner: 'swoop', refundPounds: 4_102 });
    expect(await listAdvances(trader)).toEqual([]);
    const { body: shownReturn } = await trader.browser.get('/instant-vat/vat-return', toReturnKey(trader));
    expect(shownReturn).toMatchObject({ obligation: { state: 'filed_elsewhere' }, found: { refund: 'open' } });
    expect((await requestQuote(trader)).body['advance']).toMatchObject({ fee_pence: 8_204, fee_rate_bps: 200 });
  });

  it('is quoted on the next refresh when it was filed after connecting', async () => {
    const trader = await createBridgingTrader(portal, 'later@mtdsorted.example', { partner: 'mtdsorted', refundPounds: null });
    expect(await listAdvances(trader)).toEqual([]);
    portal.hmrc.fileElsewhere(trader.vrn, { refundPence: 410_300, daysAgo: 1 });
    await trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
    expect(await findAdvance(trader)).toMatchObject({ state: 'quoted', refund_pence: 410_300 });
  });

  it.each([
    ['the trader has to pay by it', { refundPounds: -900 }, 'isn’t a repayment'],
    ['it is a nil return', { refundPounds: 0 }, 'isn’t a repayment'],
    ['nothing is left after the least fee', { refundPounds: 5 }, 'too small'],
  ])('is not quoted when %s', async (situation, filed, reason) => {
    const trader = await createBridgingTrader(portal, `${situation.replaceAll(' ', '-')}@gofile.example`, filed);
    expect(await listAdvances(trader)).toEqual([]);
    expect((await requestQuote(trader)).body).toMatchObject({ advance: null, reason: expect.stringContaining(reason) });
  });

  it('is not bought once HMRC has repaid it, even if the repayment never reached us', async () => {
    const trader = await createBridgingTrader(portal, 'repaid@gofile.example', { refundPounds: 4_104 });
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    const response = await postAccept(trader);
    expect(response.body).toMatchObject({ code: 'advance.not_eligible', message: expect.stringContaining('nothing left to repay') });
    await requestQuote(trader);
    expect((await findAdvance(trader)).eligible).toBe(false);
  });

  it('is not eligible when HMRC repaid it long ago', async () => {
    const trader = await createBridgingTrader(portal, 'old@gofile.example', { refundPounds: null });
    const [pastObligation] = await portal.deps.database.db
      .select({ id: obligations.id })
      .from(obligations)
      .where(and(eq(obligations.companyId, trader.companyId), eq(obligations.status, 'fulfilled')));
    const { body } = await trader.browser.post('/instant-vat/advance/quote', {
      company_id: trader.companyId,
      obligation_id: pastObligation?.id,
    });
    expect(body['advance']).toMatchObject({ eligible: false });
  });
});

describe('the first refund of a return filed with other software', () => {
  it.each([
    ['HMRC', 'pass'],
    ['the trader', 'review'],
  ])('that %s repaid: the next one’s rule says “%s”', async (payer, outcome) => {
    const trader = await createBridgingTrader(portal, `${payer.toLowerCase().replace(' ', '-')}-repaid@gofile.example`, {
      refundPounds: 4_120,
    });
    await acceptAndConfirm(trader);
    await approve(trader);
    await waitForState(trader, 'awaiting_hmrc');
    if (payer === 'HMRC') await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    else await transfer(portal, trader, 412_000, 'OUR OWN MONEY');
    await waitForState(trader, 'settled');
    await quoteNextRefund(portal, trader, 4_121);
    expect((await findAdvance(trader)).rules.find(({ rule }) => rule === 'return_filed')?.outcome).toBe(outcome);
    portal.moveClock('2026-11-10T09:00:00.000Z');
  });
});

describe('figures that HMRC changes', () => {
  it('replace the offer when they change before acceptance', async () => {
    const trader = await createBridgingTrader(portal, 'amended@gofile.example', { refundPounds: 4_105 });
    portal.hmrc.amendReturn(trader.vrn, trader.obligation.periodKey, 310_500);
    expect((await postAccept(trader)).body['code']).toBe('advance.quote_changed');
    expect(await findAdvance(trader)).toMatchObject({ state: 'quoted', refund_pence: 310_500, version: 2 });
    expect(await listFoundReturns(trader)).toHaveLength(2);
    expect((await postAccept(trader)).status).toBe(200);
  });

  it('expire the offer when the return becomes a payment', async () => {
    const trader = await createBridgingTrader(portal, 'turned@gofile.example', { refundPounds: 4_106 });
    portal.hmrc.amendReturn(trader.vrn, trader.obligation.periodKey, -20_000);
    expect((await postAccept(trader)).body['code']).toBe('advance.not_eligible');
    expect((await findAdvance(trader)).state).toBe('expired');
  });

  it('decline the advance when they change between acceptance and confirmation, and nothing is paid', async () => {
    const trader = await createBridgingTrader(portal, 'cut@gofile.example', { refundPounds: 4_107 });
    await acceptAdvance(portal, trader);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'REPAYMENT_ADJUSTED', 200_000);
    await confirmCollection(portal, trader);
    await portal.runJobs();
    expect((await findAdvance(trader)).state).toBe('declined');
    expect(listPayoutsAtBank(406_593)).toBe(0);
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({});
  });

  it('hold the payout when they change after confirmation, until an operator declines it', async () => {
    const trader = await createBridgingTrader(portal, 'held@gofile.example', { refundPounds: 4_108 });
    await acceptAndConfirm(trader);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'REPAYMENT_ADJUSTED', 200_000);
    await trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
    await approve(trader);
    const onHold = await findAdvance(trader);
    expect(onHold).toMatchObject({ state: 'approved', waiting_for: expect.stringContaining('The payment is on hold') });
    expect(listPayoutsAtBank(406_692)).toBe(0);
    await olga.post('/operator/advance/decide', {
      company_id: trader.companyId,
      advance_id: onHold.advance_id,
      decision: 'decline',
      reason: 'HMRC cut it',
    });
    expect((await findAdvance(trader)).state).toBe('declined');
  });

  it('are stored as evidence that the database doesn’t allow anyone to change', async () => {
    const trader = await createBridgingTrader(portal, 'evidence@gofile.example', { refundPounds: 4_109 });
    await expect(
      portal.deps.database.db.update(foundReturns).set({ vrn: '1' }).where(eq(foundReturns.companyId, trader.companyId)),
    ).rejects.toSatisfy((error: unknown) => getSqlState(error) === '23000');
  });
});

describe('HMRC’s authorisation', () => {
  it('blocks acceptance while it is revoked, and allows it after the customer authorises again', async () => {
    const trader = await createBridgingTrader(portal, 'revoked@gofile.example', { refundPounds: 4_116 });
    portal.hmrc.revokeGrant(trader.hmrcUserId);
    const rejectedResponse = await postAccept(trader);
    expect(rejectedResponse).toMatchObject({ status: 409, body: { code: 'advance.not_eligible' } });
    expect((await findAdvance(trader)).state).toBe('quoted');
    await authorisePortal(portal, trader.browser, trader.companyId, trader.hmrcUserId);
    expect((await postAccept(trader)).status).toBe(200);
  });

  it('is not enough when HMRC does not respond: an offer is never accepted on old data', async () => {
    const trader = await createBridgingTrader(portal, 'silent@gofile.example', { refundPounds: 4_117 });
    portal.faults.set({ operation: 'hmrc.view_return', kind: 'server_error', times: 3 });
    expect((await postAccept(trader)).status).toBe(502);
    portal.faults.clear();
    expect((await findAdvance(trader)).state).toBe('quoted');
  });

  it('is not stored for another business, so none of its returns are read', async () => {
    const { browser: personBrowser } = await signUp(portal, 'stranger@gofile.example', { partner: 'gofile' });
    const [ownOrganisation, otherOrganisation] = [await makeOrganisation(portal), await makeOrganisation(portal)];
    portal.hmrc.fileElsewhere(ownOrganisation.vrn, { refundPence: 411_800 });
    const company = { name: 'Tess Exports Ltd', company_number: '09482716', vrn: ownOrganisation.vrn };
    const companyId = String((await personBrowser.post('/instant-vat/steps/company', company)).body['company_id']);
    expect(await authorisePortal(portal, personBrowser, companyId, otherOrganisation.userId)).toContain('outcome=wrong_vrn');
    await personBrowser.post('/instant-vat/hmrc/refresh', { company_id: companyId });
    expect(await portal.deps.database.db.select().from(foundReturns).where(eq(foundReturns.companyId, companyId))).toEqual([]);
  });

  it('gives no quote for a VAT number that the company no longer has', async () => {
    const trader = await createBridgingTrader(portal, 'renumbered@gofile.example', { refundPounds: 4_119 });
    const { db } = portal.deps.database;
    await db
      .insert(foundReturns)
      .values({ ...(await getFoundReturn(trader)), id: crypto.randomUUID(), vrn: '999999973', readAt: portal.deps.clock.now() });
    expect(await quoteRefund(portal.deps, trader.companyId, trader.obligation.id, 'rules')).toContain('no longer uses');
    expect((await findAdvance(trader)).state).toBe('expired');
  });
});
