/**
 * Matches, splits, unmatches and rematches a credit: one action, decided by two operators, that determines what the credit pays from then
 * on.
 */
import { isDeepStrictEqual } from 'node:util';
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Tx } from '@portal/db/database.ts';
import { advances } from '@portal/db/schema/schema.ts';
import { UNPAID_STATES } from '@portal/domain/advances/advance-states.ts';
import { isHmrcRemitter } from '@portal/domain/advances/match-credit.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatPounds, pence, sumPence, type Pence } from '@portal/domain/money.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { enqueueRepaidEmail } from '../advances/advance-emails.ts';
import { allocateToAdvance, allocateToTrader, reverseAllocation, type AllocationContext } from '../advances/allocate-credit.ts';
import { lockCredit, sumReceivedAmounts, type CreditRow } from '../advances/credit-facts.ts';
import { enqueueReopenedEmail } from '../advances/surplus-emails.ts';
import { lockAdvance, lockCompany } from '../advances/transition-advance.ts';
import { sumRecoveredAmounts, sumWrittenOffAmounts } from '../advances/written-off.ts';
import type { ApprovalAction, ApprovedRequest } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { followLostRecovery, followRecovery } from '../shortfalls/recover-write-off.ts';
import { findShortfallByAdvance } from '../shortfalls/shortfall-record.ts';
import { syncShortfall } from '../shortfalls/sync-shortfall.ts';
import { planAllocation, type AllocationPlan, type AllocationTarget, type PlannedAllocation } from './plan-allocation.ts';
import { recordResolution } from './record-resolution.ts';
import { getSurplus } from './surplus-queries.ts';

const allocationPartSchema = z.object({ advance_id: z.string().nullable(), amount_pence: z.int(), period: z.string().nullable() });

const allocationDetailsSchema = z.object({
  credit_id: z.string(),
  credit_pence: z.int(),
  remitter: z.string(),
  reference: z.string(),
  kept: z.array(z.object({ advance_id: z.string().nullable(), amount_pence: z.int() })),
  reversed: z.array(allocationPartSchema),
  added: z.array(z.object({ ...allocationPartSchema.shape, outstanding_pence: z.int().nullable(), recovered_pence: z.int().default(0) })),
  unallocated_pence: z.int(),
  /** The amount written off the trader's refunds, if a part is allocated to the trader. */
  written_off_pence: z.int().default(0),
  /** The refunds that we're about to pay for, if a part of a payment from HMRC is allocated to the trader. */
  unpaid_refunds_pence: z.int().default(0),
});
type AllocationDetails = z.infer<typeof allocationDetailsSchema>;

export const ALLOCATE_CREDIT: ApprovalAction<AllocationDetails> = {
  action: 'credit.allocate',
  access: 'operator.finance',
  details: allocationDetailsSchema,
  describe: describeAllocation,
  apply: applyAllocation,
};

export async function requestAllocation(
  deps: AppDeps,
  { input, actor, caller }: Call<(typeof reconciliationExceptionsApi)['allocate']>,
): Promise<{ request_id: string }> {
  const { company_id: companyId, credit_id: creditId, reason } = input;
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const credit = await lockCredit(tx, companyId, creditId);
    if (!credit) throw createNotFoundError();
    const targets = input.allocations.map(({ advance_id, amount_pence }) => ({ advanceId: advance_id, amount: amount_pence }));
    const details = await toDetails(tx, credit, await planAllocation(tx, credit, targets));
    const by = { requestedBy: actor.userId, at: deps.clock.now(), ip: caller.ip };
    return requestApproval(deps, tx, ALLOCATE_CREDIT, { companyId, subject: creditId, details, reason, ...by });
  });
}

async function toDetails(tx: Tx, credit: CreditRow, { kept, reversed, added, unallocated }: AllocationPlan): Promise<AllocationDetails> {
  const isGiven = added.some(({ advanceId }) => advanceId === null);
  const recoveredAmount = sumPence(added.map((one) => one.recovered));
  return {
    credit_id: credit.id,
    credit_pence: credit.amountPence,
    remitter: credit.remitter,
    reference: credit.reference,
    kept: kept.map(({ advanceId, amountPence }) => ({ advance_id: advanceId, amount_pence: amountPence })),
    reversed: reversed.map(({ advanceId, amountPence, period }) => ({ advance_id: advanceId, amount_pence: amountPence, period })),
    added: added.map(({ advanceId, amount, period, outstanding, recovered: recovered_pence }) => ({
      advance_id: advanceId,
      amount_pence: amount,
      period,
      outstanding_pence: outstanding,
      recovered_pence,
    })),
    unallocated_pence: unallocated,
    unpaid_refunds_pence: isGiven && isHmrcRemitter(credit.remitter) ? await sumUnpaidRefunds(tx, credit.companyId) : 0,
    written_off_pence: isGiven ? pence((await sumWrittenOffAmounts(tx, credit.companyId)) - recoveredAmount) : 0,
  };
}

/** Sums the refunds that are accepted but not yet paid for. HMRC's payment may be for one of them. */
async function sumUnpaidRefunds(tx: Tx, companyId: string): Promise<Pence> {
  const rows = await tx
    .select({ refund: advances.refundPence })
    .from(advances)
    .where(and(eq(advances.companyId, companyId), inArray(advances.state, [...UNPAID_STATES])));
  return sumPence(rows.map(({ refund }) => refund));
}

