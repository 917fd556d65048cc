/** Two operators write off an unpaid invoice as a bad debt. The write-off is stored with the approval, and a job sends it to Stripe. */
import type { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { invoicePayments, invoiceWriteOffs, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import { formatDate, plainDate } from '@portal/domain/plain-date.ts';
import { calculateBadDebt } from '@portal/domain/pricing/bad-debt.ts';
import type { InvoiceStatus } from '@portal/domain/pricing/subscription.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import type { ApprovalAction, ApprovedRequest } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getBillingProvider } from '../billing/billing-records.ts';
import { updatePayment } from '../billing/issue-invoices.ts';
import { enqueueWriteOff, findBadDebtProblem } from '../billing/send-write-off.ts';
import { listWriteOffs } from '../billing/write-off-rows.ts';
import { assertNoConflictOfInterest } from '../operators/conflict-of-interest.ts';

const writeOffDetails = z.object({
  invoice_id: z.string(),
  number: z.string(),
  amount_pence: z.int().positive(),
  vat_pence: z.int().min(0),
  relief_from: z.string(),
  relief_until: z.string(),
  /** Whether the payer's bank took the payment back. */
  is_dispute: z.boolean().default(false),
});
type WriteOffDetails = z.infer<typeof writeOffDetails>;

export const WRITE_OFF_INVOICE: ApprovalAction<WriteOffDetails> = {
  action: 'invoice.write_off',
  access: 'operator.finance',
  details: writeOffDetails,
  describe: ({ number, amount_pence, vat_pence, relief_from, relief_until, is_dispute }) => {
    const effect = is_dispute
      ? 'We lost the dispute, so the payer’s bank keeps the payment that it took back. Nothing changes at Stripe.'
      : 'Stripe stops trying to collect it. If the practice is still subscribed, its subscription continues as if the invoice were paid.';
    return `Writes off ${formatPounds(pence(amount_pence))} of VAT invoice ${number} as a bad debt, including ${formatPounds(pence(vat_pence))} VAT. The invoice remains, without a credit note, and the VAT can be reclaimed in box 4 from ${formatDate(plainDate(relief_from))} to ${formatDate(plainDate(relief_until))}. ${effect}`;
  },
  prepare: async (deps, { companyId, details }) => {
    await assertUnpaidAtStripe(deps, companyId, details.invoice_id, details.amount_pence);
  },
  apply: applyWriteOff,
};

export async function requestWriteOff(deps: AppDeps, { input, actor, caller }: Call<typeof operatorBillingApi.requestWriteOff>) {
  const { company_id: companyId, invoice_id: subject, reason } = input;
  await assertNoConflictOfInterest(deps, deps.database.db, actor.userId, companyId);
  const unpaid = await assertUnpaidAtStripe(deps, companyId, subject);
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const details = toDetails(await getUnpaidInvoice(tx, companyId, subject), unpaid);
    const by = { requestedBy: actor.userId, at: deps.clock.now(), ip: caller.ip };
    return requestApproval(deps, tx, WRITE_OFF_INVOICE, { companyId, subject, details, reason, ...by });
  });
}

/** Returns the error that explains why an invoice with this status can't be written off; undefined if it can. */
export function findWriteOffProblem(status: InvoiceStatus): AppError | undefined {
  if (status === 'open' || status === 'failed' || status === 'disputed') return undefined;
  const message = status === 'written_off' ? 'This invoice has already been written off.' : 'Only an unpaid invoice can be written off.';
  return new AppError('conflict', 'write_off.not_unpaid', message);
}

type UnpaidInvoice = { readonly invoice: typeof vatInvoices.$inferSelect; readonly payment: typeof invoicePayments.$inferSelect };

