/** Lists what users should check in the bookkeeping software before filing figures read from it. */
import type { Db } from '@portal/db/database.ts';
import type { FiledBoxes } from '@portal/db/schema/schema.ts';
import { booksDrafts, type booksFiles, booksReads, booksRows, booksVatFigures, type obligations } from '@portal/db/schema/schema.ts';
import { and, between, count, eq, inArray, sql, type SQL } from '@portal/db/sql.ts';
import type { DocumentFlag } from '@portal/domain/connected-books/books-document.ts';
import { describeBooksProblem } from '@portal/domain/connected-books/books-problems.ts';
import { compareVat, type VatComparison } from '@portal/domain/connected-books/compare-vat.ts';
import { CLAIMED_TREATMENTS, checkSupplierClaims, type SupplierClaim } from '@portal/domain/connected-books/supplier-claims.ts';
import { type Pence, pence } from '@portal/domain/money.ts';
import { BOOKS_PROVIDER_NAMES } from '@portal/domain/connected-books/books-providers.ts';
import type { ReturnCheck, ReviewFacts } from '@portal/domain/vat-returns/review-return.ts';
import type { AppDeps } from '../../app-deps.ts';
import { type BooksConnectionRow, findBooksConnection } from '../books-connection/find-books-connection.ts';
import type { AdjustmentRow } from './adjustment-queries.ts';
import { sumLateVat } from './late-row-queries.ts';
import { findTaxpayer } from './taxpayer.ts';

type ObligationRow = typeof obligations.$inferSelect;

export type BooksReturn = {
  readonly obligation: ObligationRow;
  readonly file: typeof booksFiles.$inferSelect;
  /** Includes the adjustments. */
  readonly boxes: FiledBoxes;
  readonly adjustments: readonly AdjustmentRow[];
};

/** Matches rows of documents with any of these flags. */
const hasFlag = (...flags: readonly DocumentFlag[]): SQL =>
  sql`string_to_array(${booksRows.documentFlags}, ' ') && ${`{${flags.join(',')}}`}::text[]`;

/** Returns the findings for one period of the given books. */
export async function findProviderFindings(
  deps: AppDeps,
  booksReturn: BooksReturn,
): Promise<Pick<ReviewFacts, 'wrongCodes' | 'unapproved' | 'supplierClaims' | 'booksBehindWarning' | 'comparison'>> {
  const { db } = deps.database;
  const { companyId, periodStart, periodEnd } = booksReturn.obligation;
  const { id: fileId, source } = booksReturn.file;
  const isOfPeriod = and(eq(booksRows.companyId, companyId), eq(booksRows.fileId, fileId), between(booksRows.date, periodStart, periodEnd));
  const [rows] = await db
    .select({ wrongCodes: count().mapWith(Number) })
    .from(booksRows)
    .where(and(isOfPeriod, hasFlag('rate_mismatch', 'entertainment')));
  const [drafts] = await db
    .select({ unapproved: count().mapWith(Number), vatPence: sql<string | null>`sum(${booksDrafts.vatPence})` })
    .from(booksDrafts)
    .where(and(eq(booksDrafts.companyId, companyId), eq(booksDrafts.fileId, fileId), between(booksDrafts.date, periodStart, periodEnd)));
  return {
    wrongCodes: rows?.wrongCodes ?? 0,
    unapproved: drafts?.unapproved ?? 0,
    supplierClaims: source === null ? [] : checkSupplierClaims(await listSupplierClaims(db, isOfPeriod), source),
    booksBehindWarning: await explainOutdatedFigures(db, companyId),
    comparison: await compareWithProvider(deps, booksReturn, pence(Number(drafts?.vatPence ?? 0))),
  };
}

/** A document can have several rows. Its reference identifies it if the bookkeeping software has no page for it. */
async function listSupplierClaims(db: Db, isOfPeriod: SQL | undefined): Promise<SupplierClaim[]> {
  const isClaim = and(
    isOfPeriod,
    hasFlag('supplier_vat_number'),
    eq(booksRows.kind, 'purchase'),
    inArray(booksRows.treatment, [...CLAIMED_TREATMENTS]),
  );
  const rows = await db
    .select({
      supplier: booksRows.counterparty,
      documents: sql<number>`count(distinct coalesce(${booksRows.link}, ${booksRows.reference}))`.mapWith(Number),
      vat: sql<string>`sum(${booksRows.vatPence})`,
    })
    .from(booksRows)
    .where(isClaim)
    .groupBy(booksRows.counterparty);
  return rows.map(({ supplier, documents, vat }) => ({ supplier, documents, vatPence: pence(Number(vat)) }));
}

