import type { operationsApi } from '@portal/contract/operations.ts';
import type { AppDeps, JobOverview } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { decideFailedJob, listFailedJobs } from './failed-jobs.ts';
import { getHealth } from './provider-health.ts';
import { searchAudit } from './search-audit.ts';

export function operationsHandlers(deps: AppDeps, jobs: JobOverview): Handlers<typeof operationsApi> {
  return {
    jobs: () => listFailedJobs(deps, jobs),
    retryJob: (call) => decideFailedJob(deps, jobs, call, 'retried'),
    discardJob: (call) => decideFailedJob(deps, jobs, call, 'discarded'),
    health: () => getHealth(deps),
    audit: ({ input: { cursor, ...filters } }) => searchAudit(deps.database.db, filters, cursor),
  };
}
