import type { Db, Tx } from '@portal/db/database.ts';
import { invitationRuns } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { enqueueInvitations } from './enqueue-invitations.ts';
import { sendInvitations } from './send-invitations.ts';

export function invitationRunJobs(deps: AppDeps): Pick<PortalJobHandlers, 'invitations.send' | 'invitations.sweep'> {
  return {
    'invitations.send': ({ company_id, run_id }, { signal }) => sendInvitations(deps, { companyId: company_id, runId: run_id }, signal),
    'invitations.sweep': () => resumeInvitations(deps, deps.database.db),
  };
}

/** Resumes runs that waited for another day or for the mail server, and runs whose job was lost. */
async function resumeInvitations(deps: AppDeps, db: Db | Tx): Promise<void> {
  const runs = await db
    .select({ companyId: invitationRuns.companyId, runId: invitationRuns.id })
    .from(invitationRuns)
    .where(eq(invitationRuns.state, 'running'));
  await tryEach(runs, (run) => enqueueInvitations(deps, db, run));
}
