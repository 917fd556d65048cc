/** What a person should look at in the bookkeeping program before they file the figures that were read from it. */
import type { Db } from '@portal/db/database.ts';
import { booksDrafts, booksReads, booksRows, type obligations } from '@portal/db/schema/schema.ts';
import { and, between, count, eq, isNotNull } from '@portal/db/sql.ts';
import { describeBooksProblem } from '@portal/domain/connected-books/books-problems.ts';
import { BOOKS_PROGRAM_NAMES } from '@portal/domain/connected-books/books-programs.ts';
import type { ReviewFacts } from '@portal/domain/vat-returns/review-return.ts';
import { findBooksConnection } from '../books-connection/find-books-connection.ts';
import { findTaxpayerVrn } from './taxpayer.ts';

type ObligationRow = typeof obligations.$inferSelect;

/** Of one period, in the given books. */
export async function findProgramFindings(
  db: Db,
  { companyId, periodStart, periodEnd }: ObligationRow,
  fileId: string,
): Promise<Pick<ReviewFacts, 'wrongCodes' | 'unapproved' | 'behind'>> {
  const [rows] = await db
    .select({ wrongCodes: count().mapWith(Number) })
    .from(booksRows)
    .where(
      and(
        eq(booksRows.companyId, companyId),
        eq(booksRows.fileId, fileId),
        between(booksRows.date, periodStart, periodEnd),
        isNotNull(booksRows.documentFlags),
      ),
    );
  const [drafts] = await db
    .select({ unapproved: count().mapWith(Number) })
    .from(booksDrafts)
    .where(and(eq(booksDrafts.companyId, companyId), eq(booksDrafts.fileId, fileId), between(booksDrafts.date, periodStart, periodEnd)));
  return { wrongCodes: rows?.wrongCodes ?? 0, unapproved: drafts?.unapproved ?? 0, behind: await explainBehind(db, companyId) };
}

/** Why the figures may lack what has changed in the program since. Undefined if they follow it. */
async function explainBehind(db: Db, companyId: string): Promise<string | undefined> {
  const connection = await findBooksConnection(db, companyId);
  if (!connection) return 'The bookkeeping program is no longer connected, so these figures don’t follow it.';
  const program = BOOKS_PROGRAM_NAMES[connection.provider];
  if (connection.status === 'lost')
    return `We can no longer read ${program}, so these figures may be out of date. Connect it again before you file.`;
  const [read] = await db.select().from(booksReads).where(eq(booksReads.companyId, companyId));
  if (read === undefined || read.problem === null) return undefined;
  const { title } = describeBooksProblem(read.problem, {
    program: connection.provider,
    organisation: connection.organisationName ?? 'The organisation',
    found: connection.vatNumber,
    expected: await findTaxpayerVrn(db, connection),
    unreadable: read.unreadable,
    isOfClient: connection.practiceId !== null,
  });
  return `These figures may lack the latest changes in ${program}. ${title}: see your books before you file.`;
}
