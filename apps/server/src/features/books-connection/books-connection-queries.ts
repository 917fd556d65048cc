/** Returns a company's books connection as its screens show it, from stored data only. */
import type { BooksConnection, BooksConnectionState, DraftOutput } from '@portal/contract/books-connection.ts';
import type { Db } from '@portal/db/database.ts';
import { booksDrafts, booksObjects, booksReads } from '@portal/db/schema/schema.ts';
import { and, count, desc, eq, sql } from '@portal/db/sql.ts';
import { describeBooksProblem } from '@portal/domain/connected-books/books-problems.ts';
import { BOOKS_PROVIDERS } from '@portal/domain/connected-books/books-providers.ts';
import type { AppDeps } from '../../app-deps.ts';
import { findCurrentFile } from '../vat-returns/period-figures.ts';
import { findTaxpayer, type Taxpayer } from '../vat-returns/taxpayer.ts';
import { findBooksConnection, findBooksProvider } from './find-books-connection.ts';

const MAX_DRAFTS = 100;

export async function getBooksConnection(deps: AppDeps, taxpayer: Taxpayer): Promise<BooksConnectionState> {
  return {
    available: BOOKS_PROVIDERS.filter((provider) => deps.books[provider] !== undefined),
    connection: await describeConnection(deps, taxpayer),
  };
}

async function describeConnection(deps: AppDeps, taxpayer: Taxpayer): Promise<BooksConnection | null> {
  const { companyId } = taxpayer;
  const { db } = deps.database;
  const row = await findBooksConnection(db, companyId);
  if (!row) return null;
  const [read] = await db.select().from(booksReads).where(eq(booksReads.companyId, companyId));
  const knownTaxpayer = await findTaxpayer(db, taxpayer);
  const facts = {
    program: row.provider,
    organisation: row.organisationName ?? 'The organisation',
    found: row.vatNumber,
    expected: knownTaxpayer?.vrn ?? null,
    unreadable: read?.unreadable ?? [],
    ...(taxpayer.practiceId === null ? {} : { isOfClient: true, client: knownTaxpayer?.name ?? 'The client' }),
  };
  const isReading = row.status === 'connected' && read?.status === 'reading';
  const problem = row.status === 'connected' && !isReading ? (read?.problem ?? null) : null;
  return {
    program: row.provider,
    is_by_practice: row.isByGrant,
    status: row.status,
    organisations: row.organisations.map(({ id, name }) => ({ organisation_id: id, name })),
    organisation_id: row.organisationId,
    organisation_name: row.organisationName,
    vat_number: row.vatNumber,
    basis: row.basis,
    is_basis_answered: row.isBasisAnswered,
    locked_until: row.lockedUntil,
    not_permitted: row.status === 'connected' && read !== undefined && read.notPermitted.length > 0 ? ['supplier_vat_numbers'] : [],
    has_no_supplier_numbers: row.provider === 'quickbooks' && row.status === 'connected' && (await hasNoSupplierNumbers(db, companyId)),
    connected_at: row.connectedAt,
    lost_at: row.lostAt,
    lost_reason: row.lostReason,
    reading: isReading ? { objects: read.objects, started_at: read.startedAt, waits_until: read.waitsUntil } : null,
    last_read_at: read?.finishedAt ?? null,
    problem: problem && { code: problem, ...describeBooksProblem(problem, facts) },
    questions: problem === 'rates_unknown' ? [...(read?.questions ?? [])] : [],
    ...(await listDrafts(db, companyId)),
    ends_at_program: findBooksProvider(deps, row)?.disconnect !== undefined,
  };
}

/** Returns false as long as no suppliers have been read. */
async function hasNoSupplierNumbers(db: Db, companyId: string): Promise<boolean> {
  const [suppliers] = await db
    .select({ haveNumber: sql<boolean | null>`bool_or((${booksObjects.body}::jsonb ->> 'hasTaxNumber')::boolean)` })
    .from(booksObjects)
    .where(and(eq(booksObjects.companyId, companyId), eq(booksObjects.resource, 'Vendor')));
  return suppliers?.haveNumber === false;
}

/** Lists the drafts in the current books, newest first. */
async function listDrafts(db: Db, companyId: string): Promise<{ drafts: DraftOutput[]; draft_count: number }> {
  const file = await findCurrentFile(db, companyId);
  if (file === undefined || file.source === null) return { drafts: [], draft_count: 0 };
  const isOfFile = and(eq(booksDrafts.companyId, companyId), eq(booksDrafts.fileId, file.id));
  const [total] = await db
    .select({ drafts: count().mapWith(Number) })
    .from(booksDrafts)
    .where(isOfFile);
  const drafts = await db
    .select({
      date: booksDrafts.date,
      reference: booksDrafts.reference,
      counterparty: booksDrafts.counterparty,
      net_pence: booksDrafts.netPence,
      vat_pence: booksDrafts.vatPence,
      link: booksDrafts.link,
    })
    .from(booksDrafts)
    .where(isOfFile)
    .orderBy(desc(booksDrafts.date), desc(booksDrafts.line))
    .limit(MAX_DRAFTS);
  return { drafts, draft_count: total?.drafts ?? 0 };
}
