/** Imports a books file completely or not at all. */
import { randomUUID } from 'node:crypto';
import type { BooksFile } from '@portal/contract/books.ts';
import type { Db } from '@portal/db/database.ts';
import { booksFiles, booksRows, booksUploads, obligations } from '@portal/db/schema/schema.ts';
import { createBoxesAccumulator } from '@portal/domain/vat-returns/accumulate-boxes.ts';
import type { BooksRow } from '@portal/domain/books/books-row.ts';
import type { BooksFile as BooksFileReading } from '@portal/providers/books-file/read-books-file.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { endChangedApprovals } from '../return-approvals/end-changed-approvals.ts';
import { computeNewFigures, listDistinctPeriods, storeFigures } from '../vat-returns/period-figures.ts';
import { lockTaxpayer, recordTaxpayerAudit, type Taxpayer } from '../vat-returns/taxpayer.ts';
import { enqueueBooksEmail } from './books-email.ts';
import { findRowsOutsidePeriods } from './find-rows-outside-periods.ts';
import { saveBooksTurnover } from './save-books-turnover.ts';

/** `read` starts reading the file from the beginning. The file has been read once without an error. */
export type UploadedFile = Taxpayer & { readonly fileName: string; readonly read: () => BooksFileReading };

/**
 * Streams the rows into a file that isn't current yet, then makes it current together with its figures in one transaction. After an error,
 * nothing of the file remains and the previous file stays current.
 */
export async function applyBooksFile(deps: AppDeps, actor: Actor, file: UploadedFile, ip: string): Promise<BooksFile> {
  const { db } = deps.database;
  const fileId = randomUUID();
  const { companyId, fileName } = file;
  await db.insert(booksFiles).values({ companyId, id: fileId, fileName, rows: 0, flagged: 0, uploadedBy: actor.userId });
  try {
    return await importRows(deps, actor, file, fileId, ip);
  } catch (error) {
    await deleteFile(db, companyId, fileId);
    throw error;
  }
}

async function importRows(deps: AppDeps, actor: Actor, upload: UploadedFile, fileId: string, ip: string): Promise<BooksFile> {
  const { db } = deps.database;
  const { companyId, fileName } = upload;
  const periods = await db
    .select({ id: obligations.id, periodStart: obligations.periodStart, periodEnd: obligations.periodEnd })
    .from(obligations)
    .where(eq(obligations.companyId, companyId));
  const accumulator = createBoxesAccumulator(listDistinctPeriods(periods));
  const reader = upload.read();
  for await (const rows of reader.batches) {
    accumulator.add(rows);
    await insertRows(db, companyId, fileId, rows);
  }
  const summary = reader.summary();
  if (summary.errors.length > 0) throw new Error('the file was read without an error before');
  const totals = accumulator.totals();
  const flaggedCount = totals.reduce((sum, period) => sum + period.flagged, 0);
  const at = deps.clock.now();
  const appliedFile = {
    rows: summary.rows,
    flagged: flaggedCount,
    firstDate: summary.firstDate ?? null,
    lastDate: summary.lastDate ?? null,
    appliedAt: at,
  };
  const file: BooksFile = {
    file_id: fileId,
    file_name: fileName,
    rows: appliedFile.rows,
    first_date: appliedFile.firstDate,
    last_date: appliedFile.lastDate,
    flagged: flaggedCount,
    applied_at: at,
    program: null,
    outside_periods: await findRowsOutsidePeriods(db, companyId, { id: fileId, ...appliedFile }),
  };
  await db.transaction(async (tx) => {
    // An approval or a filing may be reading the figures at the same time.
    if (upload.practiceId !== null) await lockTaxpayer(tx, upload);
    await tx
      .update(booksFiles)
      .set(appliedFile)
      .where(and(eq(booksFiles.companyId, companyId), eq(booksFiles.id, fileId)));
    await storeFigures(tx, companyId, fileId, periods, totals);
    await recordTaxpayerAudit(tx, upload, {
      at,
      actor: actor.userId,
      action: 'books.applied',
      subject: fileId,
      after: { fileName, rows: summary.rows },
      ip,
    });
    // This file replaces a pending one, or was itself pending.
    await tx.delete(booksUploads).where(eq(booksUploads.companyId, companyId));
    await saveBooksTurnover(tx, deps, upload, null);
    const obligationIds = periods.map(({ id }) => id);
    await endChangedApprovals(deps, tx, upload, obligationIds);
    // For a practice, the uploading member sees the result on the page. For a company, its owners may not be the uploaders, so email them.
    if (upload.practiceId === null) await enqueueBooksEmail(deps, tx, companyId, file);
  });
  await computeNewFigures(db, companyId, periods);
  return file;
}

/** Uses one statement for a batch of any size: the rows are sent as one JSON parameter. */
async function insertRows(db: Db, companyId: string, fileId: string, rows: readonly BooksRow[]): Promise<void> {
  const json = JSON.stringify(rows);
  await db.execute(sql`
    insert into ${booksRows} (company_id, file_id, line, date, kind, reference, counterparty, description, net_pence, vat_pence, treatment)
    select ${companyId}::uuid, ${fileId}::uuid, line, date, kind, reference, counterparty, description, net_pence, vat_pence, treatment
    from jsonb_to_recordset(${json}::jsonb) as r(
      line int, date date, kind text, reference text, counterparty text, description text,
      net_pence bigint, vat_pence bigint, treatment text)`);
}

async function deleteFile(db: Db, companyId: string, fileId: string): Promise<void> {
  await db.delete(booksRows).where(and(eq(booksRows.companyId, companyId), eq(booksRows.fileId, fileId)));
  await db.delete(booksFiles).where(and(eq(booksFiles.companyId, companyId), eq(booksFiles.id, fileId)));
}
