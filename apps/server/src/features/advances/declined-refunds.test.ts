/**
 * A refund that an operator declined isn't paid by the rules afterwards, and an operator can still decline one that the rules have approved.
 */
import { memberships, obligations, payouts } from '@portal/db/schema/schema.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptRefund, fileBacklog } from '../../testing/file-backlog.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  acceptAdvance,
  confirmCollection,
  confirmFacts,
  createIdempotencyHeaders,
  createTraderWithFiledReturn,
  findAdvance,
  postApproval,
  postRelease,
  waitForState,
  type AdvanceBody,
} from '../../testing/take-advance.ts';
import {
  addBankAccount,
  authorisePortal,
  createConnectedTrader,
  createOperator,
  passIdentityCheck,
  type Browser,
  type Trader,
} from '../../testing/test-trader.ts';
import { submitPayout } from './submit-payout.ts';

let portal: TestPortal;
let olga: Browser;
let omar: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
  omar = await createOperator(portal, 'omar@operators.example');
});
beforeEach(() => portal.moveClock('2026-11-10T09:00:00.000Z'));
afterAll(() => portal.close());

const decline = async (trader: Trader) => {
  const ids = { company_id: trader.companyId, advance_id: (await findAdvance(trader)).advance_id };
  const decision = { ...ids, decision: 'decline', reason: 'The invoices are forged' };
  return olga.post('/operator/advance/decide', decision, createIdempotencyHeaders());
};
const findRule = async (trader: Trader) => (await findAdvance(trader)).rules.find(({ rule }) => rule === 'no_declined_refund');
const requote = ({ browser, companyId, obligation }: Trader) =>
  browser.post('/instant-vat/advance/quote', { company_id: companyId, obligation_id: obligation.id });
const listOrders = ({ companyId }: Trader) => portal.deps.database.db.select().from(payouts).where(eq(payouts.companyId, companyId));

/** Declined while the owner's identity wasn't verified, which alone sent the refund to review. */
async function createDeclinedTrader(email: string, refundPounds: number): Promise<Trader> {
  const trader = await createTraderWithFiledReturn(portal, email, refundPounds, { isVerified: false });
  expect((await acceptAdvance(portal, trader)).state).toBe('in_review');
  expect((await decline(trader)).status).toBe(200);
  await passIdentityCheck(portal, trader.browser);
  return trader;
}

describe('a refund that an operator declined', () => {
  it('is reviewed when the trader asks for another offer, although every other rule passes now', async () => {
    const trader = await createDeclinedTrader('again@declined.example', 4_201);
    await requote(trader);
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    const advance = await findAdvance(trader);
    expect(advance.rules.filter(({ outcome }) => outcome !== 'pass')).toMatchObject([
      { rule: 'no_declined_refund', outcome: 'review', finding: 'We declined an earlier offer.' },
    ]);
    expect([advance.state, await listOrders(trader)]).toEqual(['in_review', []]);
    // Then two people pay it, and their approval ends the rule's doubt.
    expect((await postApproval(olga, trader, advance.advance_id)).status).toBe(200);
    await portal.runJobs();
    expect((await findAdvance(trader)).state).toBe('approved');
    expect((await postRelease(omar, trader, advance.advance_id)).status).toBe(200);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
  });

  it('is also reviewed for a new company that the owner adds after closing the first one', async () => {
    const first = await createDeclinedTrader('returns@declined.example', 4_202);
    const closing = { company_id: first.companyId, confirm_with: 'Tess Exports Ltd', confirmed: true };
    expect((await first.browser.post('/v2/company/close', closing)).status).toBe(200);
    const form = { name: 'Tess Exports Ltd', company_number: first.vrn.slice(0, 8), vrn: first.vrn };
    const { body } = await first.browser.post('/instant-vat/steps/company', form);
    const companyId = String(body['company_id']);
    await authorisePortal(portal, first.browser, companyId, first.hmrcUserId);
    await addBankAccount(first.browser, companyId);
    // HMRC shows a return as filed the day after.
    portal.moveClock('2026-11-11T10:00:00.000Z');
    await first.browser.post('/instant-vat/hmrc/refresh', { company_id: companyId });
    const isSamePeriod = and(eq(obligations.companyId, companyId), eq(obligations.periodEnd, first.obligation.periodEnd));
    const [obligation] = await portal.deps.database.db.select({ id: obligations.id }).from(obligations).where(isSamePeriod);
    const again = { ...first, companyId, obligation: { ...first.obligation, id: obligation?.id ?? '' } };
    await requote(again);
    expect(await findRule(again)).toMatchObject({ outcome: 'review', finding: expect.stringContaining('with the same owner') });
  });
});

