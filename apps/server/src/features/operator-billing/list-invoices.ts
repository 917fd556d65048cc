/** Lists practices' invoices and refunds for operators. */
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import type { Db } from '@portal/db/database.ts';
import { companies, invoicePayments, invoiceRefunds, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, count, desc, eq, ilike, or, sql, type SQL } from '@portal/db/sql.ts';
import { pence, sumPence, ZERO } from '@portal/domain/money.ts';
import { getRefundableAmounts } from '@portal/domain/pricing/refund.ts';
import { alias } from 'drizzle-orm/pg-core';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { describeChargeBack, listChargeBacks, type ChargeBack } from '../billing/charged-back.ts';
import { findRefundableInvoice, toTransfer, type RefundRow } from '../billing/refund-facts.ts';
import { listWriteOffs, type WriteOffRow } from '../billing/write-off-rows.ts';
import { PAGE_SIZE, toPattern } from './list-subscriptions.ts';
import { findProblem } from './refund-action.ts';

type Invoices = EndpointOutput<typeof operatorBillingApi.invoices>;
type Invoice = EndpointOutput<typeof operatorBillingApi.invoice>;
type Refunds = EndpointOutput<typeof operatorBillingApi.refunds>;

export async function listInvoices(
  { database: { db } }: AppDeps,
  { q, page }: ParsedEndpointInput<typeof operatorBillingApi.invoices>,
): Promise<Invoices> {
  const correctedInvoices = alias(vatInvoices, 'corrected');
  const isWanted = q ? or(ilike(companies.name, toPattern(q)), ilike(vatInvoices.number, toPattern(q))) : undefined;
  const refundedPence = sql`coalesce((select sum(r.total_pence) from ${invoiceRefunds} r where r.company_id = ${vatInvoices.companyId} and r.invoice_id = ${vatInvoices.id} and r.status not in ('refused', 'excess')), 0)`;
  const rows = await db
    .select({
      invoice: vatInvoices,
      practice: companies.name,
      status: invoicePayments.status,
      corrects: correctedInvoices.number,
      refunded: refundedPence.mapWith(Number),
    })
    .from(vatInvoices)
    .innerJoin(companies, eq(companies.id, vatInvoices.companyId))
    .innerJoin(invoicePayments, and(eq(invoicePayments.companyId, vatInvoices.companyId), eq(invoicePayments.invoiceId, vatInvoices.id)))
    .leftJoin(
      correctedInvoices,
      and(eq(correctedInvoices.companyId, vatInvoices.companyId), eq(correctedInvoices.id, vatInvoices.correctsId)),
    )
    .where(isWanted)
    .orderBy(desc(vatInvoices.issuedAt), desc(vatInvoices.sequence))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE);
  const [countRow] = await db
    .select({ count: count() })
    .from(vatInvoices)
    .innerJoin(companies, eq(companies.id, vatInvoices.companyId))
    .where(isWanted);
  const totalCount = countRow?.count ?? 0;
  const writeOffs = await listWriteOffs(
    db,
    rows.map(({ invoice }) => invoice.id),
  );
  return {
    invoices: rows.map(({ invoice, practice, status, corrects, refunded: amount }) => ({
      company_id: invoice.companyId,
      practice,
      invoice_id: invoice.id,
      number: invoice.number,
      kind: invoice.kind,
      issued_on: invoice.issuedOn,
      total_pence: invoice.totalPence,
      status,
      write_off: toWriteOff(writeOffs.get(invoice.id)),
      refunded_pence: pence(amount),
      corrects_number: corrects,
    })),
    count: totalCount,
    pages: Math.ceil(totalCount / PAGE_SIZE),
  };
}

function toWriteOff(row: WriteOffRow | undefined): Invoices['invoices'][number]['write_off'] {
  if (!row) return null;
  const { status, amountPence, vatPence, reliefFrom, reliefUntil, reason, failure, writtenOffOn, reversedOn } = row;
  const amounts = { amount_pence: amountPence, vat_pence: vatPence };
  const days = { relief_from: reliefFrom, relief_until: reliefUntil, written_off_on: writtenOffOn, reversed_on: reversedOn };
  return { status, ...amounts, ...days, reason, failure };
}

