/** Revenue by month of the tax point, from our VAT invoices and credit notes. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import { invoicePayments, invoiceRefunds, invoiceWriteOffs, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { pence } from '@portal/domain/money.ts';
import { addMonths, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';

type Revenue = EndpointOutput<typeof operatorBillingApi.revenue>;

/** Returns the current month and those before it. A month without invoices has zeros. */
export async function getRevenue({ database: { db }, clock }: AppDeps, months: number): Promise<Revenue> {
  const currentMonth = plainDate(`${clock.today().slice(0, 7)}-01`);
  // By tax point, because that decides on the VAT return.
  const taxPoint = sql`coalesce(${vatInvoices.taxPoint}, ${vatInvoices.issuedOn})`;
  const month = sql`to_char(${taxPoint}, 'YYYY-MM')`;
  const isInvoice = sql`${vatInvoices.kind} = 'invoice'`;
  const isRefund = sql`${invoiceRefunds.kind} is not distinct from 'refund'`;
  const isUnpaid = sql`${isInvoice} and ${invoicePayments.status} in ('open', 'failed', 'disputed')`;
  const net = sql`${vatInvoices.netPence}`;
  const sum = (column: typeof net, filter: typeof net) => sql`coalesce(sum(${column}) filter (where ${filter}), 0)`.mapWith(Number);
  const rows = await db
    .select({
      month: month.mapWith(String),
      practices: sql`count(distinct ${vatInvoices.companyId}) filter (where ${isInvoice})`.mapWith(Number),
      invoices: sql`count(*) filter (where ${isInvoice})`.mapWith(Number),
      invoiced: sum(net, isInvoice),
      refunded: sum(net, isRefund),
      credited: sum(net, sql`not (${isInvoice}) and not (${isRefund})`),
      vat: sum(sql`${vatInvoices.vatPence}`, sql`true`),
      total: sum(sql`${vatInvoices.totalPence}`, sql`true`),
      // A dispute may be about part of an invoice.
      writtenOff: sum(sql`${invoiceWriteOffs.amountPence}`, sql`true`),
      unpaid: sum(sql`${invoicePayments.amountDuePence}`, isUnpaid),
    })
    .from(vatInvoices)
    .innerJoin(invoicePayments, and(eq(invoicePayments.companyId, vatInvoices.companyId), eq(invoicePayments.invoiceId, vatInvoices.id)))
    .leftJoin(invoiceRefunds, and(eq(invoiceRefunds.companyId, vatInvoices.companyId), eq(invoiceRefunds.creditNoteId, vatInvoices.id)))
    .leftJoin(
      invoiceWriteOffs,
      and(
        eq(invoiceWriteOffs.companyId, vatInvoices.companyId),
        eq(invoiceWriteOffs.invoiceId, vatInvoices.id),
        eq(invoiceWriteOffs.status, 'written_off'),
      ),
    )
    .where(sql`${taxPoint} >= ${addMonths(currentMonth, 1 - months)}::date`)
    .groupBy(month);
  const listedMonths = Array.from({ length: months }, (_, index): PlainDate => addMonths(currentMonth, -index));
  return {
    months: listedMonths.map((first) => {
      const row = rows.find((row) => row.month === first.slice(0, 7));
      return {
        month: first,
        practices: row?.practices ?? 0,
        invoices: row?.invoices ?? 0,
        invoiced_net_pence: pence(row?.invoiced ?? 0),
        credited_net_pence: pence(row?.credited ?? 0),
        refunded_net_pence: pence(row?.refunded ?? 0),
        net_pence: pence((row?.invoiced ?? 0) + (row?.credited ?? 0) + (row?.refunded ?? 0)),
        vat_pence: pence(row?.vat ?? 0),
        total_pence: pence(row?.total ?? 0),
        written_off_pence: pence(row?.writtenOff ?? 0),
        unpaid_pence: pence(row?.unpaid ?? 0),
      };
    }),
  };
}
