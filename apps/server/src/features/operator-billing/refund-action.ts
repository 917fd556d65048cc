/** Two operators refund all or part of an invoice. The refund is stored with the approval and sent by a job. */
import type { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import type { Tx } from '@portal/db/database.ts';
import { companies, invoiceRefunds } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import { REFUND_KINDS } from '@portal/domain/pricing/subscription.ts';
import {
  calculateRefund,
  getRefundableAmounts,
  type Refund,
  type RefundChoice,
  type RefundProblem,
} from '@portal/domain/pricing/refund.ts';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import type { ApprovalAction, ApprovedRequest } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getBillingProvider, lockAccount } from '../billing/billing-records.ts';
import { describeChargeBack, listChargeBacks } from '../billing/charged-back.ts';
import { assertNoOpenChange } from '../billing/refunds-and-changes.ts';
import { isRefundSealed, sealRefund } from '../billing/refund-seal.ts';
import { findRefundableInvoice, type RefundableInvoice } from '../billing/refund-facts.ts';
import { updatePayment } from '../billing/issue-invoices.ts';
import { findReductionProblem } from '../billing/reduction-problem.ts';
import { enqueueRefund, setCreditNoteStatus } from '../billing/send-refund.ts';
import { assertNoConflictOfInterest } from '../operators/conflict-of-interest.ts';
import { assertNoOpenTransfer } from './transfer-action.ts';

const amount = z.int().min(0);
const line = z.object({ position: z.int(), description: z.string(), amount_pence: amount });
const refundDetails = z.object({
  kind: z.enum(REFUND_KINDS).default('refund'),
  invoice_id: z.string(),
  number: z.string(),
  /** The requester's choice, calculated again when the request is approved. */
  chosen: z.object({
    total_pence: amount.nullable(),
    lines: z.array(z.object({ position: z.int(), amount_pence: amount })).nullable(),
  }),
  net_pence: amount,
  vat_pence: amount,
  total_pence: amount,
  left_after_pence: amount,
  lines: z.array(line),
});
type RefundDetails = z.infer<typeof refundDetails>;

export const REFUND_INVOICE: ApprovalAction<RefundDetails> = {
  action: 'invoice.refund',
  access: 'operator.finance',
  details: refundDetails,
  describe: ({ kind, number, lines, ...amounts }) => {
    const formatNumberAsPounds = (value: number) => formatPounds(pence(value));
    const parts = lines.map(({ description, amount_pence }) => `${formatNumberAsPounds(amount_pence)} of “${description}”`);
    if (kind === 'reduction')
      return `Credits ${formatNumberAsPounds(amounts.total_pence)} of the unpaid VAT invoice ${number} (${formatNumberAsPounds(amounts.net_pence)} and ${formatNumberAsPounds(amounts.vat_pence)} VAT: ${parts.join(', ')}), and issues a credit note. No money moves. ${formatNumberAsPounds(amounts.left_after_pence)} will remain to be paid.`;
    return `Refunds ${formatNumberAsPounds(amounts.total_pence)} of VAT invoice ${number} (${formatNumberAsPounds(amounts.net_pence)} and ${formatNumberAsPounds(amounts.vat_pence)} VAT: ${parts.join(', ')}) to the payment method that paid it, and issues a credit note. ${formatNumberAsPounds(amounts.left_after_pence)} will remain.`;
  },
  prepare: async (deps, { companyId, details }) => {
    if (details.kind === 'reduction') await assertReducibleAtStripe(deps, companyId, details.invoice_id);
  },
  apply: applyRefund,
};

/** An invoice that is unpaid here must also be unpaid at Stripe, by the same amount. */
async function assertReducibleAtStripe(deps: AppDeps, companyId: string, invoiceId: string): Promise<void> {
  const refundableInvoice = await findRefundableInvoice(deps.database.db, companyId, invoiceId);
  if (!refundableInvoice || !isUnpaid(refundableInvoice)) return;
  const read = await getBillingProvider(deps).provider.getInvoice(refundableInvoice.invoice.providerId);
  if (read.status === 'paid') await updatePayment(deps, companyId, invoiceId, read);
  const problem = findReductionProblem(read, refundableInvoice.amountDuePence);
  if (problem === undefined) return;
  throw new AppError(
    'conflict',
    'refund.not_unpaid',
    `${refundableInvoice.invoice.number} can’t be credited while it’s unpaid. ${problem}`,
  );
}

