import type { currentBooksOutput } from '@portal/contract/books.ts';
import { booksFiles } from '@portal/db/schema/schema.ts';
import { desc } from '@portal/db/sql.ts';
import type { z } from 'zod/mini';
import type { AppDeps } from '../../app-deps.ts';
import { isCurrentFile } from '../vat-returns/current-files.ts';
import { findPendingBooks } from './books-uploads.ts';
import { findRowsOutsidePeriods } from './find-rows-outside-periods.ts';

/** Returns the books of a trader's company or of a client: the current file, earlier ones, and any pending one. */
export async function getCurrentBooks(
  { database: { db }, clock }: AppDeps,
  companyId: string,
): Promise<z.output<typeof currentBooksOutput>> {
  const rows = await db.select().from(booksFiles).where(isCurrentFile(companyId)).orderBy(desc(booksFiles.appliedAt)).limit(20);
  const files = rows.map((file) => ({
    file_id: file.id,
    file_name: file.fileName,
    rows: file.rows,
    first_date: file.firstDate,
    last_date: file.lastDate,
    flagged: file.flagged,
    applied_at: file.appliedAt ?? clock.now(),
    program: file.source,
    outside_periods: null,
  }));
  const [current, ...earlierFiles] = files;
  const outsidePeriods = rows[0] ? await findRowsOutsidePeriods(db, companyId, rows[0]) : null;
  return {
    current: current ? { ...current, outside_periods: outsidePeriods } : null,
    earlier: earlierFiles,
    pending: await findPendingBooks(db, companyId),
  };
}
