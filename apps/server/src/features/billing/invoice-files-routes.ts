/** Serves our invoices as files to practices, and a month's invoices, payments and payouts to operators. */
import { Readable } from 'node:stream';
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import { invoicePayments, invoiceRefunds, vatInvoiceLines, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, asc, eq } from '@portal/db/sql.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { authorise } from '../../http/authorise.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { ServeSettings } from '../../http/serve-contract.ts';
import { getActingUserId } from '../../http/session.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { writePdf } from '../documents/write-pdf.ts';
import { writeCsv } from '../exports/write-csv.ts';
import { EXPORT_TITLES, readExport } from './export-month.ts';
import { createInvoiceDocument, formatInvoiceCsv, getInvoiceName, type InvoiceFacts } from './invoice-document.ts';
import { toTransfer } from './refund-facts.ts';

export function serveInvoiceFiles(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  const { invoice: invoiceFile, export: monthFile } = FILE_ENDPOINTS.billing;
  const { db } = deps.database;

  app.get(`/portal${invoiceFile.path}`, async (request, reply) => {
    const { tenant, raw, actor } = await authorise(settings, { access: invoiceFile.access }, request, request.query);
    const { invoice_id: id, format } = invoiceFile.query.parse(raw);
    const foundInvoice = await getInvoice(deps, tenant.practiceId, id);
    const name = `${getInvoiceName(foundInvoice.invoice)} ${foundInvoice.invoice.number}`.replaceAll(' ', '-');
    if (actor.isOperator || actor.viewing) {
      const entry = { companyId: tenant.practiceId, at: deps.clock.now(), actor: getActingUserId(actor), subject: name, ip: request.ip };
      await db.transaction((tx) => recordAudit(tx, { ...entry, action: 'document.read_by_operator' }));
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
  });

  app.get(`/portal${monthFile.path}`, async (request, reply) => {
    const { actor, raw } = await authorise(settings, { access: monthFile.access, mayOmitTenant: true }, request, request.query);
    const { file, month } = monthFile.query.parse(raw);
    const rows = readExport(deps, file, month);
    // A month that can't be read must be an error, not an empty file.
    const first = await rows.next();
    const entry = { companyId: NO_COMPANY, at: deps.clock.now(), actor: actor.userId, subject: file, after: { month }, ip: request.ip };
    await db.transaction((tx) => recordAudit(tx, { ...entry, action: 'billing.exported' }));
    const streamAll = async function* () {
      if (first.done !== true) yield first.value;
      yield* rows;
    };
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${file}-${month.slice(0, 7)}.csv"`)
      .send(Readable.from(writeCsv(EXPORT_TITLES[file], streamAll()), { objectMode: false }));
  });
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