function describeAllocation(details: AllocationDetails): string {
  const describeTarget = (period: string | null) => (period === null ? 'to the trader' : `to the refund for ${period}`);
  const parts = [
    ...details.reversed.map(
      ({ amount_pence, period }) => `undo the match of ${formatPounds(pence(amount_pence))} ${describeTarget(period)}`,
    ),
    ...details.added.map(
      ({ amount_pence, period, recovered_pence }) =>
        `match ${formatPounds(pence(amount_pence))} ${describeTarget(period)}${recovered_pence > 0 ? `, reversing ${formatPounds(pence(recovered_pence))} of the write-off` : ''}`,
    ),
  ].join(', ');
  const unallocatedText = details.unallocated_pence > 0 ? ` ${formatPounds(pence(details.unallocated_pence))} remains unmatched.` : '';
  const credit = `${formatPounds(pence(details.credit_pence))} from ${details.remitter} (reference “${details.reference}”)`;
  const warning =
    details.written_off_pence > 0
      ? `Warning: we wrote off ${formatPounds(pence(details.written_off_pence))} of this trader’s refunds. If this payment is for one of them, it belongs to us, so reject this request. `
      : '';
  const unpaidAmount =
    details.unpaid_refunds_pence > 0
      ? `Warning: we’re about to pay for refunds of ${formatPounds(pence(details.unpaid_refunds_pence))}. If this payment is HMRC’s repayment of one of them, decline that advance first. `
      : '';
  return `${unpaidAmount}${warning}Payment of ${credit}: ${parts}.${unallocatedText}`;
}

async function applyAllocation(tx: Tx, deps: AppDeps, request: ApprovedRequest<AllocationDetails>): Promise<void> {
  const { details, companyId } = request;
  const credit = await lockCredit(tx, companyId, details.credit_id);
  if (!credit) throw createNotFoundError();
  const targets: AllocationTarget[] = [...details.kept, ...details.added].map(({ advance_id, amount_pence }) => ({
    advanceId: advance_id,
    amount: pence(amount_pence),
  }));
  const plan = await planAllocation(tx, credit, targets);
  if (!isDeepStrictEqual(await toDetails(tx, credit, plan), details)) {
    throw new AppError(
      'conflict',
      'reconciliation.facts_changed',
      'The payment or its advances have changed since this was requested. Reject the request and make a new one.',
    );
  }
  const context = await recordResolution(tx, request, {
    action: 'credit.allocated',
    subject: credit.id,
    after: { kept: details.kept, reversed: details.reversed, added: details.added },
  });
  const surplusBefore = await getSurplus(tx, companyId);
  for (const row of plan.reversed) {
    const advance = row.advanceId === null ? undefined : await lockAdvance(tx, companyId, row.advanceId);
    const recoveredAmount = await sumRecoveredAmounts(tx, row);
    const reopenedAdvance = await reverseAllocation(tx, row, advance, context);
    const isMatchedAgain = plan.added.some(({ advanceId }) => advanceId === row.advanceId);
    if (reopenedAdvance && recoveredAmount > 0 && !isMatchedAgain)
      await followLostRecovery(deps, tx, reopenedAdvance, recoveredAmount, context);
  }
  for (const allocationPart of plan.added) await applyPart(deps, tx, credit, allocationPart, context, plan.reversed);
  await enqueueReopenedEmails(deps, tx, plan, companyId, context);
  await assertSurplusCovered(tx, companyId, surplusBefore);
}

async function applyPart(
  deps: AppDeps,
  tx: Tx,
  credit: CreditRow,
  { advanceId, amount }: PlannedAllocation,
  context: AllocationContext,
  reversedAllocations: AllocationPlan['reversed'],
): Promise<void> {
  if (advanceId === null) return allocateToTrader(tx, credit, amount, context);
  const advance = await lockAdvance(tx, credit.companyId, advanceId);
  if (!advance) throw createNotFoundError();
  const { to, recovered } = await allocateToAdvance(tx, credit, advance, amount, context);
  const updatedAdvance = await lockAdvance(tx, credit.companyId, advanceId);
  if (updatedAdvance && recovered > 0) await followRecovery(deps, tx, updatedAdvance, recovered, context);
  // The trader isn't notified of a correction as if it were a repayment.
  if (reversedAllocations.some((row) => row.advanceId === advanceId)) return;
  // Sends the same emails as an automatic match.
  const isFromHmrc = advance.state === 'awaiting_hmrc';
  if (isFromHmrc && to === 'settled') await enqueueRepaidEmail(deps, tx, advance, amount);
  const paidToTrader = isFromHmrc ? pence(0) : pence(amount - recovered);
  if (updatedAdvance) await syncShortfall(deps, tx, updatedAdvance, context, paidToTrader);
}

/** Notifies the owners if an advance is outstanding again. */
async function enqueueReopenedEmails(
  deps: AppDeps,
  tx: Tx,
  { reversed }: AllocationPlan,
  companyId: string,
  context: AllocationContext,
): Promise<void> {
  const ids = new Set(reversed.flatMap(({ advanceId }) => (advanceId === null ? [] : [advanceId])));
  for (const id of ids) {
    const advance = await lockAdvance(tx, companyId, id);
    if (!advance || advance.state === 'settled') continue;
    const isDueBefore = (await findShortfallByAdvance(tx, companyId, id))?.status === 'due';
    await syncShortfall(deps, tx, advance, context);
    // The owners already have this notice.
    if (!isDueBefore && advance.state !== 'awaiting_hmrc') continue;
    const receivedAmount = await sumReceivedAmounts(tx, companyId, id);
    await enqueueReopenedEmail(deps, tx, advance, pence(advance.refundPence - receivedAmount));
  }
}

/** Money allocated to the trader may have been paid out since. What they owe us for another reason doesn't keep a payment from being matched. */
async function assertSurplusCovered(tx: Tx, companyId: string, surplusBefore: Pence): Promise<void> {
  if ((await getSurplus(tx, companyId)) >= Math.min(0, surplusBefore)) return;
  throw new AppError('conflict', 'reconciliation.surplus_paid', 'That part of the payment has already been paid out to the trader.');
}
