/** HMRC's repayment that reaches the collection account of a closed company, whose VAT number sells its refunds from another account now. */
import { bankCredits, obligations } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { findCase, runTick } from '../../testing/short-refund.ts';
import {
  acceptAdvance,
  createIdempotencyHeaders,
  createTraderWithFiledReturn,
  findAdvance,
  postApproval,
  postRelease,
  waitForState,
} from '../../testing/take-advance.ts';
import { addBankAccount, authorisePortal, type Trader } from '../../testing/test-trader.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';

let portal: TestPortal;
let operators: OperatorPair;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
});
beforeEach(() => portal.moveClock('2026-11-10T09:00:00.000Z'));
afterAll(() => portal.close());

/** Accepts an offer, so that a collection account is opened and HMRC has it, then withdraws and closes the company's account. */
async function closeAfterWithdrawal(email: string, refundPounds: number): Promise<Trader> {
  const trader = await createTraderWithFiledReturn(portal, email, refundPounds);
  const { advance_id, collection_account } = await acceptAdvance(portal, trader);
  const account = { sortCode: collection_account?.sort_code ?? '', accountNumber: collection_account?.account_number ?? '' };
  portal.hmrc.setRepaymentAccount(trader.vrn, { ...account, accountName: 'Tess Exports Ltd' });
  const withdrawal = { company_id: trader.companyId, advance_id };
  expect((await trader.browser.post('/instant-vat/advance/withdraw', withdrawal, createIdempotencyHeaders())).status).toBe(200);
  const closing = { company_id: trader.companyId, confirm_with: 'Tess Exports Ltd', confirmed: true };
  expect((await trader.browser.post('/v2/company/close', closing)).status).toBe(200);
  return trader;
}

/** The owner adds the company again, and sells the same refund from the new account. */
async function sellAgain(former: Trader): Promise<Trader> {
  const { browser, vrn } = former;
  const form = { name: 'Tess Exports Ltd', company_number: vrn.slice(0, 8), vrn };
  const companyId = String((await browser.post('/instant-vat/steps/company', form)).body['company_id']);
  await authorisePortal(portal, browser, companyId, former.hmrcUserId);
  await addBankAccount(browser, companyId);
  // HMRC shows a return as filed the day after.
  portal.moveClock('2026-11-11T10:00:00.000Z');
  await browser.post('/instant-vat/hmrc/refresh', { company_id: companyId });
  const isSamePeriod = and(eq(obligations.companyId, companyId), eq(obligations.periodEnd, former.obligation.periodEnd));
  const [obligation] = await portal.deps.database.db.select({ id: obligations.id }).from(obligations).where(isSamePeriod);
  const trader = { ...former, companyId, obligation: { ...former.obligation, id: obligation?.id ?? '' } };
  await browser.post('/instant-vat/advance/quote', { company_id: companyId, obligation_id: trader.obligation.id });
  const { advance_id } = await acceptAdvance(portal, trader);
  // HMRC still has the other account, although the trader says that it has this one.
  await browser.post('/instant-vat/advance/confirm-collection-account', { company_id: companyId, advance_id });
  await postApproval(operators.olga, trader, advance_id);
  await portal.runJobs();
  await postRelease(operators.omar, trader, advance_id);
  await portal.runJobs();
  await waitForState(trader, 'awaiting_hmrc');
  return trader;
}

/** HMRC repays the refund into the former account. Returns an operator's attempt to call the money the closed company's. */
async function repayFormer(former: Trader, { vrn, obligation }: Trader, amountPence: number) {
  await portal.hmrc.moveRepayment(vrn, obligation.periodKey, 'PAID');
  const { db } = portal.deps.database;
  const credit = await vi.waitFor(async () => {
    const [row] = await db.select().from(bankCredits).where(eq(bankCredits.companyId, former.companyId));
    expect(row).toMatchObject({ amountPence });
    return row;
  }, WAIT_OPTIONS);
  return () => operators.allocate(operators.olga, former, credit?.id ?? '', [{ advance_id: null, amount_pence: amountPence }]);
}

describe('HMRC’s repayment to the account of a closed company', () => {
  it('isn’t the closed company’s while its VAT number has sold a refund from another account', async () => {
    const former = await closeAfterWithdrawal('former@accounts.example', 4_601);
    const trader = await sellAgain(former);
    const allocate = await repayFormer(former, trader, 460_100);
    expect((await allocate()).body).toMatchObject({ code: 'reconciliation.other_account' });
    // HMRC paid the refund once, and so did we.
    const isOwn = ({ reference }: { reference: string }) => reference.includes(trader.vrn);
    expect(portal.bank.listPayouts().filter(isOwn)).toHaveLength(1);
    // Once the trader has paid us back, the money is theirs.
    await operators.sendCredit(trader, 460_100);
    await waitForState(trader, 'settled');
    expect((await allocate()).status).toBe(200);
  });

  it('isn’t the closed company’s either once we have written that refund off', async () => {
    const former = await closeAfterWithdrawal('written-off@accounts.example', 4_602);
    const trader = await sellAgain(former);
    const allocate = await repayFormer(former, trader, 460_200);
    portal.moveClock('2026-12-20T09:00:00.000Z');
    await runTick(portal, 'advances.sweep');
    const { shortfall_id } = await findCase(trader);
    const key = { company_id: trader.companyId, shortfall_id, reason: 'They don’t answer' };
    const claim = { ...key, amount_pence: 460_200 };
    expect((await operators.olga.post('/operator/shortfall/claim', claim, createIdempotencyHeaders())).status).toBe(200);
    await operators.resolve(trader, operators.olga.post('/operator/shortfall/write-off', key));
    expect((await findAdvance(trader)).state).toBe('written_off');
    expect((await allocate()).body).toMatchObject({ code: 'reconciliation.other_account' });
  });
});
