/**
 * Tests reconciliation exceptions from the bank's credit to the ledger: how they arise, how two operators resolve them, and that each
 * decision counts once.
 */
import { approvalRequests, auditEntries, ledgerPostings } from '@portal/db/schema/schema.ts';
import { and, asc, eq, like } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createOperator, type Browser, type Trader } from '../../testing/test-trader.ts';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';
import {
  acceptAdvance,
  confirmCollection,
  createIdempotencyHeaders,
  createPaidTrader,
  createTraderWithFiledReturn,
  findAdvance,
  getTrialBalance,
  postRelease,
  waitForState,
} from '../../testing/take-advance.ts';

let portal: TestPortal;
let operators: OperatorPair;
let otis: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
  otis = await createOperator(portal, 'otis@operators.example');
});
afterAll(() => portal.close());

/** Sends an external payment that nothing matches. */
async function sendCredit(trader: Trader, amountPence: number) {
  await operators.sendCredit(trader, amountPence);
  return operators.waitForException(trader, 'credit', amountPence);
}

const recordReturn = (trader: Trader, creditId: string, return_reference = 'TL-778') =>
  operators.olga.post('/operator/matters/record-return', {
    company_id: trader.companyId,
    credit_id: creditId,
    reason: 'Sent here by mistake',
    return_reference,
  });

const listAuditActions = async (subject: string) =>
  (
    await portal.deps.database.db.select().from(auditEntries).where(eq(auditEntries.subject, subject)).orderBy(asc(auditEntries.sequence))
  ).map(({ action }) => action);

