/** Rows of the current books that are dated in a period already filed but are missing from the filed return. */
import { createHash } from 'node:crypto';
import type { Db, Tx } from '@portal/db/database.ts';
import { booksFiles, filings, hmrcReturns, obligations, periodFigures, returnCorrections } from '@portal/db/schema/schema.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { getLastDayToCorrect } from '@portal/domain/uk-tax/vat/error-correction.ts';
import { listBoxDifferences } from '@portal/domain/vat-returns/compare-boxes.ts';
import type { Pence } from '@portal/domain/money.ts';
import {
  type FiledRow,
  findLateRows,
  isUnclaimedInputTax,
  type LateRow,
  type SettledRow,
  sumNetError,
} from '@portal/domain/vat-returns/late-rows.ts';
import { and, asc, desc, eq, isNotNull, isNull, lt, or, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { ROW_IDENTITY } from './document-changes.ts';
import { toDomainBoxes, toNineBoxes, type SummedColumns } from './to-nine-boxes.ts';

type ObligationRow = typeof obligations.$inferSelect;
type FileRow = typeof booksFiles.$inferSelect;
export type CorrectionRow = typeof returnCorrections.$inferSelect;

/**
 * A filed period with its differences from the books, and users' decisions about them. Between its two time limits a period is listed twice:
 * with the errors that are too old, and with the input tax that can still be claimed.
 */
export type FiledPeriod = {
  readonly obligation: ObligationRow;
  readonly lateRows: readonly LateRow[];
  readonly decisions: readonly CorrectionRow[];
  /** Set if more rows differ than can be listed; `lateRows` is then empty. */
  readonly isTooMany: boolean;
  /** The last day on which these errors can be corrected. */
  readonly correctUntil: PlainDate;
  readonly isTooOld: boolean;
  /** The return was filed elsewhere from rows we don't know, and its boxes differ from the books. */
  readonly hasOtherBoxes: boolean;
};

/** More differences than this mean a different file, not late documents. */
const MAX_LATE_ROWS = 2_000;

/** Counts rows without a decision that can still be corrected. */
export async function countLateRows(deps: AppDeps, db: Db | Tx, obligation: ObligationRow, file: FileRow | undefined): Promise<number> {
  const periods = await listFiledPeriods(deps, db, obligation, file);
  return periods.reduce((sum, { lateRows, isTooOld, isTooMany }) => sum + (isTooOld ? 0 : isTooMany ? MAX_LATE_ROWS : lateRows.length), 0);
}

/** Sums the net VAT of those rows; a positive sum is owed to HMRC. */
export async function sumLateVat(deps: AppDeps, db: Db | Tx, obligation: ObligationRow, file: FileRow | undefined): Promise<Pence> {
  const periods = await listFiledPeriods(deps, db, obligation, file);
  return sumNetError(periods.flatMap(({ lateRows, isTooOld }) => (isTooOld ? [] : lateRows)));
}

/** Lists periods before a return that differ from the current books or have decisions, oldest first. */
export async function listFiledPeriods(
  { clock }: AppDeps,
  db: Db | Tx,
  { companyId, periodStart }: ObligationRow,
  file: FileRow | undefined,
): Promise<FiledPeriod[]> {
  const filedReturns = await loadFiledReturns(db, companyId, periodStart, file);
  if (filedReturns.length === 0) return [];
  const decisions = await listDecisions(db, companyId);
  const periods: FiledPeriod[] = [];
  for (const { obligation, filedFileId, hasOtherBoxes } of filedReturns) {
    const decidedRows = decisions.filter(({ sourceObligationId }) => sourceObligationId === obligation.id);
    const foundLateRows =
      file && filedFileId !== undefined && filedFileId !== file.id && overlaps(file, obligation)
        ? await findPeriodLateRows(db, obligation, file.id, filedFileId, decidedRows)
        : { lateRows: [], isTooMany: false };
    if (foundLateRows.lateRows.length === 0 && !foundLateRows.isTooMany && decidedRows.length === 0 && !hasOtherBoxes) continue;
    periods.push(...splitByTimeLimit({ obligation, ...foundLateRows, decisions: decidedRows, hasOtherBoxes }, clock.today()));
  }
  return periods;
}

function splitByTimeLimit(period: Omit<FiledPeriod, 'correctUntil' | 'isTooOld'>, today: PlainDate): FiledPeriod[] {
  const { obligation, lateRows, decisions, isTooMany, hasOtherBoxes } = period;
  const correctUntil = getLastDayToCorrect(obligation.periodEnd);
  if (correctUntil >= today) return [{ ...period, correctUntil, isTooOld: false }];
  const claimUntil = getLastDayToCorrect(obligation.dueOn);
  const isClaimable = (row: SettledRow): boolean => claimUntil >= today && isUnclaimedInputTax(row);
  const toSettledRow = ({ filedRow, row }: CorrectionRow): SettledRow => ({ filed: filedRow, now: row });
  const selectRows = (isOpen: boolean): FiledPeriod => ({
    ...period,
    lateRows: lateRows.filter((row) => isClaimable(row) === isOpen),
    decisions: decisions.filter((row) => isClaimable(toSettledRow(row)) === isOpen),
    correctUntil: isOpen ? claimUntil : correctUntil,
    isTooOld: !isOpen,
  });
  const [claimable, tooOld] = [selectRows(true), selectRows(false)];
  const hasRows = ({ lateRows: rows, decisions: decided }: FiledPeriod): boolean => rows.length > 0 || decided.length > 0;
  return [
    ...(hasRows(tooOld) || isTooMany || hasOtherBoxes ? [tooOld] : []),
    ...(hasRows(claimable) ? [{ ...claimable, isTooMany: false, hasOtherBoxes: false }] : []),
  ];
}

type FiledReturn = { readonly obligation: ObligationRow; readonly filedFileId: string | undefined; readonly hasOtherBoxes: boolean };

/** Loads the returns that HMRC has for periods before a date, each with the books it was filed from, if known. */
async function loadFiledReturns(db: Db | Tx, companyId: string, beforeDate: PlainDate, file: FileRow | undefined): Promise<FiledReturn[]> {
  const rows = await db
    .select({ obligation: obligations, fileId: filings.fileId, hmrcReturn: hmrcReturns, figures: periodFigures })
    .from(obligations)
    .leftJoin(
      filings,
      and(eq(filings.companyId, obligations.companyId), eq(filings.obligationId, obligations.id), eq(filings.state, 'accepted')),
    )
    .leftJoin(hmrcReturns, and(eq(hmrcReturns.companyId, obligations.companyId), eq(hmrcReturns.obligationId, obligations.id)))
    .leftJoin(
      periodFigures,
      and(
        eq(periodFigures.companyId, obligations.companyId),
        eq(periodFigures.obligationId, obligations.id),
        eq(periodFigures.fileId, file?.id ?? sql`null::uuid`),
      ),
    )
    .where(
      and(
        eq(obligations.companyId, companyId),
        lt(obligations.periodEnd, beforeDate),
        or(isNotNull(filings.id), eq(obligations.status, 'fulfilled')),
      ),
    )
    // If two period keys have the same dates, use the one we filed.
    .orderBy(asc(obligations.periodEnd), sql`${filings.id} is null`);
  const returnsByPeriod = new Map<string, FiledReturn>();
  for (const { obligation, fileId, hmrcReturn, figures } of rows) {
    const dates = `${obligation.periodStart} ${obligation.periodEnd}`;
    if (returnsByPeriod.has(dates)) continue;
    if (fileId !== null) returnsByPeriod.set(dates, { obligation, filedFileId: fileId, hasOtherBoxes: false });
    else if (hmrcReturn) returnsByPeriod.set(dates, await describeFiledElsewhere(db, obligation, hmrcReturn, figures));
  }
  return [...returnsByPeriod.values()];
}

/**
 * If the books that we had when HMRC received a return filed elsewhere give exactly its boxes, the return was prepared from them. Otherwise
 * its rows are unknown, and only its boxes can be compared.
 */
async function describeFiledElsewhere(
  db: Db | Tx,
  obligation: ObligationRow,
  hmrcReturn: SummedColumns,
  figures: SummedColumns | null,
): Promise<FiledReturn> {
  const { companyId, id: obligationId, receivedOn } = obligation;
  const candidates = await db
    .select({ file: booksFiles, figures: periodFigures })
    .from(periodFigures)
    .innerJoin(booksFiles, and(eq(booksFiles.companyId, companyId), eq(booksFiles.id, periodFigures.fileId)))
    .where(and(eq(periodFigures.companyId, companyId), eq(periodFigures.obligationId, obligationId), isNotNull(booksFiles.appliedAt)))
    .orderBy(desc(booksFiles.appliedAt));
  const filedFrom = candidates.find(
    ({ file }) => receivedOn !== null && file.appliedAt !== null && toLondonDate(file.appliedAt) <= receivedOn,
  );
  const isKnown = filedFrom !== undefined && !haveDifferentBoxes(hmrcReturn, filedFrom.figures);
  return {
    obligation,
    filedFileId: isKnown ? filedFrom.file.id : undefined,
    hasOtherBoxes: !isKnown && figures !== null && haveDifferentBoxes(hmrcReturn, figures),
  };
}

function haveDifferentBoxes(filedBoxes: SummedColumns, books: SummedColumns): boolean {
  return listBoxDifferences(toDomainBoxes(toNineBoxes(filedBoxes)), toDomainBoxes(toNineBoxes(books))).length > 0;
}

function overlaps({ firstDate, lastDate }: FileRow, { periodStart, periodEnd }: ObligationRow): boolean {
  return firstDate !== null && lastDate !== null && firstDate <= periodEnd && lastDate >= periodStart;
}

/** Lists the decisions in force, in the order in which they were made. */
function listDecisions(db: Db | Tx, companyId: string): Promise<CorrectionRow[]> {
  return db
    .select()
    .from(returnCorrections)
    .where(and(eq(returnCorrections.companyId, companyId), isNull(returnCorrections.undoneAt)))
    .orderBy(asc(returnCorrections.decidedAt), asc(returnCorrections.id));
}

type DifferentRow = FiledRow & { readonly in_books: boolean };

async function findPeriodLateRows(
  db: Db | Tx,
  { companyId, periodStart, periodEnd }: ObligationRow,
  fileId: string,
  filedFileId: string,
  decisions: readonly CorrectionRow[],
): Promise<Pick<FiledPeriod, 'lateRows' | 'isTooMany'>> {
  const document = ROW_IDENTITY;
  const selectRows = (id: string) => sql`
    select ${document}, description, row_number() over (partition by ${document} order by line) as repeat
    from books_rows where company_id = ${companyId}::uuid and file_id = ${id}::uuid and date between ${periodStart} and ${periodEnd}`;
  // Pairs off equal rows one by one, so that a second copy of a document is found too.
  const { rows: differentRows } = await db.execute<DifferentRow & { is_covered: boolean }>(sql`
    with now as (${selectRows(fileId)}), filed as (${selectRows(filedFileId)})
    select coalesce(now.date, filed.date)::text as date, coalesce(now.kind, filed.kind) as kind,
      coalesce(now.reference, filed.reference) as reference, coalesce(now.counterparty, filed.counterparty) as counterparty,
      coalesce(now.description, filed.description) as description, coalesce(now.net_pence, filed.net_pence) as net_pence,
      coalesce(now.vat_pence, filed.vat_pence) as vat_pence, coalesce(now.treatment, filed.treatment) as treatment,
      now.repeat is not null as in_books,
      exists (select 1 from now n join filed f using (${document}, repeat)) as is_covered
    from now full join filed using (${document}, repeat)
    where now.repeat is null or filed.repeat is null
    limit ${2 * MAX_LATE_ROWS + 1}`);
  const toFiledRow = ({ in_books: _inBooks, is_covered: _isCovered, ...row }: (typeof differentRows)[number]): FiledRow => row;
  const lateRows = findLateRows({
    added: differentRows.filter((row) => row.in_books).map(toFiledRow),
    removed: differentRows.filter((row) => !row.in_books).map(toFiledRow),
    settled: decisions.map(({ filedRow, row }) => ({ filed: filedRow, now: row })),
    coversPeriod: differentRows[0]?.is_covered ?? true,
  });
  const isTooMany = lateRows.length > MAX_LATE_ROWS || differentRows.length > 2 * MAX_LATE_ROWS;
  return isTooMany ? { lateRows: [], isTooMany } : { lateRows: lateRows.map((row) => ({ ...row, key: hashKey(row.key) })), isTooMany };
}

/** Keys contain a row's texts, which can be long. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
