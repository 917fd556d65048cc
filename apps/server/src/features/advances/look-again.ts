/**
 * Between quote and payout HMRC may repay a refund, reduce it or change its figures. A return filed elsewhere is read again whenever the
 * customer commits us to something,
 * and the stored data is checked once more before the payout is created.
 */
import type { Tx } from '@portal/db/database.ts';
import { advances } from '@portal/db/schema/schema.ts';
import { termsOn } from '@portal/domain/advances/advance-terms.ts';
import { judgeRefundAtHmrc } from '@portal/domain/advances/refund-at-hmrc.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { and, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Person } from '../hmrc-connection/use-hmrc.ts';
import { findFoundReturn, findRefundCharge } from '../vat-returns/find-found-return.ts';
import { readFoundReturn } from '../vat-returns/note-found-return.ts';
import { findEarlyCredit } from './early-credit-queries.ts';
import type { AdvanceRow } from './move-advance.ts';
import { quoteRefund } from './quote-refund.ts';

type Named = { readonly companyId: string; readonly advanceId: string };

async function findOpen(deps: AppDeps, { companyId, advanceId }: Named) {
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
export async function lookAgainBeforeAcceptance(deps: AppDeps, person: Person, named: Named): Promise<void> {
  const advance = await findOpen(deps, named);
  if (advance?.state !== 'quoted') return;
  const found = await readFoundReturn(deps, person, named.companyId, advance.obligationId);
  if (found.id === advance.foundReturnId) return;
  const noQuote = await quoteRefund(deps, named.companyId, advance.obligationId, 'rules');
  throw noQuote === undefined
    ? quoteChanged()
    : new AppError('conflict', 'advance.not_eligible', `This refund cannot be bought any more. ${noQuote}`);
}

/** The same check before the trader's last confirmation ahead of the payout. */
export async function lookAgainBeforePayout(deps: AppDeps, person: Person, named: Named): Promise<void> {
  const advance = await findOpen(deps, named);
  if (!advance || advance.confirmedAt !== null || !['accepted', 'in_review', 'approved'].includes(advance.state)) return;
  await readFoundReturn(deps, person, named.companyId, advance.obligationId);
}

/** The error for an offer that has changed since the customer saw it. */
export function quoteChanged(): AppError {
  return new AppError('conflict', 'advance.quote_changed', 'The offer has changed since you saw it. Read the new one, then decide.');
}

/**
 * Whether HMRC's newest figures for a return filed elsewhere are still those that the customer accepted. The caller holds the advance's
 * lock.
 */
export async function isStillTheSame(tx: Tx, advance: AdvanceRow): Promise<boolean> {
  if (advance.foundReturnId === null) return true;
  const newest = await findFoundReturn(tx, advance.companyId, advance.obligationId);
  return newest?.id === advance.foundReturnId;
}

/**
 * Why an accepted refund of a return filed elsewhere can no longer be bought, from HMRC's newest data. Undefined if nothing prevents it.
 */
export async function whyNotAnyMore(deps: AppDeps, tx: Tx, advance: AdvanceRow): Promise<string | undefined> {
  if (advance.foundReturnId === null) return undefined;
  if (!(await isStillTheSame(tx, advance))) return 'HMRC now shows other figures for the return.';
  const charge = await findRefundCharge(tx, advance.companyId, advance);
  const today = deps.clock.today();
  const atHmrc = { receivedOn: advance.foundOn ?? undefined, ...(charge ? { charge } : {}) };
  const { outcome, finding } = judgeRefundAtHmrc(advance.refundPence, atHmrc, termsOn(today), today);
  return outcome === 'fail' ? finding : undefined;
}

/**
 * What HMRC shows that holds back an approved payout, as a sentence for the trader. Null if nothing does. A refund that HMRC has already
 * paid
 * is bought only if the money reached the collection account, where it repays the advance.
 */
export async function findPayoutHold(tx: Tx, advance: AdvanceRow): Promise<string | null> {
  if (!(await isStillTheSame(tx, advance))) return 'HMRC now shows other figures for the return: we hold the payout and look at it.';
  const charge = await findRefundCharge(tx, advance.companyId, advance);
  if (charge === undefined || (charge.original === -advance.refundPence && charge.outstanding === -advance.refundPence)) return null;
  if (charge.outstanding !== 0 || charge.original !== -advance.refundPence) {
    const shown = charge.outstanding < 0 ? `${formatPounds(pence(-charge.outstanding))} to repay` : 'nothing to repay';
    return `HMRC now shows ${shown} for this period, not ${formatPounds(advance.refundPence)}: we hold the payout and look at it.`;
  }
  const arrived = await findEarlyCredit(tx, advance);
  return arrived ? null : 'HMRC shows this refund as paid: we hold the payout until it has reached the collection account.';
}
