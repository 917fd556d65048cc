/**
 * The people who decided that credits are the trader's. Two who decided about one together can't pay it out together: otherwise two
 * operators could undo the match of HMRC's repayment, call it the trader's, and pay it to a trader they know.
 */
import type { Tx } from '@portal/db/database.ts';
import { approvalRequests, creditAllocations, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNull, or } from '@portal/db/sql.ts';

/** `request_id`: the decision that they took part in. Absent in requests stored by earlier versions. */
export type Decider = { readonly user_id: string; readonly name: string; readonly request_id?: string | undefined };

/** Lists who requested and who approved the allocations to the trader that still stand. Empty if the rules allocated everything. */
export function listSurplusDeciders(tx: Tx, companyId: string): Promise<Decider[]> {
  const isRequestOfAllocation = and(
    eq(approvalRequests.companyId, creditAllocations.companyId),
    eq(approvalRequests.id, creditAllocations.requestId),
  );
  return tx
    .selectDistinct({ user_id: users.id, name: users.fullName, request_id: approvalRequests.id })
    .from(creditAllocations)
    .innerJoin(approvalRequests, isRequestOfAllocation)
    .innerJoin(users, or(eq(users.id, approvalRequests.requestedBy), eq(users.id, approvalRequests.decidedBy)))
    .where(and(eq(creditAllocations.companyId, companyId), isNull(creditAllocations.advanceId), isNull(creditAllocations.reversedAt)))
    .orderBy(asc(users.fullName));
}

/**
 * Compares the payers with each decision, not with everyone who ever decided: otherwise three operators who had decided about two credits
 * in different pairs could never pay either of them.
 */
export function isPaidByDecidersAlone(deciders: readonly Decider[], payers: readonly [requestedBy: string, approvedBy: string]): boolean {
  return groupByDecision(deciders).some((group) => payers.every((payer) => group.some(({ user_id }) => user_id === payer)));
}

function groupByDecision(deciders: readonly Decider[]): (readonly Decider[])[] {
  return Object.values(Object.groupBy(deciders, ({ request_id }) => request_id ?? '')).filter((group) => group !== undefined);
}

/** Describes the rule for operators. Empty if no one decided. */
export function describeDeciders(deciders: readonly Decider[]): string {
  const list = new Intl.ListFormat('en-GB');
  const groups = [...new Set(groupByDecision(deciders).map((group) => list.format(group.map(({ name }) => name))))];
  if (groups.length === 0) return '';
  const [first] = groups;
  if (groups.length === 1)
    return ` ${first} decided that this money is the trader’s, so one of the two people who pay it must be someone else.`;
  return ` Different people decided that parts of this money are the trader’s: ${groups.join('; ')}. Two who decided together can’t pay it together.`;
}
