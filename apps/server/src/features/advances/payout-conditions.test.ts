import { hmrcConnections } from '@portal/db/schema/schema.ts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOperator, type Browser } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { acceptAdvance, confirmCollection, filedTrader, findAdvance, newKey, postAccept, postRelease } from '../../testing/take-advance.ts';

let portal: TestPortal;
let olga: Browser;
let omar: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
  omar = await createOperator(portal, 'omar@operators.example');
});
afterAll(() => portal.close());

describe('the rules between offer and payout', () => {
  it('run again on acceptance: an authorisation that has ended since blocks it', async () => {
    const trader = await filedTrader(portal, 'lapsed@trader.example', 4_041);
    await portal.deps.database.db.update(hmrcConnections).set({ status: 'lapsed' }).where(eq(hmrcConnections.companyId, trader.companyId));
    const answer = await postAccept(trader);
    expect(answer.body).toMatchObject({ code: 'advance.not_eligible', message: expect.stringContaining('connection to HMRC has ended') });
    expect((await findAdvance(trader)).state).toBe('quoted');
  });

  it('allow a withdrawal to be repeated', async () => {
    const trader = await filedTrader(portal, 'withdrawn@trader.example', 4_042);
    const target = { company_id: trader.companyId, advance_id: (await findAdvance(trader)).advance_id };
    expect((await trader.browser.post('/instant-vat/advance/withdraw', target, newKey())).status).toBe(200);
    expect((await trader.browser.post('/instant-vat/advance/withdraw', target, newKey())).status).toBe(200);
  });

  it('need a new release when the bank account changed after the first one', async () => {
    const trader = await filedTrader(portal, 'swapped@trader.example', 12_001);
    const { advance_id } = await acceptAdvance(portal, trader);
    const target = { company_id: trader.companyId, advance_id };
    await olga.post('/operator/advance/decide', { ...target, decision: 'approve', reason: 'Looks right' });
    await postRelease(omar, trader, advance_id);
    await trader.browser.post('/instant-vat/steps/bank-account', {
      company_id: trader.companyId,
      account_holder: 'Somebody Else',
      sort_code: '400000',
      account_number: '11112222',
    });
    await confirmCollection(portal, trader);
    portal.moveClock('2026-11-12T09:00:00.000Z');
    await olga.post('/operator/advance/decide', { ...target, decision: 'approve', reason: 'Nudges the next step' });
    await portal.runJobs();
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved', waiting_for: expect.stringContaining('needs to release') });
    await postRelease(omar, trader, advance_id);
    await portal.runJobs();
    expect((await findAdvance(trader)).state).not.toBe('approved');
  });
});
