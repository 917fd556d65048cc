/** Money that arrives after a difference was written off: two operators record it as recovered, up to the amount of the write-off. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { approveNextRefund } from '../../testing/next-refund.ts';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createShortRepaidTrader, findCase, transfer } from '../../testing/short-refund.ts';
import { createIdempotencyHeaders, findAdvance, getTrialBalance, postRelease, waitForState } from '../../testing/take-advance.ts';
import type { Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
let operators: OperatorPair;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
});
beforeEach(() => portal.moveClock('2026-11-10T09:00:00.000Z'));
afterAll(() => portal.close());

type AllocationTarget = { advance_id: string; state: string; outstanding_pence: number; written_off_pence: number };

/** HMRC repays £3,000, and two operators write off the rest. */
async function createWrittenOffTrader(email: string, refundPounds: number): Promise<Trader> {
  const trader = await createShortRepaidTrader(portal, email, refundPounds, 3_000);
  const { shortfall_id } = await findCase(trader);
  const key = { company_id: trader.companyId, shortfall_id, reason: 'The company can’t pay' };
  await operators.resolve(trader, operators.olga.post('/operator/shortfall/write-off', key));
  expect((await findAdvance(trader)).state).toBe('written_off');
  return trader;
}

async function listTargets(trader: Trader): Promise<AllocationTarget[]> {
  const { body } = await operators.olga.get('/operator/credits', { company_id: trader.companyId });
  return body['targets'] as AllocationTarget[];
}

async function describeRequest(requestId: unknown): Promise<string | undefined> {
  const { body } = await operators.olga.get('/operator/approvals');
  const requests = body['requests'] as { request_id: string; description: string }[];
  return requests.find(({ request_id }) => request_id === requestId)?.description;
}

