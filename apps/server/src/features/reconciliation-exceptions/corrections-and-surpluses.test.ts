/** Money that was matched wrongly, belongs to the trader, or isn't in pounds: two operators correct it, without leaving a balance. */
import { randomUUID } from 'node:crypto';
import { advanceTransitions, bankAccounts, creditAllocations, payouts, shortfallRecoveries } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { sealAccounts } from '../../testing/seal-accounts.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createPaidTrader, findAdvance, getTrialBalance, waitForState } from '../../testing/take-advance.ts';
import type { Trader } from '../../testing/test-trader.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';
import { submitPayout } from '../advances/submit-payout.ts';

let portal: TestPortal;
let operators: OperatorPair;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
});
afterEach(() => portal.faults.clear());
afterAll(() => portal.close());

const waitForBalance = (trader: Trader, balance: Record<string, number>) =>
  vi.waitFor(async () => expect(await getTrialBalance(portal, trader.companyId)).toEqual(balance), WAIT_OPTIONS);

const requestPayment = (trader: Trader, amount_pence: number) =>
  operators.olga.post('/operator/matters/pay-surplus', { company_id: trader.companyId, amount_pence, reason: 'Above the refund' });

const listEmails = (email: string) => portal.sentEmails.filter(({ to }) => to === email).map(({ subject }) => subject);

const listSurplusPayouts = ({ companyId }: Trader) =>
  portal.deps.database.db
    .select()
    .from(payouts)
    .where(and(eq(payouts.companyId, companyId), isNull(payouts.advanceId)));

