/** Client for Agent Authorisation 2.0. HMRC's objections to a client are outcomes; every other failure is a ProviderError. */
import type { HmrcCall, HmrcClientDeps } from '../hmrc/hmrc-types.ts';
import { toProviderError, parseHmrcError, readResponse, sendToHmrc, type HmrcResponse } from '../hmrc/send-to-hmrc.ts';
import { parseInvitationId, mapInvitation, toClientBody, toReferenceBody } from './agent-authorisation-map.ts';
import type { AgencyCheck, AgentAuthorisationClient, InvitationOutcome, RefusalReason } from './agent-authorisation-port.ts';
import { invitationsWire, toInvitationWire } from './agent-authorisation-wire.ts';

export type AgentClientDeps = Pick<HmrcClientDeps, 'apiUrl' | 'fetch' | 'timeoutMs'>;

type AgentRequest = {
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly effect: 'read' | 'write';
  readonly path: string;
  readonly body?: object;
};

/** Creates the client, which is stateless. */
export function createAgentAuthorisationClient(deps: AgentClientDeps): AgentAuthorisationClient {
  const send = createSender(deps);
  const list = (call: HmrcCall, arn: string) =>
    send(call, arn, { operation: 'hmrc.list_invitations', method: 'GET', effect: 'read', path: 'invitations' });
  return {
    checkAgency: async (call, arn) => toAgencyCheck(await list(call, arn)),
    sendInvitation: async (call, arn, client) => {
      const body = toClientBody(client, 'invitation');
      return toInvitationOutcome(
        await send(call, arn, { operation: 'hmrc.send_invitation', method: 'POST', effect: 'write', path: 'invitations', body }),
      );
    },
    listInvitations: async (call, arn) => {
      const hmrcResponse = await list(call, arn);
      if (hmrcResponse.status === 204) return [];
      const invitations = readResponse(hmrcResponse, 200, invitationsWire, (read) => read.map(mapInvitation));
      return invitations.sort((a, b) => (a.createdAt > b.createdAt ? -1 : 1));
    },
    findInvitation: async (call, arn, invitationId) => {
      const path = `invitations/${encodeURIComponent(invitationId)}`;
      const hmrcResponse = await send(call, arn, { operation: 'hmrc.get_invitation', method: 'GET', effect: 'read', path });
      return getErrorCode(hmrcResponse) === 'INVITATION_NOT_FOUND'
        ? undefined
        : readResponse(hmrcResponse, 200, toInvitationWire, mapInvitation);
    },
    cancelInvitation: async (call, arn, invitationId) => {
      const path = `invitations/${encodeURIComponent(invitationId)}`;
      const hmrcResponse = await send(call, arn, { operation: 'hmrc.cancel_invitation', method: 'DELETE', effect: 'write', path });
      if (hmrcResponse.status === 204) return 'cancelled';
      const code = getErrorCode(hmrcResponse);
      if (code === 'INVALID_INVITATION_STATUS') return 'closed';
      if (code === 'INVITATION_NOT_FOUND') return 'unknown';
      throw toProviderError(hmrcResponse);
    },
    checkRelationship: async (call, arn, client) => {
      const body = toClientBody(client, 'relationship');
      const hmrcResponse = await send(call, arn, {
        operation: 'hmrc.check_relationship',
        method: 'POST',
        effect: 'read',
        path: 'relationships',
        body,
      });
      if (hmrcResponse.status === 204) return { outcome: 'active' };
      const code = getErrorCode(hmrcResponse);
      return code === 'RELATIONSHIP_NOT_FOUND' ? { outcome: 'none' } : toRefusal(hmrcResponse, code);
    },
    deauthorise: async (call, arn, client) => {
      const body = toReferenceBody(client);
      const hmrcResponse = await send(call, arn, {
        operation: 'hmrc.deauthorise',
        method: 'PUT',
        effect: 'write',
        path: 'deauthorise-client',
        body,
      });
      if (hmrcResponse.status === 204) return 'ended';
      if (getErrorCode(hmrcResponse) === 'NO_RELATIONSHIP') return 'none';
      throw toProviderError(hmrcResponse);
    },
  };
}

type AgentSender = (call: HmrcCall, arn: string, request: AgentRequest) => Promise<HmrcResponse>;

function createSender(deps: AgentClientDeps): AgentSender {
  return (call, arn, { body, path, ...request }) =>
    sendToHmrc(deps, {
      ...request,
      url: `${deps.apiUrl}/agents/${encodeURIComponent(arn)}/${path}`,
      headers: {
        ...call.fraudHeaders,
        accept: 'application/vnd.hmrc.2.0+json',
        authorization: `Bearer ${call.accessToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      call: call.options,
    });
}

function toInvitationOutcome(hmrcResponse: HmrcResponse): InvitationOutcome {
  const invitationId = parseInvitationId(hmrcResponse.headers.get('location'));
  if (hmrcResponse.status === 204) {
    if (invitationId === undefined) throw toProviderError(hmrcResponse, 'the response has no Location header for the request');
    return { outcome: 'sent', invitationId };
  }
  const code = getErrorCode(hmrcResponse);
  if (code === 'DUPLICATE_AUTHORISATION_REQUEST') {
    return { outcome: 'already_pending', ...(invitationId === undefined ? {} : { invitationId }) };
  }
  return code === 'ALREADY_AUTHORISED' ? { outcome: 'already_authorised' } : toRefusal(hmrcResponse, code);
}

function toAgencyCheck(hmrcResponse: HmrcResponse): AgencyCheck {
  if (hmrcResponse.status === 200 || hmrcResponse.status === 204) return 'own';
  const check = AGENCY_CHECK_BY_CODE[getErrorCode(hmrcResponse)];
  if (check === undefined) throw toProviderError(hmrcResponse);
  return check;
}

const AGENCY_CHECK_BY_CODE: Readonly<Record<string, AgencyCheck>> = {
  NOT_AN_AGENT: 'not_an_agent',
  AGENT_NOT_SUBSCRIBED: 'not_subscribed',
  NO_PERMISSION_ON_AGENCY: 'other_agency',
};

const REFUSAL_REASON_BY_CODE: Readonly<Record<string, RefusalReason>> = {
  CLIENT_REGISTRATION_NOT_FOUND: 'client_unknown',
  POSTCODE_DOES_NOT_MATCH: 'postcode_differs',
  VAT_REG_DATE_DOES_NOT_MATCH: 'registration_date_differs',
  VAT_CLIENT_INSOLVENT: 'client_insolvent',
  ALREADY_BEING_PROCESSED: 'being_processed',
  CLIENT_ID_FORMAT_INVALID: 'reference_malformed',
  CLIENT_ID_DOES_NOT_MATCH_SERVICE: 'reference_malformed',
  POSTCODE_FORMAT_INVALID: 'postcode_malformed',
  VAT_REG_DATE_FORMAT_INVALID: 'registration_date_malformed',
};

function toRefusal(hmrcResponse: HmrcResponse, code: string) {
  const reason = REFUSAL_REASON_BY_CODE[code];
  if (reason === undefined) throw toProviderError(hmrcResponse);
  return { outcome: 'refused', reason, code } as const;
}

function getErrorCode(hmrcResponse: HmrcResponse): string {
  return hmrcResponse.status >= 400 && hmrcResponse.status < 500 ? (parseHmrcError(hmrcResponse.bodyText)?.code ?? '') : '';
}
