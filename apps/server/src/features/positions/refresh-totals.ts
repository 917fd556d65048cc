/** Keeps stored totals up to date. Every change inserts a mark in its own transaction, and a count deletes the marks that it saw. */
import { isInIdList } from '@portal/db/in-id-list.ts';
import type { Db } from '@portal/db/database.ts';
import { refreshStatistics } from '@portal/db/refresh-statistics.ts';
import { practiceTotals, staleTotals } from '@portal/db/schema/schema.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq, ne, notInArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Enqueue } from '../../jobs/job-kinds.ts';
import { countAttention, storeAttention } from '../clients/count-attention.ts';
import { countInTransaction, countTotals, WHOLE_PRACTICE, type CountedTotals } from './count-totals.ts';

/** Changes come in bursts, so the job waits and covers them all with one count. */
const MIN_DELAY_SECONDS = 2;
const MAX_DELAY_SECONDS = 30;
/** Counting uses at most this share of the time, even in a large practice during a long refresh. */
const MAX_TIME_SHARE = 0.1;

type EnqueueDeps = { readonly enqueue: Enqueue };

/** Call it in the transaction of any change that affects totals. Repeated calls queue one job. */
export async function enqueueTotals(deps: EnqueueDeps, tx: Db, companyId: string): Promise<void> {
  await tx.insert(staleTotals).values({ companyId });
  await enqueueTotalsJob(deps, tx, companyId);
}

/** Queues a count without a new change: on a new day, or when a mark has been left behind. */
export async function enqueueTotalsJob(deps: EnqueueDeps, db: Db, companyId: string): Promise<void> {
  const [last] = await db
    .select({ durationMs: practiceTotals.durationMs })
    .from(practiceTotals)
    .where(and(eq(practiceTotals.companyId, companyId), eq(practiceTotals.viewerId, WHOLE_PRACTICE)));
  const seconds = Math.ceil((last?.durationMs ?? 0) / 1000 / MAX_TIME_SHARE);
  const delaySeconds = Math.min(Math.max(seconds, MIN_DELAY_SECONDS), MAX_DELAY_SECONDS);
  await deps.enqueue(
    db,
    'practice.refresh-totals',
    { company_id: companyId },
    { singletonKey: `practice.refresh-totals:${companyId}`, delaySeconds },
  );
}

/** The job: counts the totals of the practice and of each user with assigned clients. */
export async function refreshTotals({ database, clock }: AppDeps, companyId: string): Promise<void> {
  const { db } = database;
  // Counting joins large tables, usually right after many writes, so the planner needs fresh statistics.
  await refreshStatistics(database);
  const startedAt = performance.now();
  const today = clock.today();
  // Deletes only the marks in this snapshot. Any other mark belongs to a change that wasn't counted, so it stays for the next count.
  const { marks, counted, attention } = await db.transaction(
    async (tx) => ({
      marks: await tx.select({ id: staleTotals.id }).from(staleTotals).where(eq(staleTotals.companyId, companyId)),
      counted: await countInTransaction(tx, companyId, today),
      attention: await countAttention(tx, companyId, today),
    }),
    { isolationLevel: 'repeatable read' },
  );
  const durationMs = Math.round(performance.now() - startedAt);
  const viewers = counted.map(({ viewerId }) => viewerId);
  await db.transaction(async (tx) => {
    for (const totals of counted) await storeTotals(tx, companyId, totals, { countedOn: today, countedAt: clock.now(), durationMs });
    await tx.delete(practiceTotals).where(and(eq(practiceTotals.companyId, companyId), notInArray(practiceTotals.viewerId, viewers)));
    await storeAttention(tx, companyId, { countedOn: today, countedAt: clock.now(), members: attention });
    const ids = marks.map(({ id }) => id);
    await tx.delete(staleTotals).where(and(eq(staleTotals.companyId, companyId), isInIdList(staleTotals.id, ids)));
  });
}

/**
 * Call this after an assignment has been committed, so that the users' next requests find stored totals. Never throws, because the change
 * has been made: its mark makes the job count the totals, and until then totals over other clients are never shown.
 */
export async function refreshTotalsOfUsers(deps: AppDeps, companyId: string, userIds: readonly string[]): Promise<void> {
  const { database, clock, logger } = deps;
  const today = clock.today();
  try {
    for (const userId of userIds) {
      for (const totals of await countTotals(database.db, companyId, today, userId)) {
        await storeTotals(database.db, companyId, totals, { countedOn: today, countedAt: clock.now(), durationMs: 0 });
      }
    }
  } catch (error) {
    logger.error({ err: error, companyId }, 'totals: could not be stored after a change of assignments; the job counts them again');
  }
}

type CountMetadata = Pick<typeof practiceTotals.$inferInsert, 'countedOn' | 'countedAt' | 'durationMs'>;

async function storeTotals(db: Db, companyId: string, { viewerId, ...counted }: CountedTotals, metadata: CountMetadata): Promise<void> {
  const set = { ...counted, ...metadata };
  await db
    .insert(practiceTotals)
    .values({ companyId, viewerId, ...set })
    .onConflictDoUpdate({ target: [practiceTotals.companyId, practiceTotals.viewerId], set });
}

/** Lists practices whose totals are from another day, or that have marks left because the job ran before the change was committed. */
export async function listPracticesWithStaleTotals(db: Db, today: PlainDate): Promise<string[]> {
  const outdatedPractices = db
    .select({ companyId: practiceTotals.companyId })
    .from(practiceTotals)
    .where(ne(practiceTotals.countedOn, today));
  const markedPractices = db.select({ companyId: staleTotals.companyId }).from(staleTotals);
  const rows = await outdatedPractices.union(markedPractices);
  return rows.map(({ companyId }) => companyId);
}
