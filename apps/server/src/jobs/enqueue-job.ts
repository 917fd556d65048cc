import { afterCommit } from '@portal/db/transaction-scope.ts';
import { sql } from '@portal/db/sql.ts';
import { fromDrizzle, type Db as BossDatabase, type PgBoss } from 'pg-boss';
import type { EnqueueFunction, JobTable, Payloads } from './job-table.ts';
import { hasReported } from './lost-runs.ts';
import { failedQueueName, queueName } from './queues.ts';

/** How long a job stays parked after its process died or hung too often. */
const PARKED_TTL_MS = 3_600_000;

type EnqueueContext<P extends Payloads> = { readonly boss: PgBoss; readonly table: JobTable<P>; readonly wake: () => void };

export function createEnqueue<P extends Payloads>({ boss, table, wake }: EnqueueContext<P>): EnqueueFunction<P> {
  return async (db, kind, payload, { singletonKey, delaySeconds = 0, shouldReplaceParked = false } = {}) => {
    const transaction = fromDrizzle(db, sql);
    if (singletonKey !== undefined) {
      if (await moveForward(boss, transaction, singletonKey, delaySeconds)) {
        if (delaySeconds === 0) afterCommit(wake);
        return;
      }
      if (await isParked(boss, transaction, singletonKey, shouldReplaceParked)) return;
    }
    const { retryLimit, retrySeconds, retryMaxSeconds, expireSeconds } = table[kind];
    await boss.send(
      queueName,
      { kind, payload },
      {
        db: transaction,
        startAfter: delaySeconds,
        retryLimit,
        retryDelay: retrySeconds,
        retryBackoff: true,
        retryDelayMax: retryMaxSeconds,
        expireInSeconds: expireSeconds,
        ...(singletonKey === undefined ? {} : { singletonKey, group: { id: singletonKey } }),
      },
    );
    if (delaySeconds === 0) afterCommit(wake);
  };
}

/**
 * Moves a queued job with this key to the earlier of the two times. The update also locks it until the caller commits: a worker that
 * fetched it earlier would not see the caller's writes. False if no such job is queued.
 */
async function moveForward(boss: PgBoss, db: BossDatabase, singletonKey: string, delaySeconds: number): Promise<boolean> {
  const startAfter = delaySeconds === 0 ? 0 : await findEarlier(boss, db, singletonKey, delaySeconds);
  if (startAfter === undefined) return false;
  const { updated } = await boss.update(queueName, undefined, { singletonKey, startAfter, db });
  return updated > 0;
}

/** The time to set; undefined if no job with this key is queued. */
async function findEarlier(boss: PgBoss, db: BossDatabase, key: string, delaySeconds: number): Promise<Date | number | undefined> {
  const [waiting] = await boss.findJobs(queueName, { key, queued: true, db });
  if (!waiting) return undefined;
  // Drizzle's transactions return dates as text, despite pg-boss's types.
  const dueAt = new Date(waiting.startAfter);
  return dueAt.getTime() < Date.now() + delaySeconds * 1000 ? dueAt : delaySeconds;
}

/** Whether a job with this key was parked recently. A parked job that is replaced or has expired is deleted. */
async function isParked(boss: PgBoss, db: BossDatabase, key: string, shouldReplace: boolean): Promise<boolean> {
  const failed = await boss.findJobs(failedQueueName, { key, queued: true, db });
  const parked = failed.filter(({ sourceOutput }) => !hasReported(sourceOutput));
  if (parked.length === 0) return false;
  if (!shouldReplace && parked.some(({ createdOn }) => new Date(createdOn).getTime() > Date.now() - PARKED_TTL_MS)) return true;
  await boss.deleteJob(
    failedQueueName,
    parked.map(({ id }) => id),
    { db },
  );
  return false;
}
