/**
 * Between quote and payout HMRC may repay a refund, reduce it or change its figures. So a return filed elsewhere is read again whenever the
 * customer commits us, and the stored data is checked once more before the payout is created.
 */
import type { Tx } from '@portal/db/database.ts';
import { advances } from '@portal/db/schema/schema.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { evaluateRefundAtHmrc } from '@portal/domain/advances/refund-at-hmrc.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { and, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Person } from '../hmrc-connection/with-trader-access-token.ts';
import { findFoundReturn, findRefundCharge } from '../vat-returns/find-found-return.ts';
import { fetchFoundReturn } from '../vat-returns/found-returns.ts';
import { listEarlyCredits } from './credit-facts.ts';
import type { AdvanceRow } from './transition-advance.ts';
import { quoteRefund } from './quote-refund.ts';

type AdvanceKey = { readonly companyId: string; readonly advanceId: string };

async function findFoundReturnAdvance(deps: AppDeps, { companyId, advanceId }: AdvanceKey) {
  const [advance] = await deps.database.db
    .select({
      state: advances.state,
      obligationId: advances.obligationId,
      foundReturnId: advances.foundReturnId,
      confirmedAt: advances.collectionConfirmedAt,
    })
    .from(advances)
    .where(and(eq(advances.companyId, companyId), eq(advances.id, advanceId)));
  return advance && advance.foundReturnId !== null ? advance : undefined;
}

/** Checks HMRC before a quote on a return filed elsewhere is accepted. Changed figures replace the quote with a new one, or end it. */
export async function recheckBeforeAcceptance(deps: AppDeps, person: Person, advanceKey: AdvanceKey): Promise<void> {
  const advance = await findFoundReturnAdvance(deps, advanceKey);
  if (advance?.state !== 'quoted') return;
  const found = await fetchFoundReturn(deps, person, advanceKey.companyId, advance.obligationId);
  if (found.id === advance.foundReturnId) return;
  const noQuoteReason = await quoteRefund(deps, advanceKey.companyId, advance.obligationId, 'rules');
  throw noQuoteReason === undefined
    ? createQuoteChangedError()
    : new AppError('conflict', 'advance.not_eligible', `We can no longer buy this refund. ${noQuoteReason}`);
}

/** The same check before the trader's last confirmation ahead of the payout. */
export async function recheckBeforePayout(deps: AppDeps, person: Person, advanceKey: AdvanceKey): Promise<void> {
  const advance = await findFoundReturnAdvance(deps, advanceKey);
  if (!advance || advance.confirmedAt !== null || !['accepted', 'in_review', 'approved'].includes(advance.state)) return;
  await fetchFoundReturn(deps, person, advanceKey.companyId, advance.obligationId);
}

/** The error for an offer that has changed since the customer saw it. */
export function createQuoteChangedError(): AppError {
  return new AppError(
    'conflict',
    'advance.quote_changed',
    'The offer has changed since you opened it. Read the new one before you decide.',
  );
}

/** Whether the customer accepted the same figures that HMRC now shows for a return filed elsewhere. The caller holds the advance's lock. */
export async function hasSameFigures(tx: Tx, advance: AdvanceRow): Promise<boolean> {
  if (advance.foundReturnId === null) return true;
  const newest = await findFoundReturn(tx, advance.companyId, advance.obligationId);
  return newest?.id === advance.foundReturnId;
}

/**
 * Finds, in HMRC's newest data, why the accepted refund of a return filed elsewhere can no longer be bought. Undefined if nothing prevents
 * it.
 */
export async function findRefundProblem(deps: AppDeps, tx: Tx, advance: AdvanceRow): Promise<string | undefined> {
  if (advance.foundReturnId === null) return undefined;
  if (!(await hasSameFigures(tx, advance))) return 'HMRC now shows different figures for the return.';
  const charge = await findRefundCharge(tx, advance.companyId, advance);
  const today = deps.clock.today();
  const atHmrc = { receivedOn: advance.foundOn ?? undefined, ...(charge ? { charge } : {}) };
  const { outcome, finding } = evaluateRefundAtHmrc(advance.refundPence, atHmrc, getAdvanceTerms(today), today);
  return outcome === 'fail' ? finding : undefined;
}

/**
 * A sentence for the trader that explains why HMRC's data holds back an approved payout. Null if nothing does. A refund that HMRC has
 * already paid is bought only if the money reached the collection account, where it repays the advance.
 */
export async function findPayoutHold(tx: Tx, advance: AdvanceRow): Promise<string | null> {
  if (!(await hasSameFigures(tx, advance)))
    return 'HMRC now shows different figures for the return. The payment is on hold while we look into it.';
  const charge = await findRefundCharge(tx, advance.companyId, advance);
  if (charge === undefined || (charge.original === -advance.refundPence && charge.outstanding === -advance.refundPence)) return null;
  if (charge.outstanding !== 0 || charge.original !== -advance.refundPence) {
    const shownAmount = charge.outstanding < 0 ? `${formatPounds(pence(-charge.outstanding))} to repay` : 'nothing to repay';
    return `HMRC now shows ${shownAmount} for this period, not ${formatPounds(advance.refundPence)}. The payment is on hold while we look into it.`;
  }
  const earlyCredits = await listEarlyCredits(tx, advance);
  return earlyCredits.length > 0
    ? null
    : 'HMRC shows this refund as paid. The payment is on hold until the money reaches the collection account.';
}
