import type { Database } from '@portal/db/database.ts';
import { runInScope } from '@portal/db/tenant-scope.ts';
import { SpanKind } from '@opentelemetry/api';
import { AppError } from '@portal/domain/app-error.ts';
import type { JobResult, JobWithMetadata } from 'pg-boss';
import type { Logger } from 'pino';
import { runAsSystem } from '../run-as-system.ts';
import type { JobHandlers, JobRun, ParkedHandlers, Payloads } from './job-table.ts';
import type { Metrics } from '../observability/metrics.ts';
import { runInRequestScope } from '../observability/request-scope.ts';
import { markFailed, runInSpan, toLinks } from '../observability/spans.ts';
import { countLostRuns, createFailureOutput, MAX_LOST_RUN_RETRIES, createParkedOutput, deleteLostRuns } from './lost-runs.ts';

/** Identifies a job's origin in logs and traces. Absent for periodic jobs and for jobs queued by earlier versions. */
export type JobOrigin = { readonly request_id?: string; readonly traceparent?: string };

export type QueuedJob = JobWithMetadata<{ kind: string; payload: object } & JobOrigin>;

export type RunContext<P extends Payloads> = {
  readonly database: Database;
  readonly handlers: JobHandlers<P>;
  readonly onParked: ParkedHandlers<P>;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'jobs' | 'jobSeconds'>;
  /** Aborted shortly before the stop timeout: jobs that are still running are reported as failed rather than lost. */
  readonly stopping: AbortSignal;
};

/**
 * Runs one job with its kind's handler and returns the result. A job with too many lost runs is parked instead. The stored output is a
 * sentence without parameters or secrets.
 */
export function runJob<P extends Payloads>(context: RunContext<P>, job: QueuedJob): Promise<JobResult> {
  const { request_id: requestId, traceparent } = job.data;
  const kind = job.data.kind in context.handlers ? job.data.kind : 'unknown';
  const attributes = {
    'messaging.system': 'pg-boss',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': job.name,
    'messaging.message.id': job.id,
    ...(requestId === undefined ? {} : { 'portal.request_id': requestId }),
  };
  const facts = { kind: SpanKind.CONSUMER, attributes, links: toLinks(traceparent) };
  return runInRequestScope({ requestId }, () =>
    runInSpan(`process ${kind}`, facts, async (span) => {
      const end = context.metrics.jobSeconds.startTimer({ kind });
      const result = await runOnce(context, job);
      end();
      context.metrics.jobs.inc({ kind, outcome: result.status === 'deadletter' ? 'parked' : result.status });
      if (result.status !== 'completed') markFailed(span, result.status);
      return result;
    }),
  );
}

async function runOnce<P extends Payloads>(context: RunContext<P>, job: QueuedJob): Promise<JobResult> {
  const { database, logger } = context;
  const { kind } = job.data;
  const attempt = job.retryCount + 1;
  const isLastAttempt = job.retryCount >= job.retryLimit;
  try {
    const lostRuns = await countLostRuns(database.db, job);
    if (lostRuns > MAX_LOST_RUN_RETRIES) {
      logger.error({ job: { id: job.id, kind, lostRuns } }, `jobs: ${kind} was parked: its process died or hung in ${lostRuns} runs`);
      const { payload } = job.data;
      await runInJobScope(kind, payload, () => context.onParked[kind]?.(payload as P[string], getIds(job)));
      return { id: job.id, status: 'deadletter', output: createParkedOutput(lostRuns) };
    }
    await runHandler(context, job, { attempt, isLastAttempt, lostRuns });
    if (lostRuns > 0) await deleteLostRuns(database.db, job.id);
    return { id: job.id, status: 'completed' };
  } catch (error) {
    const level = isLastAttempt ? 'error' : 'warn';
    logger[level]({ err: error, job: { id: job.id, kind, attempt, isLastAttempt } }, `jobs: ${kind} failed`);
    // The cause is only logged, because pg-boss would store all the error's fields, including query parameters.
    return { id: job.id, status: 'failed', output: createFailureOutput(describeFailure(error)) };
  }
}

async function runHandler<P extends Payloads>(
  { handlers, stopping }: RunContext<P>,
  job: QueuedJob,
  run: { readonly attempt: number; readonly isLastAttempt: boolean; readonly lostRuns: number },
): Promise<void> {
  const { kind, payload } = job.data;
  const handle = handlers[kind];
  if (!handle) throw new AppError('bug', 'jobs.unknown-kind', `There is no handler for “${kind}” jobs.`);
  const endController = new AbortController();
  // End the run just before pg-boss does, because otherwise we couldn't distinguish it from a lost run.
  const timeoutSignal = AbortSignal.timeout(Math.max(job.expireInSeconds - 1, 0.5) * 1000);
  const { signal } = endController;
  const endsEarly = Promise.withResolvers<never>();
  const endWith = (message: string) => (): void => {
    endController.abort();
    endsEarly.reject(new Error(message));
  };
  const onStop = endWith('The server was stopped before the job finished.');
  const onExpiry = endWith(`The job did not finish within ${job.expireInSeconds} seconds.`);
  const onLost = (): void => endController.abort();
  if (stopping.aborted) onStop();
  if (job.signal.aborted) onLost();
  job.signal.addEventListener('abort', onLost);
  stopping.addEventListener('abort', onStop);
  timeoutSignal.addEventListener('abort', onExpiry);
  try {
    const work = runInJobScope(kind, payload, () => handle(payload as P[string], { ...getIds(job), ...run, signal }));
    await Promise.race([work, endsEarly.promise]);
  } finally {
    job.signal.removeEventListener('abort', onLost);
    stopping.removeEventListener('abort', onStop);
    timeoutSignal.removeEventListener('abort', onExpiry);
  }
}

const getIds = ({ id, sourceRootId }: QueuedJob): Pick<JobRun, 'id' | 'retryOf'> => ({
  id,
  ...(sourceRootId === null ? {} : { retryOf: sourceRootId }),
});

/** A job can access the rows of the company in its payload, or those of all companies if its payload doesn't name one. */
function runInJobScope<Result>(kind: string, payload: object, work: () => PromiseLike<Result> | Result): Promise<Result> {
  if (!('company_id' in payload) || typeof payload.company_id !== 'string') return runAsSystem('job', work);
  const clientId = 'client_id' in payload && typeof payload.client_id === 'string' ? payload.client_id : undefined;
  return runInScope(
    { kind: 'tenant', tenantId: payload.company_id, ...(clientId === undefined ? {} : { clientId }), actorId: `job: ${kind}` },
    work,
  );
}

function describeFailure(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.message}`;
  if (!(error instanceof Error)) return 'Unknown failure';
  // Drizzle's message quotes the parameters; the database's own message in `cause` does not.
  return error.cause instanceof Error && error.message.startsWith('Failed query') ? error.cause.message : error.message;
}