describe('a wrong match', () => {
  it('is reversed by two operators: the advance opens again, and HMRC’s own repayment settles it', async () => {
    const { olga, allocate, resolve, sendCredit, listExceptions, waitForException } = operators;
    const trader = await createPaidTrader(portal, 'wrong@trader.example', 4_110);
    // A stranger pays exactly the amount of the refund.
    await sendCredit(trader, 411_000, { remitterName: 'Somebody Else Ltd' });
    await waitForState(trader, 'settled');
    const { body } = await olga.get('/operator/credits', { company_id: trader.companyId });
    const [credit] = body['credits'] as { credit_id: string; allocations: unknown[]; unallocated_pence: number }[];
    expect(credit?.unallocated_pence).toBe(0);
    const { advance_id } = await findAdvance(trader);
    expect(credit?.allocations).toEqual([{ advance_id, amount_pence: 411_000, recovered_pence: 0 }]);
    await resolve(trader, allocate(olga, trader, credit?.credit_id ?? '', []));
    expect(await findAdvance(trader)).toMatchObject({ state: 'awaiting_hmrc', received_pence: 0 });
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({
      cash: 411_000 - 406_890,
      fee_income: -4_110,
      refunds_receivable: 411_000,
      owed_to_trader: -411_000,
    });
    // HMRC's repayment has the same amount as the payment on hold, so an operator decides which of the two it is.
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    const second = await vi.waitFor(async () => {
      const heldCredit = (await listExceptions(trader)).find(
        ({ subject_id, kind }) => kind === 'credit' && subject_id !== credit?.credit_id,
      );
      if (!heldCredit) throw new Error('HMRC’s repayment isn’t there yet');
      return heldCredit;
    }, WAIT_OPTIONS);
    expect(second.problem).toContain('Another unmatched payment has the same amount');
    await resolve(trader, allocate(olga, trader, second.subject_id, [{ advance_id, amount_pence: 411_000 }]));
    const unknownCredit = await waitForException(trader, 'credit', 411_000);
    const returnInput = {
      company_id: trader.companyId,
      credit_id: unknownCredit.subject_id,
      reason: 'A stranger’s',
      return_reference: 'TL-1',
    };
    await resolve(trader, olga.post('/operator/matters/record-return', returnInput));
    expect((await findAdvance(trader)).state).toBe('settled');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_110, fee_income: -4_110 });
    expect(await listExceptions(trader)).toEqual([]);
    await portal.runJobs();
    expect(listEmails('wrong@trader.example')).toContain('Tess Exports Ltd: we’ve corrected a payment');
    const history = await portal.deps.database.db.select().from(advanceTransitions).where(eq(advanceTransitions.advanceId, advance_id));
    expect(history.find(({ fromState }) => fromState === 'settled')?.reason).toMatch(
      /^The bank confirmed it \(requested by Olga Operator\)$/,
    );
    // The history of the match can't be rewritten.
    const rewrite = portal.deps.database.db
      .update(creditAllocations)
      .set({ amountPence: pence(1) })
      .where(eq(creditAllocations.creditId, credit?.credit_id ?? ''));
    await expect(rewrite).rejects.toThrow('update "credit_allocations"');
  });

  it('is corrected to less, which leaves the rest owed by the trader', async () => {
    const { olga, allocate, resolve, sendCredit } = operators;
    const trader = await createPaidTrader(portal, 'less@trader.example', 4_120);
    await sendCredit(trader, 412_000);
    await waitForState(trader, 'settled');
    const { body } = await olga.get('/operator/credits', { company_id: trader.companyId });
    const [credit] = body['credits'] as { credit_id: string }[];
    const { advance_id } = await findAdvance(trader);
    const parts = [
      { advance_id, amount_pence: 400_000 },
      { advance_id: null, amount_pence: 12_000 },
    ];
    await resolve(trader, allocate(olga, trader, credit?.credit_id ?? '', parts));
    expect(await findAdvance(trader)).toMatchObject({ state: 'shortfall', received_pence: 400_000 });
    expect(await getTrialBalance(portal, trader.companyId)).toMatchObject({ due_from_trader: 12_000, owed_to_trader: -12_000 });
    // An operator who pays out money owed to the trader must see what the trader owes.
    const { body: payment } = await requestPayment(trader, 12_000);
    const { requests } = (await operators.omar.get('/operator/approvals')).body as {
      requests: { request_id: string; description: string }[];
    };
    const paymentDescription = requests.find(({ request_id }) => request_id === payment['request_id'])?.description;
    expect(paymentDescription).toMatch(/^Warning: the trader owes us £120\.00 from a shortfall\. Pay £120\.00, which/);
  });

  it('isn’t applied if the facts changed between request and approval', async () => {
    const { olga, omar, allocate, approve, sendCredit, waitForException } = operators;
    const trader = await createPaidTrader(portal, 'changed@trader.example', 4_130);
    await sendCredit(trader, 100_000);
    const { subject_id } = await waitForException(trader, 'credit', 100_000);
    const { advance_id } = await findAdvance(trader);
    const { body } = await allocate(olga, trader, subject_id, [{ advance_id, amount_pence: 100_000 }]);
    // HMRC repays before anyone approves.
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await waitForState(trader, 'settled');
    const refusedResponse = await approve(omar, trader, body['request_id']);
    expect([refusedResponse.status, refusedResponse.body['code']]).toEqual([409, 'reconciliation.nothing_outstanding']);
    expect(await getTrialBalance(portal, trader.companyId)).toMatchObject({ owed_to_trader: -100_000 });
    const openResponse = await omar.get('/operator/approvals');
    expect(openResponse.body['requests']).toEqual(expect.arrayContaining([expect.objectContaining({ request_id: body['request_id'] })]));
    const ids = { company_id: trader.companyId, request_id: body['request_id'], reason: 'HMRC has paid' };
    expect((await omar.post('/operator/approvals/reject', ids)).status).toBe(200);
  });
});

