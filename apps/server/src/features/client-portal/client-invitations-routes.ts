import type { clientInvitationsApi } from '@portal/contract/client-invitations.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { acceptClientInvitation, previewClientInvitation, stopReminders } from './accept-client-invitation.ts';
import { removeClientPerson } from './client-people.ts';
import { getClientInvitations } from './invitation-queries.ts';
import { inviteClientPerson, resendClientInvitation, revokeClientInvitation } from './invite-client-person.ts';

export function clientInvitationsHandlers(deps: AppDeps): Handlers<typeof clientInvitationsApi> {
  return {
    read: ({ tenant, actor }) => getClientInvitations(deps, tenant, actor),
    send: (call) => inviteClientPerson(deps, call),
    resend: (call) => resendClientInvitation(deps, call),
    revoke: (call) => revokeClientInvitation(deps, call),
    removePerson: (call) => removeClientPerson(deps, call),
    preview: (call) => previewClientInvitation(deps, call),
    accept: (call) => acceptClientInvitation(deps, call),
    stopReminders: (call) => stopReminders(deps, call),
  };
}
