/** The steps of the trader, operators and HMRC for a refund that is repaid only in part, and for the trader's next refund. */
import { AppError } from '@portal/domain/app-error.ts';
import { obligations } from '@portal/db/schema/schema.ts';
import { and, eq, gt, isNotNull } from '@portal/db/sql.ts';
import type { Browser } from '../../../apps/server/src/testing/test-trader.ts';
import type { Sequence, ViewedAdvance, ViewedCase } from './sequence.ts';
import { requestAndApprove } from './trader-steps.ts';

const createKeyHeaders = () => ({ 'idempotency-key': crypto.randomUUID() });
const toCaseParams = ({ trader }: Sequence, { id }: Pick<ViewedCase, 'id'>) => ({ company_id: trader.companyId, shortfall_id: id });

export async function agreeOnPlan(sequence: Sequence, session: Browser, viewedCase: ViewedCase, count: number): Promise<number> {
  return (await session.post('/instant-vat/shortfall/plan', { ...toCaseParams(sequence, viewedCase), count }, createKeyHeaders())).status;
}

export async function dispute(sequence: Sequence, session: Browser, viewedCase: ViewedCase): Promise<number> {
  const disputeInput = { ...toCaseParams(sequence, viewedCase), reason: 'HMRC has agreed to reconsider' };
  return (await session.post('/instant-vat/shortfall/dispute', disputeInput)).status;
}

export async function answerDispute(sequence: Sequence, operator: Browser, viewedCase: ViewedCase): Promise<number> {
  const answerInput = { ...toCaseParams(sequence, viewedCase), answer: 'HMRC has confirmed its figure to us.' };
  return (await operator.post('/operator/shortfall/answer-dispute', answerInput)).status;
}

/** HMRC won't repay any more, so an operator decides. */
export async function claim(sequence: Sequence, operator: Browser, viewedCase: ViewedCase, amountPence: number): Promise<number> {
  const claimInput = { ...toCaseParams(sequence, viewedCase), amount_pence: amountPence, reason: 'HMRC’s letter' };
  return (await operator.post('/operator/shortfall/claim', claimInput, createKeyHeaders())).status;
}

export function writeOff(sequence: Sequence, operators: readonly Browser[], viewedCase: ViewedCase): Promise<number> {
  const writeOffRequest = { ...toCaseParams(sequence, viewedCase), reason: 'The company is dissolved' };
  return requestAndApprove(sequence, operators, '/operator/shortfall/write-off', writeOffRequest);
}

/** The trader sets up a Direct Debit on GoCardless's page, or leaves the page. */
export async function setUpMandate(
  { testBed, trader }: Sequence,
  session: Browser,
  { obligation_id }: Pick<ViewedAdvance, 'obligation_id'>,
): Promise<number> {
  const { status } = await session.post('/instant-vat/direct-debit/start', { company_id: trader.companyId, obligation_id });
  if (status === 200) testBed.portal.directDebits.authoriseNewest();
  return status;
}

/** Three months later, the trader's next return, filed with other software, also has a refund. */
export async function sellNextRefund({ testBed, trader, random }: Sequence, session: Browser): Promise<number> {
  const { portal } = testBed;
  testBed.waitUntil(NEXT_RETURN_AT);
  portal.hmrc.fileElsewhere(trader.vrn, { refundPence: 100_000 + Math.floor(random() * 800_000), daysAgo: 1 });
  await session.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
  const [next] = await portal.deps.database.db
    .select({ id: obligations.id })
    .from(obligations)
    .where(
      and(
        eq(obligations.companyId, trader.companyId),
        gt(obligations.periodEnd, trader.obligation.periodEnd),
        isNotNull(obligations.receivedOn),
      ),
    );
  // HMRC couldn't be read, so the portal doesn't know about the return yet.
  if (!next) return 404;
  return (await session.post('/instant-vat/advance/quote', { company_id: trader.companyId, obligation_id: next.id })).status;
}

/** A payout that comes back months later is held while the next return is overdue. The trader files it with other software, with nothing due. */
export function fileOverdueReturn({ testBed, trader }: Sequence): void {
  try {
    testBed.portal.hmrc.fileElsewhere(trader.vrn, { refundPence: 0 });
  } catch (error) {
    // The return has been filed, but the portal couldn't read that yet.
    if (!(error instanceof AppError) || error.code !== 'hmrc.nothing_to_file') throw error;
  }
}

/** In the first days after the period in which the first refund was sold. */
const NEXT_RETURN_AT = '2027-02-03T09:00:00.000Z';

export const isBeforeNextReturn = (now: string): boolean => now < NEXT_RETURN_AT;
