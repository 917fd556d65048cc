/** Serves our invoices as files to practices and operators, and a month's invoices, payments and payouts to operators. */
import type { invoiceFileQuery } from '@portal/contract/billing.ts';
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import { invoicePayments, invoiceRefunds, vatInvoiceLines, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, asc, eq } from '@portal/db/sql.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod/mini';
import type { AppDeps } from '../../app-deps.ts';
import { authorise } from '../../http/authorise.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { sendStream, STREAM_ROUTE } from '../../http/send-stream.ts';
import type { ServeSettings } from '../../http/serve-contract.ts';
import { getActingUserId, type Actor } from '../../http/session.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { writePdf } from '../documents/write-pdf.ts';
import { writeCsv } from '../exports/write-csv.ts';
import { EXPORT_TITLES, readExport } from './export-month.ts';
import { createInvoiceDocument, formatInvoiceCsv, getInvoiceName, type InvoiceFacts } from './invoice-document.ts';
import { toTransfer } from './refund-facts.ts';

export function serveInvoiceFiles(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  const { invoice: invoiceFile, operatorInvoice: operatorFile, export: monthFile } = FILE_ENDPOINTS.billing;
  const { db } = deps.database;

  app.get(`/portal${invoiceFile.path}`, async (request, reply) => {
    const { tenant, raw, actor } = await authorise(settings, { access: invoiceFile.access }, request, request.query);
    const query = { ...invoiceFile.query.parse(raw), company_id: tenant.practiceId };
    return sendInvoice(deps, request, reply, query, actor.isOperator || actor.viewing ? actor : undefined);
  });

  app.get(`/portal${operatorFile.path}`, async (request, reply) => {
    const { raw, actor } = await authorise(settings, { access: operatorFile.access }, request, request.query);
    return sendInvoice(deps, request, reply, operatorFile.query.parse(raw), actor);
  });

  app.get(`/portal${monthFile.path}`, STREAM_ROUTE, async (request, reply) => {
    const { actor, raw } = await authorise(settings, { access: monthFile.access, mayOmitTenant: true }, request, request.query);
    const { file, month } = monthFile.query.parse(raw);
    return sendStream(settings, reply, { ...monthFile, actor, tenant: undefined }, async () => {
      const rows = readExport(deps, file, month);
      // A month that can't be read must be an error, not an empty file.
      const first = await rows.next();
      const entry = { companyId: NO_COMPANY, at: deps.clock.now(), actor: actor.userId, subject: file, after: { month }, ip: request.ip };
      await db.transaction((tx) => recordAudit(tx, { ...entry, action: 'billing.exported' }));
      const streamAll = async function* () {
        if (first.done !== true) yield first.value;
        yield* rows;
      };
      reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${file}-${month.slice(0, 7)}.csv"`);
      return writeCsv(EXPORT_TITLES[file], streamAll());
    });
  });
}

/** `operator`: the operator who reads it, which is recorded. */
async function sendInvoice(
  deps: AppDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { company_id: companyId, invoice_id: id, format }: z.output<typeof invoiceFileQuery>,
  operator: Actor | undefined,
): Promise<FastifyReply> {
  const foundInvoice = await getInvoice(deps, companyId, id);
  const name = `${getInvoiceName(foundInvoice.invoice)} ${foundInvoice.invoice.number}`.replaceAll(' ', '-');
  if (operator) {
    const entry = { companyId, at: deps.clock.now(), actor: getActingUserId(operator), subject: name, ip: request.ip };
    await deps.database.db.transaction((tx) => recordAudit(tx, { ...entry, action: 'document.read_by_operator' }));
  }
  const [bytes, type] =
    format === 'pdf'
      ? ([await writePdf(createInvoiceDocument(deps.site, foundInvoice)), 'application/pdf'] as const)
      : ([formatInvoiceCsv(foundInvoice), 'text/csv; charset=utf-8'] as const);
  return reply
    .type(type)
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}.${format}"`)
    .send(bytes);
}

/** Returns the invoice with the current state of its refund. */
export async function getInvoice({ database: { db }, clock }: AppDeps, companyId: string, id: string): Promise<InvoiceFacts> {
  const find = async (invoiceId: string) => {
    const isThisInvoice = and(eq(vatInvoices.companyId, companyId), eq(vatInvoices.id, invoiceId));
    const [row] = await db
      .select({ invoice: vatInvoices })
      .from(vatInvoices)
      .innerJoin(invoicePayments, and(eq(invoicePayments.companyId, vatInvoices.companyId), eq(invoicePayments.invoiceId, vatInvoices.id)))
      .where(isThisInvoice);
    return row?.invoice;
  };
  const invoice = await find(id);
  if (!invoice) throw createNotFoundError();
  const lines = await db
    .select()
    .from(vatInvoiceLines)
    .where(and(eq(vatInvoiceLines.companyId, companyId), eq(vatInvoiceLines.invoiceId, id)))
    .orderBy(asc(vatInvoiceLines.position));
  const isRefund = and(eq(invoiceRefunds.companyId, companyId), eq(invoiceRefunds.creditNoteId, id));
  const [refund] = await db.select().from(invoiceRefunds).where(isRefund);
  const corrects = invoice.correctsId === null ? undefined : await find(invoice.correctsId);
  return {
    invoice,
    lines,
    corrects,
    refund: refund && { kind: refund.kind, status: refund.status, transfer: toTransfer(refund) },
    asOf: clock.today(),
  };
}
