/** Fewer connections and a refund both return a month's money, so only one of them is allowed per month. */
import type { Tx } from '@portal/db/database.ts';
import { invoiceRefunds, subscriptionChanges, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, eq, gt, gte, inArray, isNotNull, notExists, notInArray, sql } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { UNCREDITED_REFUNDS } from '@portal/domain/pricing/subscription.ts';
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
  const renewalLabel = periodEnd === null ? 'the renewal' : `the renewal on ${formatDate(toLondonDate(periodEnd))}`;
  throw new AppError(
    'conflict',
    'billing.paid_back',
    `We’ve refunded or credited part of this month, so we can’t also credit you for removing connections. Remove them after ${renewalLabel}.`,
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
