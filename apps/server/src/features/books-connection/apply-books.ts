/** Derives a company's books from the copy, and makes them current if they differ. */
import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Db, Tx } from '@portal/db/database.ts';
import { booksConnections, booksFiles, booksReads, obligations, type RateQuestion } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { VatBasis } from '@portal/domain/connected-books/books-document.ts';
import { type BooksProblemCode, toVatDigits } from '@portal/domain/connected-books/books-problems.ts';
import { BOOKS_PROVIDER_NAMES } from '@portal/domain/connected-books/books-providers.ts';
import { toBooksRows } from '@portal/domain/connected-books/to-books-rows.ts';
import { createBoxesAccumulator, type PeriodTotals } from '@portal/domain/vat-returns/accumulate-boxes.ts';
import type { BooksProvider } from '@portal/providers/connected-books/books-provider.ts';
import { type ConnectedBooks, FLAT_RATE_REASON } from '@portal/providers/connected-books/connected-books.ts';
import { UnreadableDocumentsError } from '@portal/providers/connected-books/unreadable-documents.ts';
import type { AppDeps } from '../../app-deps.ts';
import { saveBooksTurnover, saveNewMonthEnds } from '../books/save-books-turnover.ts';
import { endChangedApprovals } from '../return-approvals/end-changed-approvals.ts';
import { computeNewFigures, findCurrentFile, listDistinctPeriods, storeFigures } from '../vat-returns/period-figures.ts';
import { findTaxpayerVrn, lockTaxpayer, recordTaxpayerAudit } from '../vat-returns/taxpayer.ts';
import { openBooksCopy } from './books-objects.ts';
import { finishRead } from './books-reads.ts';
import { deleteUnfinishedBooks, deleteUnusedBooks, withdrawBooks } from './delete-read-books.ts';
import { BooksLostError } from './books-tokens.ts';
import { insertDrafts, insertRows } from './insert-books-rows.ts';
import { type BooksConnectionRow, findBooksConnection, findBooksProvider, isSameConnection } from './find-books-connection.ts';
import { mapCopiedBooks, type RunningMapping } from './map-books.ts';

/** The maximum number of unusable documents that are listed. */
const MAX_UNREADABLE = 20;

/** Stores the organisation's settings, and returns a problem if they already show that its books can't be used. */
export async function findSettingsProblemBeforeRead(
  deps: AppDeps,
  booksConnection: BooksConnectionRow,
): Promise<BooksProblemCode | undefined> {
  const { db } = deps.database;
  const { companyId } = booksConnection;
  const connection = await getSameConnection(db, booksConnection);
  const booksProvider = findBooksProvider(deps, connection);
  if (!booksProvider) return undefined;
  const wholeResources = booksProvider.resources.filter(({ isWhole }) => isWhole);
  const books = await booksProvider.mapBooks(openBooksCopy(db, companyId, wholeResources), new Map());
  const { problem } = await checkSettings(deps, connection, books);
  // Read the documents before the user answers the question about the VAT basis, so that the figures are ready as soon as they do.
  return problem === 'basis_unknown' ? undefined : problem;
}

/** Returns the current connection, including any answers given since. Throws BooksLostError if another connection has replaced it. */
async function getSameConnection(db: Db, { companyId, connectedAt }: BooksConnectionRow): Promise<BooksConnectionRow> {
  const connection = await findBooksConnection(db, companyId);
  if (!connection || connection.connectedAt !== connectedAt) throw new BooksLostError();
  return connection;
}

type AppliedBooks = {
  readonly connection: BooksConnectionRow;
  readonly booksProvider: BooksProvider;
  readonly read: typeof booksReads.$inferSelect;
};