async function getUnpaidInvoice(db: Db | Tx, companyId: string, invoiceId: string): Promise<UnpaidInvoice> {
  const [foundInvoice] = await db
    .select({ invoice: vatInvoices, payment: invoicePayments })
    .from(vatInvoices)
    .innerJoin(invoicePayments, and(eq(invoicePayments.companyId, vatInvoices.companyId), eq(invoicePayments.invoiceId, vatInvoices.id)))
    .where(and(eq(vatInvoices.companyId, companyId), eq(vatInvoices.id, invoiceId)));
  if (foundInvoice?.invoice.kind !== 'invoice') throw createNotFoundError();
  const problem = findWriteOffProblem(foundInvoice.payment.status);
  if (problem) throw problem;
  const existing = (await listWriteOffs(db, [invoiceId])).get(invoiceId);
  if (existing && existing.status !== 'refused')
    throw new AppError('conflict', 'write_off.already', 'This invoice was already written off. Reload the list.');
  return foundInvoice;
}

type UnpaidAtStripe = { readonly unpaidPence: Pence; readonly isDispute: boolean };

/** Also stores a payment or a dispute's outcome that we haven't read yet, as can happen once the subscription has ended. */
async function assertUnpaidAtStripe(deps: AppDeps, companyId: string, invoiceId: string, requestedPence?: number): Promise<UnpaidAtStripe> {
  const { invoice, payment } = await getUnpaidInvoice(deps.database.db, companyId, invoiceId);
  const read = await getBillingProvider(deps).provider.getInvoice(invoice.providerId);
  if (read.status === 'paid') await updatePayment(deps, companyId, invoiceId, read);
  const unpaidPence = read.dispute?.amountPence ?? payment.amountDuePence;
  const problem = findBadDebtProblem(read, requestedPence ?? unpaidPence);
  if (problem !== undefined) throw new AppError('conflict', 'write_off.not_bad_debt', `${invoice.number} can’t be written off. ${problem}`);
  return { unpaidPence, isDispute: read.dispute !== undefined };
}

/** Stripe collects from the date of issue. */
function toDetails({ invoice }: UnpaidInvoice, { unpaidPence, isDispute }: UnpaidAtStripe): WriteOffDetails {
  const { id, number, totalPence, vatPence, issuedOn, taxPoint } = invoice;
  const debt = calculateBadDebt({ totalPence, vatPence, unpaidPence, dueOn: issuedOn, suppliedOn: taxPoint ?? issuedOn });
  const { amountPence, reliefFrom, reliefUntil } = debt;
  return {
    invoice_id: id,
    number,
    amount_pence: amountPence,
    vat_pence: debt.vatPence,
    relief_from: reliefFrom,
    relief_until: reliefUntil,
    is_dispute: isDispute,
  };
}

/** The company is locked, and a unique index allows only one write-off per invoice. */
async function applyWriteOff(tx: Tx, deps: AppDeps, request: ApprovedRequest<WriteOffDetails>): Promise<void> {
  const { companyId, id, details, reason, requestedBy, by, at, ip } = request;
  const { payment } = await getUnpaidInvoice(tx, companyId, details.invoice_id);
  // `prepare` compared the amount of a dispute with Stripe's.
  const isChanged = details.is_dispute
    ? payment.status !== 'disputed'
    : payment.status === 'disputed' || payment.amountDuePence !== details.amount_pence;
  if (isChanged)
    throw new AppError(
      'conflict',
      'write_off.changed',
      'The unpaid amount of this invoice has changed. Reject this request and make a new one.',
    );
  await tx.insert(invoiceWriteOffs).values({
    companyId,
    id,
    invoiceId: details.invoice_id,
    status: 'sending',
    amountPence: pence(details.amount_pence),
    vatPence: pence(details.vat_pence),
    reliefFrom: plainDate(details.relief_from),
    reliefUntil: plainDate(details.relief_until),
    reason,
    orderedAt: at,
    updatedAt: at,
  });
  const after = { ...details, reason, requested_by: requestedBy };
  await recordAudit(tx, { companyId, at, actor: by, action: 'write_off.ordered', subject: id, after, ip });
  await enqueueWriteOff(deps, tx, companyId, id);
}
