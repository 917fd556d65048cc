/**
 * The people who decided that a credit is the trader's. One of the two who pay it out must be someone else: otherwise two operators could
 * undo the match of HMRC's repayment, call it the trader's, and pay it to a trader they know.
 */
import type { Tx } from '@portal/db/database.ts';
import { approvalRequests, creditAllocations, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNull, or } from '@portal/db/sql.ts';

export type Decider = { readonly user_id: string; readonly name: string };

/** Lists who requested and who approved the allocations to the trader that still stand. Empty if the rules allocated everything. */
export function listSurplusDeciders(tx: Tx, companyId: string): Promise<Decider[]> {
  const isRequestOfAllocation = and(
    eq(approvalRequests.companyId, creditAllocations.companyId),
    eq(approvalRequests.id, creditAllocations.requestId),
  );
  return tx
    .selectDistinct({ user_id: users.id, name: users.fullName })
    .from(creditAllocations)
    .innerJoin(approvalRequests, isRequestOfAllocation)
    .innerJoin(users, or(eq(users.id, approvalRequests.requestedBy), eq(users.id, approvalRequests.decidedBy)))
    .where(and(eq(creditAllocations.companyId, companyId), isNull(creditAllocations.advanceId), isNull(creditAllocations.reversedAt)))
    .orderBy(asc(users.fullName));
}

export function isPaidByDecidersAlone(deciders: readonly Decider[], payers: readonly [requestedBy: string, approvedBy: string]): boolean {
  return payers.every((payer) => deciders.some(({ user_id }) => user_id === payer));
}

/** Describes the rule for operators. Empty if no one decided. */
export function describeDeciders(deciders: readonly Decider[]): string {
  if (deciders.length === 0) return '';
  const names = deciders.map(({ name }) => name);
  return ` ${new Intl.ListFormat('en-GB').format(names)} decided that this money is the trader’s, so one of the two people who pay it must be someone else.`;
}