const isUnpaid = ({ status }: RefundableInvoice): boolean => status === 'open' || status === 'failed';

export async function requestRefund(deps: AppDeps, { input, actor, caller }: Call<typeof operatorBillingApi.requestRefund>) {
  getBillingProvider(deps);
  const { company_id: companyId, invoice_id: subject, reason } = input;
  await assertReducibleAtStripe(deps, companyId, subject);
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    await assertNoConflictOfInterest(deps, tx, actor.userId, companyId);
    const refundableInvoice = await getRefundableInvoice(tx, companyId, subject);
    const details = toDetails(refundableInvoice, { total_pence: input.total_pence, lines: input.lines });
    const by = { requestedBy: actor.userId, at: deps.clock.now(), ip: caller.ip };
    return requestApproval(deps, tx, REFUND_INVOICE, { companyId, subject, details, reason, ...by });
  });
}

async function getRefundableInvoice(tx: Tx, companyId: string, invoiceId: string): Promise<RefundableInvoice> {
  const foundRefundable = await findRefundableInvoice(tx, companyId, invoiceId);
  if (!foundRefundable) throw createNotFoundError();
  const problem = findProblem(foundRefundable);
  if (problem) throw problem;
  return foundRefundable;
}

/** Returns why the invoice can't be refunded, or reduced if it's unpaid, in its current state. */
export function findProblem(refundableInvoice: RefundableInvoice): AppError | undefined {
  const { status, invoice } = refundableInvoice;
  if (status === 'paid' || isUnpaid(refundableInvoice)) return undefined;
  if (status === 'disputed')
    return new AppError(
      'conflict',
      'refund.disputed',
      `The payer’s bank charged back the payment of ${invoice.number}, so it can’t be refunded as well. Respond to the dispute at Stripe.`,
    );
  return new AppError(
    'conflict',
    'refund.unpaid',
    `${invoice.number} isn’t paid and can’t be collected any more, so there’s nothing to refund.`,
  );
}

function toDetails(refundableInvoice: RefundableInvoice, { total_pence, lines: chosenLines }: RefundDetails['chosen']): RefundDetails {
  const { facts, invoice } = refundableInvoice;
  const refund = calculate(refundableInvoice, toChoice(total_pence, chosenLines));
  return {
    kind: isUnpaid(refundableInvoice) ? 'reduction' : 'refund',
    invoice_id: invoice.id,
    number: invoice.number,
    chosen: { total_pence, lines: chosenLines },
    net_pence: refund.netPence,
    vat_pence: refund.vatPence,
    total_pence: refund.totalPence,
    left_after_pence: getRefundableAmounts({ ...facts, refunds: [...facts.refunds, refund] }).totalPence,
    lines: refund.lines.map(({ position, amountPence }) => ({
      position,
      description: facts.invoice.lines[position]?.description ?? '',
      amount_pence: amountPence,
    })),
  };
}

function toChoice(total: number | null, lines: readonly { position: number; amount_pence: number }[] | null): RefundChoice {
  if (total !== null && lines !== null)
    throw new AppError('invalid', 'refund.two_amounts', 'Enter either one amount or amounts per line.', { field: 'total_pence' });
  if (lines !== null)
    return { kind: 'lines', lines: lines.map(({ position, amount_pence }) => ({ position, amountPence: pence(amount_pence) })) };
  return total === null ? { kind: 'all' } : { kind: 'amount', totalPence: pence(total) };
}

function calculate({ facts }: RefundableInvoice, choice: RefundChoice): Refund {
  const refund = calculateRefund(facts, choice);
  if (typeof refund !== 'string') return refund;
  const field = choice.kind === 'lines' ? 'lines' : 'total_pence';
  throw new AppError('conflict', `refund.${refund}`, PROBLEMS[refund](getRefundableAmounts(facts).totalPence), { field });
}

