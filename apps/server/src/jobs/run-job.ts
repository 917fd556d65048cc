import { AppError } from '@portal/domain/app-error.ts';
import type { JobWithMetadata } from 'pg-boss';
import type { Logger } from 'pino';
import type { JobHandlers, Payloads } from './job-table.ts';

export type QueuedJob = JobWithMetadata<{ kind: string; payload: object }>;

/** Runs one job by the handler of its kind. What it throws is what the queue keeps: a sentence without parameters or secrets. */
export async function runJob<P extends Payloads>(handlers: JobHandlers<P>, job: QueuedJob, logger: Logger): Promise<void> {
  const { kind, payload } = job.data;
  const attempt = job.retryCount + 1;
  const isLastAttempt = job.retryCount >= job.retryLimit;
  const handle = handlers[kind];
  try {
    if (!handle) throw new AppError('bug', 'jobs.unknown-kind', `No handler for jobs of the kind ${kind}.`);
    await handle(payload as P[string], { id: job.id, attempt, isLastAttempt, signal: job.signal });
  } catch (error) {
    const level = isLastAttempt ? 'error' : 'warn';
    logger[level]({ err: error, job: { id: job.id, kind, attempt, isLastAttempt } }, `jobs: ${kind} failed`);
    // The cause stays in the log: pg-boss would write all of the error's fields, a query's parameters too, into the job's row.
    // oxlint-disable-next-line preserve-caught-error
    throw new Error(describeFailure(error));
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.message}`;
  if (!(error instanceof Error)) return 'Unknown failure';
  // Drizzle's message quotes the parameters; the database's own, beneath it, does not.
  return error.cause instanceof Error && error.message.startsWith('Failed query') ? error.cause.message : error.message;
}
