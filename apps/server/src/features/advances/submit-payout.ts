/**
 * Submits a payout to the payments provider. Our payout ID is the idempotency key, so submitting again after a crash or a lost response
 * doesn't create a second payout. The provider's record is read before the first submission, because a restored database lacks payments
 * made after its backup. Once a submission's result is unknown, only the provider's record can fail the payout.
 */
import type { Tx } from '@portal/db/database.ts';
import { payouts } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { findOrderHold, type OrderHold } from './find-order-hold.ts';
import { ensurePayoutOrdered } from './payout-order.ts';
import { settlePayout } from './settle-payout.ts';
import { settleSurplusPayout } from './settle-surplus-payout.ts';
import { claimEarlierPayout, hasOtherPayment } from './claim-earlier-payout.ts';
import { lockAdvance, lockCompany, transitionAdvance, type AdvanceRow } from './transition-advance.ts';

const HOUR_MS = 3_600_000;
/** TrueLayer keeps idempotency keys for 30 days (docs.truelayer.com, "Idempotency for payment requests"). A later repeat could pay again. */
const KEY_TTL_MS = 29 * 24 * HOUR_MS;
/** A payout may take this long to appear in the provider's record after a submission that got no response. */
export const RECORD_COMPLETE_AFTER_MS = HOUR_MS;

type PayoutRow = typeof payouts.$inferSelect;
/** `hold` is set if the order must not be sent again; nothing was counted then. */
type Attempt = { readonly payout: PayoutRow; readonly hold: OrderHold | null };

export async function submitPayout(deps: AppDeps, companyId: string, payoutId: string): Promise<void> {
  // The poll submits it again every minute, so it is sent soon after the pause.
  if (deps.paused.has('payouts')) return findSentPayout(deps, companyId, payoutId);
  if (!(await shouldSend(deps, companyId, payoutId))) return;
  if (await isPaidAlready(deps, companyId, payoutId)) return;
  const attempt = await recordAttempt(deps, companyId, payoutId);
  if (!attempt) return;
  const { payout, hold } = attempt;
  const isKeyForgotten = addMilliseconds(payout.createdAt, KEY_TTL_MS) < deps.clock.now();
  if (isKeyForgotten) {
    if (hold === null) await discardAttempt(deps, payout);
    return resolveFromBankRecord(deps, payout, new RangeError('The payments provider no longer keeps the idempotency key.'));
  }
  if (hold !== null) return resolveFromBankRecord(deps, payout, new RangeError(`The payout isn’t sent again: ${hold.failure}.`), hold);
  const isFirst = payout.unknownAttempts === 0;
  try {
    const { payoutId: providerPayoutId } = await deps.payments.createPayout({
      idempotencyKey: payout.id,
      amountPence: payout.amountPence,
      beneficiary: { name: payout.accountHolder, sortCode: payout.sortCode, accountNumber: payout.accountNumber },
      reference: payout.reference,
    });
    await storeSubmittedPayout(deps, payout, providerPayoutId);
  } catch (error) {
    const failure = error instanceof ProviderError ? error.failure : 'unknown';
    const isAlone = failure !== 'unknown' && (await discardAttempt(deps, payout));
    if (failure === 'refused' && isFirst && isAlone) {
      const reason = (error instanceof ProviderError && error.facts.code) || 'rejected by the payments provider';
      return settlePayout(deps, companyId, payoutId, { outcome: 'failed', reason });
    }
    if (isFirst) throw error;
    await resolveFromBankRecord(deps, payout, error);
  }
}

/** Sends nothing. An earlier submission whose response was lost may have paid. */
async function findSentPayout(deps: AppDeps, companyId: string, payoutId: string): Promise<void> {
  const [payout] = await deps.database.db
    .select()
    .from(payouts)
    .where(and(eq(payouts.companyId, companyId), eq(payouts.id, payoutId)));
  if (payout?.status !== 'created' || payout.unknownAttempts === 0) return;
  const record = await findRecord(deps, payout);
  if (record) await storeSubmittedPayout(deps, payout, record.payoutId);
}

/** Check this before anything is read or recorded, so that a payout that the portal didn't order has no effect at all. */
function shouldSend(deps: AppDeps, companyId: string, payoutId: string): Promise<boolean> {
  return deps.database.db.transaction(async (tx) => {
    const payout = await lockPayout(tx, companyId, payoutId);
    return payout?.status === 'created' && ensurePayoutOrdered(deps, tx, payout);
  });
}

async function lockPayout(tx: Tx, companyId: string, payoutId: string): Promise<PayoutRow | undefined> {
  const isThisPayout = and(eq(payouts.companyId, companyId), eq(payouts.id, payoutId));
  const [payout] = await tx.select().from(payouts).where(isThisPayout).for('update');
  return payout;
}

async function isPaidAlready(deps: AppDeps, companyId: string, payoutId: string): Promise<boolean> {
  const [payout] = await deps.database.db
    .select()
    .from(payouts)
    .where(and(eq(payouts.companyId, companyId), eq(payouts.id, payoutId)));
  if (payout?.status !== 'created') return false;
  if (payout.unknownAttempts === 0) return claimEarlierPayout(deps, payout);
  // Its idempotency key protects it from its own submissions, but not from an earlier order that the bank has made since.
  if (!(await hasOtherPayment(deps, payout))) return false;
  await resolveFromBankRecord(deps, payout, new RangeError('The bank has made another payment with this reference.'));
  return true;
}