describe('a payment after a write-off', () => {
  it('from HMRC is booked as recovered by two operators, and only the rest belongs to the trader', async () => {
    const { olga, omar, allocate, approve, sendCredit, waitForException } = operators;
    const trader = await createWrittenOffTrader('hmrc@recovered.example', 4_301);
    const { advance_id } = await findAdvance(trader);
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_301 - 130_100, bad_debts: 130_100, fee_income: -4_301 });
    await sendCredit(trader, 131_100, { remitterName: 'HMRC VAT', reference: trader.vrn });
    const { subject_id, problem } = await waitForException(trader, 'credit', 131_100);
    expect(problem).toContain('We wrote off £1,301.00');
    expect(await listTargets(trader)).toEqual([
      expect.objectContaining({ advance_id, state: 'written_off', outstanding_pence: 130_100, written_off_pence: 130_100 }),
    ]);
    // The decision that all of it is the trader's states what that costs.
    const { body: allocation } = await allocate(olga, trader, subject_id, [{ advance_id: null, amount_pence: 131_100 }]);
    expect(await describeRequest(allocation['request_id'])).toMatch(/^Warning: we wrote off £1,301\.00 of this trader’s refunds\./);
    const withdrawalInput = { company_id: trader.companyId, request_id: allocation['request_id'], reason: 'It’s HMRC’s' };
    expect((await olga.post('/operator/approvals/withdraw', withdrawalInput)).status).toBe(200);

    const parts = [
      { advance_id, amount_pence: 130_100 },
      { advance_id: null, amount_pence: 1_000 },
    ];
    const { body } = await allocate(olga, trader, subject_id, parts);
    expect(await describeRequest(body['request_id'])).toContain('reversing £1,301.00 of the write-off');
    expect((await approve(olga, trader, body['request_id'])).status).toBe(409);
    expect((await approve(omar, trader, body['request_id'])).status).toBe(200);

    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_301 + 1_000, fee_income: -4_301, owed_to_trader: -1_000 });
    expect(await findAdvance(trader)).toMatchObject({ state: 'settled' });
    const recoveredCase = await findCase(trader);
    expect(recoveredCase).toMatchObject({ status: 'settled', owed_pence: 0, next_action: null });
    expect(recoveredCase.letters[0]?.heading).toBe('We’ve received £1,301.00 that we had written off');
    const { body: shortfallView } = await olga.get('/operator/shortfall', {
      company_id: trader.companyId,
      shortfall_id: recoveredCase.shortfall_id,
    });
    const { events } = shortfallView['shortfall'] as { events: { text: string }[] };
    expect(events[0]?.text).toMatch(/^£1,301\.00 that was written off has been recovered/);
    await portal.runJobs();
    expect(portal.sentEmails.map(({ subject }) => subject)).toContain('Tess Exports Ltd: We’ve received £1,301.00 that we had written off');
    // None of it can be recovered twice.
    expect(await listTargets(trader)).toEqual([expect.objectContaining({ outstanding_pence: 0, written_off_pence: 0 })]);
  });

  it('in part by the trader leaves the rest written off, and no more than that can be recovered', async () => {
    const { olga, allocate, resolve, waitForException } = operators;
    const trader = await createWrittenOffTrader('part@recovered.example', 4_302);
    const { advance_id } = await findAdvance(trader);
    const { reference } = await findCase(trader);
    await transfer(portal, trader, 100_000, reference);
    const first = await waitForException(trader, 'credit', 100_000);
    expect(first.problem).toContain('refers to a refund for which we wrote off £1,302.00');
    await resolve(trader, allocate(olga, trader, first.subject_id, [{ advance_id, amount_pence: 100_000 }]));
    expect(await findAdvance(trader)).toMatchObject({ state: 'written_off' });
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_302 - 30_200, bad_debts: 30_200, fee_income: -4_302 });
    const recoveredCase = await findCase(trader);
    expect(recoveredCase).toMatchObject({ status: 'written_off', owed_pence: 0 });
    const { body: letter } = await trader.browser.get('/instant-vat/shortfall/letter', {
      company_id: trader.companyId,
      letter_id: recoveredCase.letters[0]?.letter_id ?? '',
    });
    expect(letter['facts']).toEqual(expect.arrayContaining([{ label: 'Still written off', value: '£302.00' }]));

    await transfer(portal, trader, 50_000, reference);
    const second = await waitForException(trader, 'credit', 50_000);
    const tooMuch = await allocate(olga, trader, second.subject_id, [{ advance_id, amount_pence: 50_000 }]);
    expect([tooMuch.status, tooMuch.body['code']]).toEqual([409, 'reconciliation.too_much']);
    const parts = [
      { advance_id, amount_pence: 30_200 },
      { advance_id: null, amount_pence: 19_800 },
    ];
    await resolve(trader, allocate(olga, trader, second.subject_id, parts));
    expect((await findAdvance(trader)).state).toBe('settled');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_302 + 19_800, fee_income: -4_302, owed_to_trader: -19_800 });
  });

  it('booked to the wrong refund is reversed: the write-off is restored, and the trader owes nothing', async () => {
    const { olga, allocate, resolve, sendCredit, waitForException, listExceptions } = operators;
    const trader = await createWrittenOffTrader('wrong@recovered.example', 4_303);
    const { advance_id } = await findAdvance(trader);
    await sendCredit(trader, 130_300);
    const { subject_id } = await waitForException(trader, 'credit', 130_300);
    await resolve(trader, allocate(olga, trader, subject_id, [{ advance_id, amount_pence: 130_300 }]));
    expect((await findAdvance(trader)).state).toBe('settled');
    await resolve(trader, allocate(olga, trader, subject_id, []));
    expect((await findAdvance(trader)).state).toBe('written_off');
    expect(await findCase(trader)).toMatchObject({ status: 'written_off', owed_pence: 0 });
    expect((await findCase(trader)).letters[0]?.heading).toBe('We’ve corrected a payment');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({
      cash: 4_303,
      bad_debts: 130_300,
      fee_income: -4_303,
      owed_to_trader: -130_300,
    });
    expect(await listExceptions(trader)).toEqual([expect.objectContaining({ kind: 'credit', amount_pence: 130_300 })]);
    // It can then be recovered again.
    await resolve(trader, allocate(olga, trader, subject_id, [{ advance_id, amount_pence: 130_300 }]));
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_303, fee_income: -4_303 });
  });

  it('isn’t applied twice if two requests were open for it', async () => {
    const { olga, omar, allocate, approve, sendCredit, waitForException } = operators;
    const trader = await createWrittenOffTrader('twice@recovered.example', 4_304);
    const { advance_id } = await findAdvance(trader);
    await sendCredit(trader, 130_400);
    const firstException = await waitForException(trader, 'credit', 130_400);
    await sendCredit(trader, 130_300);
    const otherException = await waitForException(trader, 'credit', 130_300);
    const { body: first } = await allocate(olga, trader, firstException.subject_id, [{ advance_id, amount_pence: 130_400 }]);
    const { body: second } = await allocate(olga, trader, otherException.subject_id, [{ advance_id, amount_pence: 130_300 }]);
    expect((await approve(omar, trader, first['request_id'])).status).toBe(200);
    expect((await approve(omar, trader, second['request_id'])).status).toBe(409);
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({
      cash: 4_304 + 130_300,
      fee_income: -4_304,
      owed_to_trader: -130_300,
    });
    // A repeated request for a claim or a write-off has nothing to decide.
    const { shortfall_id } = await findCase(trader);
    const repeatedWriteOff = { company_id: trader.companyId, shortfall_id, reason: 'Again' };
    expect((await olga.post('/operator/shortfall/write-off', repeatedWriteOff, createIdempotencyHeaders())).status).toBe(409);
  });

  it('that also pays the next refund leaves the rest to two operators, instead of crediting the trader', async () => {
    const { olga, omar, sendCredit, waitForException, listExceptions } = operators;
    const trader = await createWrittenOffTrader('rest@recovered.example', 4_305);
    const next = await approveNextRefund(portal, trader, 12_300, olga);
    expect((await postRelease(omar, trader, next.advance_id)).status).toBe(200);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
    // The reference is that of the next refund, but the payment is for both.
    const expectedReference = `${trader.vrn} ${next.period_end.slice(2, 4)}${next.period_end.slice(5, 7)}`;
    await sendCredit(trader, 1_230_000 + 130_500, { remitterName: 'HMRC VAT', reference: expectedReference });
    await waitForState(trader, 'settled');
    expect(await waitForException(trader, 'credit', 130_500)).toMatchObject({ problem: expect.stringContaining('We wrote off £1,305.00') });
    expect((await listExceptions(trader)).filter(({ kind }) => kind === 'surplus')).toEqual([]);
  });
});
