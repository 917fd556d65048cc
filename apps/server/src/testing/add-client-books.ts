/** For tests: makes books current for a client of a practice, as an upload or a reading does. */
import { randomUUID } from 'node:crypto';
import { booksFiles, booksRows } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { saveBooksTurnover } from '../features/books/save-books-turnover.ts';
import type { TestPractice } from './add-practice.ts';
import type { TestPortal } from './open-test-portal.ts';

const PURCHASES = ['bad_debt_relief', 'blocked', 'imported_services'];

/** One row of the books. The amount of bad debt relief is its VAT; other amounts are without VAT. */
export type TestBooksRow = readonly [date: string, treatment: string, pence: number];

type BooksOwner = { readonly portal: TestPortal; readonly practice: TestPractice; readonly clientId: string };

/** Adds an uploaded file, or with `fields` books read from bookkeeping software. Returns the file's id. */
export async function addClientBooks(
  { portal, practice, clientId }: BooksOwner,
  rows: readonly TestBooksRow[],
  fields: Partial<typeof booksFiles.$inferInsert> = {},
): Promise<string> {
  const { db } = portal.deps.database;
  const fileId = randomUUID();
  const dates = rows.map(([date]) => plainDate(date)).toSorted();
  await db.insert(booksFiles).values({
    companyId: clientId,
    id: fileId,
    fileName: 'books.csv',
    rows: rows.length,
    flagged: 0,
    firstDate: dates[0] ?? null,
    lastDate: dates.at(-1) ?? null,
    appliedAt: portal.deps.clock.now(),
    uploadedBy: practice.adminId,
    ...fields,
  });
  await db.insert(booksRows).values(
    rows.map(([date, treatment, amount], line) => ({
      companyId: clientId,
      fileId,
      line,
      date: plainDate(date),
      kind: PURCHASES.includes(treatment) ? ('purchase' as const) : ('sale' as const),
      reference: '',
      counterparty: '',
      description: '',
      netPence: pence(treatment === 'bad_debt_relief' ? 0 : amount),
      vatPence: pence(treatment === 'bad_debt_relief' ? amount : 0),
      treatment: treatment as never,
    })),
  );
  await db.transaction((tx) => saveBooksTurnover(tx, portal.deps, { companyId: clientId, practiceId: practice.companyId }, null));
  return fileId;
}
