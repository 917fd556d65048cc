/**
 * Work that outlives its request. pg-boss keeps the jobs in our own database, so that a job is part of the transaction that
 * asks for it; this is the only file that knows pg-boss.
 */
import type { Database, Db } from '@portal/db/database.ts';
import { afterCommit } from '@portal/db/transaction-scope.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { sql } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import { fromDrizzle, PgBoss, type Db as BossDatabase } from 'pg-boss';
import type { Logger } from 'pino';
import type { EnqueueOf, FailedJob, JobHandlers, JobTable, Payloads } from './job-table.ts';
import { failedQueueName, queueName, tickQueueName } from './queues.ts';
import { runJob, type QueuedJob } from './run-job.ts';
import { startSchedule } from './schedule.ts';
import { startWorkers, type Workers } from './workers.ts';

const daySeconds = 86_400;

export type JobsOptions<P extends Payloads> = {
  readonly database: Database;
  readonly table: JobTable<P>;
  readonly logger: Logger;
  /** A job whose process hangs runs again after so long without a sign of life (at least 10); one whose process died, within seconds. */
  readonly heartbeatSeconds?: number;
};

export type Jobs<P extends Payloads> = {
  readonly enqueue: EnqueueOf<P>;
  start(handlers: JobHandlers<P>): Promise<void>;
  /** Whether jobs are being run and the database has answered them lately. */
  isRunning(): boolean;
  /** Waits for the jobs at work, at most so long; what is not done by then is tried again by the next start. */
  stop(timeoutMs?: number): Promise<void>;
  /** For tests: runs what is due (with `early`, also what waits for its time) until nothing is left; how many ran. */
  runDue(handlers: JobHandlers<P>, options?: { readonly early?: boolean }): Promise<number>;
  listFailed(limit: number): Promise<FailedJob[]>;
  /** Puts a failed job back to be tried from the start. False where there is none. */
  retryFailed(id: string): Promise<boolean>;
};

export async function openJobs<P extends Payloads>(options: JobsOptions<P>): Promise<Jobs<P>> {
  const { database, table, logger, heartbeatSeconds = 15 } = options;
  let lastAnswerAt = Date.now();
  const answering: BossDatabase = {
    executeSql: async (text, values) => {
      const result = await database.executeSql(text, values);
      lastAnswerAt = Date.now();
      return result;
    },
  };
  const boss = await openBoss(database, answering, logger, heartbeatSeconds);
  let workers: Workers | undefined;
  let stopSchedule: (() => void) | undefined;

  const enqueue: EnqueueOf<P> = async (db, kind, payload, { singletonKey, delaySeconds = 0 } = {}) => {
    if (singletonKey === undefined || !(await hurryWaiting(db, singletonKey, delaySeconds))) {
      const { retryLimit, retrySeconds, retryMaxSeconds, expireSeconds } = table[kind];
      await boss.send(
        queueName,
        { kind, payload },
        {
          db: fromDrizzle(db, sql),
          startAfter: delaySeconds,
          retryLimit,
          retryDelay: retrySeconds,
          retryBackoff: true,
          retryDelayMax: retryMaxSeconds,
          expireInSeconds: expireSeconds,
          ...(singletonKey === undefined ? {} : { singletonKey, group: { id: singletonKey } }),
        },
      );
    }
    if (delaySeconds === 0) afterCommit(() => workers?.wake(queueName));
  };

  return {
    enqueue,
    start: async (handlers) => {
      workers = await startWorkers(boss, async (job) => {
        // The embedded database has one process: whoever holds a job when it starts is dead.
        if (database.kind === 'postgres') await signJob(database, job.id);
        await runJob(handlers, job, logger);
      });
      const stopTicks = startSchedule({ boss, table, wake: () => workers?.wake(tickQueueName), logger });
      const stopWatch = database.kind === 'postgres' ? watchTheDead(database, () => workers?.wake(queueName), logger) : undefined;
      stopSchedule = () => {
        stopTicks();
        stopWatch?.();
      };
    },
    isRunning: () => workers !== undefined && Date.now() - lastAnswerAt < 15_000,
    stop: async (timeoutMs = 8000) => {
      stopSchedule?.();
      workers = undefined;
      await boss.stop({ close: false, graceful: true, timeout: timeoutMs });
    },
    runDue: (handlers, { early = false } = {}) => runDue(boss, (job) => runJob(handlers, job, logger), early),
    listFailed: (limit) => listFailed(database.db, limit),
    retryFailed: async (id) => {
      const moved = await boss.redrive(failedQueueName, { ids: [id] });
      workers?.wake(queueName);
      return moved > 0;
    },
  };
}

