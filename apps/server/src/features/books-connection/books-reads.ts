/** The latest read of a company's books: its start, its end, and the job that does it. */
import type { Db, Tx } from '@portal/db/database.ts';
import { booksReads } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { BooksProblemCode } from '@portal/domain/connected-books/books-problems.ts';
import type { AppDeps } from '../../app-deps.ts';

/** Clocks of the program and ours may differ, and a document may be saved while a page is read. */
const OVERLAP_MS = 10 * 60_000;

/** In place of a resource: everything is copied, and the books are to be worked out from the copy. */
export const APPLY_STEP = 'apply';

type Read = typeof booksReads.$inferSelect;

/** `isFull`: read everything, also to find out what was deleted. A read that is running continues, unless a complete one is wanted. */
export async function startRead(
  deps: AppDeps,
  tx: Tx,
  companyId: string,
  { isFull, delaySeconds = 0 }: { readonly isFull: boolean; readonly delaySeconds?: number },
): Promise<void> {
  const [before] = await tx.select().from(booksReads).where(eq(booksReads.companyId, companyId)).for('update');
  if (before?.status === 'reading' && (before.isFull || !isFull)) {
    await enqueueRead(deps, tx, companyId);
    return;
  }
  const isComplete = isFull || before === undefined || before.lastFullAt === null || before.status === 'failed';
  const read = {
    status: 'reading' as const,
    number: (before?.number ?? 0) + 1,
    isFull: isComplete,
    startedAt: deps.clock.now(),
    modifiedSince: isComplete ? null : addMilliseconds(before.startedAt, -OVERLAP_MS),
    resource: '',
    page: 1,
    objects: 0,
    waitsUntil: null,
  };
  await tx
    .insert(booksReads)
    .values({ companyId, ...read })
    .onConflictDoUpdate({ target: booksReads.companyId, set: read });
  await enqueueRead(deps, tx, companyId, delaySeconds);
}

/** Events come in bursts, while someone works in the program. */
const HINT_DELAY_SECONDS = 20;

/** Reads what has changed, soon. While a read runs or waits, it or the next one finds it. */
export async function hintChange(deps: AppDeps, tx: Tx, companyId: string): Promise<void> {
  const [read] = await tx.select({ status: booksReads.status }).from(booksReads).where(eq(booksReads.companyId, companyId));
  if (read?.status !== 'done') return;
  await startRead(deps, tx, companyId, { isFull: false, delaySeconds: HINT_DELAY_SECONDS });
}

/** Works the books out again from the copy, after a person's answer. Nothing to do while they are being read: that uses the answer. */
export async function startApplying(deps: AppDeps, tx: Tx, companyId: string): Promise<void> {
  await tx
    .update(booksReads)
    .set({ status: 'reading', resource: APPLY_STEP })
    .where(and(eq(booksReads.companyId, companyId), eq(booksReads.status, 'done')));
  await enqueueRead(deps, tx, companyId);
}

export function enqueueRead(deps: AppDeps, db: Db | Tx, companyId: string, delaySeconds = 0): Promise<void> {
  const options = { singletonKey: `books.read:${companyId}`, ...(delaySeconds > 0 ? { delaySeconds } : {}) };
  return deps.enqueue(db, 'books.read', { company_id: companyId }, options);
}

/** Ends a read without new figures, or with them (no problem). */
export async function finishRead(
  deps: AppDeps,
  { companyId, number, isFull, startedAt }: Read,
  { problem, questions = [] }: { readonly problem: BooksProblemCode | null; readonly questions?: Read['questions'] },
): Promise<void> {
  const done = problem === null || problem === 'rates_unknown' || problem === 'basis_unknown';
  await deps.database.db
    .update(booksReads)
    .set({
      status: problem === 'unavailable' ? 'failed' : 'done',
      finishedAt: deps.clock.now(),
      problem,
      questions,
      waitsUntil: null,
      // Only a read that reached the end has seen everything.
      ...(isFull && done ? { lastFullAt: startedAt } : {}),
      ...(done ? {} : { lastFullAt: null }),
    })
    .where(and(eq(booksReads.companyId, companyId), eq(booksReads.number, number)));
}