/** `mapping` has received all pages of the copy, if they were read just now. */
export async function applyBooks(
  deps: AppDeps,
  { connection: booksConnection, booksProvider, read: startedRead }: AppliedBooks,
  signal: AbortSignal,
  mapping?: RunningMapping,
): Promise<void> {
  const { db } = deps.database;
  const { companyId } = booksConnection;
  const connection = await getSameConnection(db, booksConnection);
  const [read] = await db.select().from(booksReads).where(eq(booksReads.companyId, companyId));
  // A read that ended because of a problem with the settings has nothing to apply.
  if (read?.status !== 'reading' || read.readId !== startedRead.readId) return;
  const books = (await mapping?.finish()) ?? (await mapCopiedBooks(db, connection, booksProvider));
  if (books instanceof UnreadableDocumentsError) {
    const unreadableReasons = books.books.unreadable.slice(0, MAX_UNREADABLE).map(({ reason }) => reason);
    return finishRead(deps, read, { problem: 'documents_unreadable', unreadable: unreadableReasons });
  }
  const { problem, basis } = await checkSettings(deps, connection, books);
  if (problem || basis === null) return finishRead(deps, read, { problem: problem ?? 'basis_unknown' });
  const questions = listQuestions(books);
  if (questions.length > 0) return finishRead(deps, read, { problem: 'rates_unknown', questions });
  try {
    if (await isFileUsed(db, connection)) return await finishRead(deps, read, { problem: 'file_in_use' });
    await storeBooks(deps, { connection, booksProvider, read }, books, basis, signal);
  } catch (error) {
    if (!(error instanceof AppError && error.kind === 'impossible')) throw error;
    return finishRead(deps, read, { problem: 'amounts_too_large' });
  }
  return finishRead(deps, read, { problem: null });
}

/** Stores the organisation's settings and returns whether its books can be used with them. */
async function checkSettings(deps: AppDeps, connection: BooksConnectionRow, books: ConnectedBooks) {
  const { db } = deps.database;
  const basis = await saveSettings(db, connection, books);
  const problem = await findSettingsProblem(db, connection, books, basis);
  if (problem === 'other_vat_number' && connection.practiceId !== null) {
    // The VAT number of the client or the organisation has changed, so earlier data belongs to another registration.
    await db.transaction(async (tx) => {
      await lockTaxpayer(tx, connection);
      await withdrawBooks(deps, tx, connection, undefined);
    });
  }
  return { basis, problem };
}

/** The bookkeeping software's own basis takes precedence over a user's answer. */
async function saveSettings(db: Db, connection: BooksConnectionRow, books: ConnectedBooks): Promise<VatBasis | null> {
  const basis = books.basis ?? (connection.isBasisAnswered ? connection.basis : null);
  await db
    .update(booksConnections)
    .set({
      organisationName: books.name === '' ? connection.organisationName : books.name,
      vatNumber: books.vatNumber === undefined ? null : toVatDigits(books.vatNumber) || null,
      isDemo: books.isDemo === true,
      lockedUntil: books.lockedUntil ?? null,
      basis,
      isBasisAnswered: books.basis === undefined && connection.isBasisAnswered,
    })
    .where(isSameConnection(connection));
  return basis;
}

async function findSettingsProblem(
  db: Db,
  taxpayer: BooksConnectionRow,
  books: ConnectedBooks,
  basis: VatBasis | null,
): Promise<BooksProblemCode | undefined> {
  const [refusal] = books.refusals;
  if (books.isDemo === true) return 'demo';
  if (refusal) return refusal.reason === FLAT_RATE_REASON ? 'flat_rate' : 'not_registered';
  const number = toVatDigits(books.vatNumber ?? '');
  if (number === '') return 'not_registered';
  const expectedVrn = await findTaxpayerVrn(db, taxpayer);
  if (expectedVrn !== null && expectedVrn !== number) return 'other_vat_number';
  // Without a number to compare, the books could be another company's, so a user must confirm this exact number.
  if (expectedVrn === null && taxpayer.practiceId !== null && taxpayer.confirmedVatNumber !== number) return 'vat_number_unconfirmed';
  if (basis === null) return 'basis_unknown';
  return taxpayer.provider === 'quickbooks' && basis === 'cash' ? 'cash_unsupported' : undefined;
}

/** Lists each rate once, however many documents use it. */
function listQuestions({ documents, unmapped }: ConnectedBooks): RateQuestion[] {
  const questions = new Map<string, RateQuestion>();
  for (const { id, reference, counterparty } of documents) {
    const row = unmapped.get(id);
    if (!row) continue;
    const existing = questions.get(row.code);
    const example = existing?.example ?? [reference, counterparty].filter((text) => text !== '').join(', ');
    questions.set(row.code, { code: row.code, name: row.subject, documents: (existing?.documents ?? 0) + 1, example });
  }
  return [...questions.values()];
}

