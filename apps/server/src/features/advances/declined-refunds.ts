/**
 * Refunds that we declined. An operator may know more than the rules, which might pay for the same refund minutes later: a person
 * reviews that refund until an operator has approved it, and others until one who knows of the decline has approved any. A refund whose
 * offer ended without an operator's answer is reviewed again.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { advances, advanceTransitions, allTenantsAdvances } from '@portal/db/schema/schema.ts';
import { ENDED_UNPAID_STATES } from '@portal/domain/advances/advance-states.ts';
import type { EligibilityFacts } from '@portal/domain/advances/evaluate-eligibility.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';
import { and, desc, eq, inArray, ne, notInArray, or, sql, type SQL } from '@portal/db/sql.ts';
import type { OwnersCompanies } from './owners-companies.ts';

const IS_DECLINED = and(eq(advanceTransitions.toState, 'declined'), ne(advanceTransitions.actor, 'rules'));
export const IS_APPROVED_BY_OPERATOR = and(
  eq(advanceTransitions.fromState, 'in_review'),
  eq(advanceTransitions.toState, 'approved'),
  ne(advanceTransitions.actor, 'rules'),
);
/**
 * The offer ended while a person still had to approve or release it. The trader may have known what they were about to find, and can have
 * the rules decline it too: they do if HMRC's figures change.
 * What an operator has approved, another one releases, also if every rule passed.
 */
const HAS_ENDED_IN_REVIEW = and(
  or(eq(advanceTransitions.toState, 'withdrawn'), and(eq(advanceTransitions.toState, 'declined'), eq(advanceTransitions.actor, 'rules'))),
  or(
    eq(advanceTransitions.fromState, 'in_review'),
    sql`jsonb_path_exists(${advances.rules}, '$[*] ? (@.outcome == "review" || @.outcome == "not_judged")')`,
    sql`exists (select 1 from advance_transitions approval where approval.company_id = ${advances.companyId}
      and approval.advance_id = ${advances.id} and approval.from_state = 'in_review' and approval.to_state = 'approved'
      and approval.actor <> 'rules')`,
  ),
  ne(advanceTransitions.fromState, 'quoted'),
);
/** The person who approved the refund saw that one had been declined. An approval that has ended since, or was taken back, doesn't count. */
const IS_INFORMED = and(
  notInArray(advances.state, ['accepted', 'in_review', ...ENDED_UNPAID_STATES]),
  sql`jsonb_path_exists(${advances.rules}, '$[*] ? (@.rule == "no_declined_refund" && @.outcome == "review")')`,
);

type Refund = { readonly companyId: string; readonly obligationId: string; readonly refundPence: Pence };

export async function countDeclinedRefunds(
  db: Db | Tx,
  refund: Refund,
  otherCompanies: OwnersCompanies,
): Promise<EligibilityFacts['declined']> {
  const { companyId, obligationId } = refund;
  const period = sql`(select period_end from obligations where company_id = ${companyId} and id = ${obligationId})`;
  const list = (condition: SQL | undefined) =>
    db
      .select({ at: advanceTransitions.at, isSame: sql`${advances.periodEnd} = ${period}`.mapWith(Boolean) })
      .from(advanceTransitions)
      .innerJoin(advances, and(eq(advances.companyId, advanceTransitions.companyId), eq(advances.id, advanceTransitions.advanceId)))
      .where(and(eq(advanceTransitions.companyId, companyId), condition))
      .orderBy(desc(advanceTransitions.at));
  const approvals = await list(and(IS_APPROVED_BY_OPERATOR, IS_INFORMED));
  // Someone who found another refund right hasn't found this one right.
  const isUnanswered = ({ at, isSame }: Decline): boolean => {
    const answer = isSame ? approvals.find((approval) => approval.isSame) : approvals[0];
    return answer === undefined || at > answer.at;
  };
  // With all of them, the finding changes with each decline, so that a refund which has been approved since is reviewed again.
  const count = (declines: readonly Decline[]): number => (declines.some(isUnanswered) ? declines.length : 0);
  const unfinishedReviews = await list(HAS_ENDED_IN_REVIEW);
  return {
    own: count(await list(IS_DECLINED)),
    ofOwners: count(await listDeclinesOfOwners(db, refund, otherCompanies)),
    hasUnfinishedReview: unfinishedReviews.some((ended) => ended.isSame && isUnanswered(ended)),
  };
}

/** `isSame`: of the refund itself, offered again. */
type Decline = { readonly at: Instant; readonly isSame: boolean };

/**
 * Someone whose refund was declined may close the company's account and return with a new one. The same amount there is taken for the same
 * refund.
 */
async function listDeclinesOfOwners(db: Db | Tx, { refundPence }: Refund, { ofAnyone }: OwnersCompanies): Promise<Decline[]> {
  const { companyId, state } = allTenantsAdvances;
  const rows = await db
    .select({ at: allTenantsAdvances.updatedAt, refundPence: allTenantsAdvances.refundPence })
    .from(allTenantsAdvances)
    .where(and(inArray(companyId, [...ofAnyone]), eq(state, 'declined')));
  return rows.map((row) => ({ at: row.at, isSame: row.refundPence === refundPence }));
}
