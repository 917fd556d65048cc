/** Serves the documents as files, created on request from the stored facts. A download by an operator is recorded. */
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { getFeeVatTreatment } from '@portal/domain/advances/fee-vat-treatment.ts';
import { formatJournals, MAX_XERO_LINES, type JournalSoftware } from '@portal/domain/ledger/journal-files.ts';
import { buildStatement, type StatementPeriod } from '@portal/domain/ledger/statement-of-account.ts';
import { buildTraderJournals } from '@portal/domain/ledger/trader-journals.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { authorise, type Authorised } from '../../http/authorise.ts';
import type { ServeSettings } from '../../http/serve-contract.ts';
import { getActingUserId } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { createAgreementDocument, createQuoteDocument } from './advance-documents.ts';
import { getAdvanceFacts, getCompany, getFiledReturn, getJournalAccounts } from './documents-queries.ts';
import type { PrintedDocument } from './printed-document.ts';
import { createReceiptDocument } from './receipt-document.ts';
import { createStatementDocument, formatStatementCsv } from './statement-document.ts';
import { listStatementPostings } from './statement-queries.ts';
import { writePdf } from './write-pdf.ts';

/** `name` describes the file, without its extension. */
type DocumentFile = { readonly name: string; readonly paper: PrintedDocument } | { readonly name: string; readonly csv: string };

export function serveDocumentFiles(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  const { db } = deps.database;
  const { site } = deps;
  const { receipt, quote, agreement, statement, journals } = FILE_ENDPOINTS.documents;

  app.get(`/portal${receipt.path}`, async (request, reply) => {
    const { caller, companyId } = await authoriseCaller(settings, request);
    const { obligation_id: id } = receipt.query.parse(caller.raw);
    const filedReturn = await getFiledReturn(deps, companyId, id);
    const company = await getCompany(db, companyId);
    const { period_start: start, period_end: end } = filedReturn.obligation;
    return sendDocument(
      { deps, request, reply, caller, companyId },
      toPdf(`VAT return receipt ${start} to ${end}`, createReceiptDocument(site, company, filedReturn)),
    );
  });
  app.get(`/portal${quote.path}`, async (request, reply) => {
    const { caller, companyId } = await authoriseCaller(settings, request);
    const facts = await getAdvanceFacts(db, companyId, quote.query.parse(caller.raw).advance_id);
    const { periodStart, periodEnd, version } = facts.advance;
    return sendDocument(
      { deps, request, reply, caller, companyId },
      toPdf(`VAT refund offer ${periodStart} to ${periodEnd} version ${version}`, createQuoteDocument(site, facts)),
    );
  });
  app.get(`/portal${agreement.path}`, async (request, reply) => {
    const { caller, companyId } = await authoriseCaller(settings, request);
    const facts = await getAdvanceFacts(db, companyId, agreement.query.parse(caller.raw).advance_id);
    const { periodStart, periodEnd, acceptedAt } = facts.advance;
    const kind = acceptedAt === null ? 'VAT refund agreement not accepted' : 'VAT refund agreement';
    return sendDocument(
      { deps, request, reply, caller, companyId },
      toPdf(`${kind} ${periodStart} to ${periodEnd}`, createAgreementDocument(site, facts)),
    );
  });
  app.get(`/portal${statement.path}`, async (request, reply) => {
    const { caller, companyId } = await authoriseCaller(settings, request);
    const { from, to, format } = statement.query.parse(caller.raw);
    assertHasEnded(deps, to);
    const name = `Statement of account ${from} to ${to}`;
    const account = buildStatement(await listStatementPostings(db, companyId), { from, to });
    const file: DocumentFile =
      format === 'csv'
        ? { name, csv: formatStatementCsv(account) }
        : toPdf(name, createStatementDocument(site, await getCompany(db, companyId), account));
    return sendDocument({ deps, request, reply, caller, companyId }, file);
  });
  app.get(`/portal${journals.path}`, async (request, reply) => {
    const { caller, companyId } = await authoriseCaller(settings, request);
    const { from, to, software } = journals.query.parse(caller.raw);
    assertHasEnded(deps, to);
    const name = `Journals for ${SOFTWARE_NAMES[software]} ${from} to ${to}`;
    return sendDocument(
      { deps, request, reply, caller, companyId },
      { name, csv: await createJournals(deps, companyId, software, { from, to }) },
    );
  });
}

const toPdf = (name: string, printedDocument: PrintedDocument): DocumentFile => ({ name, paper: printedDocument });

const SOFTWARE_NAMES: Readonly<Record<JournalSoftware, string>> = { xero: 'Xero', quickbooks: 'QuickBooks', freeagent: 'FreeAgent' };

type Caller = Authorised<'company.read'>;

/** All documents have the same access rule. */
async function authoriseCaller(settings: ServeSettings, request: FastifyRequest): Promise<{ caller: Caller; companyId: string }> {
  const caller = await authorise(settings, { access: 'company.read' }, request, request.query);
  return { caller, companyId: caller.tenant.companyId };
}

/** A closing balance of a day that hasn't come would look final, and could still change. */
function assertHasEnded({ clock }: AppDeps, to: PlainDate): void {
  if (to > clock.today()) throw createInvalidFieldError('to', 'Choose a last day that isn’t after today');
}

async function createJournals(deps: AppDeps, companyId: string, software: JournalSoftware, period: StatementPeriod): Promise<string> {
  const { db } = deps.database;
  const traderJournals = buildTraderJournals(await listStatementPostings(db, companyId), period);
  const lines = traderJournals.reduce((sum, journal) => sum + journal.lines.length, 0);
  if (software === 'xero' && lines > MAX_XERO_LINES) {
    throw new AppError(
      'impossible',
      'journals.too_many_lines',
      `Xero imports at most ${MAX_XERO_LINES} lines at once, but this period has ${lines}. Choose an earlier end date.`,
      { to: `Choose an earlier last day: the period has ${lines} lines, and Xero imports at most ${MAX_XERO_LINES}` },
    );
  }
  return formatJournals(software, traderJournals, await getJournalAccounts(db, companyId, software), getFeeVatTreatment);
}

type DocumentRequest = {
  readonly deps: AppDeps;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  readonly companyId: string;
};

async function sendDocument({ deps, request, reply, caller, companyId }: DocumentRequest, file: DocumentFile): Promise<FastifyReply> {
  const [bytes, type, fileExtension] =
    'paper' in file
      ? ([await writePdf(file.paper), 'application/pdf', 'pdf'] as const)
      : ([file.csv, 'text/csv; charset=utf-8', 'csv'] as const);
  const fileName = `${file.name.replaceAll(' ', '-')}.${fileExtension}`;
  if (caller.actor.isOperator || caller.actor.viewing) {
    await deps.database.db.transaction((tx) =>
      recordAudit(tx, {
        companyId,
        at: deps.clock.now(),
        actor: getActingUserId(caller.actor),
        action: 'document.read_by_operator',
        subject: fileName,
        ip: request.ip,
      }),
    );
  }
  return reply
    .type(type)
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(bytes);
}
