/** Reads the bookkeeping software's own VAT figures for open periods, to compare with the boxes of their returns (decision 70). */
import { booksConnections, booksReads, booksVatFigures, obligations, periodFigures } from '@portal/db/schema/schema.ts';
import { and, asc, eq, lte } from '@portal/db/sql.ts';
import type { VatBasis } from '@portal/domain/connected-books/books-document.ts';
import { toBooksRows } from '@portal/domain/connected-books/to-books-rows.ts';
import { type Pence, pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { createBoxesAccumulator } from '@portal/domain/vat-returns/accumulate-boxes.ts';
import type { BooksProvider, VatFigure } from '@portal/providers/connected-books/books-provider.ts';
import { isAccessDenied } from '@portal/providers/connected-books/is-access-denied.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { JobRun } from '../../jobs/job-table.ts';
import { IS_STILL_EXPECTED } from '../vat-returns/is-still-expected.ts';
import { findCurrentFile } from '../vat-returns/period-figures.ts';
import { openBooksCopy } from './books-objects.ts';
import { BooksLostError, getBooksToken } from './books-tokens.ts';
import { acquireSlotFor } from './call-limits.ts';
import { type BooksConnectionRow, findBooksConnection, findBooksProvider, isSameConnection } from './find-books-connection.ts';
import { listRateAnswers } from './map-books.ts';

/** Compares only the oldest open periods. Later returns are compared once these are filed. */
const MAX_PERIODS = 2;

type ReturnPeriod = { readonly periodStart: PlainDate; readonly periodEnd: PlainDate };
type BooksReading = { readonly connection: BooksConnectionRow; readonly program: BooksProvider; readonly basis: VatBasis };

export async function readVatFigures(deps: AppDeps, companyId: string, run: Pick<JobRun, 'isLastAttempt'>): Promise<void> {
  const { db } = deps.database;
  const connection = await findBooksConnection(db, companyId);
  const booksProvider = connection && findBooksProvider(deps, connection);
  if (connection?.status !== 'connected' || !booksProvider || connection.basis === null) return;
  // While the copy is changing, skip this: the read enqueues it again.
  const [read] = await db.select({ status: booksReads.status }).from(booksReads).where(eq(booksReads.companyId, companyId));
  if (read?.status !== 'done') return;
  const reading = { connection, program: booksProvider, basis: connection.basis };
  const rows: (typeof booksVatFigures.$inferInsert)[] = [];
  for (const period of await listOpenPeriods(deps, companyId)) {
    const figure = await tryReadFigure(deps, reading, period, run.isLastAttempt);
    if (figure === undefined) return;
    const foundFigure = 'problem' in figure ? { vatPence: null, problem: figure.problem } : { ...figure, problem: null };
    rows.push({ companyId, ...period, paidPence: null, ...foundFigure, readAt: deps.clock.now() });
  }
  await addOtherBasisFigures(deps, reading, rows);
  await db.transaction(async (tx) => {
    const [currentConnection] = await tx.select().from(booksConnections).where(isSameConnection(connection)).for('share');
    // A client's connection through its practice's login also ends when the organisation is unlinked.
    if (!currentConnection || (await findBooksConnection(tx, companyId))?.status !== 'connected') return;
    await tx.delete(booksVatFigures).where(eq(booksVatFigures.companyId, companyId));
    if (rows.length > 0) await tx.insert(booksVatFigures).values(rows);
  });
}

async function listOpenPeriods({ database: { db }, clock }: AppDeps, companyId: string): Promise<ReturnPeriod[]> {
  return db
    .selectDistinct({ periodStart: obligations.periodStart, periodEnd: obligations.periodEnd })
    .from(obligations)
    .where(
      and(
        eq(obligations.companyId, companyId),
        eq(obligations.status, 'open'),
        lte(obligations.periodStart, clock.today()),
        IS_STILL_EXPECTED,
      ),
    )
    .orderBy(asc(obligations.periodEnd), asc(obligations.periodStart))
    .limit(MAX_PERIODS);
}

/** Returns undefined if the connection has ended. The job retries a failure, and shows it if the last attempt fails. */
async function tryReadFigure(deps: AppDeps, reading: BooksReading, period: ReturnPeriod, isLast: boolean): Promise<VatFigure | undefined> {
  const { connection, program, basis } = reading;
  const { companyId, provider, organisationId } = connection;
  try {
    return await program.readVatFigure({
      ...period,
      basis,
      organisationId: organisationId ?? '',
      getAccessToken: () => getBooksToken(deps, connection),
      acquireSlot: acquireSlotFor(connection),
      copy: openBooksCopy(deps.database.db, companyId, program.resources),
    });
  } catch (error) {
    if (error instanceof BooksLostError) return undefined;
    if (!(error instanceof ProviderError)) throw error;
    if (isAccessDenied(error) || (connection.isByGrant && error.facts.status === 404)) return { problem: 'no_access' };
    // The hourly read determines whether a rejected token has ended the connection.
    if (!isLast && error.failure === 'unavailable') throw error;
    deps.logger.warn({ err: error, companyId, provider }, 'could not read the bookkeeping software’s own VAT figure');
    return { problem: 'unavailable' };
  }
}

/** If a user chose the basis and the figures differ, the choice may have been wrong. */
async function addOtherBasisFigures(
  deps: AppDeps,
  { connection, program, basis }: BooksReading,
  rows: (typeof booksVatFigures.$inferInsert)[],
): Promise<void> {
  const { db } = deps.database;
  const { companyId } = connection;
  const file = connection.isBasisAnswered ? await findCurrentFile(db, companyId) : undefined;
  if (!file) return;
  const ownFigures = await db
    .select({ periodStart: obligations.periodStart, periodEnd: obligations.periodEnd, figures: periodFigures })
    .from(periodFigures)
    .innerJoin(obligations, and(eq(obligations.companyId, companyId), eq(obligations.id, periodFigures.obligationId)))
    .where(and(eq(periodFigures.companyId, companyId), eq(periodFigures.fileId, file.id)));
  const differentFigures = rows.filter(({ vatPence, periodStart, periodEnd }) => {
    const matchingFigures = ownFigures.find((found) => found.periodStart === periodStart && found.periodEnd === periodEnd)?.figures;
    return (
      typeof vatPence === 'number' &&
      matchingFigures !== undefined &&
      vatPence !== matchingFigures.box1Pence + matchingFigures.box2Pence - matchingFigures.box4Pence
    );
  });
  if (differentFigures.length === 0) return;
  const copy = openBooksCopy(db, companyId, program.resources);
  const { documents } = await program.mapBooks(copy, await listRateAnswers(db, connection));
  const accumulator = createBoxesAccumulator(differentFigures.map(({ periodStart, periodEnd }) => ({ from: periodStart, to: periodEnd })));
  accumulator.add(toBooksRows(documents, basis === 'cash' ? 'accrual' : 'cash').rows);
  for (const { period, boxes } of accumulator.totals()) {
    const row = differentFigures.find(({ periodStart, periodEnd }) => periodStart === period.from && periodEnd === period.to);
    if (row) row.otherBasisPence = toNetVat(boxes);
  }
}

const toNetVat = ({ box1, box2, box4 }: { box1: Pence; box2: Pence; box4: Pence }): Pence => pence(box1 + box2 - box4);