describe('an unmatched credit', () => {
  it('is matched by two operators, part by part, and settles the advance', async () => {
    const { olga, omar, allocate, approve, resolve, listExceptions } = operators;
    const trader = await createPaidTrader(portal, 'whole@trader.example', 4_100);
    const [first, second] = [await sendCredit(trader, 300_000), await sendCredit(trader, 111_000)];
    expect(first.problem).toBe('Neither the amount nor the reference matches an advance awaiting payment.');
    const { advance_id } = await findAdvance(trader);
    const requestedResponse = await allocate(olga, trader, first.subject_id, [{ advance_id, amount_pence: 300_000 }]);
    // Nothing has changed yet, and the requester can't approve their own request.
    expect((await findAdvance(trader)).state).toBe('awaiting_hmrc');
    expect((await approve(olga, trader, requestedResponse.body['request_id'])).body['code']).toBe('approval.wrong_person');
    expect((await listExceptions(trader)).find(({ subject_id }) => subject_id === first.subject_id)).toMatchObject({
      awaits_approval: true,
    });
    const { body } = await omar.get('/operator/approvals');
    expect(body['requests']).toMatchObject([
      {
        can_decide: true,
        can_withdraw: false,
        description: expect.stringMatching(
          /^Payment of £3,000\.00 from Tess Exports Ltd \(reference “REF 1”\): match £3,000\.00 to the refund for /,
        ),
      },
    ]);
    expect((await approve(omar, trader, requestedResponse.body['request_id'])).status).toBe(200);
    expect((await findAdvance(trader)).state).toBe('shortfall');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({
      cash: 300_000 + 111_000 - 405_900,
      fee_income: -4_100,
      due_from_trader: 110_000,
      owed_to_trader: -111_000,
    });
    expect(await listExceptions(trader)).toMatchObject([
      { kind: 'credit', amount_pence: 111_000 },
      { kind: 'shortfall', amount_pence: 110_000 },
    ]);
    // Money beyond the amount outstanding on the advance must be allocated to the trader.
    const tooMuchResponse = await allocate(olga, trader, second.subject_id, [{ advance_id, amount_pence: 111_000 }]);
    expect(tooMuchResponse.body['message']).toMatchObject({ allocations: expect.stringContaining('£1,100.00') });
    const splitAllocations = [
      { advance_id, amount_pence: 110_000 },
      { advance_id: null, amount_pence: 1_000 },
    ];
    await resolve(trader, allocate(olga, trader, second.subject_id, splitAllocations));
    expect(await findAdvance(trader)).toMatchObject({ state: 'settled', received_pence: 410_000 });
    // The £10 above the refund is owed to the trader, and can be paid out.
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 5_100, fee_income: -4_100, owed_to_trader: -1_000 });
    expect(await listExceptions(trader)).toMatchObject([{ kind: 'surplus', amount_pence: 1_000 }]);
    expect(await listAuditActions(first.subject_id)).toEqual(['credit.received', 'credit.allocated']);
    expect(await listAuditActions(advance_id)).toEqual(
      expect.arrayContaining(['advance.shortfall', 'advance.collecting', 'advance.settled']),
    );
  });

  it('is matched once by repeated and simultaneous requests and approvals', async () => {
    const { olga, omar, allocate } = operators;
    const trader = await createPaidTrader(portal, 'twice@trader.example', 4_200);
    const { subject_id } = await sendCredit(trader, 420_000 - 1);
    const { advance_id } = await findAdvance(trader);
    const parts = [{ advance_id, amount_pence: 419_999 }];
    const requests = [
      await allocate(olga, trader, subject_id, parts),
      await allocate(olga, trader, subject_id, parts),
      await allocate(omar, trader, subject_id, parts),
    ];
    expect(requests.map(({ status }) => status)).toEqual([200, 200, 409]);
    const request_id = requests[0]?.body['request_id'];
    expect(requests[1]?.body['request_id']).toBe(request_id);
    const key = createIdempotencyHeaders();
    const input = { company_id: trader.companyId, request_id };
    const responses = await Promise.all([
      omar.post('/operator/approvals/approve', input, key),
      omar.post('/operator/approvals/approve', input, key),
      omar.post('/operator/approvals/approve', input, createIdempotencyHeaders()),
    ]);
    // The later of two requests with the same key gets 409 while the first is still being processed.
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(2);
    const postings = await portal.deps.database.db
      .select()
      .from(ledgerPostings)
      .where(and(eq(ledgerPostings.companyId, trader.companyId), like(ledgerPostings.idempotencyKey, 'allocation:%')));
    expect(postings).toHaveLength(1);
    expect(await getTrialBalance(portal, trader.companyId)).toMatchObject({ due_from_trader: 1 });
    expect(await listAuditActions(subject_id)).toEqual(['credit.received', 'credit.allocated']);
  });

  it('that was returned leaves the ledger unchanged and can no longer be matched', async () => {
    const { olga, omar, allocate, resolve, listExceptions } = operators;
    const trader = await createTraderWithFiledReturn(portal, 'back@trader.example', 12_100);
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    const { advance_id } = await findAdvance(trader);
    // The credit is as large as the refund and arrives before the payout. If its return weren't recorded, it would look like HMRC's early
    // repayment.
    const { subject_id } = await sendCredit(trader, 1_210_000);
    await resolve(trader, recordReturn(trader, subject_id));
    expect((await recordReturn(trader, subject_id, 'TL-779')).body['code']).toBe('reconciliation.credit_returned');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({});
    expect(await listExceptions(trader)).toEqual([]);
    const target = { company_id: trader.companyId, advance_id };
    await otis.post('/operator/advance/decide', { ...target, decision: 'approve', reason: 'Looks right' });
    await postRelease(olga, trader, advance_id);
    await postRelease(omar, trader, advance_id);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
    const parts = [{ advance_id, amount_pence: 1_210_000 }];
    expect((await allocate(olga, trader, subject_id, parts)).body['code']).toBe('reconciliation.credit_returned');
    expect(await listAuditActions(subject_id)).toEqual(['credit.received', 'credit.returned']);
  });

  it('is returned in part: only what is unmatched, and each part once', async () => {
    const { olga, omar, allocate, approve, resolve, listExceptions } = operators;
    const trader = await createPaidTrader(portal, 'part@trader.example', 4_311);
    const { advance_id } = await findAdvance(trader);
    const { subject_id } = await sendCredit(trader, 500_000);
    await resolve(trader, allocate(olga, trader, subject_id, [{ advance_id, amount_pence: 431_100 }]));
    const heldBalance = await getTrialBalance(portal, trader.companyId);
    expect(heldBalance).toMatchObject({ owed_to_trader: -68_900 });
    const returnPartOfCredit = (amount_pence: number, return_reference = 'TL-800') =>
      olga.post('/operator/matters/record-return', {
        company_id: trader.companyId,
        credit_id: subject_id,
        amount_pence,
        return_reference,
        reason: 'Paid twice',
      });
    expect((await returnPartOfCredit(68_901)).body['code']).toBe('reconciliation.more_than_unmatched');
    expect((await recordReturn(trader, subject_id)).body['code']).toBe('reconciliation.credit_matched');
    const from = portal.sentEmails.length;
    const { body } = await returnPartOfCredit(50_000);
    expect((await approve(olga, trader, body['request_id'])).body['code']).toBe('approval.wrong_person');
    expect((await approve(omar, trader, body['request_id'])).status).toBe(200);
    await portal.runJobs();
    expect(portal.sentEmails.slice(from).map(({ subject }) => subject)).toContain('Tess Exports Ltd: we’ve returned £500.00 to its sender');
    expect(await getTrialBalance(portal, trader.companyId)).toMatchObject({ owed_to_trader: -18_900 });
    expect((await returnPartOfCredit(50_000)).body['code']).toBe('reconciliation.more_than_unmatched');
    expect(await listExceptions(trader)).toMatchObject([{ kind: 'credit', amount_pence: 18_900 }]);
    // Returned money can't be matched, but the rest can be allocated to the trader.
    const all = [
      { advance_id, amount_pence: 431_100 },
      { advance_id: null, amount_pence: 68_900 },
    ];
    expect((await allocate(olga, trader, subject_id, all)).body['code']).toBe('reconciliation.more_than_credit');
    await resolve(trader, returnPartOfCredit(18_900, 'TL-801'));
    const balance = await getTrialBalance(portal, trader.companyId);
    expect(balance).not.toHaveProperty('owed_to_trader');
    expect(balance['cash']).toBe((heldBalance['cash'] ?? 0) - 68_900);
    const { body: page } = await olga.get('/operator/credits', { company_id: trader.companyId });
    expect((page['credits'] as object[])[0]).toMatchObject({ returned_at: null, returned_pence: 68_900, unallocated_pence: 0 });
  });

  it('cannot be matched to an advance that expects no money, or to another company’s advance', async () => {
    const { olga, allocate } = operators;
    const settledTrader = await createPaidTrader(portal, 'settled@trader.example', 4_300);
    await portal.hmrc.moveRepayment(settledTrader.vrn, settledTrader.obligation.periodKey, 'PAID');
    await waitForState(settledTrader, 'settled');
    const lateCredit = await sendCredit(settledTrader, 1_234);
    expect(lateCredit.problem).toBe('This company has no advance awaiting payment.');
    const settledAllocations = [{ advance_id: (await findAdvance(settledTrader)).advance_id, amount_pence: 1_234 }];
    expect((await allocate(olga, settledTrader, lateCredit.subject_id, settledAllocations)).body['code']).toBe(
      'reconciliation.nothing_outstanding',
    );
    const otherTrader = await createPaidTrader(portal, 'other@trader.example', 4_400);
    const foreignAllocations = [{ advance_id: (await findAdvance(otherTrader)).advance_id, amount_pence: 1_234 }];
    expect((await allocate(olga, otherTrader, lateCredit.subject_id, foreignAllocations)).status).toBe(404);
    expect((await allocate(olga, settledTrader, lateCredit.subject_id, foreignAllocations)).status).toBe(404);
    expect(await getTrialBalance(portal, settledTrader.companyId)).toMatchObject({ owed_to_trader: -1_234 });
  });

  it('can be matched only by an operator and only with a reason', async () => {
    const { olga } = operators;
    const trader = await createPaidTrader(portal, 'rights@trader.example', 4_500);
    const { subject_id } = await sendCredit(trader, 777);
    const input = { company_id: trader.companyId, credit_id: subject_id, allocations: [{ advance_id: null, amount_pence: 777 }] };
    expect((await olga.post('/operator/matters/allocate', { ...input, reason: ' ' })).body['message']).toHaveProperty('reason');
    for (const path of ['/operator/matters/allocate', '/operator/approvals/approve'])
      expect(
        (await trader.browser.post(path, { ...input, request_id: subject_id, reason: 'Mine' }, createIdempotencyHeaders())).status,
      ).toBe(404);
    for (const path of ['/operator/matters', '/operator/approvals', '/operator/credits'])
      expect((await trader.browser.get(path, { company_id: trader.companyId })).status).toBe(404);
  });

  it('stays as it is when its request is rejected or withdrawn, and both stay on record', async () => {
    const { olga, omar, allocate } = operators;
    const trader = await createPaidTrader(portal, 'rejected@trader.example', 4_550);
    const { subject_id } = await sendCredit(trader, 888);
    const parts = [{ advance_id: null, amount_pence: 888 }];
    const ask = async () => ({
      company_id: trader.companyId,
      request_id: (await allocate(olga, trader, subject_id, parts)).body['request_id'],
    });
    const first = await ask();
    expect((await omar.post('/operator/approvals/withdraw', first)).body['code']).toBe('approval.wrong_person');
    expect((await omar.post('/operator/approvals/reject', { ...first, reason: 'Ask the bank first' })).status).toBe(200);
    expect((await omar.post('/operator/approvals/approve', first, createIdempotencyHeaders())).body['code']).toBe(
      'approval.already_decided',
    );
    const second = await ask();
    expect((await olga.post('/operator/approvals/withdraw', second)).status).toBe(200);
    expect((await operators.listExceptions(trader))[0]).toMatchObject({ kind: 'credit', amount_pence: 888, awaits_approval: false });
    const storedRequests = await portal.deps.database.db.select().from(approvalRequests).where(eq(approvalRequests.subject, subject_id));
    expect(storedRequests.map(({ decision, decisionReason }) => [decision, decisionReason])).toEqual([
      ['rejected', 'Ask the bank first'],
      ['withdrawn', null],
    ]);
    // A request can't be changed afterwards, not even by our own code.
    const change = portal.deps.database.db.update(approvalRequests).set({ details: {} }).where(eq(approvalRequests.subject, subject_id));
    await expect(change).rejects.toThrow('update "approval_requests"');
  });
});

