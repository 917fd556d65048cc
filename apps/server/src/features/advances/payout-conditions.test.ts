import { hmrcConnections } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeBankAccount, createOperator, type Browser } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  acceptAdvance,
  confirmCollection,
  confirmFacts,
  createIdempotencyHeaders,
  createTraderWithFiledReturn,
  findAdvance,
  postAccept,
  postApproval,
  postRelease,
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

describe('the rules between offer and payout', () => {
  it('run again on acceptance: an authorisation that has ended since blocks it', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'lapsed@trader.example', 4_041);
    await portal.deps.database.db.update(hmrcConnections).set({ status: 'lapsed' }).where(eq(hmrcConnections.companyId, trader.companyId));
    const response = await postAccept(trader);
    expect(response.body).toMatchObject({ code: 'advance.not_eligible', message: expect.stringContaining('connection to HMRC has ended') });
    expect((await findAdvance(trader)).state).toBe('quoted');
  });

  it('allow a withdrawal to be repeated', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'withdrawn@trader.example', 4_042);
    const target = { company_id: trader.companyId, advance_id: (await findAdvance(trader)).advance_id };
    expect((await trader.browser.post('/instant-vat/advance/withdraw', target, createIdempotencyHeaders())).status).toBe(200);
    expect((await trader.browser.post('/instant-vat/advance/withdraw', target, createIdempotencyHeaders())).status).toBe(200);
  });

  it('need a new release when the bank account changed after the first one', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'swapped@trader.example', 12_001);
    const { advance_id } = await acceptAdvance(portal, trader);
    await postApproval(olga, trader, advance_id);
    await postRelease(omar, trader, advance_id);
    await changeBankAccount(portal, trader, { sort_code: '400000', account_number: '11112222' });
    await confirmCollection(portal, trader);
    portal.moveClock('2026-11-12T09:00:00.000Z');
    expect((await postRelease(omar, trader, advance_id)).body['code']).toBe('advance.facts_stale');
    await confirmFacts(portal, trader);
    await postApproval(olga, trader, advance_id);
    await portal.runJobs();
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved', waiting_for: expect.stringContaining('needs to release') });
    await postRelease(omar, trader, advance_id);
    await portal.runJobs();
    expect((await findAdvance(trader)).state).not.toBe('approved');
  });
});
