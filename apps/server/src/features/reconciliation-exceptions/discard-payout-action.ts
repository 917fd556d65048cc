/**
 * Two operators discard a payout order that the portal can't confirm as its own: someone wrote or changed it with SQL, or its key is lost.
 * Nothing is paid. The money remains due, and a new order is created from the facts when the payment is decided again.
 */
import type { Tx } from '@portal/db/database.ts';
import { payouts } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, formatInstant } from '@portal/domain/clock.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { and, eq } from '@portal/db/sql.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { checkOrder } from '../advances/payout-order.ts';
import { RECORD_COMPLETE_AFTER_MS, storeSubmittedPayout } from '../advances/submit-payout.ts';
import { lockAdvance, lockCompany, transitionAdvance } from '../advances/transition-advance.ts';
import type { ApprovalAction, ApprovedRequest } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { recordResolution } from './record-resolution.ts';

const DAY_MS = 86_400_000;
/** How far back to search the bank's record: longer than the bank keeps a key, because the row's own time may be forged. */
const LOOK_BACK_DAYS = 35;
const DISCARD_FAILURE_MESSAGE = 'the order didn’t come from the portal, so two operators discarded it';

const discardDetailsSchema = z.object({
  payout_id: z.string(),
  amount_pence: z.int(),
  account_holder: z.string(),
  account_number_end: z.string(),
});
type DiscardDetails = z.infer<typeof discardDetailsSchema>;

export const DISCARD_PAYOUT: ApprovalAction<DiscardDetails> = {
  action: 'payout.discard',
  access: 'operator.finance',
  details: discardDetailsSchema,
  describe: ({ amount_pence, account_holder, account_number_end }) =>
    `Discard the payout order of ${formatPounds(pence(amount_pence))} to ${account_holder}, account ending ${account_number_end}, which has been changed outside the portal. No payment is made. Approval checks the bank’s records once more, at least an hour after the request.`,
  prepare: async (deps, { companyId, requestedAt, details }) => {
    const completeAt = addMilliseconds(requestedAt, RECORD_COMPLETE_AFTER_MS);
    if (deps.clock.now() < completeAt) {
      const message = `The bank’s records may not yet include a payment that was sent before the request. Approve this after ${formatInstant(completeAt)}.`;
      throw new AppError('conflict', 'payout.record_incomplete', message);
    }
    await assertNotAtBank(deps, companyId, details.payout_id);
  },
  apply: applyDiscard,
};

type DiscardRequest = { readonly companyId: string; readonly payoutId: string; readonly reason: string };
type RequestedBy = { readonly requestedBy: string; readonly ip: string };

export async function requestDiscard(
  deps: AppDeps,
  { companyId, payoutId, reason }: DiscardRequest,
  requester: RequestedBy,
): Promise<{ request_id: string }> {
  await assertNotAtBank(deps, companyId, payoutId);
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const { amountPence, accountHolder, accountNumber } = await getRefusedPayout(deps, tx, companyId, payoutId);
    const details = {
      payout_id: payoutId,
      amount_pence: amountPence,
      account_holder: accountHolder,
      account_number_end: accountNumber.slice(-4),
    };
    return requestApproval(deps, tx, DISCARD_PAYOUT, { companyId, subject: payoutId, details, reason, at: deps.clock.now(), ...requester });
  });
}

/**
 * If an order was sent before someone changed its row, the bank has it, and we read its result as usual. Checked both at the request and at
 * the decision, because by then the record shows everything that was sent before the request.
 */
async function assertNotAtBank(deps: AppDeps, companyId: string, payoutId: string): Promise<void> {
  const now = deps.clock.now();
  const period = { from: addMilliseconds(now, -LOOK_BACK_DAYS * DAY_MS), to: addMilliseconds(now, DAY_MS) };
  const record = await deps.payments.findPayoutByKey({ idempotencyKey: payoutId, ...period });
  if (!record) return;
  await storeSubmittedPayout(deps, { companyId, id: payoutId }, record.payoutId);
  const message =
    'The bank has this payment: it was sent before its record was changed. We’re now getting its result from the bank. Reload the page.';
  throw new AppError('conflict', 'payout.at_bank', message);
}

type PayoutRow = typeof payouts.$inferSelect;

async function getRefusedPayout(deps: AppDeps, tx: Tx, companyId: string, payoutId: string): Promise<PayoutRow> {
  const [payout] = await tx.select().from(payouts).where(isThisPayout(companyId, payoutId)).for('update');
  if (!payout) throw createNotFoundError();
  if (payout.status === 'created' && payout.refusedAt !== null && checkOrder(deps, payout) !== 'sealed') return payout;
  throw new AppError('conflict', 'payout.not_refused', 'This payout is no longer on hold. Reload the page.');
}

const isThisPayout = (companyId: string, payoutId: string) => and(eq(payouts.companyId, companyId), eq(payouts.id, payoutId));

async function applyDiscard(tx: Tx, deps: AppDeps, request: ApprovedRequest<DiscardDetails>): Promise<void> {
  const { companyId, at, details } = request;
  const { advanceId } = await readOwner(tx, companyId, details.payout_id);
  const advance = advanceId === null ? undefined : await lockAdvance(tx, companyId, advanceId);
  const payout = await getRefusedPayout(deps, tx, companyId, details.payout_id);
  const after = { amount_pence: payout.amountPence, account_holder: payout.accountHolder, advance_id: advanceId };
  const context = await recordResolution(tx, request, { action: 'payout.discarded', subject: payout.id, after });
  if (advanceId !== null && advance?.state !== 'paying') {
    // The advance wasn't being paid, so the order never belonged to it. As a failed order, it would start a new round of releases.
    await tx.delete(payouts).where(isThisPayout(companyId, payout.id));
    return;
  }
  await tx
    .update(payouts)
    .set({ status: 'failed', failure: DISCARD_FAILURE_MESSAGE, settledAt: at })
    .where(isThisPayout(companyId, payout.id));
  if (advance)
    await transitionAdvance(tx, advance, 'payout_failed', context, `Not sent: ${DISCARD_FAILURE_MESSAGE}. ${context.reason}`, {
      payoutHold: null,
    });
}

async function readOwner(tx: Tx, companyId: string, payoutId: string): Promise<{ advanceId: string | null }> {
  const [payout] = await tx.select({ advanceId: payouts.advanceId }).from(payouts).where(isThisPayout(companyId, payoutId));
  if (!payout) throw createNotFoundError();
  return payout;
}
