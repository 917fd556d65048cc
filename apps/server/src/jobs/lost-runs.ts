/**
 * Counts a job's runs that never reported a result because their process died or missed its heartbeats. pg-boss counts them as ordinary
 * attempts, of which a payout has a hundred. A job that crashes its process must not run that often.
 */
import type { Db } from '@portal/db/database.ts';
import { lostJobRuns } from '@portal/db/schema/schema.ts';
import { eq, lt, sql } from '@portal/db/sql.ts';
import type { JobWithMetadata } from 'pg-boss';

/** How often a job is retried after lost runs. Then it is parked: moved to the failed jobs without being run. */
export const MAX_LOST_RUN_RETRIES = 5;

/** Longer than a job of any kind can wait for its last attempt. */
const RETENTION_DAYS = 30;

/** Creates the output of an ordinary failure. pg-boss stores a different output for a run whose heartbeat has stopped. */
export function createFailureOutput(message: string): object {
  return { message, outcome: 'failed' };
}

export function createParkedOutput(lostRuns: number): object {
  return { message: `Its server process died or hung in ${lostRuns} runs. It won’t run again for an hour.` };
}

/** Returns whether an attempt ended in an ordinary failure. Otherwise, the run was lost, or the job was parked because of lost runs. */
export function hasReportedFailure(output: object | null): boolean {
  return output !== null && 'outcome' in output && output.outcome === 'failed';
}

/** Returns why a job failed, for operators. */
export function describeOutput(output: object | null): string {
  if (output !== null && 'message' in output && typeof output.message === 'string') return output.message;
  return 'Its server process died or hung in its last run.';
}

/** Counts how many earlier runs of this job were lost, including the last one, so call it once per run. */
export async function countLostRuns(
  db: Db,
  { id, retryCount, output }: Pick<JobWithMetadata, 'id' | 'retryCount' | 'output'>,
): Promise<number> {
  if (retryCount === 0) return 0;
  if (hasReportedFailure(output)) {
    const [lostRun] = await db.select({ count: lostJobRuns.count }).from(lostJobRuns).where(eq(lostJobRuns.jobId, id));
    return lostRun?.count ?? 0;
  }
  const [lostRunRow] = await db
    .insert(lostJobRuns)
    .values({ jobId: id, count: 1 })
    .onConflictDoUpdate({ target: lostJobRuns.jobId, set: { count: sql`${lostJobRuns.count} + 1`, lastAt: sql`now()` } })
    .returning({ count: lostJobRuns.count });
  return lostRunRow?.count ?? 1;
}

export async function deleteLostRuns(db: Db, jobId: string): Promise<void> {
  await db.delete(lostJobRuns).where(eq(lostJobRuns.jobId, jobId));
}

/** Deletes the counts of jobs that never ran again. */
export async function purgeLostRuns(db: Db): Promise<void> {
  await db.delete(lostJobRuns).where(lt(lostJobRuns.lastAt, sql`now() - ${RETENTION_DAYS} * interval '1 day'`));
}
