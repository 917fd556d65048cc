/** The facts about an invoice that may be refunded. */
import type { Db, Tx } from '@portal/db/database.ts';
import { invoicePayments, invoiceRefunds, vatInvoiceLines, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, asc, eq, sql } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { pence, sumPence, ZERO, type Pence } from '@portal/domain/money.ts';
import { getCreditedAmounts, type RefundFacts } from '@portal/domain/pricing/refund.ts';
import { UNCREDITED_REFUNDS, type InvoiceStatus } from '@portal/domain/pricing/subscription.ts';
import type { VatInvoice } from './billing-records.ts';

export type RefundRow = typeof invoiceRefunds.$inferSelect;

export type RefundableInvoice = {
  readonly invoice: VatInvoice;
  readonly status: InvoiceStatus;
  readonly chargeId: string | null;
  readonly paidAt: Instant;
  /** The amount collected or to be collected, including VAT. */
  readonly amountDuePence: Pence;
  /** Newest first, including those that the provider rejected, and `excess`. */
  readonly refunds: readonly RefundRow[];
  readonly facts: RefundFacts;
};

/** Paid, or still to be paid: an unpaid invoice can be reduced. */
const COLLECTED_STATUSES: readonly InvoiceStatus[] = ['paid', 'open', 'failed'];

/** Returns true if the refund reduces its invoice. */
const isCredited = ({ status }: RefundRow): boolean => !UNCREDITED_REFUNDS.some((uncredited) => uncredited === status);

/** For `invoice_refunds r`: true if the refund needs an operator. A note ends a charge-back's entry until the dispute has an outcome. */
export const NEEDS_PERSON = sql.raw(`((r.status = 'failed' and not exists (select 1 from invoice_payments p
    join reconciliation_notes n on n.company_id = p.company_id and n.subject_id = r.id and n.at >= p.updated_at
    where p.company_id = r.company_id and p.invoice_id = r.invoice_id and p.status in ('disputed', 'written_off')))
  or (r.status in ('refused', 'excess')
  and not (r.status = 'refused' and exists (select 1 from invoice_refunds later where later.company_id = r.company_id
    and later.invoice_id = r.invoice_id and later.ordered_at > r.ordered_at and later.status <> 'excess'))
  and not exists (select 1 from reconciliation_notes n where n.company_id = r.company_id and n.subject_id = r.id)))`);

/** Returns undefined for a credit note or an unknown invoice. */
export async function findRefundableInvoice(db: Db | Tx, companyId: string, invoiceId: string): Promise<RefundableInvoice | undefined> {
  const [foundInvoice] = await db
    .select({ invoice: vatInvoices, payment: invoicePayments })
    .from(vatInvoices)
    .innerJoin(invoicePayments, and(eq(invoicePayments.companyId, vatInvoices.companyId), eq(invoicePayments.invoiceId, vatInvoices.id)))
    .where(and(eq(vatInvoices.companyId, companyId), eq(vatInvoices.id, invoiceId)));
  if (foundInvoice?.invoice.kind !== 'invoice') return undefined;
  const { invoice, payment } = foundInvoice;
  const lines = await db
    .select()
    .from(vatInvoiceLines)
    .where(and(eq(vatInvoiceLines.companyId, companyId), eq(vatInvoiceLines.invoiceId, invoiceId)))
    .orderBy(asc(vatInvoiceLines.position));
  const isOfCompany = eq(invoiceRefunds.companyId, companyId);
  const allRefunds = await db.select().from(invoiceRefunds).where(isOfCompany).orderBy(asc(invoiceRefunds.orderedAt));
  const refunds = allRefunds.filter((refund) => refund.invoiceId === invoiceId);
  const isOfSubscription = and(eq(vatInvoices.companyId, companyId), eq(vatInvoices.subscriptionId, invoice.subscriptionId));
  const documents = await db.select().from(vatInvoices).where(isOfSubscription).orderBy(asc(vatInvoices.sequence));
  const paidBack = new Set(allRefunds.map(({ creditNoteId }) => creditNoteId));
  // A reduction that Stripe has accepted is no longer part of the amount due.
  const reductions = refunds.filter(({ kind, status }) => kind === 'reduction' && status === 'succeeded');
  const reducedPence = sumPence(reductions.map(({ totalPence }) => totalPence));
  const facts = {
    invoice: { netPence: invoice.netPence, vatPence: invoice.vatPence, lines },
    creditedAmounts: getCreditedAmounts(
      documents.filter(({ id }) => !paidBack.has(id)),
      invoiceId,
      allRefunds.filter(isCredited),
    ),
    refunds: refunds.filter(isCredited),
    paidPence: COLLECTED_STATUSES.includes(payment.status) ? pence(payment.amountDuePence + reducedPence) : ZERO,
  };
  const { status, chargeId, updatedAt: paidAt, amountDuePence } = payment;
  return { invoice, status, chargeId, paidAt, amountDuePence, refunds: refunds.toReversed(), facts };
}

/** Returns how a refund was paid from our bank account; null if it wasn't. */
export const toTransfer = ({ transferredOn, transferReference }: Pick<RefundRow, 'transferredOn' | 'transferReference'>) =>
  transferredOn === null || transferReference === null ? null : { transferred_on: transferredOn, reference: transferReference };
