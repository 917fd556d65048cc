/** Reads the state of a client's authorisation from HMRC: from the pending request, otherwise from the relationship. */
import type { Kept } from './authorisation-queries.ts';
import type { AgentAuthorisationClient, ClientIdentity, InvitationStatus } from '@portal/providers/hmrc-agent/agent-authorisation-port.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-terms.ts';
import type { Found } from './store-authorisation.ts';

/** Undefined when HMRC cannot be asked, because there is no request and a required fact is missing. */
export async function askHmrc(
  agent: AgentAuthorisationClient,
  call: HmrcCall,
  arn: string,
  kept: Kept | undefined,
  identity: ClientIdentity | undefined,
): Promise<Found | undefined> {
  const wasAuthorised = kept?.status === 'authorised' || kept?.status === 'expiring' || kept?.status === 'revoked';
  const request =
    kept?.invitationId && (!wasAuthorised || !identity) ? await readInvitation(agent, call, arn, kept.invitationId) : undefined;
  if (request?.status === 'link_sent' || !identity) return request;
  // An answered request shows neither whether the authorisation still applies nor whether it was given another way. The relationship check
  // does.
  const relationship = await agent.checkRelationship(call, arn, identity);
  switch (relationship.outcome) {
    case 'active':
      return { status: 'authorised', refusal: null };
    case 'none':
      if (wasAuthorised || request?.status === 'authorised') return { status: 'revoked', refusal: null };
      return request ?? { status: kept?.status === 'expired' ? 'expired' : 'not_started', refusal: kept?.refusal ?? null };
    case 'refused':
      return { status: relationship.reason === 'client_insolvent' ? 'suspended' : 'not_started', refusal: relationship.code };
  }
}

const AFTER: Readonly<Record<InvitationStatus, Pick<Found, 'status' | 'refusal'>>> = {
  pending: { status: 'link_sent', refusal: null },
  accepted: { status: 'authorised', refusal: null },
  partial_authority: { status: 'authorised', refusal: null },
  rejected: { status: 'not_started', refusal: 'REJECTED' },
  cancelled: { status: 'not_started', refusal: 'CANCELLED' },
  expired: { status: 'expired', refusal: null },
  deauthorised: { status: 'revoked', refusal: null },
};

/** A request by its ID. Undefined when HMRC no longer knows it. */
export async function readInvitation(
  agent: AgentAuthorisationClient,
  call: HmrcCall,
  arn: string,
  invitationId: string,
): Promise<Found | undefined> {
  const invitation = await agent.findInvitation(call, arn, invitationId);
  if (!invitation) return undefined;
  return {
    ...AFTER[invitation.status],
    invitationId,
    sentAt: invitation.createdAt,
    expiresOn: invitation.expiresOn ?? null,
    clientActionUrl: invitation.clientActionUrl ?? null,
  };
}
