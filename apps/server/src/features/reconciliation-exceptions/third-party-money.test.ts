/**
 * Surpluses could be used to launder money by paying in and getting paid by us. So money from a stranger is returned, and a surplus payout
 * has the same checks as any other.
 */
import { bankAccounts, payouts, screenings, suspicions } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quoteNextRefund } from '../../testing/next-refund.ts';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { sealAccounts } from '../../testing/seal-accounts.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  acceptAdvance,
  confirmCollection,
  createPaidTrader,
  findAdvance,
  getTrialBalance,
  postApproval,
  postRelease,
  waitForState,
} from '../../testing/take-advance.ts';
import type { Trader } from '../../testing/test-trader.ts';
import { createShortRepaidTrader } from '../../testing/short-refund.ts';

const OTHER_SENDER = { remitterName: 'Marigold Imports FZE', reference: 'INV 77' };
const HMRC = { remitterName: 'HMRC VAT' };

let portal: TestPortal;
let operators: OperatorPair;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
});
afterAll(() => portal.close());

const requestPayment = (trader: Trader, amount_pence: number) =>
  operators.olga.post('/operator/matters/pay-surplus', { company_id: trader.companyId, amount_pence, reason: 'Above the refund' });
const countSurplusPayouts = async ({ companyId }: Trader) =>
  (
    await portal.deps.database.db
      .select()
      .from(payouts)
      .where(and(eq(payouts.companyId, companyId), isNull(payouts.advanceId)))
  ).length;
const recordReturn = (trader: Trader, credit_id: string) =>
  operators.olga.post('/operator/matters/record-return', {
    company_id: trader.companyId,
    credit_id,
    return_reference: 'TL-9',
    reason: 'Not the trader’s',
  });

/** Returns a trader with a settled advance and a surplus of £5, which is interest from HMRC. */
async function createTraderWithSurplus(email: string, refundPounds: number): Promise<Trader> {
  const trader = await createPaidTrader(portal, email, refundPounds);
  await operators.sendCredit(trader, refundPounds * 100 + 5_00, { ...HMRC, reference: trader.vrn });
  await waitForState(trader, 'settled');
  return trader;
}

