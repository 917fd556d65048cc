/**
 * Work that outlives its request. pg-boss stores jobs in our own database, so that a job is part of the transaction that enqueues it. Only
 * this folder uses pg-boss, and only its public API (docs/decisions/0012).
 */
import type { Database } from '@portal/db/database.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PgBoss, type Db as BossDatabase } from 'pg-boss';
import type { Logger } from 'pino';
import { createMetrics } from '../observability/metrics.ts';
import { createEnqueue } from './enqueue-job.ts';
import type { EnqueueFunction, FailedJob, JobHandlers, JobTable, ParkedHandlers, Payloads } from './job-table.ts';
import { describeOutput } from './lost-runs.ts';
import { failedQueueName, queueName, tickQueueName, urgentQueueName } from './queues.ts';
import { runJob, type QueuedJob, type RunContext } from './run-job.ts';
import { startSchedule } from './schedule.ts';
import { startWorkers, type Workers } from './workers.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

/**
 * If a job's process doesn't send a heartbeat for this long, the job runs again, here or in another process. This is pg-boss's minimum. A
 * worker sends a heartbeat every 2.5 seconds (workers.ts), so a busy process can miss three.
 */
const HEARTBEAT_SECONDS = 10;
/** How often each process checks for jobs whose heartbeat has stopped. */
const MONITOR_SECONDS = 3;
/** How often `npm run migrate` checks whether pg-boss's indexes are built. */
const INDEX_POLL_MS = 500;
/** Running jobs are reported as failed after this share of the stop timeout, while there is still time to store that. */
const STOP_TIMEOUT_FRACTION = 0.8;

export type JobsOptions<P extends Payloads> = {
  readonly database: Database;
  readonly table: JobTable<P>;
  readonly logger: Logger;
  /** By default, the metrics are discarded. */
  readonly metrics?: RunContext<P>['metrics'];
  /** False if no process can die during a job, for example in a test that runs jobs itself. Default: true. */
  readonly isSupervised?: boolean;
  /** Creates and updates pg-boss's tables. False if `npm run migrate` does this. Default: true. */
  readonly migratesTables?: boolean;
};

export type Jobs<P extends Payloads> = {
  readonly enqueue: EnqueueFunction<P>;
  start(handlers: JobHandlers<P>, onParked?: ParkedHandlers<P>): Promise<void>;
  /** Returns whether jobs are running and the database has responded recently. */
  isRunning(): boolean;
  /** Waits for running jobs until the timeout. Jobs that don't finish are retried after the next start. */
  stop(timeoutMs?: number): Promise<void>;
  /** For tests: runs due jobs (and delayed ones, with `includesDelayed`) until none are left. Returns how many ran. */
  runDue(handlers: JobHandlers<P>, options?: { readonly includesDelayed?: boolean }): Promise<number>;
  listFailed(limit: number): Promise<FailedJob[]>;
  /** Restarts a failed job with all its retries. Returns false if the job doesn't exist. */
  retryFailed(id: string): Promise<boolean>;
  /** Deletes a failed job. Returns false if the job doesn't exist. */
  discardFailed(id: string): Promise<boolean>;
};

