/**
 * Rejects facts that the portal didn't write, before a payout is ordered. All of them can be restored: the terms by declining and quoting
 * again, the review and release by repeating them, and the bank account if the trader saves it again.
 */
import type { Tx } from '@portal/db/database.ts';
import { payoutReleases } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { AdvanceSnapshot } from './get-advance.ts';
import { MissingKeyError } from '../../secrets/sealed-facts.ts';
import { areTermsSealed, getReleaseSealContext, isAccountSealed, isApprovalSealed } from './payout-facts.ts';
import { transitionAdvance } from './transition-advance.ts';

export const FORGED_TERMS =
  'The stored amounts or acceptance of this advance have been changed outside the portal. Decline it; the trader can then get a new offer.';
const FORGED_APPROVAL = 'The stored approval has been changed outside the portal. Review the advance again.';
const FORGED_ACCOUNT = 'Save your bank account again so that we know it’s yours. We’ll pay you 24 hours later.';

/**
 * Requires the locks of the company and the advance. `hold` is the message for the trader. Throws a MissingKeyError and changes nothing if this
 * instance lacks the key to verify a fact.
 */
export async function rejectForgedFacts(
  deps: AppDeps,
  tx: Tx,
  snapshot: AdvanceSnapshot,
): Promise<{ readonly isBackInReview: boolean; readonly hold: string | null }> {
  const { advance, bankAccount } = snapshot;
  const { tokenCipher } = deps;
  if (snapshot.unreadReleases.length > 0)
    throw new MissingKeyError(getReleaseSealContext({ companyId: advance.companyId, advanceId: advance.id }));
  const areTermsRight = areTermsSealed(tokenCipher, advance);
  const isApprovalRight = isApprovalSealed(tokenCipher, advance, snapshot);
  const isAccountRight = !bankAccount || isAccountSealed(tokenCipher, bankAccount);
  await deleteForgedReleases(deps, tx, snapshot);
  if (!areTermsRight || !isApprovalRight) {
    deps.recordSecurityEvent('payout_refused', { reason: areTermsRight ? 'payout.approval_not_sealed' : 'payout.terms_not_sealed' });
    const context = { actor: 'rules', at: deps.clock.now() };
    await transitionAdvance(tx, advance, 'in_review', context, areTermsRight ? FORGED_APPROVAL : FORGED_TERMS);
    return { isBackInReview: true, hold: null };
  }
  if (isAccountRight) return { isBackInReview: false, hold: null };
  deps.recordSecurityEvent('payout_refused', { reason: 'payout.account_not_sealed' });
  return { isBackInReview: false, hold: FORGED_ACCOUNT };
}

/** Deletes forged releases. The work queue counts the rows, so it would otherwise show the payout as released. */
async function deleteForgedReleases(deps: AppDeps, tx: Tx, { advance, forgedReleases }: AdvanceSnapshot): Promise<void> {
  const { companyId } = advance;
  for (const { advanceId, operatorId, round } of forgedReleases) {
    deps.recordSecurityEvent('payout_refused', { reason: 'payout.release_not_sealed' });
    await tx
      .delete(payoutReleases)
      .where(
        and(
          eq(payoutReleases.companyId, companyId),
          eq(payoutReleases.advanceId, advanceId),
          eq(payoutReleases.operatorId, operatorId),
          eq(payoutReleases.round, round),
        ),
      );
    const entry = { companyId, at: deps.clock.now(), actor: 'rules', action: 'payout.release_refused', subject: advanceId };
    await recordAudit(tx, { ...entry, before: { operator_id: operatorId, round } });
  }
}
