/**
 * A practice pays what it owes from an earlier subscription before it starts another. Otherwise it could let every second month's payment
 * fail, or have its bank take the payment back, cancel and subscribe again.
 */
import { invoicePayments, subscriptions, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, asc, eq, inArray } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatPounds } from '@portal/domain/money.ts';
import type { AppDeps } from '../../app-deps.ts';
import { getBillingProvider } from './billing-records.ts';
import { updatePayment } from './issue-invoices.ts';

/**
 * Reads Stripe first, because the practice may just have paid, or withdrawn a dispute. Throws with Stripe's page for the oldest unpaid
 * invoice, or with the invoice whose payment the bank took back.
 */
export async function assertNoEarlierDebt(deps: AppDeps, companyId: string): Promise<void> {
  const unpaidInvoices = await deps.database.db
    .select({ id: vatInvoices.id, number: vatInvoices.number, providerId: vatInvoices.providerId })
    .from(vatInvoices)
    .innerJoin(invoicePayments, and(eq(invoicePayments.companyId, vatInvoices.companyId), eq(invoicePayments.invoiceId, vatInvoices.id)))
    .innerJoin(subscriptions, and(eq(subscriptions.companyId, vatInvoices.companyId), eq(subscriptions.id, vatInvoices.subscriptionId)))
    .where(
      and(
        eq(vatInvoices.companyId, companyId),
        eq(subscriptions.status, 'ended'),
        inArray(invoicePayments.status, ['open', 'failed', 'disputed']),
      ),
    )
    .orderBy(asc(vatInvoices.sequence));
  for (const { id, number, providerId } of unpaidInvoices) {
    const read = await getBillingProvider(deps).provider.getInvoice(providerId);
    if (read.status === 'paid') await updatePayment(deps, companyId, id, read);
    if (read.dispute) {
      const message = `Your bank took back ${formatPounds(read.dispute.amountPence)} that your practice had paid for VAT invoice ${number} of its earlier subscription. Ask your bank to withdraw the dispute, or contact us. Then subscribe again.`;
      throw new AppError('impossible', 'billing.earlier_disputed', message);
    }
    if (read.status !== 'open' || read.isProcessing) continue;
    const message = `Your practice hasn’t paid ${formatPounds(read.amountRemainingPence)} for VAT invoice ${number} of its earlier subscription. Pay it first, then subscribe again.`;
    throw new AppError('impossible', 'billing.earlier_unpaid', message, { pay_url: read.payUrl ?? null });
  }
}
