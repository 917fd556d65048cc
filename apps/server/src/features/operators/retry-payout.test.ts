/** Resending a failed payout follows the same rules: one operator alone can't pay what needed two operators, or change the account. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  acceptAdvance,
  confirmCollection,
  confirmFacts,
  createTraderWithFiledReturn,
  findAdvance,
  postRelease,
  waitForState,
} from '../../testing/take-advance.ts';
import { changeBankAccount, createOperator, type Browser, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
let olga: Browser;
let omar: Browser;
let otis: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
  omar = await createOperator(portal, 'omar@operators.example');
  otis = await createOperator(portal, 'otis@operators.example');
});
afterAll(() => portal.close());

const toTarget = async (trader: Trader) => ({ company_id: trader.companyId, advance_id: (await findAdvance(trader)).advance_id });
const approve = async (operator: Browser, trader: Trader) => {
  const response = await operator.post('/operator/advance/decide', {
    ...(await toTarget(trader)),
    decision: 'approve',
    reason: 'Documents seen',
  });
  await portal.runJobs();
  return response;
};
const retry = async (operator: Browser, trader: Trader) => {
  const response = await operator.post('/operator/advance/retry-payout', { ...(await toTarget(trader)), reason: 'Details corrected' });
  await portal.runJobs();
  return response;
};
const release = async (operator: Browser, trader: Trader) => {
  const response = await postRelease(operator, trader, (await toTarget(trader)).advance_id);
  await portal.runJobs();
  return response;
};
const countPayouts = ({ net_pence }: { net_pence: number }) =>
  portal.bank.listPayouts().filter(({ amount_pence }) => amount_pence === net_pence).length;

/** Creates an advance whose payout failed. Above £10,000 Olga approves and Omar releases. */
async function createFailedTrader(email: string, refundPounds: number): Promise<Trader> {
  const trader = await createTraderWithFiledReturn(portal, email, refundPounds);
  portal.bank.failNextPayout('blocked');
  await acceptAdvance(portal, trader);
  await confirmCollection(portal, trader);
  if (refundPounds > 10_000) {
    await approve(olga, trader);
    await release(omar, trader);
  }
  await waitForState(trader, 'payout_failed');
  return trader;
}

describe('a payout that failed', () => {
  it('above £10,000 is released by another operator than the one who sends it again', async () => {
    const trader = await createFailedTrader('large@retry.example', 12_202);
    expect((await olga.get('/operator/advance', await toTarget(trader))).body['payout']).toMatchObject({
      failure: 'the payments provider blocked it for a regulatory reason',
    });
    await retry(omar, trader);
    expect((await release(omar, trader)).body).toMatchObject({ code: 'advance.own_retry' });
    expect((await release(olga, trader)).body).toMatchObject({ code: 'advance.own_approval' });
    const advance = await findAdvance(trader);
    expect(advance).toMatchObject({ state: 'approved', waiting_for: expect.stringContaining('needs to release') });
    expect(countPayouts(advance)).toBe(1);
    expect((await release(otis, trader)).status).toBe(200);
    await waitForState(trader, 'awaiting_hmrc');
    expect(countPayouts(advance)).toBe(2);
  });

  it('is not sent by one operator to a bank account that changed since the approval, and not within 24 hours of the change', async () => {
    const trader = await createFailedTrader('moved@retry.example', 4_203);
    expect((await changeBankAccount(portal, trader, { sort_code: '20-00-00', account_number: '66880022' })).status).toBe(200);
    await retry(omar, trader);
    expect((await findAdvance(trader)).waiting_for).toContain('You changed your bank account');
    portal.moveClock('2026-11-11T10:00:00.000Z');
    await confirmFacts(portal, trader);
    const advance = await findAdvance(trader);
    expect(advance).toMatchObject({ state: 'approved', waiting_for: expect.stringContaining('needs to release') });
    expect((await omar.get('/operator/advance', await toTarget(trader))).body['releases_needed']).toBe(1);
    const { advances } = (await omar.get('/operator/desk', { queue: 'all' })).body as { advances: { advance_id: string; step: string }[] };
    const { advance_id } = await toTarget(trader);
    expect(advances.find((row) => row.advance_id === advance_id)?.step).toBe('release');
    expect((await release(omar, trader)).body).toMatchObject({ code: 'advance.own_retry' });
    expect(countPayouts(advance)).toBe(1);
    expect((await release(otis, trader)).status).toBe(200);
    await waitForState(trader, 'awaiting_hmrc');
  });
});

describe('a refund that an operator approved', () => {
  it('needs another operator’s release, even when the reason for the review no longer applies', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'alone@retry.example', 4_204, { isVerified: false });
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    await approve(olga, trader);
    const { body } = await trader.browser.post('/instant-vat/identity-check/begin', {});
    const check = portal.identity.checks.listChecks().find(({ reference }) => reference === body['check_id']);
    portal.identity.checks.chooseOutcome(check?.id ?? '', 'fine');
    await trader.browser.get('/instant-vat/identity-check');
    await portal.runJobs();
    const advance = await findAdvance(trader);
    expect(advance).toMatchObject({ state: 'approved', waiting_for: expect.stringContaining('needs to release') });
    expect((await release(olga, trader)).body).toMatchObject({ code: 'advance.own_approval' });
    expect(countPayouts(advance)).toBe(0);
    await release(omar, trader);
    await waitForState(trader, 'awaiting_hmrc');
  });

  it('is not paid by the one operator who verified its owner manually', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'byhand@retry.example', 4_205, { isVerified: false });
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    const { body } = await olga.get('/operator/identity', { company_id: trader.companyId });
    const [owner] = body['owners'] as { user_id: string }[];
    const evidence = 'Passport seen on a video call, copy filed as T-205';
    const check = { company_id: trader.companyId, user_id: owner?.user_id ?? '', full_name: trader.fullName, evidence };
    expect((await olga.post('/operator/identity/verify', check)).status).toBe(200);
    await portal.runJobs();
    expect((await findAdvance(trader)).state).toBe('in_review');
    await approve(olga, trader);
    expect((await release(olga, trader)).body).toMatchObject({ code: 'advance.own_approval' });
    expect(countPayouts(await findAdvance(trader))).toBe(0);
    await release(omar, trader);
    await waitForState(trader, 'awaiting_hmrc');
  });
});
