/**
 * Applies the result of a payout of money that we owe to a trader. If the payout fails or is returned, the money is still owed and can be
 * paid again.
 */
import type { Tx } from '@portal/db/database.ts';
import { payouts } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { postReturnedSurplus, postSurplusPayout } from '@portal/domain/ledger/ledger.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { postPayoutDifference } from './post-difference.ts';
import { enqueueSurplusPaidEmail } from './surplus-emails.ts';

export type PayoutResult =
  | { readonly outcome: 'executed'; readonly at: Instant }
  /** The payout was never paid, or the beneficiary's bank returned it; our payout record shows which. */
  | { readonly outcome: 'failed'; readonly reason: string };

/** The caller holds the company's lock. A repeated result changes nothing. */
export async function settleSurplusPayout(deps: AppDeps, tx: Tx, companyId: string, payoutId: string, result: PayoutResult): Promise<void> {
  const isThisPayout = and(eq(payouts.companyId, companyId), eq(payouts.id, payoutId));
  const [payout] = await tx.select().from(payouts).where(isThisPayout).for('update');
  if (!payout) return;
  const at = deps.clock.now();
  const amount = formatPounds(payout.amountPence);
  const isOpen = payout.status === 'created' || payout.status === 'submitted';
  const recordSurplusAudit = (action: string, after: object) =>
    recordAudit(tx, { companyId, at, actor: 'bank', action, subject: payoutId, after: { amount_pence: payout.amountPence, ...after } });
  if (result.outcome === 'executed' && isOpen) {
    await tx.update(payouts).set({ status: 'executed', settledAt: result.at }).where(isThisPayout);
    await postToLedger(tx, {
      companyId,
      idempotencyKey: `payout:${payoutId}`,
      description: `Payout of ${amount} that we owed to the trader`,
      postedAt: at,
      lines: postSurplusPayout(payout.amountPence),
    });
    await postPayoutDifference(tx, payout, 'executed', at);
    await recordSurplusAudit('surplus.paid', {});
    await enqueueSurplusPaidEmail(deps, tx, payout);
  } else if (result.outcome === 'failed' && isOpen) {
    await tx.update(payouts).set({ status: 'failed', failure: result.reason, settledAt: at }).where(isThisPayout);
    await recordSurplusAudit('surplus.payout_failed', { reason: result.reason });
  } else if (result.outcome === 'failed' && payout.status === 'executed') {
    await tx.update(payouts).set({ status: 'returned', failure: result.reason }).where(isThisPayout);
    await postToLedger(tx, {
      companyId,
      idempotencyKey: `payout-returned:${payoutId}`,
      description: `Payout of ${amount} returned by the bank (${result.reason})`,
      postedAt: at,
      lines: postReturnedSurplus(payout.amountPence),
    });
    await postPayoutDifference(tx, payout, 'returned', at);
    await recordSurplusAudit('surplus.payout_returned', { reason: result.reason });
  }
}
