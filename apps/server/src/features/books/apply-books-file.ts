/** Imports a file of books completely or not at all. */
import { randomUUID } from 'node:crypto';
import type { BooksFile } from '@portal/contract/books.ts';
import type { Db } from '@portal/db/database.ts';
import { booksFiles, booksRows, obligations } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { accumulateByPeriod } from '@portal/domain/vat-returns/accumulate-boxes.ts';
import type { BooksRow } from '@portal/domain/books/books-row.ts';
import { readBooksFile } from '@portal/providers/books-file/read-books-file.ts';
import { and, eq, sql } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { distinctPeriods, storeFigures } from '../vat-returns/period-figures.ts';
import { enqueueBooksEmail } from './books-email.ts';

export type UploadedFile = { readonly companyId: string; readonly fileName: string; readonly bytes: AsyncIterable<Uint8Array> };

/**
 * Streams the rows into a file that is not the current books yet, then makes it current together with its figures in one transaction.
 * After an error nothing of the file is left, and the previous file stays current.
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
  const { companyId, fileName, bytes } = upload;
  const periods = await db
    .select({ id: obligations.id, periodStart: obligations.periodStart, periodEnd: obligations.periodEnd })
    .from(obligations)
    .where(eq(obligations.companyId, companyId));
  const accumulator = accumulateByPeriod(distinctPeriods(periods));
  const reader = readBooksFile(bytes, { fileName });
  for await (const rows of reader.batches) {
    accumulator.add(rows);
    await insertRows(db, companyId, fileId, rows);
  }
  const summary = reader.summary();
  if (summary.errors.length > 0) throw createFileRejectedError(summary);
  const totals = accumulator.totals();
  const flagged = totals.reduce((sum, period) => sum + period.flagged, 0);
  const at = deps.clock.now();
  const applied = { rows: summary.rows, flagged, firstDate: summary.firstDate ?? null, lastDate: summary.lastDate ?? null, appliedAt: at };
  const file: BooksFile = {
    file_id: fileId,
    file_name: fileName,
    rows: applied.rows,
    first_date: applied.firstDate,
    last_date: applied.lastDate,
    flagged,
    applied_at: at,
  };
  await db.transaction(async (tx) => {
    await tx
      .update(booksFiles)
      .set(applied)
      .where(and(eq(booksFiles.companyId, companyId), eq(booksFiles.id, fileId)));
    await storeFigures(tx, companyId, fileId, periods, totals);
    await recordAudit(tx, {
      companyId,
      at,
      actor: actor.userId,
      action: 'books.applied',
      subject: fileId,
      after: { fileName, rows: summary.rows },
      ip,
    });
    await enqueueBooksEmail(deps, tx, companyId, file);
  });
  return file;
}

function createFileRejectedError(summary: { errors: readonly { line: number; column: string; reason: string }[] }): AppError {
  const { errors } = summary;
  const [first] = errors;
  // An error that concerns a whole line or file has no column.
  const firstErrorText = first ? ` Line ${first.line}${first.column && `, ${first.column}`}: ${first.reason}` : '';
  return new AppError(
    'impossible',
    'books.file_rejected',
    `We couldn’t import the file because of ${errors.length === 1 ? 'an error' : `${errors.length} errors`}.${firstErrorText}`,
    {
      errors,
    },
  );
}

/** One statement for a batch of any size: the rows are sent as one JSON parameter. */
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