/** Counts the submission before it is sent, so that a crash can't lose the count. Returns the payout as it was before. */
function recordAttempt(deps: AppDeps, companyId: string, payoutId: string): Promise<Attempt | undefined> {
  return deps.database.db.transaction(async (tx) => {
    // A credit that arrives now is either found here or finds that the payout has been sent.
    await lockCompany(tx, companyId);
    const isThisPayout = and(eq(payouts.companyId, companyId), eq(payouts.id, payoutId));
    const [order] = await tx.select({ advanceId: payouts.advanceId }).from(payouts).where(isThisPayout);
    const advance = order?.advanceId ? await lockAdvance(tx, companyId, order.advanceId) : undefined;
    const payout = await lockPayout(tx, companyId, payoutId);
    // Check the row again just before sending: it may have changed while the bank's record was being read.
    if (payout?.status !== 'created' || !(await ensurePayoutOrdered(deps, tx, payout))) return undefined;
    const hold = advance && advance.state !== 'paying' ? null : await findOrderHold(deps, tx, payout, advance);
    // After a submission with an unknown result, only the bank's record can fail the order.
    if (hold !== null && payout.unknownAttempts > 0) return { payout, hold };
    if (hold !== null) {
      await failUnsentOrder(deps, tx, payout, advance, hold);
      return undefined;
    }
    await tx
      .update(payouts)
      .set({ unknownAttempts: payout.unknownAttempts + 1, unknownAt: deps.clock.now() })
      .where(isThisPayout);
    return { payout, hold: null };
  });
}

/** Fails an order that was never sent, so that an operator decides whether to send the payment after all. */
async function failUnsentOrder(deps: AppDeps, tx: Tx, payout: PayoutRow, advance: AdvanceRow | undefined, hold: OrderHold): Promise<void> {
  const { companyId, id } = payout;
  if (!advance) return settleSurplusPayout(deps, tx, companyId, id, { outcome: 'failed', reason: hold.failure });
  const at = deps.clock.now();
  await tx
    .update(payouts)
    .set({ status: 'failed', failure: hold.failure, settledAt: at, orderSeal: null })
    .where(and(eq(payouts.companyId, companyId), eq(payouts.id, id)));
  await transitionAdvance(tx, advance, 'payout_failed', { actor: 'rules', at }, `Not sent: ${hold.failure}.`, { payoutHold: hold.text });
}

/**
 * Call this only for a submission that certainly had no effect. Returns false if another run has taken over the job and submitted the
 * payout; that run then handles the result.
 */
function discardAttempt(deps: AppDeps, { companyId, id, unknownAttempts, unknownAt }: PayoutRow): Promise<boolean> {
  return deps.database.db.transaction(async (tx) => {
    const isThisPayout = and(eq(payouts.companyId, companyId), eq(payouts.id, id));
    const [current] = await tx.select({ attempts: payouts.unknownAttempts }).from(payouts).where(isThisPayout).for('update');
    const attempts = (current?.attempts ?? 1) - 1;
    const isAlone = attempts === unknownAttempts;
    await tx
      .update(payouts)
      .set({ unknownAttempts: attempts, ...(isAlone ? { unknownAt } : {}) })
      .where(isThisPayout);
    return isAlone;
  });
}

export async function storeSubmittedPayout(
  deps: AppDeps,
  { companyId, id }: Pick<PayoutRow, 'companyId' | 'id'>,
  providerPayoutId: string,
): Promise<void> {
  await deps.database.db
    .update(payouts)
    .set({ status: 'submitted', providerPayoutId, submittedAt: deps.clock.now(), orderSeal: null, refusedAt: null })
    .where(and(eq(payouts.companyId, companyId), eq(payouts.id, id), eq(payouts.status, 'created')));
}

const findRecord = (deps: AppDeps, { id, createdAt }: PayoutRow) =>
  deps.payments.findPayoutByKey({
    idempotencyKey: id,
    from: addMilliseconds(createdAt, -HOUR_MS),
    to: addMilliseconds(deps.clock.now(), HOUR_MS),
  });

/**
 * Handles a payout after an earlier submission without a result. If the provider's record contains it, the payout exists; otherwise the
 * submission is repeated.
 */
async function resolveFromBankRecord(deps: AppDeps, payout: PayoutRow, error: unknown, hold?: OrderHold): Promise<void> {
  const now = deps.clock.now();
  const record = await findRecord(deps, payout);
  if (record) return storeSubmittedPayout(deps, payout, record.payoutId);
  const isRecordComplete = payout.unknownAt === null || addMilliseconds(payout.unknownAt, RECORD_COMPLETE_AFTER_MS) < now;
  const isOver = error instanceof RangeError || (error instanceof ProviderError && error.failure === 'refused');
  if (!isOver || !isRecordComplete) throw error;
  const code = error instanceof ProviderError ? error.facts.code : undefined;
  await settlePayout(deps, payout.companyId, payout.id, {
    outcome: 'failed',
    reason: code ? `the payments provider refused it (${code})` : (hold?.failure ?? 'it never reached the payments provider'),
  });
}
