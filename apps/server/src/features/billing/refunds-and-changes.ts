/** Fewer connections and a refund both return a month's money, so only one of them is allowed per month, and only once we have the money. */
import type { Tx } from '@portal/db/database.ts';
import { invoicePayments, invoiceRefunds, subscriptionChanges, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, eq, gt, gte, inArray, isNotNull, notExists, notInArray, sql } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { UNCREDITED_REFUNDS, type InvoiceStatus } from '@portal/domain/pricing/subscription.ts';
import type { SubscriptionRow, VatInvoice } from './billing-records.ts';

/** Rejects a reduction in connections whose price has already been refunded, because it would be credited twice. */
export async function assertNotPaidBack(tx: Tx, { companyId, id, periodStart, periodEnd }: SubscriptionRow): Promise<void> {
  if (periodStart === null) return;
  const [refund] = await tx
    .select({ id: invoiceRefunds.id })
    .from(invoiceRefunds)
    .innerJoin(vatInvoices, and(eq(vatInvoices.companyId, invoiceRefunds.companyId), eq(vatInvoices.id, invoiceRefunds.invoiceId)))
    .where(
      and(
        eq(invoiceRefunds.companyId, companyId),
        notInArray(invoiceRefunds.status, [...UNCREDITED_REFUNDS]),
        eq(vatInvoices.subscriptionId, id),
        gte(vatInvoices.periodStart, toLondonDate(periodStart)),
      ),
    )
    .limit(1);
  if (!refund) return;
  throw new AppError(
    'conflict',
    'billing.paid_back',
    `We’ve refunded or credited part of this month, so we can’t also credit you for removing connections. Remove them after ${describeRenewal(periodEnd)}.`,
  );
}

const describeRenewal = (periodEnd: SubscriptionRow['periodEnd']): string =>
  periodEnd === null ? 'the renewal' : `the renewal on ${formatDate(toLondonDate(periodEnd))}`;

/** Includes payments that the payer's bank took back. */
const UNPAID_STATUSES = ['open', 'failed', 'disputed', 'written_off'] as const satisfies readonly InvoiceStatus[];

/**
 * Rejects a reduction in connections while a payment for this month is missing. Its credit pays for later months, and a Direct Debit may
 * still fail.
 */
export async function assertMonthPaid(tx: Tx, { companyId, id, periodStart, periodEnd }: SubscriptionRow): Promise<void> {
  if (periodStart === null) return;
  const [unpaid] = await tx
    .select({ number: vatInvoices.number })
    .from(vatInvoices)
    .innerJoin(invoicePayments, and(eq(invoicePayments.companyId, vatInvoices.companyId), eq(invoicePayments.invoiceId, vatInvoices.id)))
    .where(
      and(
        eq(vatInvoices.companyId, companyId),
        eq(vatInvoices.subscriptionId, id),
        gte(vatInvoices.periodStart, toLondonDate(periodStart)),
        inArray(invoicePayments.status, [...UNPAID_STATUSES]),
      ),
    )
    .limit(1);
  if (!unpaid) return;
  throw new AppError(
    'conflict',
    'billing.not_paid_yet',
    `The payment of ${unpaid.number} hasn’t reached us, so we can’t credit you for removing connections. Remove them once it’s paid, or after ${describeRenewal(periodEnd)}.`,
  );
}

/** A change's document is issued within minutes. A change that doesn't affect the price has none. */
const DOCUMENT_TIMEOUT_MS = 3_600_000;

/** Rejects a refund while a change to the subscription is pending, because the change's credit isn't known yet. */
export async function assertNoOpenChange(tx: Tx, { companyId, subscriptionId }: VatInvoice, at: Instant): Promise<void> {
  const ofRefunds = tx
    .select({ id: invoiceRefunds.creditNoteId })
    .from(invoiceRefunds)
    .where(and(eq(invoiceRefunds.companyId, companyId), isNotNull(invoiceRefunds.creditNoteId)));
  const document = tx
    .select({ one: sql`1` })
    .from(vatInvoices)
    .where(
      and(
        eq(vatInvoices.companyId, companyId),
        eq(vatInvoices.subscriptionId, subscriptionId),
        gte(vatInvoices.issuedAt, subscriptionChanges.orderedAt),
        notInArray(vatInvoices.id, ofRefunds),
      ),
    );
  const [open] = await tx
    .select({ id: subscriptionChanges.id })
    .from(subscriptionChanges)
    .where(
      and(
        eq(subscriptionChanges.companyId, companyId),
        eq(subscriptionChanges.subscriptionId, subscriptionId),
        eq(subscriptionChanges.kind, 'connections'),
        inArray(subscriptionChanges.status, ['sending', 'done']),
        gt(subscriptionChanges.orderedAt, addMilliseconds(at, -DOCUMENT_TIMEOUT_MS)),
        notExists(document),
      ),
    )
    .limit(1);
  if (open)
    throw new AppError(
      'conflict',
      'refund.change_open',
      'The practice has just changed its connections. Try again once that invoice is issued.',
    );
}
