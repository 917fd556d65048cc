/** A period's boxes from the books: computed once, when a file or an obligation arrives, with the same code as `npm run boxes`. */
import type { Db, Tx } from '@portal/db/database.ts';
import { booksFiles, booksRows, obligations, periodFigures } from '@portal/db/schema/schema.ts';
import type { BooksRow, Treatment } from '@portal/domain/books/books-row.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { createBoxesAccumulator, type PeriodTotals } from '@portal/domain/vat-returns/accumulate-boxes.ts';
import { and, asc, desc, eq, gt, inArray } from '@portal/db/sql.ts';
import { isCurrentFile } from './current-files.ts';

const BATCH_SIZE = 5_000;

export type ObligationPeriod = { readonly id: string; readonly periodStart: BooksRow['date']; readonly periodEnd: BooksRow['date'] };

/** Finds a company's current books: the last file applied, not counting files from an organisation that is no longer the client's. */
export async function findCurrentFile(db: Db | Tx, companyId: string): Promise<typeof booksFiles.$inferSelect | undefined> {
  const [file] = await db.select().from(booksFiles).where(isCurrentFile(companyId)).orderBy(desc(booksFiles.appliedAt)).limit(1);
  return file;
}

/** HMRC may list two keys for the same dates. Both obligations get the same figures, so each period is computed only once. */
export function listDistinctPeriods(periods: readonly ObligationPeriod[]): { from: BooksRow['date']; to: BooksRow['date'] }[] {
  const periodsByKey = new Map(
    periods.map((period) => [`${period.periodStart}:${period.periodEnd}`, { from: period.periodStart, to: period.periodEnd }]),
  );
  return [...periodsByKey.values()];
}

/**
 * Stores a file's totals for the obligations with the same periods. `nilFrom`: the books are complete from this date, so a later period
 * without rows is a nil return. Without it, the file may simply end before the period.
 */
export async function storeFigures(
  tx: Tx,
  companyId: string,
  fileId: string,
  periods: readonly ObligationPeriod[],
  totals: readonly PeriodTotals[],
  { nilFrom = null }: { readonly nilFrom?: PlainDate | null } = {},
): Promise<void> {
  for (const obligation of periods) {
    const periodTotals = totals.find(({ period }) => period.from === obligation.periodStart && period.to === obligation.periodEnd);
    if (!periodTotals || (periodTotals.rows === 0 && (nilFrom === null || obligation.periodStart < nilFrom))) continue;
    const { boxes } = periodTotals;
    await tx
      .insert(periodFigures)
      .values({
        companyId,
        obligationId: obligation.id,
        fileId,
        rows: periodTotals.rows,
        flagged: periodTotals.flagged,
        box1Pence: boxes.box1,
        box2Pence: boxes.box2,
        box4Pence: boxes.box4,
        box6Pounds: boxes.box6,
        box7Pounds: boxes.box7,
        box8Pounds: boxes.box8,
        box9Pounds: boxes.box9,
      })
      .onConflictDoNothing();
    await tx
      .update(booksRows)
      .set({ flagged: true })
      .where(
        and(eq(booksRows.companyId, companyId), eq(booksRows.fileId, fileId), inArray(booksRows.line, [...periodTotals.flaggedLines])),
      );
  }
}

/**
 * Computes the figures of obligations that arrived while a file was being applied. `knownPeriods`: obligations for which the file already has
 * figures, or no rows.
 */
export async function computeNewFigures(db: Db, companyId: string, knownPeriods: readonly ObligationPeriod[]): Promise<void> {
  const current = await db.select({ id: obligations.id }).from(obligations).where(eq(obligations.companyId, companyId));
  const ids = new Set(knownPeriods.map(({ id }) => id));
  if (current.some(({ id }) => !ids.has(id))) await computeMissingFigures(db, companyId);
}

/** Computes the figures of obligations that arrived after the file. */
export async function computeMissingFigures(db: Db, companyId: string): Promise<void> {
  const file = await findCurrentFile(db, companyId);
  if (!file) return;
  const all = await db
    .select({
      id: obligations.id,
      periodStart: obligations.periodStart,
      periodEnd: obligations.periodEnd,
      existingRows: periodFigures.rows,
    })
    .from(obligations)
    .leftJoin(
      periodFigures,
      and(eq(periodFigures.companyId, companyId), eq(periodFigures.obligationId, obligations.id), eq(periodFigures.fileId, file.id)),
    )
    .where(eq(obligations.companyId, companyId));
  const missingFigures = all.filter(({ existingRows }) => existingRows === null);
  if (missingFigures.length === 0) return;
  const accumulator = createBoxesAccumulator(listDistinctPeriods(missingFigures));
  for await (const rows of readStoredRows(db, companyId, file.id)) accumulator.add(rows);
  await db.transaction((tx) =>
    storeFigures(tx, companyId, file.id, missingFigures, accumulator.totals(), { nilFrom: file.source === null ? null : file.firstDate }),
  );
}

async function* readStoredRows(db: Db, companyId: string, fileId: string): AsyncGenerator<BooksRow[]> {
  let afterLine = 0;
  for (;;) {
    const rows = await db
      .select()
      .from(booksRows)
      .where(and(eq(booksRows.companyId, companyId), eq(booksRows.fileId, fileId), gt(booksRows.line, afterLine)))
      .orderBy(asc(booksRows.line))
      .limit(BATCH_SIZE);
    const last = rows.at(-1);
    if (!last) return;
    afterLine = last.line;
    yield rows.map(({ line, date, kind, reference, counterparty, description, netPence, vatPence, treatment }) => ({
      line,
      date,
      kind,
      reference,
      counterparty,
      description,
      net_pence: netPence,
      vat_pence: vatPence,
      treatment: treatment as Treatment,
    }));
  }
}
