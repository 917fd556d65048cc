/**
 * Refunds that we declined. An operator may know more than the rules, which might pay for the same refund minutes later: until an operator
 * has approved a refund of the company, a person reviews each.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { advanceTransitions, allTenantsAdvances, allTenantsCompanyPeople, identityChecks } from '@portal/db/schema/schema.ts';
import type { EligibilityFacts } from '@portal/domain/advances/evaluate-eligibility.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, desc, eq, gt, ne, type SQL } from '@portal/db/sql.ts';
import { findOwners, IS_VERIFIED, PERSON_COLUMNS } from './find-owners.ts';

const IS_DECLINED = and(eq(advanceTransitions.toState, 'declined'), ne(advanceTransitions.actor, 'rules'));
const IS_APPROVED = and(
  eq(advanceTransitions.fromState, 'in_review'),
  eq(advanceTransitions.toState, 'approved'),
  ne(advanceTransitions.actor, 'rules'),
);

export async function countDeclinedRefunds(db: Db | Tx, companyId: string): Promise<EligibilityFacts['declined']> {
  const [newestApproval] = await db
    .select({ at: advanceTransitions.at })
    .from(advanceTransitions)
    .where(and(eq(advanceTransitions.companyId, companyId), IS_APPROVED))
    .orderBy(desc(advanceTransitions.at))
    .limit(1);
  const approvedAt = newestApproval?.at;
  const ownDeclines = await db
    .select({ at: advanceTransitions.at })
    .from(advanceTransitions)
    .where(and(eq(advanceTransitions.companyId, companyId), IS_DECLINED, isAfter(advanceTransitions.at, approvedAt)));
  return { own: ownDeclines.length, ofOwners: await countDeclinedOfOwners(db, companyId, approvedAt) };
}

const isAfter = (at: Parameters<typeof gt>[0], approvedAt: Instant | undefined): SQL | undefined =>
  approvedAt === undefined ? undefined : gt(at, approvedAt);

/** Someone whose refund was declined may close the company's account and return with a new one. */
async function countDeclinedOfOwners(db: Db | Tx, companyId: string, approvedAt: Instant | undefined): Promise<number> {
  const { isCandidate, isOwnPerson } = await findOwners(db, companyId);
  const isDeclined = and(eq(allTenantsAdvances.state, 'declined'), isAfter(allTenantsAdvances.updatedAt, approvedAt));
  const people = allTenantsCompanyPeople;
  const candidates = await db
    .selectDistinct({ ...PERSON_COLUMNS, id: allTenantsAdvances.id })
    .from(allTenantsAdvances)
    .innerJoin(people, eq(people.companyId, allTenantsAdvances.companyId))
    .leftJoin(identityChecks, IS_VERIFIED)
    .where(and(ne(allTenantsAdvances.companyId, companyId), isDeclined, isCandidate));
  return new Set(candidates.filter(isOwnPerson).map(({ id }) => id)).size;
}
