/** Jobs that create authorisation requests, and a sweep that resumes runs whose job was lost. */
import { authorisationRuns } from '@portal/db/schema/schema.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { JobPayloads, PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { createRequests } from './create-requests.ts';
import { enqueueRequests } from './start-requests.ts';

export function authorisationRequestJobs(
  deps: AppDeps,
): Pick<PortalJobHandlers, 'authorisations.request' | 'authorisation-requests.sweep'> {
  return {
    'authorisations.request': ({ company_id, run_id }, { signal }) =>
      createRequests(deps, { companyId: company_id, runId: run_id }, signal),
    'authorisation-requests.sweep': async () => {
      const { db } = deps.database;
      const activeRuns = await db
        .select({ companyId: authorisationRuns.companyId, runId: authorisationRuns.id })
        .from(authorisationRuns)
        .where(isNull(authorisationRuns.endedAt));
      await tryEach(activeRuns, (run) => enqueueRequests(deps, db, run));
    },
  };
}

/** Ends a run whose job has repeatedly crashed its process, so that users see the reason and can start another. */
export async function failRequests({ database: { db }, clock }: AppDeps, payload: JobPayloads['authorisations.request']): Promise<void> {
  await db
    .update(authorisationRuns)
    .set({ endedAt: clock.now(), reason: 'internal' })
    .where(
      and(eq(authorisationRuns.companyId, payload.company_id), eq(authorisationRuns.id, payload.run_id), isNull(authorisationRuns.endedAt)),
    );
}
