/** Failed background jobs: what they concern, and an operator's decision to retry or discard them. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { operationsApi } from '@portal/contract/operations.ts';
import { companies } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { inArray } from '@portal/db/sql.ts';
import { z } from 'zod';
import type { AppDeps, JobOverview } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { assertNoConflictOfInterest } from '../operators/conflict-of-interest.ts';

/** The records that a job concerns. Emails have none. */
const jobSubjectSchema = z.object({ company_id: z.uuid().optional().catch(undefined), advance_id: z.uuid().optional().catch(undefined) });

export async function listFailedJobs({ database: { db } }: AppDeps, jobs: JobOverview): Promise<EndpointOutput<typeof operationsApi.jobs>> {
  const failedJobs = (await jobs.listFailedJobs()).map((job) => ({ job, subject: jobSubjectSchema.parse(job.payload) }));
  const ids = [...new Set(failedJobs.flatMap(({ subject }) => subject.company_id ?? []))];
  const names =
    ids.length === 0 ? [] : await db.select({ id: companies.id, name: companies.name }).from(companies).where(inArray(companies.id, ids));
  return {
    jobs: failedJobs.map(({ job, subject }) => ({
      job_id: job.id,
      kind: job.kind,
      failed_at: toInstant(job.failedAt.getTime()),
      error: job.reason,
      company_id: subject.company_id ?? null,
      company_name: names.find(({ id }) => id === subject.company_id)?.name ?? null,
      advance_id: subject.advance_id ?? null,
    })),
  };
}

/**
 * Payments and filings must finish: discarding such a job would leave the money or the return unresolved. A retry relies on the provider's
 * record.
 */
const UNDISCARDABLE_JOBS: readonly string[] = ['payout.submit', 'direct-debit.submit', 'direct-debit.cancel'];

type JobCall = Call<(typeof operationsApi)['retryJob']>;

/** The audit entry is committed first, so that no decision goes unrecorded. A decision on a job that no longer exists is rejected. */
export async function decideFailedJob(
  deps: AppDeps,
  jobs: JobOverview,
  call: JobCall,
  decision: 'retried' | 'discarded',
): Promise<{ done: true }> {
  const { input, actor, caller } = call;
  const job = (await jobs.listFailedJobs()).find(({ id }) => id === input.job_id);
  if (!job) throw new AppError('conflict', 'jobs.gone', 'This job is no longer in the list. Someone may have retried or discarded it.');
  if (decision === 'discarded' && UNDISCARDABLE_JOBS.includes(job.kind)) {
    throw new AppError(
      'conflict',
      'jobs.must_finish',
      'This job may have moved money, so it can’t be discarded. Retry it: it checks the provider’s records first.',
    );
  }
  const { company_id: companyId } = jobSubjectSchema.parse(job.payload);
  if (companyId !== undefined) await assertNoConflictOfInterest(deps, deps.database.db, actor.userId, companyId);
  await deps.database.db.transaction((tx) =>
    recordAudit(tx, {
      companyId: companyId ?? NO_COMPANY,
      at: deps.clock.now(),
      actor: actor.userId,
      action: `job.${decision}`,
      subject: job.id,
      before: { kind: job.kind, error: job.reason },
      after: { reason: input.reason },
      ip: caller.ip,
    }),
  );
  const isDone = decision === 'retried' ? await jobs.retryFailedJob(job.id) : await jobs.discardFailedJob(job.id);
  if (!isDone) throw new AppError('conflict', 'jobs.gone', 'This job is no longer in the list. Someone may have retried or discarded it.');
  return { done: true };
}
