/** A review that an operator has begun stays with operators, however the refund comes back to it. Its cause alone may have gone. */
import { payouts, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  acceptAdvance,
  confirmCollection,
  createTraderWithFiledReturn,
  findAdvance,
  postApproval,
  postRelease,
  waitForState,
} from '../../testing/take-advance.ts';
import { createOperator, passIdentityCheck, type Browser, type Trader } from '../../testing/test-trader.ts';

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

/** In review only because the owner's identity isn't verified, which the trader can put right within minutes. */
async function createReviewedTrader(email: string, refundPounds: number): Promise<{ trader: Trader; advance_id: string }> {
  const trader = await createTraderWithFiledReturn(portal, email, refundPounds, { isVerified: false });
  const { advance_id, state } = await acceptAdvance(portal, trader);
  expect(state).toBe('in_review');
  return { trader, advance_id };
}
const assign = ({ companyId: company_id }: Trader, advance_id: string, operator_id: unknown) =>
  olga.post('/operator/desk/assign', { advances: [{ company_id, advance_id }], operator_id });
const findUserId = async (email: string) => {
  const [user] = await portal.deps.database.db.select({ id: users.id }).from(users).where(eq(users.email, email));
  return user?.id ?? '';
};
const listOrders = ({ companyId }: Trader) => portal.deps.database.db.select().from(payouts).where(eq(payouts.companyId, companyId));
const listFindings = async (trader: Trader) => (await findAdvance(trader)).rules.filter(({ outcome }) => outcome !== 'pass');

async function expectTwoPeopleToPay(trader: Trader): Promise<void> {
  const { advance_id, state } = await findAdvance(trader);
  expect([state, await listOrders(trader)]).toEqual(['in_review', []]);
  expect((await postApproval(olga, trader, advance_id)).status).toBe(200);
  expect((await postRelease(omar, trader, advance_id)).status).toBe(200);
  await portal.runJobs();
  await waitForState(trader, 'awaiting_hmrc');
}

describe('a refund that an operator has begun to review', () => {
  it('isn’t approved by the rules after its operator has given it back to the others', async () => {
    const { trader, advance_id } = await createReviewedTrader('given-back@reviews.example', 4_501);
    expect((await assign(trader, advance_id, await findUserId('olga@operators.example'))).status).toBe(200);
    expect((await assign(trader, advance_id, null)).status).toBe(200);
    await passIdentityCheck(portal, trader.browser);
    await confirmCollection(portal, trader);
    expect(await listFindings(trader)).toEqual([]);
    await expectTwoPeopleToPay(trader);
  });

  it('isn’t approved by the rules once the access of the operator who approved it has ended', async () => {
    const { trader, advance_id } = await createReviewedTrader('disabled@reviews.example', 4_502);
    const stolen = await createOperator(portal, 'stolen@operators.example');
    expect((await postApproval(stolen, trader, advance_id)).status).toBe(200);
    expect((await olga.post('/operator/people/disable', { user_id: await findUserId('stolen@operators.example') })).status).toBe(200);
    await passIdentityCheck(portal, trader.browser);
    await confirmCollection(portal, trader);
    expect(await listFindings(trader)).toEqual([]);
    await expectTwoPeopleToPay(trader);
  });

  it('is reviewed again if the trader withdraws it before its release, although every rule passed when it was approved', async () => {
    const { trader, advance_id } = await createReviewedTrader('withdraws@reviews.example', 4_503);
    const { companyId: company_id, browser, obligation } = trader;
    expect((await assign(trader, advance_id, await findUserId('omar@operators.example'))).status).toBe(200);
    await passIdentityCheck(portal, browser);
    await confirmCollection(portal, trader);
    expect(await listFindings(trader)).toEqual([]);
    expect((await postApproval(olga, trader, advance_id)).status).toBe(200);
    await browser.post('/instant-vat/advance/withdraw', { company_id, advance_id });
    await browser.post('/instant-vat/advance/quote', { company_id, obligation_id: obligation.id });
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    expect(await listFindings(trader)).toMatchObject([{ rule: 'no_declined_refund', finding: expect.stringContaining('ended while') }]);
    await expectTwoPeopleToPay(trader);
  });
});
