/** Differences on earlier refunds that an operator should see before we pay for another refund. */
import type { Db, Tx } from '@portal/db/database.ts';
import { allTenantsMemberships, allTenantsShortfalls, memberships, shortfalls } from '@portal/db/schema/schema.ts';
import type { EligibilityFacts, UnpaidDifference } from '@portal/domain/advances/evaluate-eligibility.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq, inArray, lt, ne, or } from '@portal/db/sql.ts';

/** Only overdue differences need review, because merely due ones are deducted from the payout. */
export async function loadDifferences(db: Db | Tx, companyId: string, today: PlainDate): Promise<EligibilityFacts['differences']> {
  const isUnpaid = ({ status, dueOn }: typeof shortfalls | typeof allTenantsShortfalls) =>
    or(inArray(status, ['disputed', 'written_off']), and(eq(status, 'due'), lt(dueOn, today)));
  const ownDifferences = await db
    .select({ status: shortfalls.status })
    .from(shortfalls)
    .where(and(eq(shortfalls.companyId, companyId), isUnpaid(shortfalls)))
    .orderBy(shortfalls.openedAt);
  const otherMemberships = allTenantsMemberships;
  const otherCompanyDifferences = await db
    .selectDistinct({ id: allTenantsShortfalls.id })
    .from(memberships)
    .innerJoin(otherMemberships, and(eq(otherMemberships.userId, memberships.userId), ne(otherMemberships.companyId, companyId)))
    .innerJoin(allTenantsShortfalls, eq(allTenantsShortfalls.companyId, otherMemberships.companyId))
    .where(and(eq(memberships.companyId, companyId), isUnpaid(allTenantsShortfalls)));
  return {
    own: ownDifferences.map(({ status }): UnpaidDifference => (status === 'due' ? 'overdue' : (status as UnpaidDifference))),
    ofOwners: otherCompanyDifferences.length,
  };
}
