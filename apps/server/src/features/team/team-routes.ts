import type { teamApi } from '@portal/contract/team.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { getAccessReport } from './access-report.ts';
import { changeMember, endMemberSessions, reactivateMember, transferOwnership } from './change-member.ts';
import { deactivateMember } from './deactivate-member.ts';
import { inviteMembers, resendInvitation, revokeInvitation } from './invite-members.ts';
import { listClientTeam, listMemberClients } from './member-clients.ts';
import { getDuties, listTeam } from './team-queries.ts';
import { previewHandOver } from './plan-hand-over.ts';
import { listTeamRoles, removeTeamRole, saveTeamRole } from './team-roles.ts';

export function teamHandlers(deps: AppDeps): Handlers<typeof teamApi> {
  return {
    list: (call) => listTeam(deps, call),
    clients: (call) => listMemberClients(deps, call),
    ofClient: (call) => listClientTeam(deps, call),
    invite: (call) => inviteMembers(deps, call),
    resend: (call) => resendInvitation(deps, call),
    revoke: (call) => revokeInvitation(deps, call),
    change: (call) => changeMember(deps, call),
    duties: (call) => getDuties(deps, call),
    previewHandOver: (call) => previewHandOver(deps, call),
    deactivate: (call) => deactivateMember(deps, call),
    reactivate: (call) => reactivateMember(deps, call),
    endSessions: (call) => endMemberSessions(deps, call),
    transferOwnership: (call) => transferOwnership(deps, call),
    accessReport: (call) => getAccessReport(deps, call),
    roles: async ({ tenant }) => ({ roles: await listTeamRoles(deps.database.db, tenant.practiceId) }),
    saveRole: (call) => saveTeamRole(deps, call),
    removeRole: (call) => removeTeamRole(deps, call),
  };
}
