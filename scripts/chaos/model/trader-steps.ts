/** The steps of a trader and the operators, through the product's own API. A step does nothing if the screen wouldn't offer it. */
import { filings } from '@portal/db/schema/schema.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { eq } from '@portal/db/sql.ts';
import { authorisePortal, changeBankAccount, type Browser } from '../../../apps/server/src/testing/test-trader.ts';
import type { Sequence, SequenceView, ViewedAdvance } from './sequence.ts';

const createKeyHeaders = (key: string = crypto.randomUUID()) => ({ 'idempotency-key': key });

export async function reconnect({ testBed, trader }: Sequence, session: Browser): Promise<void> {
  await authorisePortal(testBed.portal, session, trader.companyId, trader.hmrcUserId);
}

export async function fileReturn({ trader }: Sequence, session: Browser, key?: string): Promise<number> {
  const ids = { company_id: trader.companyId, obligation_id: trader.obligation.id };
  const { body } = await session.get('/instant-vat/vat-return', ids);
  const filing = { ...ids, figures_version: body['figures_version'], declaration_accepted: true };
  return (await session.post('/instant-vat/vat-return/file', filing, createKeyHeaders(key))).status;
}

/**
 * Checks at HMRC whether a filing without a response arrived. The call may take a minute of real time, which the sequence's clock doesn't
 * advance, so the minute is ended here.
 */
export async function checkFiling({ testBed, trader }: Sequence, session: Browser): Promise<number> {
  const { db } = testBed.portal.deps.database;
  await db
    .update(filings)
    .set({ callDeadlineAt: toInstant(0) })
    .where(eq(filings.companyId, trader.companyId));
  const ids = { company_id: trader.companyId, obligation_id: trader.obligation.id };
  return (await session.post('/instant-vat/vat-return/resolve', ids)).status;
}

/** Requests a quote for the first return, or for the return with an expired quote. */
export async function requestQuote({ trader }: Sequence, session: Browser, expiredAdvance?: ViewedAdvance): Promise<number> {
  await session.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
  const ids = { company_id: trader.companyId, obligation_id: expiredAdvance?.obligation_id ?? trader.obligation.id };
  return (await session.post('/instant-vat/advance/quote', ids)).status;
}

export async function acceptQuote({ trader }: Sequence, session: Browser, key?: string): Promise<number> {
  const { body } = await session.get('/instant-vat/advance', { company_id: trader.companyId });
  const advance = body['advance'] as { advance_id: string; version: number; agreement: { hash: string } } | null;
  if (!advance) return 404;
  const acceptInput = {
    company_id: trader.companyId,
    advance_id: advance.advance_id,
    version: advance.version,
    agreement_hash: advance.agreement.hash,
  };
  return (await session.post('/instant-vat/advance/accept', acceptInput, createKeyHeaders(key))).status;
}

/** The trader sets the collection account at HMRC, then confirms it. */
export async function confirmCollection({ testBed, trader }: Sequence, session: Browser, view: SequenceView): Promise<number> {
  const { account, advance } = view;
  if (!account || !advance) return 404;
  const { sort_code: sortCode, account_number: accountNumber, account_holder: accountName } = account;
  testBed.portal.hmrc.setRepaymentAccount(trader.vrn, { sortCode, accountNumber, accountName });
  const confirmationInput = { company_id: trader.companyId, advance_id: advance.id };
  return (await session.post('/instant-vat/advance/confirm-collection-account', confirmationInput)).status;
}

/** HMRC's figures are too old for a payout, or the collection account was confirmed too long ago. */
export async function confirmFacts({ trader }: Sequence, session: Browser, advanceId: string): Promise<number> {
  return (await session.post('/instant-vat/advance/confirm-facts', { company_id: trader.companyId, advance_id: advanceId })).status;
}

export async function withdraw({ trader }: Sequence, session: Browser, advanceId: string): Promise<number> {
  return (await session.post('/instant-vat/advance/withdraw', { company_id: trader.companyId, advance_id: advanceId })).status;
}

/** Changes the account, confirming with the emailed code that proves the trader's identity. */
export async function changeAccount({ testBed, trader }: Sequence): Promise<number> {
  return (await changeBankAccount(testBed.portal, trader, { sort_code: '20-00-00', account_number: '55779911' })).status;
}

const toAdvanceParams = ({ trader }: Sequence, advanceId: string) => ({ company_id: trader.companyId, advance_id: advanceId });

export async function decideAdvance(
  sequence: Sequence,
  operator: Browser,
  advanceId: string,
  decision: 'approve' | 'decline',
): Promise<number> {
  const decideInput = { ...toAdvanceParams(sequence, advanceId), decision, reason: 'Read and found in order' };
  return (await operator.post('/operator/advance/decide', decideInput)).status;
}