describe('money that we owe to a trader', () => {
  it('is requested with a warning if we have written off a refund of theirs: HMRC may have repaid that now', async () => {
    const { olga, sendCredit } = operators;
    const trader = await createPaidTrader(portal, 'late@trader.example', 4_155);
    await sendCredit(trader, 415_500 + 2_000, { remitterName: 'HMRC VAT', reference: trader.vrn });
    await waitForState(trader, 'settled');
    const { advance_id: advanceId } = await findAdvance(trader);
    const id = randomUUID();
    const row = { companyId: trader.companyId, id, advanceId, source: 'write_off' as const, sourceId: id, amountPence: pence(420_300) };
    await portal.deps.database.db.insert(shortfallRecoveries).values({ ...row, at: portal.deps.clock.now() });
    const { body } = await requestPayment(trader, 2_000);
    const requests = (await olga.get('/operator/approvals')).body['requests'] as { request_id: string; description: string }[];
    const description = requests.find(({ request_id }) => request_id === body['request_id'])?.description;
    expect(description).toMatch(
      /^Warning: we wrote off £4,203\.00 of this trader’s refunds\. If HMRC has now repaid one of them, the repayment belongs to us/,
    );
  });

  it('is paid out once by two operators, even when the bank fails, doesn’t respond, or returns it', async () => {
    const { olga, omar, approve, resolve, sendCredit, listExceptions, waitForException, allocate } = operators;
    const trader = await createPaidTrader(portal, 'interest@trader.example', 4_140);
    // HMRC adds repayment interest.
    await sendCredit(trader, 414_000 + 1_234, { remitterName: 'HMRC VAT', reference: trader.vrn });
    await waitForState(trader, 'settled');
    expect(await listExceptions(trader)).toMatchObject([{ kind: 'surplus', subject_id: trader.companyId, amount_pence: 1_234 }]);
    expect((await requestPayment(trader, 1_235)).body['message']).toMatchObject({ amount_pence: expect.stringContaining('£12.34') });
    const firstResponse = await requestPayment(trader, 1_234);
    expect((await approve(olga, trader, firstResponse.body['request_id'])).body['code']).toBe('approval.wrong_person');
    portal.bank.failNextPayout('blocked');
    expect((await approve(omar, trader, firstResponse.body['request_id'])).status).toBe(200);
    await portal.runJobs();
    await vi.waitFor(
      async () =>
        expect((await listExceptions(trader))[0]?.problem).toBe(
          'The last payment failed: the payments provider blocked it for a regulatory reason.',
        ),
      WAIT_OPTIONS,
    );

    // The bank pays but its response is lost. While the result is unknown, nothing else can be paid.
    await resolve(trader, requestPayment(trader, 1_234));
    expect(await listExceptions(trader)).toMatchObject([{ amount_pence: 0, in_flight_pence: 1_234 }]);
    expect((await requestPayment(trader, 1_234)).body['code']).toBe('surplus.in_flight');
    portal.faults.set({ operation: 'truelayer.create_payout', kind: 'timeout_after_work', times: 1_000 });
    await portal.runJobs();
    portal.faults.clear();
    for (const { id } of await listSurplusPayouts(trader)) await submitPayout(portal.deps, trader.companyId, id);
    await waitForBalance(trader, { cash: 4_140, fee_income: -4_140 });
    expect(await listExceptions(trader)).toEqual([]);
    const bankPayouts = portal.bank
      .listPayouts()
      .filter(({ reference, amount_pence }) => reference === `VAT ${trader.vrn} DUE` && amount_pence === 1_234);
    expect(bankPayouts.map(({ status, amount_pence }) => [status, amount_pence])).toEqual(
      expect.arrayContaining([
        ['failed', 1_234],
        ['executed', 1_234],
      ]),
    );
    expect(bankPayouts).toHaveLength(2);

    // Money that has been paid out can't be matched to anything else.
    const { body } = await olga.get('/operator/credits', { company_id: trader.companyId });
    const [credit] = body['credits'] as { credit_id: string; amount_pence: number }[];
    const { advance_id } = await findAdvance(trader);
    const { body: allocationBody } = await allocate(olga, trader, credit?.credit_id ?? '', [{ advance_id, amount_pence: 414_000 }]);
    expect((await approve(omar, trader, allocationBody['request_id'])).body['code']).toBe('reconciliation.surplus_paid');

    portal.bank.returnPayout(bankPayouts.find(({ status }) => status === 'executed')?.id ?? '', 'account closed');
    await waitForException(trader, 'surplus', 1_234);
    await portal.runJobs();
    expect(listEmails('interest@trader.example').filter((subject) => subject.includes('£12.34'))).toHaveLength(1);
  });

  it('is a payout that came back after HMRC had repaid', async () => {
    const { resolve, listExceptions, waitForException } = operators;
    const trader = await createPaidTrader(portal, 'back@trader.example', 4_150);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await waitForState(trader, 'settled');
    const bankPayouts = portal.bank.listPayouts().find(({ amount_pence }) => amount_pence === 410_850);
    portal.bank.returnPayout(bankPayouts?.id ?? '', 'account closed');
    await waitForException(trader, 'surplus', 410_850);
    await resolve(trader, requestPayment(trader, 410_850));
    await portal.runJobs();
    await waitForBalance(trader, { cash: 4_150, fee_income: -4_150 });
    expect(await listExceptions(trader)).toEqual([]);
  });

  it('is paid only to the account that both operators saw, and not within 24 hours of its change', async () => {
    const { omar, approve, sendCredit, waitForException } = operators;
    const trader = await createPaidTrader(portal, 'moved@trader.example', 4_160);
    await sendCredit(trader, 416_000 + 500, { remitterName: 'HMRC VAT', reference: trader.vrn });
    await waitForException(trader, 'surplus', 500);
    const { body } = await requestPayment(trader, 500);
    await addBankAccount(trader);
    expect((await approve(omar, trader, body['request_id'])).body['code']).toBe('surplus.account_on_hold');
    expect(await listSurplusPayouts(trader)).toEqual([]);
  });
});

