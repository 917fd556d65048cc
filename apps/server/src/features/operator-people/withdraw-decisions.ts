/**
 * Ends what an operator has decided about money and what hasn't taken effect yet: once their access ends, their account may have been stolen.
 */
import type { Tx } from '@portal/db/database.ts';
import { advances, advanceTransitions, approvalRequests, payoutReleases } from '@portal/db/schema/schema.ts';
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import type { Clock } from '@portal/domain/clock.ts';
import { and, asc, eq, inArray, isNull, sql } from '@portal/db/sql.ts';
import { lockAdvance, transitionAdvance } from '../advances/transition-advance.ts';
import { recordAudit } from '../audit/record-audit.ts';

type Deps = { readonly clock: Clock };
/** Who ended the access. */
type Ending = { readonly by: string; readonly ip: string };

/**
 * A disabled operator's requests can't be approved. Once they are enrolled again they could, although the account may have been stolen when
 * it made them.
 */
export async function withdrawRequests(deps: Deps, tx: Tx, { by, ip }: Ending, userId: string): Promise<void> {
  const at = deps.clock.now();
  const withdrawn = await tx
    .update(approvalRequests)
    .set({ decision: 'withdrawn', decidedBy: userId, decidedAt: at, seal: null })
    .where(and(eq(approvalRequests.requestedBy, userId), isNull(approvalRequests.decidedAt)))
    .returning();
  for (const { companyId, id, action, subject } of withdrawn) {
    const entry = { companyId, at, actor: by, ip, action: 'approval.withdrawn', subject: id };
    await recordAudit(tx, { ...entry, before: { requested_by: userId }, after: { action, subject } });
  }
}

/** A release of a payout that hasn't been ordered ends with its operator's access, like their requests: the account may have been stolen. */
export async function withdrawReleases(deps: Deps, tx: Tx, { by, ip }: Ending, userId: string): Promise<void> {
  const { companyId, advanceId } = payoutReleases;
  const isPending = sql`exists (select 1 from ${advances} where ${advances.companyId} = ${companyId} and ${advances.id} = ${advanceId} and ${advances.state} = 'approved')`;
  const withdrawn = await tx
    .delete(payoutReleases)
    .where(and(eq(payoutReleases.operatorId, userId), isPending))
    .returning({ companyId, advanceId, round: payoutReleases.round });
  for (const release of withdrawn) {
    const entry = { companyId: release.companyId, at: deps.clock.now(), actor: by, ip, action: 'payout.release_withdrawn' };
    await recordAudit(tx, { ...entry, subject: release.advanceId, before: { operator_id: userId, round: release.round } });
  }
}

/** The states from which each kind of approval was given. */
export const REVIEWS: readonly AdvanceState[] = ['in_review'];
export const RETRIES: readonly AdvanceState[] = ['payout_failed'];

/** Returns the refunds that the operator has approved and that haven't been paid to review, so that someone else decides. */
export async function withdrawApprovals(
  { clock }: Deps,
  tx: Tx,
  { by, ip }: Ending,
  userId: string,
  from: readonly AdvanceState[],
): Promise<void> {
  if (from.length === 0) return;
  const { companyId, advanceId, sequence } = advanceTransitions;
  const wasReviewedAgain = sql`exists (select 1 from advance_transitions later where later.company_id = ${companyId}
    and later.advance_id = ${advanceId} and later.to_state = 'in_review' and later.sequence > ${sequence})`;
  const approved = await tx
    .selectDistinct({ companyId, advanceId })
    .from(advanceTransitions)
    .innerJoin(advances, and(eq(advances.companyId, companyId), eq(advances.id, advanceId), eq(advances.state, 'approved')))
    .where(
      and(
        eq(advanceTransitions.actor, userId),
        eq(advanceTransitions.toState, 'approved'),
        inArray(advanceTransitions.fromState, [...from]),
        sql`not ${wasReviewedAgain}`,
      ),
    )
    .orderBy(asc(companyId), asc(advanceId));
  for (const key of approved) {
    const advance = await lockAdvance(tx, key.companyId, key.advanceId);
    if (advance?.state !== 'approved') continue;
    const reason = 'Returned to review, because the access of the person who approved it has ended.';
    await transitionAdvance(tx, advance, 'in_review', { actor: by, at: clock.now(), ip }, reason);
  }
}