export async function release(sequence: Sequence, operator: Browser, advanceId: string): Promise<number> {
  const shownResponse = await operator.get('/operator/advance', toAdvanceParams(sequence, advanceId));
  if (shownResponse.status !== 200) return shownResponse.status;
  const { net_pence, netted_pence, version } = shownResponse.body['advance'] as {
    net_pence: number;
    netted_pence: number;
    version: number;
  };
  const releaseInput = {
    ...toAdvanceParams(sequence, advanceId),
    net_pence,
    netted_pence,
    version,
    bank_account_id: shownResponse.body['bank_account_id'],
  };
  return (await operator.post('/operator/advance/release', releaseInput, createKeyHeaders())).status;
}

export async function retryPayout(sequence: Sequence, operator: Browser, advanceId: string): Promise<number> {
  const retryInput = { ...toAdvanceParams(sequence, advanceId), reason: 'The bank allows it again' };
  return (await operator.post('/operator/advance/retry-payout', retryInput)).status;
}

/**
 * Two operators act: the first requests that the credit be split into these parts, and the second approves it. If there are no parts, the
 * credit becomes unmatched.
 */
export async function allocateCredit(
  sequence: Sequence,
  [requester, approver]: readonly Browser[],
  creditId: string,
  allocations: readonly { readonly advance_id: string | null; readonly amount_pence: number }[],
): Promise<number> {
  const reason = 'HMRC’s reference names this return';
  const allocationRequest = { company_id: sequence.trader.companyId, credit_id: creditId, allocations, reason };
  return requestAndApprove(sequence, [requester, approver], '/operator/matters/allocate', allocationRequest);
}

/** Two operators record that the bank returned the credit. */
export async function returnCredit(sequence: Sequence, operators: readonly Browser[], creditId: string): Promise<number> {
  const reason = 'Neither HMRC’s nor the trader’s';
  const returnRequest = {
    company_id: sequence.trader.companyId,
    credit_id: creditId,
    reason,
    return_reference: `RET ${creditId.slice(0, 8)}`,
  };
  return requestAndApprove(sequence, operators, '/operator/matters/record-return', returnRequest);
}

/** Two operators pay the money. If they decided together that it is the trader's, another pair does. */
export async function paySurplus(sequence: Sequence, [olga, omar, otis]: readonly Browser[], amountPence: number): Promise<number> {
  const company_id = sequence.trader.companyId;
  const surplusRequest = { company_id, amount_pence: amountPence, reason: 'The money is the trader’s' };
  let status = 0;
  for (const pair of [
    [olga, otis],
    [omar, otis],
    [olga, omar],
  ]) {
    status = await requestAndApprove(sequence, pair, '/operator/matters/pay-surplus', surplusRequest);
    if (status !== 409) return status;
    await decideOpenRequests(
      sequence,
      [olga, omar, otis].filter((operator) => operator !== undefined),
    );
  }
  return status;
}

export async function requestAndApprove(
  { trader }: Sequence,
  [requester, approver]: readonly (Browser | undefined)[],
  path: string,
  requestBody: object,
): Promise<number> {
  if (!requester || !approver) throw new Error('there are no two operators');
  const { status, body } = await requester.post(path, requestBody, createKeyHeaders());
  if (status !== 200) return status;
  const approvalInput = { company_id: trader.companyId, request_id: body['request_id'] };
  return (await approver.post('/operator/approvals/approve', approvalInput, createKeyHeaders())).status;
}

type OpenRequest = { request_id: string; company_id: string; can_decide: boolean; can_approve: boolean };

/** Decides on requests that a lost connection left open. Rejects one whose facts have since changed, or that this pair may not approve. */
export async function decideOpenRequests({ trader }: Sequence, operators: readonly Browser[]): Promise<void> {
  for (const operator of operators) {
    const { body } = await operator.get('/operator/approvals');
    for (const { request_id, company_id, can_decide, can_approve } of body['requests'] as OpenRequest[]) {
      if (company_id !== trader.companyId || !can_decide) continue;
      const approvalInput = { company_id, request_id };
      const isApproved =
        can_approve && (await operator.post('/operator/approvals/approve', approvalInput, createKeyHeaders())).status === 200;
      if (!isApproved) await operator.post('/operator/approvals/reject', { ...approvalInput, reason: 'It can’t be approved like this' });
    }
  }
}

/** Returns the company's exceptions from the operators' screen. */
export async function listExceptions({ trader }: Sequence, operator: Browser): Promise<OpenException[]> {
  const { body } = await operator.get('/operator/matters');
  return (body['matters'] as OpenException[]).filter(({ company_id }) => company_id === trader.companyId);
}

export type OpenException = {
  readonly kind: 'credit' | 'unpostable' | 'shortfall' | 'overdue' | 'surplus' | 'collection_payout';
  readonly company_id: string;
  readonly subject_id: string;
  readonly amount_pence: number;
  readonly in_flight_pence: number;
};
