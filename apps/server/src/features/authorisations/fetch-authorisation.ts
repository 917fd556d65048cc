/** Reads the state of a client's authorisation from HMRC: from the pending request, otherwise from the relationship. */
import { wasAuthorised } from '@portal/domain/authorisations/describe-authorisation.ts';
import type { StoredAuthorisation } from './load-authorisation-facts.ts';
import type { AgentAuthorisationClient, ClientIdentity, InvitationStatus } from '@portal/providers/hmrc-agent/agent-authorisation-port.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-types.ts';
import type { AuthorisationState } from './store-authorisation.ts';

/** Returns undefined if HMRC can't be queried, because there is neither a request nor the required fact. */
export async function fetchAuthorisation(
  agent: AgentAuthorisationClient,
  call: HmrcCall,
  arn: string,
  storedAuthorisation: StoredAuthorisation | undefined,
  identity: ClientIdentity | undefined,
): Promise<AuthorisationState | undefined> {
  const wasOnceAuthorised = wasAuthorised(storedAuthorisation?.status);
  const request =
    storedAuthorisation?.invitationId && (!wasOnceAuthorised || !identity)
      ? await fetchInvitation(agent, call, arn, storedAuthorisation.invitationId)
      : undefined;
  if (request?.status === 'link_sent' || !identity) return request;
  // A request with a response doesn't show whether the authorisation still applies or was given another way. The relationship check shows
  // both.
  const relationship = await agent.checkRelationship(call, arn, identity);
  switch (relationship.outcome) {
    case 'active':
      return { status: 'authorised', refusal: null };
    case 'none':
      if (wasOnceAuthorised || request?.status === 'authorised') return { status: 'revoked', refusal: null };
      return (
        request ?? {
          status: storedAuthorisation?.status === 'expired' ? 'expired' : 'not_started',
          refusal: storedAuthorisation?.refusal ?? null,
        }
      );
    case 'refused':
      return { status: relationship.reason === 'client_insolvent' ? 'suspended' : 'not_started', refusal: relationship.code };
  }
}

const STATE_BY_INVITATION_STATUS: Readonly<Record<InvitationStatus, Pick<AuthorisationState, 'status' | 'refusal'>>> = {
  pending: { status: 'link_sent', refusal: null },
  accepted: { status: 'authorised', refusal: null },
  partial_authority: { status: 'authorised', refusal: null },
  rejected: { status: 'not_started', refusal: 'REJECTED' },
  cancelled: { status: 'not_started', refusal: 'CANCELLED' },
  expired: { status: 'expired', refusal: null },
  deauthorised: { status: 'revoked', refusal: null },
};

/** Returns a request by its ID, or undefined if HMRC no longer has it. */
export async function fetchInvitation(
  agent: AgentAuthorisationClient,
  call: HmrcCall,
  arn: string,
  invitationId: string,
): Promise<AuthorisationState | undefined> {
  const invitation = await agent.findInvitation(call, arn, invitationId);
  if (!invitation) return undefined;
  return {
    ...STATE_BY_INVITATION_STATUS[invitation.status],
    invitationId,
    sentAt: invitation.createdAt,
    expiresOn: invitation.expiresOn ?? null,
    clientActionUrl: invitation.clientActionUrl ?? null,
  };
}
