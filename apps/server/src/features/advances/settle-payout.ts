/**
 * Handles the result of a payout, from a webhook or from polling. The result is posted to the ledger once, in the transaction that changes
 * the status, regardless of the order and number of notifications.
 */
import type { Tx } from '@portal/db/database.ts';
import { payouts } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { postPayout } from '@portal/domain/ledger/ledger.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { applyNetting } from '../shortfalls/net-payouts.ts';
import { enqueuePaidEmail } from './advance-emails.ts';
import { postPayoutDifference } from './post-difference.ts';
import { recordReturnedPayout } from './return-payout.ts';
import { settleSurplusPayout, type PayoutResult } from './settle-surplus-payout.ts';
import { lockAdvance, lockCompany, transitionAdvance, type AdvanceRow } from './transition-advance.ts';
import { settleWithEarlyCredit } from './receive-credit.ts';

export async function settlePayout(deps: AppDeps, companyId: string, payoutId: string, result: PayoutResult): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const isThisPayout = and(eq(payouts.companyId, companyId), eq(payouts.id, payoutId));
    const [reference] = await tx.select({ advanceId: payouts.advanceId }).from(payouts).where(isThisPayout);
    // A credit that arrives now must either see the waiting advance or be found by the query below.
    await lockCompany(tx, companyId);
    // The advance is always locked before the payout, so that two writers cannot deadlock.
    if (reference?.advanceId === null) return settleSurplusPayout(deps, tx, companyId, payoutId, result);
    const advance = reference && (await lockAdvance(tx, companyId, reference.advanceId));
    const [payout] = await tx.select().from(payouts).where(isThisPayout).for('update');
    if (!advance || !payout) return;
    const isOpen = payout.status === 'created' || payout.status === 'submitted';
    if (result.outcome === 'executed' && isOpen) {
      await tx.update(payouts).set({ status: 'executed', settledAt: result.at }).where(isThisPayout);
      await recordExecutedPayout(deps, tx, advance, payout, result.at);
    } else if (result.outcome === 'failed' && isOpen) {
      await tx.update(payouts).set({ status: 'failed', failure: result.reason, settledAt: deps.clock.now() }).where(isThisPayout);
      await transitionAdvance(tx, advance, 'payout_failed', getBankContext(deps), `The bank payment failed: ${result.reason}.`);
    } else if (result.outcome === 'failed' && payout.status === 'executed') {
      await tx.update(payouts).set({ status: 'returned', failure: result.reason }).where(isThisPayout);
      await recordReturnedPayout(deps, tx, advance, payout, result.reason);
    }
  });
}

function getBankContext(deps: AppDeps): { actor: string; at: Instant } {
  return { actor: 'bank', at: deps.clock.now() };
}

type PayoutRow = typeof payouts.$inferSelect;

async function recordExecutedPayout(deps: AppDeps, tx: Tx, advance: AdvanceRow, payout: PayoutRow, at: Instant): Promise<void> {
  const netting = await applyNetting(deps, tx, advance, payout, getBankContext(deps));
  await postToLedger(tx, {
    companyId: advance.companyId,
    idempotencyKey: `payout:${payout.id}`,
    description: `Payout of ${formatPounds(payout.amountPence)} for the refund of ${formatPounds(advance.refundPence)}`,
    postedAt: deps.clock.now(),
    lines: postPayout({ refund: advance.refundPence, fee: advance.feePence, net: advance.netPence, ...(netting ? { netting } : {}) }),
  });
  await postPayoutDifference(tx, payout, 'executed', deps.clock.now());
  const paidAdvance = await transitionAdvance(tx, advance, 'paid', getBankContext(deps), 'The bank made the payment.', { paidAt: at });
  const awaitingHmrc = await transitionAdvance(tx, paidAdvance, 'awaiting_hmrc', getBankContext(deps), 'Waiting for HMRC to repay.');
  const isRepaid = await settleWithEarlyCredit(deps, tx, awaitingHmrc);
  await enqueuePaidEmail(deps, tx, awaitingHmrc, payout, isRepaid);
}
