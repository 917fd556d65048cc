/** Differences of earlier refunds that a person should see before we pay for another refund. */
import type { Db, Tx } from '@portal/db/database.ts';
import { memberships, shortfalls } from '@portal/db/schema/schema.ts';
import type { EligibilityFacts, UnpaidDifference } from '@portal/domain/advances/evaluate-eligibility.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq, inArray, lt, ne, or } from '@portal/db/sql.ts';
import { alias } from 'drizzle-orm/pg-core';

/** A difference that is due but not overdue needs no one: the payout takes it off. */
export async function loadDifferences(db: Db | Tx, companyId: string, today: PlainDate): Promise<EligibilityFacts['differences']> {
  const isUnpaid = or(
    inArray(shortfalls.status, ['disputed', 'written_off']),
    and(eq(shortfalls.status, 'due'), lt(shortfalls.dueOn, today)),
  );
  const own = await db
    .select({ status: shortfalls.status })
    .from(shortfalls)
    .where(and(eq(shortfalls.companyId, companyId), isUnpaid))
    .orderBy(shortfalls.openedAt);
  const owners = alias(memberships, 'owners');
  const ofOwners = await db
    .selectDistinct({ id: shortfalls.id })
    .from(owners)
    .innerJoin(memberships, and(eq(memberships.userId, owners.userId), ne(memberships.companyId, companyId)))
    .innerJoin(shortfalls, eq(shortfalls.companyId, memberships.companyId))
    .where(and(eq(owners.companyId, companyId), isUnpaid));
  return {
    own: own.map(({ status }): UnpaidDifference => (status === 'due' ? 'overdue' : (status as UnpaidDifference))),
    ofOwners: ofOwners.length,
  };
}
