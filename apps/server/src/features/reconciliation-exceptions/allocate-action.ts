/** Match, split, unmatch and rematch a credit: one action, decided by two operators, that sets what the credit pays from now on. */
import { isDeepStrictEqual } from 'node:util';
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Tx } from '@portal/db/database.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { notFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { enqueueRepaidEmail } from '../advances/advance-emails.ts';
import { allocateToAdvance, allocateToTrader, reverseAllocation, type AllocationContext } from '../advances/allocate-credit.ts';
import { lockCredit, sumReceived, type CreditRow } from '../advances/credit-facts.ts';
import { enqueueReopenedEmail } from '../advances/surplus-emails.ts';
import { lockAdvance, lockCompany } from '../advances/transition-advance.ts';
import type { ApprovalAction, ApprovedRequest } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { findShortfallOfAdvance } from '../shortfalls/shortfall-record.ts';
import { syncShortfall } from '../shortfalls/sync-shortfall.ts';
import { planAllocation, type AllocationPlan, type AllocationTarget, type PlannedAllocation } from './plan-allocation.ts';
import { recordResolution } from './record-resolution.ts';
import { getSurplus } from './surplus-queries.ts';

const part = z.object({ advance_id: z.string().nullable(), amount_pence: z.int(), period: z.string().nullable() });

const allocationDetails = z.object({
  credit_id: z.string(),
  credit_pence: z.int(),
  remitter: z.string(),
  reference: z.string(),
  kept: z.array(z.object({ advance_id: z.string().nullable(), amount_pence: z.int() })),
  reversed: z.array(part),
  added: z.array(z.object({ ...part.shape, outstanding_pence: z.int().nullable() })),
  unallocated_pence: z.int(),
});
type AllocationDetails = z.infer<typeof allocationDetails>;

export const ALLOCATE_CREDIT: ApprovalAction<AllocationDetails> = {
  action: 'credit.allocate',
  access: 'operator.finance',
  details: allocationDetails,
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
    if (!credit) throw notFoundError();
    const targets = input.allocations.map(({ advance_id, amount_pence }) => ({ advanceId: advance_id, amount: amount_pence }));
    const details = toDetails(credit, await planAllocation(tx, credit, targets));
    const by = { requestedBy: actor.userId, at: deps.clock.now(), ip: caller.ip };
    return requestApproval(deps, tx, ALLOCATE_CREDIT, { companyId, subject: creditId, details, reason, ...by });
  });
}

function toDetails(credit: CreditRow, { kept, reversed, added, unallocated }: AllocationPlan): AllocationDetails {
  return {
    credit_id: credit.id,
    credit_pence: credit.amountPence,
    remitter: credit.remitter,
    reference: credit.reference,
    kept: kept.map(({ advanceId, amountPence }) => ({ advance_id: advanceId, amount_pence: amountPence })),
    reversed: reversed.map(({ advanceId, amountPence, period }) => ({ advance_id: advanceId, amount_pence: amountPence, period })),
    added: added.map(({ advanceId, amount, period, outstanding }) => ({
      advance_id: advanceId,
      amount_pence: amount,
      period,
      outstanding_pence: outstanding,
    })),
    unallocated_pence: unallocated,
  };
}

function describeAllocation(details: AllocationDetails): string {
  const to = (period: string | null) => (period === null ? 'to the trader' : `to the refund for ${period}`);
  const parts = [
    ...details.reversed.map(({ amount_pence, period }) => `take back ${formatPounds(pence(amount_pence))} matched ${to(period)}`),
    ...details.added.map(({ amount_pence, period }) => `match ${formatPounds(pence(amount_pence))} ${to(period)}`),
  ].join(', ');
  const rest = details.unallocated_pence > 0 ? ` ${formatPounds(pence(details.unallocated_pence))} stays unmatched.` : '';
  const credit = `${formatPounds(pence(details.credit_pence))} from ${details.remitter} (reference “${details.reference}”)`;
  return `Payment of ${credit}: ${parts}.${rest}`;
}

async function applyAllocation(tx: Tx, deps: AppDeps, request: ApprovedRequest<AllocationDetails>): Promise<void> {
  const { details, companyId } = request;
  const credit = await lockCredit(tx, companyId, details.credit_id);
  if (!credit) throw notFoundError();
  const targets: AllocationTarget[] = [...details.kept, ...details.added].map(({ advance_id, amount_pence }) => ({
    advanceId: advance_id,
    amount: pence(amount_pence),
  }));
  const plan = await planAllocation(tx, credit, targets);
  if (!isDeepStrictEqual(toDetails(credit, plan), details)) {
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
  for (const row of plan.reversed) {
    const advance = row.advanceId === null ? undefined : await lockAdvance(tx, companyId, row.advanceId);
    await reverseAllocation(tx, row, advance, context);
  }
  for (const added of plan.added) await applyPart(deps, tx, credit, added, context, plan.reversed);
  await enqueueReopenedEmails(deps, tx, plan, companyId, context);
  await assertSurplusCovered(tx, companyId);
}

async function applyPart(
  deps: AppDeps,
  tx: Tx,
  credit: CreditRow,
  { advanceId, amount }: PlannedAllocation,
  context: AllocationContext,
  reversed: AllocationPlan['reversed'],
): Promise<void> {
  if (advanceId === null) return allocateToTrader(tx, credit, amount, context);
  const advance = await lockAdvance(tx, credit.companyId, advanceId);
  if (!advance) throw notFoundError();
  const { to } = await allocateToAdvance(tx, credit, advance, amount, context);
  // A corrected payment amount is not announced as a repayment.
  if (reversed.some((row) => row.advanceId === advanceId)) return;
  // The same emails as for an automatic match.
  const isFromHmrc = advance.state === 'awaiting_hmrc';
  if (isFromHmrc && to === 'settled') await enqueueRepaidEmail(deps, tx, advance, amount);
  const matched = await lockAdvance(tx, credit.companyId, advanceId);
  if (matched) await syncShortfall(deps, tx, matched, context, isFromHmrc ? pence(0) : amount);
}

/** Notifies the owners if an advance waits for money again. */
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
    const isDueBefore = (await findShortfallOfAdvance(tx, companyId, id))?.status === 'due';
    await syncShortfall(deps, tx, advance, context);
    // The owners already have this notice.
    if (!isDueBefore && advance.state !== 'awaiting_hmrc') continue;
    const received = await sumReceived(tx, companyId, id);
    await enqueueReopenedEmail(deps, tx, advance, pence(advance.refundPence - received));
  }
}

/** Money that was allocated to the trader may have been paid out since. */
async function assertSurplusCovered(tx: Tx, companyId: string): Promise<void> {
  if ((await getSurplus(tx, companyId)) >= 0) return;
  throw new AppError('conflict', 'reconciliation.surplus_paid', 'That part of the payment has already been paid out to the trader.');
}