async function openBoss(database: Database, db: BossDatabase, logger: Logger, heartbeatSeconds: number): Promise<PgBoss> {
  const boss = new PgBoss({
    db,
    backend: database.kind === 'embedded' ? 'pglite' : 'postgres',
    schedule: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    // Of pg-boss's housekeeping only the watch over dead workers is urgent; flows are not used.
    bamIntervalSeconds: 600,
    flowIntervalSeconds: 600,
  });
  boss.on('error', (error) => logger.error({ err: error }, 'jobs: pg-boss failed'));
  boss.on('warning', (warning) => logger.warn({ warning }, 'jobs: pg-boss warns'));
  // Instances that start at once would create the same queues at once.
  await database.alone('jobs', async () => {
    await boss.start();
    await boss.createQueue(failedQueueName, { retentionSeconds: 365 * daySeconds });
    // The retries here are for what an operator puts back: that takes the queue's rule, not its kind's.
    const retries = { retryLimit: 12, retryDelay: 2, retryBackoff: true, retryDelayMax: 900 };
    await boss.createQueue(queueName, { ...retries, deadLetter: failedQueueName, heartbeatSeconds, deleteAfterSeconds: daySeconds });
    await boss.createQueue(tickQueueName, { heartbeatSeconds, deleteAfterSeconds: 3600 });
    // pg-boss reads a queue's settings at its first use: here, because inside a transaction there is no second connection.
    await boss.findJobs(queueName, { id: randomUUID() });
    await releaseOfTheDead(database);
  });
  return boss;
}

/** Whose a job is while it runs; its outcome is written over it. Fails where somebody took the job for a dead process's in between. */
async function signJob({ db, holder }: Database, id: string): Promise<void> {
  const { rowCount } = await db.execute(sql`
    update pgboss.job set output = ${JSON.stringify({ held_by: holder.id })}::jsonb
    where id = ${id}::uuid and state = 'active' and ${isUnsigned}`);
  if (rowCount === 0) throw new AppError('conflict', 'jobs.taken', 'Another process has taken this job.');
}

/** What an earlier try left there is no signature. */
const isUnsigned = sql`not coalesce(output ? 'held_by', false)`;

/** A job is signed at once: one that is not after so long was taken by a process that died at that moment. */
const UNSIGNED_SECONDS = 3;

/** Puts back what dead processes were at. */
async function releaseOfTheDead({ kind, db, holder }: Database): Promise<number> {
  const isLeft = sql`(${holder.hasDied(sql`(output ->> 'held_by')::bigint`)}
    or (${isUnsigned} and started_on < now() - ${UNSIGNED_SECONDS} * interval '1 second'))`;
  const { rowCount } = await db.execute(sql`
    update pgboss.job set state = 'retry', started_on = null, start_after = now(), output = null
    where state = 'active' and name in (${queueName}, ${tickQueueName}) and ${kind === 'embedded' ? sql`true` : isLeft}`);
  return rowCount ?? 0;
}

const WATCH_MS = 3_000;

/** Takes over from other processes of a PostgreSQL that die meanwhile. */
function watchTheDead(database: Database, wake: () => void, logger: Logger): () => void {
  const timer = setInterval(() => {
    releaseOfTheDead(database).then(
      (released) => {
        if (released === 0) return;
        logger.warn({ jobs: released }, 'jobs: took over from a process that died');
        wake();
      },
      (error: unknown) => logger.error({ err: error }, 'jobs: could not look for dead processes'),
    );
  }, WATCH_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Where a job of this key waits, a further one is the same one: it only moves forward to the earlier time. */
async function hurryWaiting(db: Db, singletonKey: string, delaySeconds: number): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    update pgboss.job set start_after = least(start_after, now() + ${delaySeconds} * interval '1 second')
    where name = ${queueName} and singleton_key = ${singletonKey} and state < 'active'`);
  return (rowCount ?? 0) > 0;
}

async function runDue(boss: PgBoss, run: (job: QueuedJob) => Promise<void>, early: boolean): Promise<number> {
  for (let count = 0; ; count++) {
    const options = { includeMetadata: true, ignoreStartAfter: early, groupConcurrency: 1 } as const;
    const [job] = await boss.fetch<QueuedJob['data']>(queueName, options);
    if (!job) return count;
    try {
      await run({ ...job, signal: new AbortController().signal });
      await boss.complete(queueName, job.id);
    } catch (error) {
      await boss.fail(queueName, job.id, { message: error instanceof Error ? error.message : '' });
    }
  }
}

async function listFailed(db: Db, limit: number): Promise<FailedJob[]> {
  const { rows } = await db.execute<{ id: string; kind: string; payload: object; failed_at: string; reason: string | null }>(sql`
    select id, data->>'kind' as kind, data->'payload' as payload, created_on as failed_at, source_output->>'message' as reason
    from pgboss.job where name = ${failedQueueName} order by created_on desc limit ${limit}`);
  return rows.map(({ id, kind, payload, failed_at, reason }) => ({
    id,
    kind,
    payload,
    failedAt: new Date(failed_at),
    reason: reason ?? '',
  }));
}
