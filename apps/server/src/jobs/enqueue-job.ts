import { afterCommit } from '@portal/db/transaction-scope.ts';
import { sql } from '@portal/db/sql.ts';
import { fromDrizzle, type Db as BossDatabase, type PgBoss } from 'pg-boss';
import type { EnqueueFunction, JobTable, Payloads } from './job-table.ts';
import { getRequestId } from '../observability/request-scope.ts';
import { getTraceParent } from '../observability/spans.ts';
import { hasReportedFailure } from './lost-runs.ts';
import { failedQueueName, queueName, urgentQueueName } from './queues.ts';
import type { JobOrigin } from './run-job.ts';

/** How long a job stays parked after its process has repeatedly died or hung. */
const PARKED_TTL_MS = 3_600_000;

type EnqueueContext<P extends Payloads> = { readonly boss: PgBoss; readonly table: JobTable<P>; readonly wake: (queue: string) => void };

export function createEnqueue<P extends Payloads>({ boss, table, wake }: EnqueueContext<P>): EnqueueFunction<P> {
  return async (db, kind, payload, { id, singletonKey, delaySeconds = 0, shouldReplaceParked = false } = {}) => {
    const transaction = fromDrizzle(db, sql);
    const queue = getQueue(table, kind);
    if (singletonKey !== undefined) {
      if (await moveJobEarlier({ boss, queue, db: transaction }, singletonKey, delaySeconds)) {
        if (delaySeconds === 0) afterCommit(() => wake(queue));
        return;
      }
      if (await isParked(boss, transaction, singletonKey, shouldReplaceParked)) return;
    }
    const { retryLimit, retrySeconds, retryMaxSeconds, expireSeconds } = table[kind];
    await boss.send(
      queue,
      { kind, payload, ...describeOrigin() },
      {
        db: transaction,
        startAfter: delaySeconds,
        retryLimit,
        retryDelay: retrySeconds,
        retryBackoff: true,
        retryDelayMax: retryMaxSeconds,
        expireInSeconds: expireSeconds,
        ...(id === undefined ? {} : { id }),
        ...(singletonKey === undefined ? {} : { singletonKey, group: { id: singletonKey } }),
      },
    );
    if (delaySeconds === 0) afterCommit(() => wake(queue));
  };
}

/** Returns the queue for jobs of a kind, unless the kind is periodic. */
export function getQueue<P extends Payloads>(table: JobTable<P>, kind: keyof P): string {
  return table[kind].isUrgent === true ? urgentQueueName : queueName;
}

type Queue = { readonly boss: PgBoss; readonly queue: string; readonly db: BossDatabase };

/** Describes the request that enqueued the job, directly or through another job. */
function describeOrigin(): JobOrigin {
  const requestId = getRequestId();
  const traceParent = getTraceParent();
  return {
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(traceParent === undefined ? {} : { traceparent: traceParent }),
  };
}

/**
 * Moves a queued job with this key to the earlier of the two times. The update also locks the job until the caller commits: a worker that
 * fetched it earlier wouldn't see the caller's writes. Returns false if no such job is queued.
 */
async function moveJobEarlier(target: Queue, singletonKey: string, delaySeconds: number): Promise<boolean> {
  const { boss, queue, db } = target;
  const startAfter = delaySeconds === 0 ? 0 : await findEarlierJob(target, singletonKey, delaySeconds);
  if (startAfter === undefined) return false;
  const { updated } = await boss.update(queue, undefined, { singletonKey, startAfter, db });
  return updated > 0;
}

/** Returns the start time to set, or undefined if no job with this key is queued. */
async function findEarlierJob({ boss, queue, db }: Queue, key: string, delaySeconds: number): Promise<Date | number | undefined> {
  const [queuedJob] = await boss.findJobs(queue, { key, queued: true, db });
  if (!queuedJob) return undefined;
  // Drizzle's transactions return dates as text, despite pg-boss's types.
  const dueAt = new Date(queuedJob.startAfter);
  return dueAt.getTime() < Date.now() + delaySeconds * 1000 ? dueAt : delaySeconds;
}

/** Returns whether a job with this key was parked recently. Deletes a parked job that is replaced or has expired. */
async function isParked(boss: PgBoss, db: BossDatabase, key: string, shouldReplace: boolean): Promise<boolean> {
  const failedJobs = await boss.findJobs(failedQueueName, { key, queued: true, db });
  const parkedJobs = failedJobs.filter(({ sourceOutput }) => !hasReportedFailure(sourceOutput));
  if (parkedJobs.length === 0) return false;
  if (!shouldReplace && parkedJobs.some(({ createdOn }) => new Date(createdOn).getTime() > Date.now() - PARKED_TTL_MS)) return true;
  await boss.deleteJob(
    failedQueueName,
    parkedJobs.map(({ id }) => id),
    { db },
  );
  return false;
}