describe('a missing repayment', () => {
  it('is a shortfall when HMRC paid less, until the trader pays the rest', async () => {
    const trader = await createPaidTrader(portal, 'short@trader.example', 4_700);
    await operators.sendCredit(trader, 370_000, { remitterName: 'HMRC VAT', reference: trader.vrn });
    await waitForState(trader, 'shortfall');
    expect(await operators.listExceptions(trader)).toMatchObject([{ kind: 'shortfall', amount_pence: 100_000 }]);
    // Two payments with the advance's reference are matched automatically.
    const reference = `${trader.vrn} ${trader.obligation.periodEnd.slice(2, 4)}${trader.obligation.periodEnd.slice(5, 7)}`;
    await operators.sendCredit(trader, 40_000, { remitterName: 'Tess Exports', reference });
    await waitForState(trader, 'collecting');
    await operators.sendCredit(trader, 60_000, { remitterName: 'Tess Exports', reference });
    await waitForState(trader, 'settled');
    expect(await operators.listExceptions(trader)).toEqual([]);
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_700, fee_income: -4_700 });
  });

  it('is raised the day after HMRC was expected to pay, accepts notes and ends when HMRC pays', async () => {
    const trader = await createPaidTrader(portal, 'overdue@trader.example', 4_600);
    const { advance_id } = await findAdvance(trader);
    expect(await operators.listExceptions(trader)).toEqual([]);
    portal.moveClock('2026-12-11T10:00:00.000Z');
    // After a month all sessions have expired.
    operators = await createOperatorPair(portal, '2');
    const { olga } = operators;
    const [overdueException] = await operators.listExceptions(trader);
    expect(overdueException).toMatchObject({ kind: 'overdue', subject_id: advance_id, amount_pence: 460_000, notes: [] });
    const note = { company_id: trader.companyId, subject_id: advance_id, note_id: crypto.randomUUID(), text: 'HMRC asked for invoices' };
    expect((await olga.post('/operator/matters/note', note)).status).toBe(200);
    expect((await olga.post('/operator/matters/note', note)).status).toBe(200);
    expect((await operators.listExceptions(trader))[0]?.notes).toMatchObject([{ text: 'HMRC asked for invoices' }]);
    expect((await listAuditActions(advance_id)).filter((action) => action === 'reconciliation.note_added')).toHaveLength(1);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await vi.waitFor(async () => expect(await operators.listExceptions(trader)).toEqual([]), WAIT_OPTIONS);
  });
});
