import type { Db, Tx } from '@portal/db/database.ts';
import type { AppDeps } from '../../app-deps.ts';

export type InvitationRunKey = { readonly companyId: string; readonly runId: string };

/** One job for each run at a time, so that an attempt in progress that it finds is a lost one. */
export function enqueueInvitations(deps: Pick<AppDeps, 'enqueue'>, db: Db | Tx, { companyId, runId }: InvitationRunKey): Promise<void> {
  return deps.enqueue(db, 'invitations.send', { company_id: companyId, run_id: runId }, { singletonKey: `invitations.send:${runId}` });
}
