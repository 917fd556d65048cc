/**
 * The people who decided that we owe a trader money. Two who decided about one part together can't pay it out together: otherwise two
 * operators could undo the match of HMRC's repayment, call it the trader's, and pay it to a trader they know.
 */
import type { Tx } from '@portal/db/database.ts';
import {
  approvalRequests,
  creditAllocations,
  ledgerLines,
  ledgerPostings,
  payouts,
  unrecordedPayouts,
  users,
} from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, asc, desc, eq, gt, gte, isNull, or, sql } from '@portal/db/sql.ts';
import { z } from 'zod';

/** `request_id`: the decision that they took part in. Absent in requests stored by earlier versions. */
export const deciderSchema = z.object({ user_id: z.string(), name: z.string(), request_id: z.optional(z.string()) });
export type Decider = Readonly<z.infer<typeof deciderSchema>>;

/**
 * Lists who requested and who approved the decisions that made us owe money: allocations to the trader that still stand, and payments
 * recorded as the payout of a refund although they were smaller. Empty if all of it follows from the rules.
 */
export async function listSurplusDeciders(tx: Tx, companyId: string): Promise<Decider[]> {
  const paidAt = await findFullPayment(tx, companyId);
  const { id, companyId: requestCompanyId, subject, requestedBy, decidedBy, decidedAt } = approvalRequests;
  const allocations = tx
    .select({ id: creditAllocations.requestId })
    .from(creditAllocations)
    .where(and(eq(creditAllocations.companyId, companyId), isNull(creditAllocations.advanceId), isNull(creditAllocations.reversedAt)));
  const smallerPayments = tx
    .select({ id: sql`${unrecordedPayouts.id}::text` })
    .from(unrecordedPayouts)
    .innerJoin(payouts, and(eq(payouts.companyId, unrecordedPayouts.companyId), eq(payouts.id, unrecordedPayouts.payoutId)))
    .where(
      and(
        eq(unrecordedPayouts.companyId, companyId),
        eq(unrecordedPayouts.resolution, 'advance'),
        gt(payouts.amountPence, unrecordedPayouts.amountPence),
      ),
    );
  return tx
    .selectDistinct({ user_id: users.id, name: users.fullName, request_id: id })
    .from(approvalRequests)
    .innerJoin(users, or(eq(users.id, requestedBy), eq(users.id, decidedBy)))
    .where(
      and(
        eq(requestCompanyId, companyId),
        eq(approvalRequests.decision, 'approved'),
        or(sql`${id} in ${allocations}`, sql`${subject} in ${smallerPayments}`),
        paidAt === undefined ? undefined : gte(decidedAt, paidAt),
      ),
    )
    .orderBy(asc(users.fullName));
}

/**
 * Finds when a payout last left nothing that we owed. Others have paid what was decided before. If it counted forever, three operators who
 * had decided in each possible pair could never pay the company again.
 */
async function findFullPayment(tx: Tx, companyId: string): Promise<Instant | undefined> {
  const sumAfterwards = sql`(select sum(${ledgerLines.amountPence}) from ${ledgerLines}
    join ledger_postings as earlier on earlier.company_id = ${ledgerLines.companyId} and earlier.id = ${ledgerLines.postingId}
    where ${ledgerLines.companyId} = ${companyId} and ${ledgerLines.account} = 'owed_to_trader' and earlier.position <= ${ledgerPostings.position})`;
  const [row] = await tx
    .select({ at: ledgerPostings.postedAt })
    .from(payouts)
    .innerJoin(
      ledgerPostings,
      and(eq(ledgerPostings.companyId, payouts.companyId), sql`${ledgerPostings.idempotencyKey} = 'payout:' || ${payouts.id}::text`),
    )
    .where(and(eq(payouts.companyId, companyId), isNull(payouts.advanceId), eq(payouts.status, 'executed'), sql`${sumAfterwards} = 0`))
    .orderBy(desc(ledgerPostings.position))
    .limit(1);
  return row?.at;
}

/**
 * Compares the payers with each decision, not with everyone who ever decided: otherwise three operators who had decided about two credits
 * in different pairs could never pay either of them.
 */
export function isPaidByDecidersAlone(deciders: readonly Decider[], payers: readonly [requestedBy: string, approvedBy: string]): boolean {
  return groupByDecision(deciders).some((group) => payers.every((payer) => group.some(({ user_id }) => user_id === payer)));
}

/** Call this when the request is approved: both may have decided since it was made. */
export function assertNotPaidByDecidersAlone(
  deciders: readonly Decider[],
  payers: readonly [requestedBy: string, approvedBy: string],
): void {
  if (!isPaidByDecidersAlone(deciders, payers)) return;
  const message =
    'Since this was requested, the two of you have decided that this money is the trader’s. Reject it, so that someone else can request or approve it.';
  throw new AppError('conflict', 'approval.third_person', message);
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
