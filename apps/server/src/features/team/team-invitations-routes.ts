import type { teamInvitationsApi } from '@portal/contract/team-invitations.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { acceptInvitation, previewInvitation } from './accept-invitation.ts';

export function teamInvitationsHandlers(deps: AppDeps): Handlers<typeof teamInvitationsApi> {
  return {
    preview: (call) => previewInvitation(deps, call),
    accept: (call) => acceptInvitation(deps, call),
  };
}
