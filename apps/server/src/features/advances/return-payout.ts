/** Handles an executed payout that the beneficiary's bank returned, whatever has happened to its refund since. */
import type { Tx } from '@portal/db/database.ts';
import { advances, creditAllocations, type payouts, shortfallRecoveries } from '@portal/db/schema/schema.ts';
import { postReturnedAfterRepayment, postReturnedPayout, postUndoneClaim } from '@portal/domain/ledger/ledger.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { and, eq, isNull, ne, or, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { closeAfterReturn, useReturnedPayout } from '../shortfalls/follow-returned-payout.ts';
import { reverseNetting } from '../shortfalls/net-payouts.ts';
import { reverseAllocation } from './allocate-credit.ts';
import { postPayoutDifference } from './post-difference.ts';
import { transitionAdvance, type AdvanceRow, type TransitionContext } from './transition-advance.ts';

type PayoutRow = typeof payouts.$inferSelect;

/** The caller holds the locks of company, advance and payout. */
export async function recordReturnedPayout(
  deps: AppDeps,
  tx: Tx,
  lockedAdvance: AdvanceRow,
  payout: PayoutRow,
  reason: string,
): Promise<void> {
  const context = { actor: 'bank', at: deps.clock.now() };
  const returnReason = `The bank returned the payout: ${reason}.`;
  const advance = await undoClaim(tx, lockedAdvance, payout, { ...context, reason: returnReason });
  // When HMRC has already repaid, the receivable is cleared and the advance has moved on. The returned money belongs to the trader and an
  // operator must pay it out.
  const isRepaid = advance.state !== 'paid' && advance.state !== 'awaiting_hmrc';
  // Once the refund has been repaid, the deduction remains, because it paid the trader's earlier differences.
  const netting = isRepaid ? undefined : await reverseNetting(deps, tx, advance, payout, context);
  const amounts = { refund: advance.refundPence, fee: advance.feePence, net: advance.netPence };
  await postToLedger(tx, {
    companyId: advance.companyId,
    idempotencyKey: `payout-returned:${payout.id}`,
    description: `Payout of ${formatPounds(payout.amountPence)} returned by the bank (${reason})`,
    postedAt: context.at,
    lines: isRepaid ? postReturnedAfterRepayment(payout.amountPence) : postReturnedPayout({ ...amounts, ...(netting ? { netting } : {}) }),
  });
  await postPayoutDifference(tx, payout, 'returned', context.at);
  // The exceptions list shows any money not used for this refund as money to pay out.
  if (isRepaid) return useReturnedPayout(deps, tx, advance, payout, context);
  const failedAdvance = await transitionAdvance(tx, advance, 'payout_failed', context, returnReason, { paidAt: null });
  await tx
    .update(advances)
    .set({ bankAccountId: null })
    .where(and(eq(advances.companyId, advance.companyId), eq(advances.id, advance.id)));
  await closeAfterReturn(deps, tx, failedAdvance, { ...context, isClaimUndone: advance !== lockedAdvance });
}

/**
 * Undoes an operator's claim for the refund, because HMRC's repayment was never matched and the trader would owe money they don't have. The
 * claim and later matches are reversed, so the advance is as it was before the claim. Write-offs, also those that have been paid since, and
 * money that didn't arrive as a credit, can't be reversed in this way; the advance then stays unchanged.
 */
async function undoClaim(
  tx: Tx,
  advance: AdvanceRow,
  payout: PayoutRow,
  context: TransitionContext & { readonly reason: string },
): Promise<AdvanceRow> {
  const isClaimed = advance.repaidAt === null && ['shortfall', 'collecting', 'settled'].includes(advance.state);
  if (!isClaimed || (await hasRecoveries(tx, advance))) return advance;
  const allocations = await tx
    .select()
    .from(creditAllocations)
    .where(
      and(
        eq(creditAllocations.companyId, advance.companyId),
        eq(creditAllocations.advanceId, advance.id),
        isNull(creditAllocations.reversedAt),
      ),
    );
  let current = advance;
  for (const row of allocations) current = (await reverseAllocation(tx, row, current, { ...context, requestId: null })) ?? current;
  if (current.state === 'awaiting_hmrc') return current;
  await postToLedger(tx, {
    companyId: advance.companyId,
    idempotencyKey: `claim-undone:${payout.id}`,
    description: `Claim of ${formatPounds(advance.refundPence)} reversed: the bank returned the payout`,
    postedAt: context.at,
    lines: postUndoneClaim(advance.refundPence),
  });
  return transitionAdvance(tx, current, 'awaiting_hmrc', context, context.reason);
}

async function hasRecoveries(tx: Tx, { companyId, id }: AdvanceRow): Promise<boolean> {
  const sum = sql<number>`sum(${shortfallRecoveries.amountPence})`;
  const rows = await tx
    .select({ source: shortfallRecoveries.source })
    .from(shortfallRecoveries)
    .where(and(eq(shortfallRecoveries.companyId, companyId), eq(shortfallRecoveries.advanceId, id)))
    .groupBy(shortfallRecoveries.source)
    // A write-off that has since been paid adds up to 0, but reversing the payment would only restore it.
    .having(or(ne(sum, 0), eq(shortfallRecoveries.source, 'write_off')));
  return rows.length > 0;
}
