/** Counts rows of a books file that aren't in any VAT period that HMRC has listed, so that they don't look as if they were in a return. */
import type { BooksFile } from '@portal/contract/books.ts';
import type { Db } from '@portal/db/database.ts';
import { booksRows, obligations } from '@portal/db/schema/schema.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, count, eq, gt, lt, type SQL, sql } from '@portal/db/sql.ts';

type DatedFile = { readonly id: string; readonly firstDate: PlainDate | null; readonly lastDate: PlainDate | null };

/** Returns null if there are none, or if HMRC hasn't listed any period yet. */
export async function findRowsOutsidePeriods(db: Db, companyId: string, file: DatedFile): Promise<BooksFile['outside_periods']> {
  const [listed] = await db
    .select({
      start: sql<PlainDate | null>`min(${obligations.periodStart})::text`,
      end: sql<PlainDate | null>`max(${obligations.periodEnd})::text`,
    })
    .from(obligations)
    .where(eq(obligations.companyId, companyId));
  const { start = null, end = null } = listed ?? {};
  if (start === null || end === null || file.firstDate === null || file.lastDate === null) return null;
  const countRows = async (isOutside: SQL): Promise<number> => {
    const isRow = and(eq(booksRows.companyId, companyId), eq(booksRows.fileId, file.id), isOutside);
    const [row] = await db.select({ rows: count() }).from(booksRows).where(isRow);
    return row?.rows ?? 0;
  };
  const rowsBefore = file.firstDate < start ? await countRows(lt(booksRows.date, start)) : 0;
  const rowsAfter = file.lastDate > end ? await countRows(gt(booksRows.date, end)) : 0;
  if (rowsBefore + rowsAfter === 0) return null;
  return { first_period_start: start, last_period_end: end, rows_before: rowsBefore, rows_after: rowsAfter };
}