export async function getInvoice(
  { database: { db } }: AppDeps,
  { company_id: companyId, invoice_id: invoiceId }: ParsedEndpointInput<typeof operatorBillingApi.invoice>,
): Promise<Invoice> {
  const foundRefundable = await findRefundableInvoice(db, companyId, invoiceId);
  if (!foundRefundable) throw createNotFoundError();
  const { invoice, facts, status } = foundRefundable;
  const [company] = await db.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  const refundableAmount = getRefundableAmounts(facts);
  const refunds = await readRefunds(db, and(eq(invoiceRefunds.companyId, companyId), eq(invoiceRefunds.invoiceId, invoiceId)));
  return {
    company_id: companyId,
    practice: company?.name ?? invoice.customerName,
    invoice_id: invoiceId,
    number: invoice.number,
    issued_on: invoice.issuedOn,
    status,
    net_pence: invoice.netPence,
    vat_rate_bps: invoice.vatRateBps,
    vat_pence: invoice.vatPence,
    total_pence: invoice.totalPence,
    paid_pence: status === 'paid' ? foundRefundable.amountDuePence : ZERO,
    left_pence: refundableAmount.totalPence,
    lines: facts.invoice.lines.map(({ description, amountPence }, position) => ({
      position,
      description,
      amount_pence: amountPence,
      left_pence: sumPence(refundableAmount.lines.filter((line) => line.position === position).map((line) => line.amountPence)),
    })),
    problem:
      findProblem(foundRefundable)?.message ??
      (refundableAmount.totalPence === ZERO ? 'There’s nothing left to refund on this invoice.' : null),
    refunds,
  };
}

export async function listRefunds({ database: { db } }: AppDeps, page: number): Promise<Refunds> {
  const [countRow] = await db.select({ count: count() }).from(invoiceRefunds);
  const totalCount = countRow?.count ?? 0;
  return { refunds: await readRefunds(db, undefined, page), count: totalCount, pages: Math.ceil(totalCount / PAGE_SIZE) };
}

const describeFailure = ({ failure }: RefundRow, chargeBack: ChargeBack | undefined): string | null =>
  chargeBack ? `${failure ?? ''} ${describeChargeBack(chargeBack)}` : failure;

/** Failed refunds and those that paid too much come first, because someone must act on them. */
async function readRefunds(db: Db, isWanted: SQL | undefined, page = 1): Promise<Refunds['refunds']> {
  const note = alias(vatInvoices, 'note');
  const rows = await db
    .select({ refund: invoiceRefunds, invoice: vatInvoices, practice: companies.name, note: note.number })
    .from(invoiceRefunds)
    .innerJoin(companies, eq(companies.id, invoiceRefunds.companyId))
    .innerJoin(vatInvoices, and(eq(vatInvoices.companyId, invoiceRefunds.companyId), eq(vatInvoices.id, invoiceRefunds.invoiceId)))
    .leftJoin(note, and(eq(note.companyId, invoiceRefunds.companyId), eq(note.id, invoiceRefunds.creditNoteId)))
    .where(isWanted)
    .orderBy(sql`(${invoiceRefunds.status} in ('failed', 'excess')) desc`, desc(invoiceRefunds.orderedAt), desc(invoiceRefunds.id))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE);
  const chargeBacks = await listChargeBacks(
    db,
    rows.map(({ refund }) => refund),
  );
  return rows.map(({ refund, invoice, practice, note: number }) => ({
    company_id: refund.companyId,
    practice,
    refund_id: refund.id,
    invoice_id: invoice.id,
    invoice_number: invoice.number,
    kind: refund.kind,
    credit_note_id: refund.creditNoteId,
    credit_note_number: number,
    status: refund.status,
    total_pence: refund.totalPence,
    reason: refund.reason,
    failure: describeFailure(refund, chargeBacks.get(refund.id)),
    transfer: toTransfer(refund),
    attempt: refund.attempt,
    ordered_at: refund.orderedAt,
  }));
}