describe('a refund that the trader withdrew while an operator was reviewing it', () => {
  it('is reviewed again, so that a trader who is asked for evidence can’t escape the decline', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'withdraws@declined.example', 4_208, { isVerified: false });
    const { advance_id } = await acceptAdvance(portal, trader);
    await trader.browser.post('/instant-vat/advance/withdraw', { company_id: trader.companyId, advance_id });
    expect((await decline(trader)).body).toMatchObject({ code: 'advance.wrong_state' });
    await passIdentityCheck(portal, trader.browser);
    await requote(trader);
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    const again = await findAdvance(trader);
    expect([again.state, await listOrders(trader)]).toEqual(['in_review', []]);
    expect(await findRule(trader)).toMatchObject({ outcome: 'review', finding: expect.stringContaining('ended while') });
    // An operator who finds it right ends the doubt.
    expect((await postApproval(olga, trader, again.advance_id)).status).toBe(200);
    expect((await postRelease(omar, trader, again.advance_id)).status).toBe(200);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
  });
});

describe('a refund whose review has no answer yet', () => {
  it.each([
    ['taken it', 'taken@declined.example', 4_210],
    ['written a note about it', 'noted@declined.example', 4_211],
  ])('isn’t approved by the rules once an operator has %s, although its cause has gone', async (done, email, refundPounds) => {
    const trader = await createTraderWithFiledReturn(portal, email, refundPounds, { isVerified: false });
    const { companyId: company_id } = trader;
    const { advance_id } = await acceptAdvance(portal, trader);
    const { body } = await olga.get('/v2/check-login');
    const isTaken = done === 'taken it';
    const work = isTaken
      ? { advances: [{ company_id, advance_id }], operator_id: body['user_id'] }
      : { company_id, subject_id: advance_id, note_id: crypto.randomUUID(), text: 'Asked for the invoices.' };
    expect((await olga.post(isTaken ? '/operator/desk/assign' : '/operator/desk/notes', work)).status).toBe(200);
    await passIdentityCheck(portal, trader.browser);
    await confirmCollection(portal, trader);
    expect((await findAdvance(trader)).rules.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
    expect([(await findAdvance(trader)).state, await listOrders(trader)]).toEqual(['in_review', []]);
    expect((await postApproval(olga, trader, advance_id)).status).toBe(200);
    expect((await postRelease(omar, trader, advance_id)).status).toBe(200);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
  });

  it('is reviewed again if the trader withdraws it before a second person has released it', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'unreleased@declined.example', 4_212, { isVerified: false });
    const { advance_id } = await acceptAdvance(portal, trader);
    expect((await postApproval(olga, trader, advance_id)).status).toBe(200);
    await trader.browser.post('/instant-vat/advance/withdraw', { company_id: trader.companyId, advance_id });
    await passIdentityCheck(portal, trader.browser);
    await requote(trader);
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    expect([(await findAdvance(trader)).state, await listOrders(trader)]).toEqual(['in_review', []]);
    expect(await findRule(trader)).toMatchObject({ outcome: 'review', finding: expect.stringContaining('ended while') });
  });

  it('is reviewed again if the rules decline it because HMRC’s figures have changed', async () => {
    const trader = await createConnectedTrader(portal, 'amends@declined.example', null);
    const { companyId: company_id, obligation, vrn, browser } = trader;
    portal.hmrc.fileElsewhere(vrn, { refundPence: 421_300, daysAgo: 1, periodKey: obligation.periodKey });
    await browser.post('/instant-vat/hmrc/refresh', { company_id });
    await requote(trader);
    const { advance_id } = await acceptAdvance(portal, trader);
    portal.hmrc.amendReturn(vrn, obligation.periodKey, 421_200);
    await browser.post('/instant-vat/advance/confirm-collection-account', { company_id, advance_id });
    expect(await findAdvance(trader)).toMatchObject({ obligation_id: obligation.id, state: 'declined' });
    await requote(trader);
    expect(await findRule(trader)).toMatchObject({ outcome: 'review', finding: expect.stringContaining('ended while') });
  });
});

describe('an operator’s approval', () => {
  it('of a refund that was in review when another was declined doesn’t end the doubt, because they may not know of it', async () => {
    const filedAt = toInstant(Date.parse('2027-02-03T09:00:00Z'));
    const { trader, returns } = await fileBacklog(portal, 'two@declined.example', [4_207, 10_500], filedAt);
    const [forged, reviewed] = returns;
    if (!forged || !reviewed) throw new Error('two returns are due');
    const find = async (obligation: Trader['obligation']) => {
      const { body } = await trader.browser.get('/instant-vat/advance', { company_id: trader.companyId, obligation_id: obligation.id });
      return body['advance'] as AdvanceBody;
    };
    await acceptRefund(portal, trader, forged);
    const { advance_id } = await acceptRefund(portal, trader, reviewed);
    expect([(await find(forged)).state, (await find(reviewed)).state]).toEqual(['approved', 'in_review']);
    const decision = { company_id: trader.companyId, decision: 'decline', reason: 'The invoices are forged' };
    const target = { advance_id: (await find(forged)).advance_id };
    expect((await olga.post('/operator/advance/decide', { ...decision, ...target }, createIdempotencyHeaders())).status).toBe(200);
    // Omar's screen was opened before, and the rules that it shows are older than the decline.
    expect((await postApproval(omar, trader, advance_id)).status).toBe(200);
    await portal.runJobs();
    const [again] = (await find(reviewed)).rules.filter(({ rule }) => rule === 'no_declined_refund');
    expect([(await find(reviewed)).state, again?.outcome]).toEqual(['in_review', 'review']);
    await acceptRefund(portal, trader, forged);
    await confirmCollection(portal, trader);
    expect([(await find(forged)).state, await listOrders(trader)]).toEqual(['in_review', []]);
    // Now he knows of it. Still, the refund that he approves isn't the forged one.
    expect((await postApproval(omar, trader, advance_id)).status).toBe(200);
    expect((await confirmFacts(portal, trader)).status).toBe(200);
    expect([(await find(reviewed)).state, (await find(forged)).state, await listOrders(trader)]).toEqual(['approved', 'in_review', []]);
    // Nor does his approval answer the next decline.
    const next = { ...decision, advance_id: (await find(forged)).advance_id };
    expect((await olga.post('/operator/advance/decide', next, createIdempotencyHeaders())).status).toBe(200);
    await portal.deps.enqueue(portal.deps.database.db, 'advance.progress', { company_id: trader.companyId, advance_id });
    await portal.runJobs();
    expect((await find(reviewed)).state).toBe('in_review');
  });
});

