import type { invitationRunsApi } from '@portal/contract/invitation-runs.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { getRun, listRuns } from './invitation-runs-queries.ts';
import { isOwnRun, pauseInvitations, previewInvitations, repeatInvitation, startInvitations } from './invitation-runs.ts';
import { listInvitations } from './list-invitations.ts';

export function invitationRunsHandlers(deps: AppDeps): Handlers<typeof invitationRunsApi> {
  const { db } = deps.database;
  return {
    preview: (call) => previewInvitations(deps, call),
    start: (call) => startInvitations(deps, call),
    list: async ({ tenant, actor }) => ({ runs: await listRuns(db, tenant.practiceId, isOwnRun(actor)) }),
    details: ({ input, tenant, actor }) => getRun(db, tenant.practiceId, actor, input),
    pause: (call) => pauseInvitations(deps, call),
    repeat: (call) => repeatInvitation(deps, call),
    states: (call) => listInvitations(deps, call),
  };
}
