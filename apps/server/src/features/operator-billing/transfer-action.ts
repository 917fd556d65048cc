/**
 * Two operators record that a refund that failed on every card was paid from our bank account. The portal itself pays nothing. Until the
 * second operator has decided, the refund isn't resent through Stripe, and afterwards never again.
 */
import type { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { approvalRequests, invoiceRefunds } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, ne } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { formatDate, plainDate } from '@portal/domain/plain-date.ts';
import { findTransferProblem, type TransferProblem } from '@portal/domain/pricing/refund-transfer.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import type { ApprovalAction, ApprovedRequest } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueTransferEmail } from '../billing/billing-emails.ts';
import { getBillingProvider } from '../billing/billing-records.ts';
import { describeChargeBack, listChargeBacks } from '../billing/charged-back.ts';
import { updatePayment } from '../billing/issue-invoices.ts';
import { findRefundableInvoice, type RefundRow } from '../billing/refund-facts.ts';
import { setCreditNoteStatus } from '../billing/send-refund.ts';
import { assertNoConflictOfInterest } from '../operators/conflict-of-interest.ts';

const transferDetails = z.object({
  refund_id: z.string(),
  invoice_number: z.string(),
  amount_pence: z.int().positive(),
  transferred_on: z.string(),
  reference: z.string(),
});
type TransferDetails = z.infer<typeof transferDetails>;

export const RECORD_TRANSFER: ApprovalAction<TransferDetails> = {
  action: 'refund.transfer',
  access: 'operator.finance',
  details: transferDetails,
  describe: ({ amount_pence, invoice_number, transferred_on, reference }) =>
    `Records that the refund of ${formatPounds(pence(amount_pence))} of VAT invoice ${invoice_number} was paid from our bank account on ${formatDate(plainDate(transferred_on))} with reference “${reference}”. Compare both with our bank statement. No payment is made, and the refund will never be sent to a card again.`,
  prepare: (deps, { companyId, details }) => assertOwedAtStripe(deps, companyId, details),
  apply: applyTransfer,
};

const isThisRefund = (companyId: string, id: string) => and(eq(invoiceRefunds.companyId, companyId), eq(invoiceRefunds.id, id));

export async function requestTransfer(deps: AppDeps, { input, actor, caller }: Call<typeof operatorBillingApi.requestTransfer>) {
  const { company_id: companyId, refund_id: subject, evidence: reason, reference, transferred_on, amount_pence } = input;
  await assertNoConflictOfInterest(deps, deps.database.db, actor.userId, companyId);
  await assertOwedAtStripe(deps, companyId, { refund_id: subject, transferred_on });
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const { invoiceNumber } = await lockOwedRefund(tx, deps, companyId, {
      refund_id: subject,
      amount_pence,
      transferred_on,
      reference,
    });
    const details = { refund_id: subject, invoice_number: invoiceNumber, amount_pence, transferred_on, reference };
    const by = { requestedBy: actor.userId, at: deps.clock.now(), ip: caller.ip };
    return requestApproval(deps, tx, RECORD_TRANSFER, { companyId, subject, details, reason, ...by });
  });
}

type TransferOfRefund = Pick<TransferDetails, 'refund_id' | 'transferred_on'>;

/** Someone may have since paid the refund at Stripe, or had the payment charged back, without it being recorded here yet. */
async function assertOwedAtStripe(
  deps: AppDeps,
  companyId: string,
  { refund_id: refundId, transferred_on }: TransferOfRefund,
): Promise<void> {
  const { db } = deps.database;
  const [refund] = await db.select().from(invoiceRefunds).where(isThisRefund(companyId, refundId));
  const foundRefundable = refund && (await findRefundableInvoice(db, companyId, refund.invoiceId));
  if (!foundRefundable) throw createNotFoundError();
  const atStripe = foundRefundable.chargeId === null ? [] : await getBillingProvider(deps).provider.listRefunds(foundRefundable.chargeId);
  const otherRefundIds = new Set(
    foundRefundable.refunds.filter(({ id }) => id !== refundId).flatMap(({ providerRefundIds }) => providerRefundIds),
  );
  const paidTransfer = atStripe.find(({ refundId: id, status }) => status !== 'failed' && !otherRefundIds.has(id));
  if (paidTransfer)
    throw new AppError(
      'conflict',
      'refund.paid_at_stripe',
      `Stripe has refunded ${formatPounds(paidTransfer.amountPence)} of this invoice (${paidTransfer.refundId}). Reload the list, and compare the invoice with Stripe before you record a bank transfer.`,
    );
  const read = await getBillingProvider(deps).provider.getInvoice(foundRefundable.invoice.providerId);
  if (read.status === 'paid') await updatePayment(deps, companyId, refund.invoiceId, read);
  await assertNotChargedBack(db, refund, transferred_on, read.dispute?.takenAt);
}