describe('a third party’s money', () => {
  it('can’t be allocated to the trader: it is returned to its sender', async () => {
    const { olga, sendCredit, waitForException, allocate, resolve, listExceptions } = operators;
    const trader = await createPaidTrader(portal, 'launder@third.example', 4_301);
    await sendCredit(trader, 90_000_00, OTHER_SENDER);
    const { subject_id } = await waitForException(trader, 'credit', 90_000_00);
    const refusedResponse = await allocate(olga, trader, subject_id, [{ advance_id: null, amount_pence: 90_000_00 }]);
    expect(refusedResponse.body).toMatchObject({
      code: 'reconciliation.third_party',
      message: expect.stringContaining('Marigold Imports FZE'),
    });
    expect((await requestPayment(trader, 90_000_00)).status).toBe(409);
    await resolve(trader, recordReturn(trader, subject_id));
    expect(await listExceptions(trader)).toEqual([]);
    expect(await countSurplusPayouts(trader)).toBe(0);
  });

  it('that exceeds the difference isn’t paid out, with advice on what to do', async () => {
    const { olga, sendCredit, waitForException, allocate, resolve } = operators;
    const trader = await createShortRepaidTrader(portal, 'over@third.example', 4_302, 4_202);
    const { body } = await trader.browser.get('/instant-vat/shortfall', {
      company_id: trader.companyId,
      advance_id: (await findAdvance(trader)).advance_id,
    });
    const { reference } = body['shortfall'] as { reference: string };
    await sendCredit(trader, 5_000_00, { ...OTHER_SENDER, reference });
    await waitForState(trader, 'settled');
    const surplus = await waitForException(trader, 'surplus', 4_900_00);
    expect(surplus.problem).toContain('Marigold Imports FZE, which is neither HMRC nor the trader');
    expect((await requestPayment(trader, 4_900_00)).body['code']).toBe('surplus.third_party');
    const { credits } = (await olga.get('/operator/credits', { company_id: trader.companyId })).body as {
      credits: { credit_id: string; remitter: string }[];
    };
    const paidInCreditId = credits.find(({ remitter }) => remitter === OTHER_SENDER.remitterName)?.credit_id ?? '';
    await resolve(trader, allocate(olga, trader, paidInCreditId, []));
    await resolve(trader, recordReturn(trader, paidInCreditId));
    expect(await getTrialBalance(portal, trader.companyId)).toMatchObject({ due_from_trader: 100_00 });
    expect(await getTrialBalance(portal, trader.companyId)).not.toHaveProperty('owed_to_trader');
    expect(await countSurplusPayouts(trader)).toBe(0);
  });

  it('in HMRC’s place doesn’t release HMRC’s repayment to the trader', async () => {
    const { olga, sendCredit, waitForException, allocate } = operators;
    const trader = await createPaidTrader(portal, 'swap@third.example', 4_303);
    await sendCredit(trader, 430_300, OTHER_SENDER);
    await waitForState(trader, 'settled');
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    const { subject_id } = await waitForException(trader, 'credit', 430_300);
    const refusedResponse = await allocate(olga, trader, subject_id, [{ advance_id: null, amount_pence: 430_300 }]);
    expect(refusedResponse.body['code']).toBe('reconciliation.repaid_by_third_party');
    // Nor does a part of it.
    const partResponse = await allocate(olga, trader, subject_id, [{ advance_id: null, amount_pence: 430_299 }]);
    expect(partResponse.body['code']).toBe('reconciliation.repaid_by_third_party');
  });

  it('in HMRC’s place doesn’t release HMRC’s repayment either if HMRC repays less, because it set a debt off', async () => {
    const { olga, sendCredit, waitForException, allocate } = operators;
    const trader = await createPaidTrader(portal, 'less@third.example', 4_307);
    await sendCredit(trader, 430_700, OTHER_SENDER);
    await waitForState(trader, 'settled');
    await sendCredit(trader, 430_600, { ...HMRC, reference: trader.vrn });
    const { subject_id } = await waitForException(trader, 'credit', 430_600);
    const refusedResponse = await allocate(olga, trader, subject_id, [{ advance_id: null, amount_pence: 430_600 }]);
    expect(refusedResponse.body['code']).toBe('reconciliation.repaid_by_third_party');
  });

  it('in HMRC’s place doesn’t release HMRC’s repayment if it was only a part, whose rest then became due', async () => {
    const { olga, sendCredit, waitForException, allocate, resolve } = operators;
    const trader = await createPaidTrader(portal, 'part@third.example', 4_308);
    const { advance_id } = await findAdvance(trader);
    await sendCredit(trader, 400_000, OTHER_SENDER);
    const part = await waitForException(trader, 'credit', 400_000);
    await resolve(trader, allocate(olga, trader, part.subject_id, [{ advance_id, amount_pence: 400_000 }]));
    await sendCredit(trader, 430_800, { ...HMRC, reference: trader.vrn });
    const { subject_id } = await waitForException(trader, 'credit', 430_800);
    const parts = [
      { advance_id, amount_pence: 30_800 },
      { advance_id: null, amount_pence: 400_000 },
    ];
    expect((await allocate(olga, trader, subject_id, parts)).body['code']).toBe('reconciliation.repaid_by_third_party');
  });

  it('in HMRC’s place doesn’t release HMRC’s repayment by the rules, which match it to the refund that HMRC was expected to repay next', async () => {
    const { olga, omar, sendCredit, waitForException, allocate, listExceptions } = operators;
    const trader = await createPaidTrader(portal, 'next@third.example', 4_306);
    await sendCredit(trader, 430_600, OTHER_SENDER);
    await waitForState(trader, 'settled');
    const { advance_id } = await quoteNextRefund(portal, trader, 300);
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    if ((await findAdvance(trader)).state === 'in_review') await postApproval(olga, trader, advance_id);
    await postRelease(omar, trader, advance_id);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
    await sendCredit(trader, 430_600, { ...HMRC, reference: trader.vrn });
    await waitForState(trader, 'settled');
    const { subject_id } = await waitForException(trader, 'credit', 400_600);
    expect((await listExceptions(trader)).filter(({ kind }) => kind === 'surplus')).toEqual([]);
    const parts = [
      { advance_id, amount_pence: 30_000 },
      { advance_id: null, amount_pence: 400_600 },
    ];
    expect((await allocate(olga, trader, subject_id, parts)).body['code']).toBe('reconciliation.repaid_by_third_party');
  });
});

