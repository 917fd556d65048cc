import type { Db, Tx } from '@portal/db/database.ts';
import type { AppDeps } from '../../app-deps.ts';

export type InvitationRunKey = { readonly companyId: string; readonly runId: string };

/** Each run has only one job at a time, so if the job finds an attempt in progress, that attempt was lost. */
export function enqueueInvitations(deps: Pick<AppDeps, 'enqueue'>, db: Db | Tx, { companyId, runId }: InvitationRunKey): Promise<void> {
  return deps.enqueue(db, 'invitations.send', { company_id: companyId, run_id: runId }, { singletonKey: `invitations.send:${runId}` });
}
