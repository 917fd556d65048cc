/** The latest read of a company's books: its start, its end, and its job. */
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@portal/db/database.ts';
import { booksObjects, booksReads, booksVatFigures } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { BooksProblemCode } from '@portal/domain/connected-books/books-problems.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Taxpayer } from '../vat-returns/taxpayer.ts';

/** The software's clock may differ from ours, and a document may be saved while a page is being read. */
const OVERLAP_MS = 10 * 60_000;

/** Stored instead of a resource once everything is copied and the books must be derived from the copy. */
export const APPLY_STEP = 'apply';

type BooksRead = typeof booksReads.$inferSelect;

/** `isFull` reads everything, which also finds deletions. A running read continues, unless a full one is needed. */
export async function startRead(
  deps: AppDeps,
  tx: Tx,
  { companyId, practiceId }: Taxpayer,
  { isFull, delaySeconds = 0 }: { readonly isFull: boolean; readonly delaySeconds?: number },
): Promise<void> {
  const [existing] = await tx.select().from(booksReads).where(eq(booksReads.companyId, companyId)).for('update');
  if (existing?.status === 'reading' && (existing.isFull || !isFull)) {
    await enqueueBooksRead(deps, tx, existing);
    return;
  }
  const isComplete = isFull || existing === undefined || existing.lastFullAt === null || existing.status === 'failed';
  const read = {
    status: 'reading' as const,
    readId: randomUUID(),
    number: (existing?.number ?? 0) + 1,
    confirms: null,
    isHinted: false,
    isFull: isComplete,
    startedAt: deps.clock.now(),
    modifiedSince: isComplete ? null : addMilliseconds(existing.startedAt, -OVERLAP_MS),
    resource: '',
    page: 1,
    objects: 0,
    waitsUntil: null,
  };
  await tx
    .insert(booksReads)
    .values({ companyId, practiceId, ...read })
    .onConflictDoUpdate({ target: booksReads.companyId, set: read });
  await enqueueBooksRead(deps, tx, { companyId, practiceId }, delaySeconds);
}

/** Deletes the data read. A job that is storing a page finishes first, and stores nothing afterwards. */
export async function deleteReadBooks(tx: Tx, companyId: string): Promise<void> {
  await tx.delete(booksReads).where(eq(booksReads.companyId, companyId));
  await tx.delete(booksObjects).where(eq(booksObjects.companyId, companyId));
  await tx.delete(booksVatFigures).where(eq(booksVatFigures.companyId, companyId));
}

/** Events come in bursts while a user works in the software. */
const HINT_DELAY_SECONDS = 20;
/** The minimum time between reads after hints: each uses up to eleven of the calls that the software allows per day. */
const MIN_HINT_INTERVAL_SECONDS = 5 * 60;

/** Reads changes soon. If a read is running, another one follows it. */
export async function scheduleRead(deps: AppDeps, tx: Tx, companyId: string): Promise<void> {
  const [read] = await tx.select().from(booksReads).where(eq(booksReads.companyId, companyId)).for('update');
  if (read?.status === 'reading') await tx.update(booksReads).set({ isHinted: true }).where(eq(booksReads.companyId, companyId));
  if (read?.status !== 'done') return;
  const secondsSince =
    read.finishedAt === null ? MIN_HINT_INTERVAL_SECONDS : (Date.parse(deps.clock.now()) - Date.parse(read.finishedAt)) / 1_000;
  const delaySeconds = Math.max(HINT_DELAY_SECONDS, Math.ceil(MIN_HINT_INTERVAL_SECONDS - secondsSince));
  await startRead(deps, tx, read, { isFull: false, delaySeconds });
}

/**
 * Recomputes the books from the copy after a user's answer. Does nothing during a read, which will use the answer itself. If the copy has no
 * documents, reads them first.
 */
export async function startApplying(deps: AppDeps, tx: Tx, taxpayer: Taxpayer): Promise<void> {
  const { companyId } = taxpayer;
  const [read] = await tx.select().from(booksReads).where(eq(booksReads.companyId, companyId)).for('update');
  if (read && read.status !== 'reading' && read.lastFullAt === null) return startRead(deps, tx, taxpayer, { isFull: true });
  await tx
    .update(booksReads)
    .set({ status: 'reading', resource: APPLY_STEP, readId: randomUUID() })
    .where(and(eq(booksReads.companyId, companyId), eq(booksReads.status, 'done')));
  await enqueueBooksRead(deps, tx, taxpayer);
}

export function enqueueBooksRead(deps: AppDeps, db: Db | Tx, { companyId, practiceId }: Taxpayer, delaySeconds = 0): Promise<void> {
  const options = { singletonKey: `books.read:${companyId}`, ...(delaySeconds > 0 ? { delaySeconds } : {}) };
  return deps.enqueue(db, 'books.read', toPayload({ companyId, practiceId }), options);
}

/** Returns the payload of a job for these books, which runs in their tenant. */
function toPayload({ companyId, practiceId }: Taxpayer): { company_id: string; client_id?: string } {
  return practiceId === null ? { company_id: companyId } : { company_id: practiceId, client_id: companyId };
}

/** Ends a read, with new figures if there was no problem. If something has changed in the meantime, another read follows. */
export async function finishRead(
  deps: AppDeps,
  { companyId, practiceId, readId, isFull, startedAt }: BooksRead,
  {
    problem,
    questions = [],
    unreadable = [],
  }: { readonly problem: BooksProblemCode | null } & Partial<Pick<BooksRead, 'questions' | 'unreadable'>>,
): Promise<void> {
  const isDone = problem === null || PROBLEMS_KEEPING_COPY.has(problem);
  await deps.database.db.transaction(async (tx) => {
    const [finishedRead] = await tx
      .update(booksReads)
      .set({
        status: problem === 'unavailable' ? 'failed' : 'done',
        finishedAt: deps.clock.now(),
        problem,
        questions,
        unreadable,
        waitsUntil: null,
        // Only a completed read has seen everything.
        ...(isFull && isDone ? { lastFullAt: startedAt } : {}),
        ...(isDone ? {} : { lastFullAt: null }),
      })
      .where(and(eq(booksReads.companyId, companyId), eq(booksReads.readId, readId)))
      .returning({ isHinted: booksReads.isHinted });
    if (finishedRead && problem === null) await deps.enqueue(tx, 'books.vat_figures', toPayload({ companyId, practiceId }));
    if (isDone && finishedRead?.isHinted === true)
      await startRead(deps, tx, { companyId, practiceId }, { isFull: false, delaySeconds: MIN_HINT_INTERVAL_SECONDS });
  });
}

/** Problems for which everything has been copied and only a user's decision is missing. */
const PROBLEMS_KEEPING_COPY: ReadonlySet<BooksProblemCode> = new Set([
  'rates_unknown',
  'basis_unknown',
  'file_in_use',
  'documents_unreadable',
]);