export async function openJobs<P extends Payloads>(options: JobsOptions<P>): Promise<Jobs<P>> {
  const { database, table, logger, metrics = createMetrics(), isSupervised = true, migratesTables = true } = options;
  let lastResponseAt = performance.now();
  const trackedDatabase: BossDatabase = {
    executeSql: async (text, values) => {
      const result = await database.executeSql(text, values);
      lastResponseAt = performance.now();
      return result;
    },
  };
  const boss = await openBoss(database, trackedDatabase, { logger, isSupervised, migratesTables });
  const stopping = new AbortController();
  const toContext = (handlers: JobHandlers<P>, onParked: ParkedHandlers<P> = {}): RunContext<P> => {
    return { database, handlers, onParked, logger, metrics, stopping: stopping.signal };
  };
  let workers: Workers | undefined;
  let stopSchedule: (() => void) | undefined;
  return {
    enqueue: createEnqueue({ boss, table, wake: (queue) => workers?.wake(queue) }),
    start: async (handlers, onParked) => {
      const context = toContext(handlers, onParked);
      workers = await startWorkers(boss, (job) => runJob(context, job));
      stopSchedule = startSchedule({ boss, table, wake: () => workers?.wake(tickQueueName), logger });
    },
    isRunning: () => workers !== undefined && performance.now() - lastResponseAt < 15_000,
    stop: async (timeoutMs = 8000) => {
      stopSchedule?.();
      workers = undefined;
      const abortTimer = setTimeout(() => stopping.abort(), timeoutMs * STOP_TIMEOUT_FRACTION);
      await boss.stop({ close: false, graceful: true, timeout: timeoutMs });
      clearTimeout(abortTimer);
    },
    runDue: (handlers, { includesDelayed = false } = {}) => runDueJobs(boss, toContext(handlers), includesDelayed),
    listFailed: (limit) => readFailedJobs(boss, limit),
    retryFailed: async (id) => {
      const retriedCount = await boss.redrive(failedQueueName, { ids: [id] });
      for (const queue of [urgentQueueName, queueName]) workers?.wake(queue);
      return retriedCount > 0;
    },
    discardFailed: async (id) => {
      const foundJobs = await boss.findJobs(failedQueueName, { id, queued: true });
      if (foundJobs.length === 0) return false;
      await boss.deleteJob(failedQueueName, id);
      return true;
    },
  };
}

/**
 * Creates or updates pg-boss's tables, as a step of `npm run migrate`. pg-boss builds its indexes concurrently, after its own migrations.
 */
export async function migrateJobTables(database: Database, logger: Logger): Promise<void> {
  const indexSeconds = 10; // pg-boss's minimum
  const boss = await openBoss(database, database, { logger, isSupervised: false, migratesTables: true, indexSeconds });
  const hasState = async (...states: string[]): Promise<boolean> =>
    (await boss.getBamStatus()).some(({ status }) => states.includes(status));
  while (await hasState('pending', 'in_progress')) await pause(INDEX_POLL_MS);
  const failedEntries = (await hasState('failed')) ? (await boss.getBamEntries()).filter(({ status }) => status === 'failed') : [];
  await boss.stop({ close: false });
  if (failedEntries.length > 0)
    throw new Error(failedEntries.map(({ table, error }) => `${table}: ${error ?? 'an index could not be built'}`).join('\n'));
}

type BossOptions = {
  readonly logger: Logger;
  readonly isSupervised: boolean;
  readonly migratesTables: boolean;
  /** How often pg-boss checks for indexes to build. There are none except after an update of its tables. */
  readonly indexSeconds?: number;
};

async function openBoss(
  database: Database,
  db: BossDatabase,
  { logger, isSupervised, migratesTables, indexSeconds = 600 }: BossOptions,
): Promise<PgBoss> {
  const boss = new PgBoss({
    db,
    backend: database.kind === 'embedded' ? 'pglite' : 'postgres',
    schedule: false,
    migrate: migratesTables,
    supervise: isSupervised,
    superviseIntervalSeconds: MONITOR_SECONDS,
    monitorIntervalSeconds: MONITOR_SECONDS,
    // Deletes finished jobs often, so that the embedded database doesn't load many at startup.
    maintenanceIntervalSeconds: HOUR_SECONDS,
    bamIntervalSeconds: indexSeconds,
    // We don't use flows.
    flowIntervalSeconds: 600,
  });
  boss.on('error', (error) => logger.error({ err: error }, 'jobs: pg-boss failed'));
  boss.on('warning', (warning) => logger.warn({ warning }, 'jobs: warning from pg-boss'));
  // Otherwise, instances that start at the same time would create the same queues concurrently.
  await database.runExclusively('jobs', async () => {
    await boss.start().catch((error: unknown) => {
      if (migratesTables) throw error;
      throw new AppError('conflict', 'database.jobs_not_migrated', describeStart(error), undefined, error);
    });
    await createQueues(boss);
    if (database.kind === 'embedded') await failOrphanedJobs(boss, logger);
  });
  return boss;
}

