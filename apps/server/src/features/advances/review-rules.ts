/** Evaluates the rules again between acceptance and payout, because the facts about the payee and the company's debts can change. */
import type { Tx } from '@portal/db/database.ts';
import { advances, advanceTransitions, auditEntries, reconciliationNotes } from '@portal/db/schema/schema.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { evaluateEligibility, type EvaluatedRule } from '@portal/domain/advances/evaluate-eligibility.ts';
import { findChangedRules } from '@portal/domain/advances/find-changed-rules.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { IS_APPROVED_BY_OPERATOR } from './declined-refunds.ts';
import { loadEligibilityFacts } from './eligibility-facts.ts';
import { withExposureLimits } from './exposure.ts';
import { transitionAdvance, type AdvanceRow } from './transition-advance.ts';

/** Evaluates the rules on the newest stored facts, under the terms of the offer. */
export async function evaluateAdvance(deps: AppDeps, tx: Tx, advance: AdvanceRow): Promise<EvaluatedRule[]> {
  const today = deps.clock.today();
  const facts = await loadEligibilityFacts(tx, advance.companyId, advance.obligationId, advance.refundPence, today);
  const terms = await withExposureLimits(tx, advance.companyId, getAdvanceTerms(toLondonDate(advance.quotedAt)));
  return evaluateEligibility(facts, terms, today);
}

/** Stores the current rule results on an advance that is awaiting review. */
export async function updateRules(deps: AppDeps, tx: Tx, advance: AdvanceRow): Promise<AdvanceRow> {
  return storeRules(deps, tx, advance, await evaluateAdvance(deps, tx, advance));
}

async function storeRules(deps: AppDeps, tx: Tx, advance: AdvanceRow, rules: EvaluatedRule[]): Promise<AdvanceRow> {
  if (JSON.stringify(rules) === JSON.stringify(advance.rules)) return advance;
  const updatedAt = deps.clock.now();
  await tx
    .update(advances)
    .set({ rules, updatedAt })
    .where(and(eq(advances.companyId, advance.companyId), eq(advances.id, advance.id)));
  return { ...advance, rules, updatedAt };
}

/**
 * Returns true if an operator has taken the refund, written a note about it or approved it. Their decision must come first: otherwise a
 * trader who is asked for evidence could put right what sent the refund to review, and the rules would pay. It stays so if the operator
 * gives the refund back, or if their access ends.
 */
export async function isReviewedByOperator(tx: Tx, { companyId, id }: AdvanceRow): Promise<boolean> {
  const [assignment] = await tx
    .select({ sequence: auditEntries.sequence })
    .from(auditEntries)
    .where(and(eq(auditEntries.companyId, companyId), eq(auditEntries.subject, id), eq(auditEntries.action, 'advance.assigned')))
    .limit(1);
  if (assignment) return true;
  const [approval] = await tx
    .select({ sequence: advanceTransitions.sequence })
    .from(advanceTransitions)
    .where(and(eq(advanceTransitions.companyId, companyId), eq(advanceTransitions.advanceId, id), IS_APPROVED_BY_OPERATOR))
    .limit(1);
  if (approval) return true;
  const [note] = await tx
    .select({ id: reconciliationNotes.id })
    .from(reconciliationNotes)
    .where(and(eq(reconciliationNotes.companyId, companyId), eq(reconciliationNotes.subjectId, id)))
    .limit(1);
  return note !== undefined;
}

/**
 * Before the payout, holds an advance if a rule now fails, and returns it to review if there are unreviewed results. Returns the advance
 * and the reason for holding its payout.
 */
export async function recheckApproved(deps: AppDeps, tx: Tx, advance: AdvanceRow): Promise<{ advance: AdvanceRow; hold: string | null }> {
  const { failed, unreviewedRule, merged } = findChangedRules(advance.rules, await evaluateAdvance(deps, tx, advance));
  if (failed) return { advance, hold: `${failed.finding} The payment is on hold. ${failed.how_to_fix}`.trim() };
  if (!unreviewedRule) return { advance: await storeRules(deps, tx, advance, merged), hold: null };
  const context = { actor: 'rules', at: deps.clock.now() };
  const reason = `Returned to review before the payout. ${unreviewedRule.finding}`;
  return { advance: await transitionAdvance(tx, advance, 'in_review', context, reason, { rules: merged }), hold: null };
}
