import type { JobResult, PgBoss } from 'pg-boss';
import { queueName, tickQueueName, urgentQueueName } from './queues.ts';
import type { QueuedJob } from './run-job.ts';

export type Workers = { wake(queue: string): void };

type Worker = { readonly queue: string; id: string; isBusy: boolean };

/** Allows four heartbeats within the ten seconds after which a job counts as lost (open-jobs.ts). */
const HEARTBEAT_REFRESH_SECONDS = 2.5;

/**
 * A practice's first refresh keeps five workers busy for 15 seconds at a time: two for each tax, and one at Companies House. The remaining
 * workers do work that users wait for, such as the next import or an email.
 */
const WORKERS = 8;
/** Urgent jobs are short: an email, a payout order. */
const URGENT_WORKERS = 2;

/**
 * In each queue, one worker polls for delayed jobs and jobs from other instances, while the rest sleep until woken. A worker that starts a
 * job wakes the next worker, and checks the queue again after its job. So jobs run concurrently up to the number of workers, and idle
 * workers cost little.
 */
export async function startWorkers(boss: PgBoss, run: (job: QueuedJob) => Promise<JobResult>): Promise<Workers> {
  const workers: Worker[] = [];
  const wake = (queue: string): void => {
    const idleWorker = workers.find((worker) => worker.queue === queue && !worker.isBusy);
    if (idleWorker) boss.notifyWorker(idleWorker.id);
  };
  const add = async (queue: string, pollingIntervalSeconds: number): Promise<void> => {
    const worker: Worker = { queue, id: '', isBusy: false };
    workers.push(worker);
    const options = {
      pollingIntervalSeconds,
      includeMetadata: true,
      groupConcurrency: 1,
      heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS,
      perJobResults: true,
    } as const;
    worker.id = await boss.work(queue, options, async ([job]: QueuedJob[]) => {
      if (!job) return [];
      worker.isBusy = true;
      wake(queue);
      try {
        return [await run(job)];
      } finally {
        worker.isBusy = false;
        boss.notifyWorker(worker.id);
      }
    });
  };
  await add(queueName, 1);
  for (let index = 1; index < WORKERS; index++) await add(queueName, 60);
  await add(urgentQueueName, 1);
  for (let index = 1; index < URGENT_WORKERS; index++) await add(urgentQueueName, 60);
  await add(tickQueueName, 5);
  await add(tickQueueName, 60);
  return { wake };
}