async function addBankAccount({ companyId }: Trader): Promise<void> {
  await portal.deps.database.db.insert(bankAccounts).values({
    companyId,
    id: crypto.randomUUID(),
    accountHolder: 'Tess Exports Ltd',
    sortCode: '200000',
    accountNumber: '55779911',
    createdAt: portal.deps.clock.now(),
  });
  await sealAccounts(portal, companyId);
}

describe('a credit that isn’t a positive amount in pounds', () => {
  it('never reaches the ledger, says why, and is closed when it was returned', async () => {
    const { olga, allocate, resolve, sendCredit, listExceptions, waitForException } = operators;
    const trader = await createPaidTrader(portal, 'foreign@trader.example', 4_170);
    const before = await getTrialBalance(portal, trader.companyId);
    await sendCredit(trader, 417_000, { currency: 'EUR', remitterName: 'HMRC VAT', reference: trader.vrn });
    await sendCredit(trader, -5_000);
    const euroCredit = await waitForException(trader, 'unpostable', 417_000);
    expect(euroCredit).toMatchObject({ currency: 'EUR', problem: 'It’s in EUR, and we only record pounds sterling.' });
    expect((await waitForException(trader, 'unpostable', -5_000)).problem).toContain('isn’t above zero');
    expect((await findAdvance(trader)).state).toBe('awaiting_hmrc');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual(before);
    const parts = [{ advance_id: null, amount_pence: 1 }];
    expect((await allocate(olga, trader, euroCredit.subject_id, parts)).body['code']).toBe('reconciliation.not_pounds');
    const returnInput = {
      company_id: trader.companyId,
      credit_id: euroCredit.subject_id,
      reason: 'Wrong currency',
      return_reference: 'TL-2',
    };
    await resolve(trader, olga.post('/operator/matters/record-return', returnInput));
    expect((await listExceptions(trader)).map(({ amount_pence }) => amount_pence)).toEqual([-5_000]);
    expect(await getTrialBalance(portal, trader.companyId)).toEqual(before);
  });
});
