/**
 * Between quote and payout HMRC may repay a refund, reduce it or change its figures. We therefore read HMRC's figures again whenever the
 * trader's action commits us, and the stored data is checked once more before the payout is created.
 */
import type { Tx } from '@portal/db/database.ts';
import { advances } from '@portal/db/schema/schema.ts';
import { STATES_BEFORE_PAYOUT, type AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { isHmrcRemitter } from '@portal/domain/advances/match-credit.ts';
import { evaluateRefundAtHmrc } from '@portal/domain/advances/refund-at-hmrc.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { findFoundReturn, findRefundCharge } from '../vat-returns/find-found-return.ts';
import { listEarlyCredits } from './credit-facts.ts';
import { EARLY_CREDIT_HOLD_REASON, listHoldingCredits } from './early-credits.ts';
import { readFacts } from './read-facts.ts';
import type { AdvanceRow } from './transition-advance.ts';
import { quoteRefund } from './quote-refund.ts';

type AdvanceKey = { readonly companyId: string; readonly advanceId: string };

async function findAdvance(deps: AppDeps, { companyId, advanceId }: AdvanceKey) {
  const [advance] = await deps.database.db
    .select({
      state: advances.state,
      obligationId: advances.obligationId,
      foundReturnId: advances.foundReturnId,
      confirmedAt: advances.collectionConfirmedAt,
      factsReadAt: advances.factsReadAt,
    })
    .from(advances)
    .where(and(eq(advances.companyId, companyId), eq(advances.id, advanceId)));
  return advance;
}

/**
 * Reads HMRC before a quote is accepted. Changed figures of a return filed elsewhere replace the quote with a new one, or end it. Returns
 * when HMRC was read.
 */
export async function readBeforeAcceptance(deps: AppDeps, user: ActingUser, advanceKey: AdvanceKey): Promise<Instant | null> {
  const { companyId, advanceId } = advanceKey;
  const advance = await findAdvance(deps, advanceKey);
  if (advance?.state !== 'quoted') return advance?.factsReadAt ?? null;
  const readAt = await readFacts(deps, user, companyId, advanceId);
  if (advance.foundReturnId === null || readAt === null) return readAt;
  const foundReturn = await findFoundReturn(deps.database.db, companyId, advance.obligationId);
  if (foundReturn?.id === advance.foundReturnId) return readAt;
  const noQuoteReason = await quoteRefund(deps, companyId, advance.obligationId, 'rules');
  throw noQuoteReason === undefined
    ? createQuoteChangedError()
    : new AppError('conflict', 'advance.not_eligible', `We can no longer buy this refund. ${noQuoteReason}`);
}

/** Reads HMRC in the same way before the trader's last confirmation ahead of the payout. */
export async function readBeforeConfirmation(deps: AppDeps, user: ActingUser, advanceKey: AdvanceKey): Promise<Instant | null> {
  const advance = await findAdvance(deps, advanceKey);
  if (!advance || advance.confirmedAt !== null || !STATES_BEFORE_PAYOUT.includes(advance.state as AdvanceState))
    return advance?.factsReadAt ?? null;
  return readFacts(deps, user, advanceKey.companyId, advanceKey.advanceId);
}

/** Creates the error for an offer that has changed since the customer saw it. */
export function createQuoteChangedError(): AppError {
  return new AppError(
    'conflict',
    'advance.quote_changed',
    'The offer has changed since you opened it. Read the new one before you decide.',
  );
}

/**
 * Returns true if the figures that HMRC now shows for a return filed elsewhere are those the customer accepted. The caller holds the
 * advance's lock.
 */
export async function hasSameFigures(tx: Tx, advance: AdvanceRow): Promise<boolean> {
  if (advance.foundReturnId === null) return true;
  const newestReturn = await findFoundReturn(tx, advance.companyId, advance.obligationId);
  return newestReturn?.id === advance.foundReturnId;
}

/**
 * Returns the reason in HMRC's newest data why the accepted refund of a return filed elsewhere can no longer be bought. Undefined if
 * nothing prevents it.
 */
export async function findRefundProblem(deps: AppDeps, tx: Tx, advance: AdvanceRow): Promise<string | undefined> {
  if (advance.foundReturnId === null) return undefined;
  if (!(await hasSameFigures(tx, advance))) return 'HMRC now shows different figures for the return.';
  const charge = await findRefundCharge(tx, advance.companyId, advance);
  const today = deps.clock.today();
  const refundAtHmrc = { receivedOn: advance.foundOn ?? undefined, ...(charge ? { charge } : {}) };
  const { outcome, finding } = evaluateRefundAtHmrc(advance.refundPence, refundAtHmrc, getAdvanceTerms(today), today);
  return outcome === 'fail' ? finding : undefined;
}

/**
 * Returns true if HMRC's repayment is in the collection account. Anyone else's payment of the same amount may have to be returned, and then
 * nothing would repay us.
 */
async function hasEarlyRepayment(tx: Tx, advance: AdvanceRow): Promise<boolean> {
  return (await listEarlyCredits(tx, advance)).some(({ remitter }) => isHmrcRemitter(remitter));
}

/**
 * Holds the payout if HMRC should have repaid by now but lists nothing, because it may already have repaid. Checked even weeks after
 * acceptance, when the rules passed.
 */
async function findLateHold(tx: Tx, advance: AdvanceRow, filedOn: PlainDate, today: PlainDate): Promise<string | null> {
  // The expected day, as shown on the desk.
  if (addDays(filedOn, advance.repaymentDays) >= today || (await hasEarlyRepayment(tx, advance))) return null;
  return 'HMRC usually repays sooner, and its records show nothing owed for this period. The payment is on hold while we look into it.';
}

/**
 * Returns a sentence for the trader that explains why HMRC's data or money holds back an approved payout, or null. A refund that HMRC has
 * already paid is bought only if the money reached the collection account, where it repays the advance.
 */
export async function findPayoutHold(tx: Tx, advance: AdvanceRow, today: PlainDate): Promise<string | null> {
  if ((await listHoldingCredits(tx, advance)).length > 0) return EARLY_CREDIT_HOLD_REASON;
  if (!(await hasSameFigures(tx, advance)))
    return 'HMRC now shows different figures for the return. The payment is on hold while we look into it.';
  const charge = await findRefundCharge(tx, advance.companyId, advance);
  if (charge === undefined && advance.filedOn !== null) return findLateHold(tx, advance, advance.filedOn, today);
  if (charge === undefined || (charge.original === -advance.refundPence && charge.outstanding === -advance.refundPence)) return null;
  if (charge.outstanding !== 0 || charge.original !== -advance.refundPence) {
    const shownAmount = charge.outstanding < 0 ? `${formatPounds(pence(-charge.outstanding))} to repay` : 'nothing to repay';
    return `HMRC now shows ${shownAmount} for this period, not ${formatPounds(advance.refundPence)}. The payment is on hold while we look into it.`;
  }
  return (await hasEarlyRepayment(tx, advance))
    ? null
    : 'HMRC shows this refund as paid. The payment is on hold until the money reaches the collection account.';
}