describe('an operator’s approval from a page that is older than the rules', () => {
  it('is rejected and names what is new, because the trader can have the rules evaluated again in the meantime', async () => {
    const filedAt = toInstant(Date.parse('2027-02-03T09:00:00Z'));
    const { trader, returns } = await fileBacklog(portal, 'stale@declined.example', [4_209, 10_501], filedAt);
    const [forged, reviewed] = returns;
    if (!forged || !reviewed) throw new Error('two returns are due');
    const { advance_id: forgedId } = await acceptRefund(portal, trader, forged);
    const { advance_id } = await acceptRefund(portal, trader, reviewed);
    const target = { company_id: trader.companyId, advance_id };
    const { body: page } = await omar.get('/operator/advance', target);
    const seen_findings = (page['advance'] as AdvanceBody).rules.filter(({ outcome }) => outcome !== 'pass').map(({ finding }) => finding);
    const forgery = { company_id: trader.companyId, advance_id: forgedId, decision: 'decline', reason: 'The invoices are forged' };
    expect((await olga.post('/operator/advance/decide', forgery)).status).toBe(200);
    await trader.browser.post('/instant-vat/advance/confirm-facts', target);
    await portal.runJobs();
    const approval = { ...target, decision: 'approve', reason: 'Looks right', seen_findings };
    expect((await omar.post('/operator/advance/decide', approval)).body).toMatchObject({
      code: 'advance.findings_changed',
      message: expect.stringContaining('We declined an earlier offer.'),
    });
    const again = { ...approval, seen_findings: [...seen_findings, 'We declined an earlier offer.'] };
    expect((await omar.post('/operator/advance/decide', again)).status).toBe(200);
  });
});

describe('a refund that the rules have approved', () => {
  it('can be declined until it is paid, so that an operator can stop a fraud', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'stop@declined.example', 4_203);
    expect((await acceptAdvance(portal, trader)).state).toBe('approved');
    expect((await decline(trader)).status).toBe(200);
    await confirmCollection(portal, trader);
    expect([(await findAdvance(trader)).state, await listOrders(trader)]).toEqual(['declined', []]);
    await requote(trader);
    expect(await findRule(trader)).toMatchObject({ outcome: 'review' });
  });

  it('can be declined after its payout failed, but not once it is on its way', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'failed@declined.example', 4_204);
    await acceptAdvance(portal, trader);
    portal.faults.set({ operation: 'truelayer.create_payout', kind: 'too_many', times: 1_000 });
    await confirmCollection(portal, trader);
    const [order] = await listOrders(trader);
    expect((await decline(trader)).body).toMatchObject({ code: 'advance.wrong_state' });
    portal.faults.set({ operation: 'truelayer.create_payout', kind: 'forbidden', times: 1_000 });
    await submitPayout(portal.deps, trader.companyId, order?.id ?? '').catch(() => undefined);
    portal.faults.clear();
    expect((await findAdvance(trader)).state).toBe('payout_failed');
    expect((await decline(trader)).status).toBe(200);
    expect((await findAdvance(trader)).state).toBe('declined');
  });

  it('goes back to review if an operator declines a refund of the owner’s other company before it is paid', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'second@declined.example', 4_205);
    expect((await acceptAdvance(portal, trader)).state).toBe('approved');
    const other = await createDeclinedTrader('other@declined.example', 4_206);
    // The other refund belongs to another company of the same owner, because a test trader has only one.
    const { db } = portal.deps.database;
    const [owner] = await db.select().from(memberships).where(eq(memberships.companyId, other.companyId));
    if (owner) await db.insert(memberships).values({ ...owner, companyId: trader.companyId });
    await confirmCollection(portal, trader);
    expect([(await findAdvance(trader)).state, await listOrders(trader)]).toEqual(['in_review', []]);
  });
});