describe('a payout of a surplus', () => {
  it('is held by a suspicion, with the same wording as for a pending screening', async () => {
    const { omar, approve } = operators;
    const trader = await createTraderWithSurplus('held@third.example', 4_304);
    const { db } = portal.deps.database;
    const { body } = await requestPayment(trader, 5_00);
    const [screening] = await db.select().from(screenings).where(eq(screenings.companyId, trader.companyId));
    const suspicion = { listedId: 'NK-1', caption: trader.fullName, topics: ['sanction'], datasets: ['ofsi'], score: 0.9 };
    await db.insert(suspicions).values({
      companyId: trader.companyId,
      id: crypto.randomUUID(),
      screeningId: screening?.id ?? '',
      subjectKind: 'person',
      subjectName: trader.fullName,
      foundAt: portal.deps.clock.now(),
      ...suspicion,
    });
    const suspicionResponse = await approve(omar, trader, body['request_id']);
    expect(suspicionResponse.body).toMatchObject({ code: 'surplus.on_hold' });
    expect(JSON.stringify(suspicionResponse.body)).not.toMatch(/sanction|suspicion|screen/i);
    await db.delete(suspicions).where(eq(suspicions.companyId, trader.companyId));
    const oldScreening = { screenedAt: addMilliseconds(portal.deps.clock.now(), -25 * 3_600_000) };
    await db.update(screenings).set(oldScreening).where(eq(screenings.companyId, trader.companyId));
    expect((await requestPayment(trader, 5_00)).body['message']).toBe(suspicionResponse.body['message']);
    expect(await countSurplusPayouts(trader)).toBe(0);
    await portal.runJobs();
    expect((await approve(omar, trader, body['request_id'])).status).toBe(200);
  });

  it('is paid only to an account in the company’s name', async () => {
    const trader = await createTraderWithSurplus('other@third.example', 4_305);
    const { db } = portal.deps.database;
    const isTradersAccount = eq(bankAccounts.companyId, trader.companyId);
    const [account] = await db.select().from(bankAccounts).where(isTradersAccount);
    await db.update(bankAccounts).set({ accountHolder: 'Marigold Imports' }).where(isTradersAccount);
    await sealAccounts(portal, trader.companyId);
    expect((await requestPayment(trader, 5_00)).body['code']).toBe('surplus.account_of_another');
    const noMatch = { check_id: null, reason: 'ANNM', checked_at: portal.deps.clock.now(), result: 'no_match' } as const;
    await db
      .update(bankAccounts)
      .set({ accountHolder: account?.accountHolder ?? '', nameCheck: noMatch })
      .where(isTradersAccount);
    await sealAccounts(portal, trader.companyId);
    expect((await requestPayment(trader, 5_00)).body['code']).toBe('surplus.account_of_another');
    await db
      .update(bankAccounts)
      .set({ nameCheck: account?.nameCheck ?? null })
      .where(isTradersAccount);
    await sealAccounts(portal, trader.companyId);
    expect((await requestPayment(trader, 5_00)).status).toBe(200);
  });
});