/** Stores nothing if the rows equal the current books, so that the figures keep their version as long as nothing changes. */
async function storeBooks(
  deps: AppDeps,
  { connection, booksProvider, read }: AppliedBooks,
  books: ConnectedBooks,
  basis: VatBasis,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps.database;
  const { companyId, provider } = connection;
  const { rows, drafts } = toBooksRows(books.documents, basis);
  const hashContent = () =>
    createHash('sha256')
      .update(JSON.stringify([provider, connection.organisationId, rows, drafts]))
      .digest('base64url');
  const current = await findCurrentFile(db, companyId);
  const comparedHash = current && hashContent();
  if (current && current.contentHash === comparedHash) return saveNewMonthEnds(deps, connection, basis);
  const periods = await db
    .select({ id: obligations.id, periodStart: obligations.periodStart, periodEnd: obligations.periodEnd })
    .from(obligations)
    .where(eq(obligations.companyId, companyId));
  const obligationIds = periods.map(({ id }) => id);
  const accumulator = createBoxesAccumulator(listDistinctPeriods(periods));
  accumulator.add(rows);
  const totals = accumulator.totals();
  const fileId = randomUUID();
  const fileName = `${BOOKS_PROVIDER_NAMES[provider]}: ${books.name}`;
  await db.transaction(async (tx) => {
    await lockTaxpayer(tx, connection);
    await deleteUnfinishedBooks(tx, companyId);
    const file = { companyId, id: fileId, fileName, rows: 0, flagged: 0, uploadedBy: connection.connectedBy };
    await tx
      .insert(booksFiles)
      .values({ ...file, source: provider, organisationId: connection.organisationId, vatNumber: toVatDigits(books.vatNumber ?? '') });
  });
  const toLink = (documentId: string, type: string) => booksProvider.findLink({ id: documentId, type }, books.webName) ?? null;
  const inserting = insertRows(db, { companyId, fileId }, rows, toLink, signal);
  inserting.catch(() => undefined);
  await setImmediate();
  // While the database stores the first rows.
  const contentHash = comparedHash ?? hashContent();
  await inserting;
  await insertDrafts(db, companyId, fileId, drafts, toLink);
  const flaggedCount = totals.reduce((sum, period: PeriodTotals) => sum + period.flagged, 0);
  const at = deps.clock.now();
  await db.transaction(async (tx) => {
    await lockTaxpayer(tx, connection);
    if (signal.aborted || !(await isStillLinked(tx, connection, read))) return deleteUnfinishedBooks(tx, companyId);
    const appliedRows = await tx
      .update(booksFiles)
      .set({
        rows: rows.length,
        flagged: flaggedCount,
        firstDate: rows[0]?.date ?? null,
        lastDate: rows.at(-1)?.date ?? null,
        appliedAt: at,
        contentHash,
      })
      .where(and(eq(booksFiles.companyId, companyId), eq(booksFiles.id, fileId)))
      .returning({ id: booksFiles.id });
    // Another run has deleted it in the meantime.
    if (appliedRows.length === 0) throw new BooksLostError();
    await storeFigures(tx, companyId, fileId, periods, totals, { nilFrom: rows[0]?.date ?? null });
    const after = { fileName, rows: rows.length };
    await recordTaxpayerAudit(tx, connection, { at, actor: provider, action: 'books.applied', subject: fileId, after });
    await saveBooksTurnover(tx, deps, connection, basis);
    await endChangedApprovals(deps, tx, connection, obligationIds);
    await deleteUnusedBooks(tx, connection);
  });
  await computeNewFigures(db, companyId, periods);
}

/** Returns false if the books have since been disconnected, reconnected or unlinked, or another organisation or a file has been chosen. */
async function isStillLinked(tx: Tx, connection: BooksConnectionRow, { companyId, readId }: AppliedBooks['read']): Promise<boolean> {
  const isOwn = and(eq(booksReads.companyId, companyId), eq(booksReads.readId, readId));
  const [current] = await tx.select({ readId: booksReads.readId }).from(booksReads).where(isOwn).for('update');
  const now = await findBooksConnection(tx, companyId);
  return current !== undefined && now?.connectedAt === connection.connectedAt && !(await isFileUsed(tx, connection));
}

/** Returns true if someone has uploaded a file since the bookkeeping software was connected or its figures were last requested. */
async function isFileUsed(db: Db | Tx, { companyId, usedSince }: BooksConnectionRow): Promise<boolean> {
  const current = await findCurrentFile(db, companyId);
  return current !== undefined && current.source === null && current.appliedAt !== null && current.appliedAt > usedSince;
}
