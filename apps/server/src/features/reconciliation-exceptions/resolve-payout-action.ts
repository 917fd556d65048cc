/**
 * Two operators identify a payment from our account that matches none of our orders. This pays nothing, because the money has already been
 * sent.
 */
import { randomUUID } from 'node:crypto';
import { UNRECORDED_PAYOUT_KINDS, type reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Tx } from '@portal/db/database.ts';
import { advances, payouts, unrecordedPayouts } from '@portal/db/schema/schema.ts';
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { postSurplusPayout } from '@portal/domain/ledger/ledger.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { and, eq } from '@portal/db/sql.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { AllocationContext } from '../advances/allocate-credit.ts';
import { getAdvanceSnapshot } from '../advances/get-advance.ts';
import { approveAdvance } from '../advances/payout-facts.ts';
import { lockAdvance, lockCompany, transitionAdvance } from '../advances/transition-advance.ts';
import type { ApprovalAction, ApprovedRequest } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { planNetting, storeNetting } from '../shortfalls/net-payouts.ts';
import { requestDiscard } from './discard-payout-action.ts';
import { recordResolution } from './record-resolution.ts';
import { listResolutions, listStatesUpToPaying, type PayoutResolution } from './unrecorded-payout-queries.ts';

const resolutionDetailsSchema = z.object({
  unrecorded_payout_id: z.string(),
  as: z.enum(UNRECORDED_PAYOUT_KINDS).exclude(['discarded']),
  advance_id: z.nullable(z.string()),
  amount_pence: z.int(),
  provider_payout_id: z.string(),
  account_holder: z.string(),
});
type ResolutionDetails = z.infer<typeof resolutionDetailsSchema>;

const OUTCOMES: Readonly<Record<ResolutionDetails['as'], string>> = {
  confirmed: 'was the payout we assumed it was',
  advance: 'was the payout for the refund in its reference',
  overpayment: 'was an overpayment that the trader owes us',
  other: 'wasn’t related to a trader, and won’t be posted to the ledger',
};

export const RESOLVE_PAYOUT: ApprovalAction<ResolutionDetails> = {
  action: 'payout.resolve',
  access: 'operator.finance',
  details: resolutionDetailsSchema,
  describe: ({ as, amount_pence, account_holder, provider_payout_id }) =>
    `Record that the payment of ${formatPounds(pence(amount_pence))} to ${account_holder} (payments provider’s ${provider_payout_id}) ${OUTCOMES[as]}. No payment is made.`,
  apply: applyResolution,
};

export async function requestPayoutResolution(
  deps: AppDeps,
  { input, actor, caller }: Call<(typeof reconciliationExceptionsApi)['resolvePayout']>,
): Promise<{ request_id: string }> {
  const { company_id: companyId, subject_id: subject, as, reason } = input;
  if (as === 'discarded')
    return requestDiscard(deps, { companyId, payoutId: subject, reason }, { requestedBy: actor.userId, ip: caller.ip });
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const foundPayout = await getResolvablePayout(tx, companyId, subject, as);
    const details = {
      unrecorded_payout_id: subject,
      as,
      advance_id: foundPayout.advanceId,
      amount_pence: foundPayout.amountPence,
      provider_payout_id: foundPayout.providerPayoutId,
      account_holder: foundPayout.accountHolder,
    };
    const by = { requestedBy: actor.userId, at: deps.clock.now(), ip: caller.ip };
    return requestApproval(deps, tx, RESOLVE_PAYOUT, { companyId, subject, details, reason, ...by });
  });
}

type UnrecordedRow = typeof unrecordedPayouts.$inferSelect;

/** Locks the payment. Throws if the resolution doesn't suit it. */
async function getResolvablePayout(tx: Tx, companyId: string, id: string, payoutResolution: PayoutResolution): Promise<UnrecordedRow> {
  const [lockedPayout] = await tx.select().from(unrecordedPayouts).where(isThisPayout(companyId, id)).for('update');
  if (!lockedPayout) throw createNotFoundError();
  if (lockedPayout.resolution !== null)
    throw new AppError('conflict', 'payout.resolved', 'This payment has already been resolved. Reload the page.');
  const [advance] =
    lockedPayout.advanceId === null
      ? []
      : await tx
          .select({ state: advances.state })
          .from(advances)
          .where(and(eq(advances.companyId, companyId), eq(advances.id, lockedPayout.advanceId)));
  const allowedResolutions = listResolutions(lockedPayout, (advance?.state ?? null) as AdvanceState | null);
  if (allowedResolutions.includes(payoutResolution)) return lockedPayout;
  const message =
    payoutResolution === 'advance'
      ? 'The refund in this payment’s reference can’t be paid now: its offer must be accepted first, or it has already been paid. Reload the page.'
      : 'This payment can no longer be resolved this way. Reload the page.';
  throw new AppError('conflict', 'payout.wrong_resolution', message);
}

const isThisPayout = (companyId: string, id: string) => and(eq(unrecordedPayouts.companyId, companyId), eq(unrecordedPayouts.id, id));

async function applyResolution(tx: Tx, deps: AppDeps, request: ApprovedRequest<ResolutionDetails>): Promise<void> {
  const { companyId, at, details } = request;
  const { as } = details;
  const foundPayout = await getResolvablePayout(tx, companyId, details.unrecorded_payout_id, as);
  const { id, amountPence, providerPayoutId } = foundPayout;
  const after = { as, amount_pence: amountPence, provider_payout_id: providerPayoutId };
  const context = await recordResolution(tx, request, { action: 'payout.resolved', subject: foundPayout.id, after });
  const payoutId = as === 'advance' ? await linkToPayoutOrder(tx, deps, foundPayout, context) : foundPayout.payoutId;
  await tx.update(unrecordedPayouts).set({ resolution: as, resolvedAt: at, payoutId }).where(isThisPayout(companyId, id));
  if (as !== 'overpayment') return;
  await postToLedger(tx, {
    companyId,
    idempotencyKey: `unrecorded-payout:${id}`,
    description: `Payment of ${formatPounds(amountPence)} without a payout order: the trader owes it to us`,
    postedAt: at,
    lines: postSurplusPayout(amountPence),
  });
}

/** This payment paid the advance. Reads the provider's record and posts it like any other payout's. */
async function linkToPayoutOrder(tx: Tx, deps: AppDeps, unrecordedRow: UnrecordedRow, context: AllocationContext): Promise<string> {
  const { companyId, advanceId, accountHolder, sortCode, accountNumber, reference, providerPayoutId } = unrecordedRow;
  let advance = advanceId === null ? undefined : await lockAdvance(tx, companyId, advanceId);
  const states = advance && listStatesUpToPaying(advance.state);
  if (!advance || !states) throw new Error('the advance was checked under the company’s lock');
  const { round, bankAccount } = await getAdvanceSnapshot(deps, tx, companyId, advance.id);
  const { payout: amountPence, shares } = await planNetting(tx, advance);
  for (const state of states) {
    const changes = state === 'paying' && bankAccount ? { bankAccountId: bankAccount.id } : {};
    advance =
      state === 'approved'
        ? await approveAdvance(deps, tx, advance, { ...context, round })
        : await transitionAdvance(tx, advance, state, context, context.reason, changes);
  }
  const id = randomUUID();
  await tx.insert(payouts).values({
    companyId,
    id,
    advanceId: advance.id,
    round,
    status: 'submitted',
    amountPence,
    accountHolder,
    sortCode,
    accountNumber,
    reference,
    providerPayoutId,
    createdAt: context.at,
    submittedAt: context.at,
  });
  await storeNetting(tx, companyId, id, shares);
  return id;
}
