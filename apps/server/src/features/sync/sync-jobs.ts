/** The jobs of runs, and the watch over runs whose job is gone. */
import { syncRuns } from '@portal/db/schema/schema.ts';
import { isNull } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { runLane } from './run-sync.ts';
import { enqueueLanes } from './start-sync.ts';

export function syncJobs(deps: AppDeps): Pick<PortalJobHandlers, 'sync.run' | 'syncs.sweep'> {
  return {
    'sync.run': ({ company_id, run_id, lane }, { signal }) => runLane(deps, { companyId: company_id, runId: run_id, lane }, signal),
    // A job that failed for the last time must not leave its run waiting for ever.
    'syncs.sweep': async () => {
      const { db } = deps.database;
      const live = await db
        .select({ companyId: syncRuns.companyId, runId: syncRuns.id, tax: syncRuns.tax })
        .from(syncRuns)
        .where(isNull(syncRuns.endedAt));
      await tryEach(live, (run) => enqueueLanes(deps, db, run));
    },
  };
}