function describeStart(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `The job queue’s tables don’t match this version (${reason}). Run \`npm run migrate\`, then start the portal again.`;
}

/** Creates the queues and updates the settings of existing ones. */
async function createQueues(boss: PgBoss): Promise<void> {
  const failedQueueOptions = { retentionSeconds: 365 * DAY_SECONDS };
  // These rules apply to jobs retried by an operator, which follow the queue's rule rather than their kind's.
  const retries = { retryLimit: 12, retryDelay: 2, retryBackoff: true, retryDelayMax: 900 };
  const finishedJobOptions = { heartbeatSeconds: HEARTBEAT_SECONDS, deleteAfterSeconds: HOUR_SECONDS };
  for (const [name, options] of [
    [failedQueueName, failedQueueOptions],
    [queueName, { ...retries, ...finishedJobOptions, deadLetter: failedQueueName }],
    [urgentQueueName, { ...retries, ...finishedJobOptions, deadLetter: failedQueueName }],
    [tickQueueName, finishedJobOptions],
  ] as const) {
    await boss.createQueue(name, options);
    await boss.updateQueue(name, options);
    // pg-boss reads a queue's settings when it first uses it. Do this here, because a transaction can't open a second connection.
    await boss.findJobs(name, { id: randomUUID() });
  }
}

/** Only one process can open the embedded database, so a job that is active at startup belonged to a process that has died. */
async function failOrphanedJobs(boss: PgBoss, logger: Logger): Promise<void> {
  for (const name of [urgentQueueName, queueName, tickQueueName]) {
    const orphanedJobs = (await boss.findJobs(name)).filter(({ state }) => state === 'active');
    if (orphanedJobs.length === 0) continue;
    logger.warn({ jobs: orphanedJobs.length, queue: name }, 'jobs: resuming the jobs of a process that died');
    await boss.fail(name, orphanedJobs);
    // The first retry starts immediately; later retries wait for pg-boss's delay.
    for (const { id, retryCount } of orphanedJobs) {
      if (retryCount === 0) await boss.update(name, undefined, { id, startAfter: 0 });
    }
  }
}

async function runDueJobs<P extends Payloads>(boss: PgBoss, context: RunContext<P>, includesDelayed: boolean): Promise<number> {
  for (let count = 0; ; count++) {
    const options = { includeMetadata: true, ignoreStartAfter: includesDelayed, groupConcurrency: 1 } as const;
    const fetchedJobs = await fetchNextJobs(boss, options);
    if (!fetchedJobs) return count;
    const { queue, job } = fetchedJobs;
    const { status, output } = await runJob(context, { ...job, signal: new AbortController().signal });
    if (status === 'completed') await boss.complete(queue, job);
    else await boss.fail(queue, job, output as object);
  }
}

async function fetchNextJobs(boss: PgBoss, options: { includeMetadata: true; ignoreStartAfter: boolean; groupConcurrency: number }) {
  for (const queue of [urgentQueueName, queueName]) {
    const [job] = await boss.fetch<QueuedJob['data']>(queue, options);
    if (job) return { queue, job };
  }
  return undefined;
}

async function readFailedJobs(boss: PgBoss, limit: number): Promise<FailedJob[]> {
  const jobs = await boss.findJobs<QueuedJob['data']>(failedQueueName, { queued: true });
  return jobs
    .toSorted((a, b) => b.createdOn.getTime() - a.createdOn.getTime())
    .slice(0, limit)
    .map(({ id, data, createdOn, sourceOutput }) => ({
      id,
      kind: data.kind,
      payload: data.payload,
      failedAt: createdOn,
      reason: describeOutput(sourceOutput),
    }));
}
