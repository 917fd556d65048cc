/** Sync jobs, and a sweep that queues workers again for runs that have lost them. */
import { syncRuns } from '@portal/db/schema/schema.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { endFailedRun } from './end-failed-run.ts';
import type { JobPayloads, PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { runSyncWorker } from './run-sync-worker.ts';
import { enqueueSyncWorkers } from './start-sync.ts';

export function syncJobs(deps: AppDeps): Pick<PortalJobHandlers, 'sync.run' | 'syncs.sweep'> {
  return {
    'sync.run': ({ company_id, run_id, worker = 1 }, { signal, lostRuns }) =>
      runSyncWorker(deps, { companyId: company_id, runId: run_id, workerNumber: worker }, signal, lostRuns),
    // A worker job may have failed for good while its run is still active.
    'syncs.sweep': async () => {
      const { db } = deps.database;
      const activeRuns = await db
        .select({ companyId: syncRuns.companyId, runId: syncRuns.id, tax: syncRuns.tax })
        .from(syncRuns)
        .where(isNull(syncRuns.endedAt));
      await tryEach(activeRuns, (run) => enqueueSyncWorkers(deps, db, run));
    },
  };
}

/** The job has repeatedly crashed its process. End the run, so that users see the reason and can start another. */
export async function failSync(deps: AppDeps, { company_id: companyId, run_id: runId }: JobPayloads['sync.run']): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const [run] = await tx
      .select({ tax: syncRuns.tax })
      .from(syncRuns)
      .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.id, runId), isNull(syncRuns.endedAt)))
      .for('update');
    if (run) await endFailedRun(deps, tx, { companyId, runId, tax: run.tax }, 'internal');
  });
}