/** Throws if the payer's bank has taken the payment back, unless the transfer had left our bank account on an earlier day. */
async function assertNotChargedBack(db: Db | Tx, refund: RefundRow, transferredOn: string, takenAt?: Instant): Promise<void> {
  const chargeBack = (await listChargeBacks(db, [refund])).get(refund.id);
  if (!chargeBack) return;
  const takenOn = toLondonDate(takenAt ?? chargeBack.knownSince);
  if (plainDate(transferredOn) < takenOn) return;
  const message = `${describeChargeBack(chargeBack)} Only a transfer that left our bank account before ${formatDate(takenOn)} can be recorded.`;
  throw new AppError('conflict', 'refund.charged_back', message);
}

type Statement = Omit<TransferDetails, 'invoice_number'>;

/** Throws unless the refund failed, is still owed and matches the details from the bank statement. */
async function lockOwedRefund(tx: Tx, { clock }: AppDeps, companyId: string, statement: Statement) {
  const [refund] = await tx.select().from(invoiceRefunds).where(isThisRefund(companyId, statement.refund_id)).for('update');
  const foundRefundable = refund && (await findRefundableInvoice(tx, companyId, refund.invoiceId));
  if (!foundRefundable) throw createNotFoundError();
  if (refund.status !== 'failed')
    throw new AppError(
      'conflict',
      'refund.not_failed',
      'This refund is no longer owed, because it was sent again or recorded as paid. Reload the list. If it was paid twice, ask the practice to return one of the payments.',
    );
  const transfer = { amountPence: pence(statement.amount_pence), transferredOn: plainDate(statement.transferred_on) };
  const orderedOn = toLondonDate(refund.orderedAt);
  const problem = findTransferProblem(transfer, { totalPence: refund.totalPence, orderedOn }, clock.today());
  if (problem) {
    const [field, message] = PROBLEMS[problem](refund);
    throw new AppError('invalid', `refund.${problem}`, message, { field });
  }
  await assertNotChargedBack(tx, refund, statement.transferred_on);
  await assertNewPayment(tx, companyId, statement);
  return { refund, invoiceNumber: foundRefundable.invoice.number };
}

const PROBLEMS: Readonly<Record<TransferProblem, (refund: RefundRow) => readonly [field: string, message: string]>> = {
  other_amount: ({ totalPence }) => [
    'amount_pence',
    `The refund is ${formatPounds(totalPence)}, so the transfer must be for the same amount.`,
  ],
  in_future: () => ['transferred_on', 'Enter the date the payment left our account. It can’t be in the future.'],
  before_refund: ({ orderedAt }) => [
    'transferred_on',
    `The refund was decided on ${formatDate(toLondonDate(orderedAt))}. Enter that date or a later one.`,
  ],
};

/** A line of a bank statement can pay only one refund. */
async function assertNewPayment(tx: Db | Tx, companyId: string, { refund_id, transferred_on, reference }: Statement): Promise<void> {
  const isRecorded = and(
    eq(invoiceRefunds.companyId, companyId),
    ne(invoiceRefunds.id, refund_id),
    eq(invoiceRefunds.transferredOn, plainDate(transferred_on)),
    eq(invoiceRefunds.transferReference, reference),
  );
  const [otherRow] = await tx.select({ id: invoiceRefunds.id }).from(invoiceRefunds).where(isRecorded);
  if (otherRow)
    throw new AppError(
      'conflict',
      'refund.transfer_used',
      'Another refund for this practice is recorded as paid with this reference on this date. Check the reference.',
      { field: 'reference' },
    );
}

async function applyTransfer(tx: Tx, deps: AppDeps, request: ApprovedRequest<TransferDetails>): Promise<void> {
  const { companyId, details, reason, requestedBy, by, at, ip } = request;
  const { refund } = await lockOwedRefund(tx, deps, companyId, details);
  const transfer = { transferredOn: plainDate(details.transferred_on), transferReference: details.reference };
  await tx
    .update(invoiceRefunds)
    .set({ status: 'transferred', ...transfer, updatedAt: at })
    .where(isThisRefund(companyId, refund.id));
  await setCreditNoteStatus(tx, { companyId, creditNoteId: refund.creditNoteId, status: 'transferred', at });
  const change = {
    before: { status: refund.status, failure: refund.failure },
    after: { ...details, status: 'transferred', evidence: reason, requested_by: requestedBy },
  };
  await recordAudit(tx, { companyId, at, actor: by, action: 'refund.transferred', subject: refund.id, ...change, ip });
  await enqueueTransferEmail(deps, tx, refund, transfer);
}

/** Rejects resending the refund while a transfer is pending, because the money may already have left our bank account. */
export async function assertNoOpenTransfer(tx: Tx, companyId: string, refundId: string): Promise<void> {
  const isOpen = and(
    eq(approvalRequests.companyId, companyId),
    eq(approvalRequests.action, RECORD_TRANSFER.action),
    eq(approvalRequests.subject, refundId),
    isNull(approvalRequests.decidedAt),
  );
  const [openRequest] = await tx.select({ id: approvalRequests.id }).from(approvalRequests).where(isOpen);
  if (openRequest)
    throw new AppError(
      'conflict',
      'refund.transfer_open',
      'A request says this refund was paid from our bank account. Approve or reject it first: sending the refund as well would pay it twice.',
    );
}