/** Returns undefined if we haven't queried the bookkeeping software about this period. */
async function compareWithProvider(
  deps: AppDeps,
  { obligation, file, boxes, adjustments }: BooksReturn,
  unapprovedVat: Pence,
): Promise<ReturnCheck | undefined> {
  const { db } = deps.database;
  const statedFigure = await findStatedFigure(db, obligation);
  if (!statedFigure) return undefined;
  const sumKind = (kind: AdjustmentRow['kind']): Pence =>
    pence(
      adjustments
        .filter((adjustment) => adjustment.kind === kind)
        .reduce((sum, { box, amountPence }) => sum + (box === 1 || box === 2 ? amountPence : box === 4 ? -amountPence : 0), 0),
    );
  return compareVat({
    ...statedFigure,
    boxes: pence(boxes.box3_pence - boxes.box4_pence),
    adjustments: sumKind('manual'),
    corrections: sumKind('error_correction'),
    lateRows: statedFigure.program === 'freeagent' ? await sumLateVat(deps, db, obligation, file) : pence(0),
    unapproved: unapprovedVat,
  });
}

/**
 * Returns the figure that the bookkeeping software last reported, or undefined if we haven't queried it about this period or can no longer
 * read its books.
 */
async function findStatedFigure(
  db: Db,
  { companyId, periodStart, periodEnd }: Pick<ObligationRow, 'companyId' | 'periodStart' | 'periodEnd'>,
): Promise<Pick<VatComparison, 'program' | 'stated' | 'problem' | 'otherBasisVat'> | undefined> {
  const connection = await findBooksConnection(db, companyId);
  if (connection?.status !== 'connected') return undefined;
  const [statedFigure] = await db
    .select({ stated: booksVatFigures.vatPence, problem: booksVatFigures.problem, otherBasisVat: booksVatFigures.otherBasisPence })
    .from(booksVatFigures)
    .where(
      and(eq(booksVatFigures.companyId, companyId), eq(booksVatFigures.periodStart, periodStart), eq(booksVatFigures.periodEnd, periodEnd)),
    );
  return statedFigure && { program: connection.provider, ...statedFigure };
}

/** Explains why the figures may lack recent changes in the bookkeeping software. Returns undefined if they are up to date. */
async function explainOutdatedFigures(db: Db, companyId: string): Promise<string | undefined> {
  const connection = await findBooksConnection(db, companyId);
  if (!connection) return 'The bookkeeping software is no longer connected, so these figures aren’t updated from it.';
  const providerName = BOOKS_PROVIDER_NAMES[connection.provider];
  if (connection.status === 'lost') return explainLostConnection(connection, providerName);
  const [read] = await db.select().from(booksReads).where(eq(booksReads.companyId, companyId));
  if (read === undefined || read.problem === null) return undefined;
  const taxpayer = await findTaxpayer(db, connection);
  const { title } = describeBooksProblem(read.problem, {
    program: connection.provider,
    organisation: connection.organisationName ?? 'The organisation',
    found: connection.vatNumber,
    expected: taxpayer?.vrn ?? null,
    unreadable: read.unreadable,
    ...(connection.practiceId === null ? {} : { isOfClient: true, client: taxpayer?.name ?? 'The client' }),
  });
  return `These figures may not include the latest changes in ${providerName}. ${title}: check your books before you file.`;
}

function explainLostConnection({ isByGrant, lostReason, organisationName, provider }: BooksConnectionRow, providerName: string): string {
  if (isByGrant && lostReason === 'removed') {
    const advice = provider === 'freeagent' ? 'Give the account manager who connected FreeAgent access to it again' : 'Add it again there';
    return `Your practice’s connection to ${providerName} no longer covers ${organisationName ?? 'the organisation'}, so these figures may be out of date. ${advice} before you file.`;
  }
  return `We can no longer read ${providerName}, so these figures may be out of date. Connect it again before you file.`;
}