const PROBLEMS: Readonly<Record<RefundProblem, (remaining: Pence) => string>> = {
  nothing_left: () => 'There’s nothing left to refund on this invoice.',
  nothing_chosen: () => 'Enter an amount above £0.',
  more_than_left: (remaining) => `Only ${formatPounds(remaining)} including VAT is left on this invoice. Enter at most that amount.`,
  more_than_line: () => 'An amount is more than what is left on its line. Enter at most the amount shown for the line.',
};

/** The company is locked, so two refunds of an invoice can't be decided concurrently; the database checks their sum as well. */
async function applyRefund(tx: Tx, deps: AppDeps, request: ApprovedRequest<RefundDetails>): Promise<void> {
  const { companyId, id, details, reason, requestedBy, by, at, ip } = request;
  await lockAccount(tx, companyId, at);
  const refundableInvoice = await getRefundableInvoice(tx, companyId, details.invoice_id);
  await assertNoOpenChange(tx, refundableInvoice.invoice, at);
  const now = toDetails(refundableInvoice, details.chosen);
  if (!isDeepStrictEqual(now, details)) {
    const message = 'The amount left on this invoice has changed since the request. Reject it and make a new request.';
    throw new AppError('conflict', 'refund.changed', message);
  }
  const amounts = { netPence: pence(details.net_pence), vatPence: pence(details.vat_pence), totalPence: pence(details.total_pence) };
  const lines = details.lines.map(({ position, amount_pence }) => ({ position, amountPence: pence(amount_pence) }));
  const order = { companyId, id, kind: details.kind, invoiceId: details.invoice_id, ...amounts, lines, reason, attempt: 1, orderedAt: at };
  await tx.insert(invoiceRefunds).values({ ...order, orderSeal: sealRefund(deps, order), status: 'sending', updatedAt: at });
  const after = { ...details, reason, requested_by: requestedBy };
  await recordAudit(tx, { companyId, at, actor: by, action: 'refund.ordered', subject: id, after, ip });
  await enqueueRefund(deps, tx, companyId, id);
}

/** Two operators approved the refund, so one is enough to resend it. */
export async function retryRefund(deps: AppDeps, { input, actor, caller }: Call<typeof operatorBillingApi.retryRefund>) {
  const { company_id: companyId, refund_id: id, reason } = input;
  const isThisRefund = and(eq(invoiceRefunds.companyId, companyId), eq(invoiceRefunds.id, id));
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    await assertNoConflictOfInterest(deps, tx, actor.userId, companyId);
    const [company] = await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId));
    const [refund] = await tx.select().from(invoiceRefunds).where(isThisRefund).for('update');
    if (!company || !refund) throw createNotFoundError();
    if (refund.status !== 'failed')
      throw new AppError('conflict', 'refund.not_failed', 'This refund hasn’t failed, so it can’t be resent. Reload the list.');
    const chargeBack = (await listChargeBacks(tx, [refund])).get(id);
    if (chargeBack) throw new AppError('conflict', 'refund.charged_back', describeChargeBack(chargeBack));
    await assertNoOpenTransfer(tx, companyId, id);
    if (!isRefundSealed(deps, refund)) {
      deps.recordSecurityEvent('payout_refused', { reason: 'refund.not_ordered' });
      throw new AppError('conflict', 'refund.not_ordered', 'This refund has been changed outside the portal. Contact the person on call.');
    }
    const attempt = refund.attempt + 1;
    const orderSeal = sealRefund(deps, { ...refund, attempt });
    await tx.update(invoiceRefunds).set({ status: 'sending', attempt, orderSeal, failure: null, updatedAt: at }).where(isThisRefund);
    await setCreditNoteStatus(tx, { companyId, creditNoteId: refund.creditNoteId, status: 'refunding', at });
    const change = { before: { status: refund.status, failure: refund.failure }, after: { attempt, reason } };
    await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'refund.retried', subject: id, ...change, ip: caller.ip });
    await enqueueRefund(deps, tx, companyId, id);
  });
  return { done: true as const };
}
