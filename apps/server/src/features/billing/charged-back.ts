/**
 * A returned refund isn't owed if the payer's bank has since taken the payment itself back: paying it as well would pay it twice
 * (docs/decisions/0123-disputed-invoices.md).
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { invoicePayments, invoiceRefunds, invoiceWriteOffs, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { sumPence } from '@portal/domain/money.ts';
import type { RefundRow } from './refund-facts.ts';

/** `isFinal`: we lost the dispute, and wrote the invoice off. `knownSince`: when the status of the invoice's payment was stored. */
export type ChargeBack = { readonly invoiceNumber: string; readonly isFinal: boolean; readonly knownSince: Instant };

/** Refunds of which nothing was paid. */
const UNPAID_REFUNDS: readonly RefundRow['status'][] = ['refused', 'failed'];

/** Returns the charge-backs because of which failed refunds aren't owed, by refund ID. */
export async function listChargeBacks(db: Db | Tx, refunds: readonly RefundRow[]): Promise<ReadonlyMap<string, ChargeBack>> {
  const failedRefunds = refunds.filter(({ status }) => status === 'failed');
  if (failedRefunds.length === 0) return new Map();
  const invoiceIds = [...new Set(failedRefunds.map(({ invoiceId }) => invoiceId))];
  const isWriteOff = and(
    eq(invoiceWriteOffs.companyId, vatInvoices.companyId),
    eq(invoiceWriteOffs.invoiceId, vatInvoices.id),
    eq(invoiceWriteOffs.status, 'written_off'),
  );
  const invoices = await db
    .select({ id: vatInvoices.id, number: vatInvoices.number, payment: invoicePayments, writtenOffPence: invoiceWriteOffs.amountPence })
    .from(vatInvoices)
    .innerJoin(invoicePayments, and(eq(invoicePayments.companyId, vatInvoices.companyId), eq(invoicePayments.invoiceId, vatInvoices.id)))
    .leftJoin(invoiceWriteOffs, isWriteOff)
    .where(and(inArray(vatInvoices.id, invoiceIds), inArray(invoicePayments.status, ['disputed', 'written_off'])));
  const allRefunds = await db.select().from(invoiceRefunds).where(inArray(invoiceRefunds.invoiceId, invoiceIds));
  const paidRefunds = allRefunds.filter(({ kind, status }) => kind === 'refund' && !UNPAID_REFUNDS.includes(status));
  return new Map(
    failedRefunds.flatMap((refund): [string, ChargeBack][] => {
      const invoice = invoices.find(({ id }) => id === refund.invoiceId);
      if (!invoice) return [];
      const { number: invoiceNumber, payment, writtenOffPence } = invoice;
      const isFinal = payment.status === 'written_off';
      const otherRefunds = paidRefunds.filter(({ invoiceId }) => invoiceId === refund.invoiceId);
      const returnedPence = sumPence(otherRefunds.map(({ totalPence }) => totalPence)) + (writtenOffPence ?? 0);
      // The bank took back only what hadn't been refunded at that time, so a refund that was returned later is still owed.
      if (isFinal && returnedPence + refund.totalPence <= payment.amountDuePence) return [];
      return [[refund.id, { invoiceNumber, isFinal, knownSince: payment.updatedAt }]];
    }),
  );
}

export const describeChargeBack = ({ invoiceNumber, isFinal }: ChargeBack): string =>
  isFinal
    ? `The payer’s bank has since charged back the payment of ${invoiceNumber} for good, so we don’t owe this refund any more.`
    : `The payer’s bank has since charged back the payment of ${invoiceNumber}, so don’t pay this refund as well. We owe it only if we win the dispute.`;
