/** Agent Authorisation 2.0 (FACTS 5), in the order of HMRC's server: Accept, token, agent, agency, payload, HMRC's records. */
import { instantOf, epochOf, londonDate } from '@portal/domain/clock.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { json } from '../simulator/responses.ts';
import type { ApiCall, ApiRoute } from '../hmrc/gateway.ts';
import type { HmrcContext } from '../hmrc/hmrc-context.ts';
import type { InvitationWire } from '@portal/providers/hmrc-agent/agent-authorisation-wire.ts';
import { arnOf, endRelationship, findRelationship, INVITATION_DAYS, saveStatus, statusToday } from './agent-authority.ts';
import { agentFault } from './agent-faults.ts';
import { readAgentPayload, type AgentPayload, type PayloadKind } from './agent-payload.ts';
import type { InvitationRecord } from './agent-records.ts';
import { makeInvitationId } from './invitation-id.ts';

type AgentCall = ApiCall & { readonly arn: string };

/** How far back the list of requests goes. */
const DAYS_LISTED = 30;

export function agentAuthorisationRoutes(context: HmrcContext): ApiRoute[] {
  const route = (
    method: ApiRoute['method'],
    operation: string,
    path: string,
    scope: string,
    answer: (call: AgentCall) => Response,
  ): ApiRoute => ({
    operation,
    method,
    path: `/agents/:arn/${path}`,
    access: { kind: 'user', scope },
    refuseFirst: (request) => checkHeaders(request, method),
    // The service words the want of a token itself; a scope or rate refusal stays the gateway's.
    reword: (refusal) => (refusal.status === 401 ? agentFault('UNAUTHORIZED') : refusal),
    answer: (call) => asAgent(context, call, answer),
  });
  const withPayload = (kind: PayloadKind, answer: (call: AgentCall, payload: AgentPayload) => Response) => (call: AgentCall) => {
    const payload = readAgentPayload(call.bodyText, kind);
    return typeof payload === 'string' ? agentFault(payload) : answer(call, payload);
  };
  return [
    route(
      'POST',
      'hmrc.send_invitation',
      'invitations',
      'write:sent-invitations',
      withPayload('invitation', (call, payload) => sendInvitation(context, call, payload)),
    ),
    route('GET', 'hmrc.list_invitations', 'invitations', 'read:sent-invitations', ({ arn }) => listInvitations(context, arn)),
    route('GET', 'hmrc.get_invitation', 'invitations/:invitationId', 'read:sent-invitations', ({ arn, params }) => {
      const found = context.records.invitations(arn).get(params['invitationId'] ?? '');
      return found ? json(200, invitationWire(context, found)) : agentFault('INVITATION_NOT_FOUND');
    }),
    route('DELETE', 'hmrc.cancel_invitation', 'invitations/:invitationId', 'write:cancel-invitations', ({ arn, params }) =>
      cancelInvitation(context, arn, params['invitationId'] ?? ''),
    ),
    route(
      'POST',
      'hmrc.check_relationship',
      'relationships',
      'read:check-relationship',
      withPayload('relationship', ({ arn }, payload) => {
        const refusal = checkKnownFact(context, payload) ?? (isInsolvent(context, payload) ? 'VAT_CLIENT_INSOLVENT' : undefined);
        if (refusal !== undefined) return agentFault(refusal);
        return hasRelationship(context, arn, payload) ? noContent() : agentFault('RELATIONSHIP_NOT_FOUND');
      }),
    ),
    route(
      'PUT',
      'hmrc.deauthorise',
      'deauthorise-client',
      'write:relationships',
      withPayload('deauthorisation', ({ arn }, payload) =>
        hasRelationship(context, arn, payload) && endRelationship(context, arn, payload.service, payload.clientId)
          ? noContent()
          : agentFault('NO_RELATIONSHIP'),
      ),
    ),
  ];
}

/** A missing or foreign Accept is 406; a version that is not served, or another type than JSON, is 400. */
function checkHeaders(request: Request, method: ApiRoute['method']): Response | undefined {
  const accept = /^application\/vnd\.hmrc\.(\d+\.\d+)\+(\w+)$/.exec(request.headers.get('accept') ?? '');
  if (!accept) return agentFault('ACCEPT_HEADER_INVALID');
  // Version 1.0 is still served, but knows no de-authorisation.
  const isServed = accept[1] === '2.0' || (accept[1] === '1.0' && method !== 'PUT');
  if (!isServed || accept[2] !== 'json') return agentFault('BAD_REQUEST');
  const hasBody = method === 'POST' || method === 'PUT';
  return hasBody && !(request.headers.get('content-type') ?? '').startsWith('application/json') ? agentFault('BAD_REQUEST') : undefined;
}

function asAgent(context: HmrcContext, call: ApiCall, answer: (call: AgentCall) => Response): Response {
  const user = context.records.users.get(call.caller.userId ?? '');
  if (user?.kind !== 'agent') return agentFault('NOT_AN_AGENT');
  const own = arnOf(user);
  if (own === undefined) return agentFault('AGENT_NOT_SUBSCRIBED');
  if (call.params['arn'] !== own) return agentFault('NO_PERMISSION_ON_AGENCY');
  return answer({ ...call, arn: own });
}

function sendInvitation(context: HmrcContext, { arn }: AgentCall, payload: AgentPayload): Response {
  return context.store.atomically(() => {
    const refusal = checkKnownFact(context, payload);
    if (refusal !== undefined) return agentFault(refusal);
    const { service, clientId } = payload;
    const invitations = context.records.invitations(arn);
    const pending = invitations
      .list()
      .map(({ document }) => document)
      .find((one) => one.service === service && one.clientId === clientId && statusToday(context, one) === 'Pending');
    if (pending) return agentFault('DUPLICATE_AUTHORISATION_REQUEST', { location: locationOf(pending) });
    if (hasRelationship(context, arn, payload)) return agentFault('ALREADY_AUTHORISED');
    if (isInsolvent(context, payload)) return agentFault('VAT_CLIENT_INSOLVENT');
    const createdAt = context.clock.now();
    let invitationId = makeInvitationId(arn, clientId, service, createdAt);
    // Cancelled and sent anew in the same moment of a clock that stands still: another number all the same.
    for (let shift = 1; invitations.get(invitationId); shift += 1) {
      invitationId = makeInvitationId(arn, clientId, service, instantOf(epochOf(createdAt) + shift));
    }
    const { clientType, agentType } = payload;
    const invitation: InvitationRecord = {
      invitationId,
      arn,
      service,
      clientId,
      clientType,
      ...(agentType ? { agentType } : {}),
      createdAt,
      updatedAt: createdAt,
      status: 'Pending',
    };
    invitations.put(invitationId, invitation);
    return noContent({ location: locationOf(invitation) });
  });
}

function listInvitations(context: HmrcContext, arn: string): Response {
  const from = addDays(context.clock.today(), -DAYS_LISTED);
  const recent = context.records
    .invitations(arn)
    .list()
    .map(({ document }) => document)
    .filter(({ createdAt }) => londonDate(createdAt) >= from)
    .sort((a, b) => (a.createdAt > b.createdAt ? -1 : 1));
  if (recent.length === 0) return noContent();
  return json(
    200,
    recent.map((invitation) => invitationWire(context, invitation)),
  );
}

function cancelInvitation(context: HmrcContext, arn: string, invitationId: string): Response {
  return context.store.atomically(() => {
    const invitation = context.records.invitations(arn).get(invitationId);
    if (!invitation) return agentFault('INVITATION_NOT_FOUND');
    if (statusToday(context, invitation) !== 'Pending') return agentFault('INVALID_INVITATION_STATUS');
    saveStatus(context, invitation, 'Cancelled');
    return noContent();
  });
}

/** Where the client answers: HMRC's page for appointing somebody. */
export function clientActionUrlOf(context: HmrcContext, { invitationId, arn, service }: InvitationRecord): string {
  const agent = context.records.users.list().find(({ document }) => arnOf(document) === arn);
  const name = (agent?.document.fullName ?? 'agent').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const tax = service === 'MTD-VAT' ? 'vat' : 'income-tax';
  return `${context.wwwUrl}/appoint-someone-to-deal-with-HMRC-for-you/${invitationId}/${name}/${tax}`;
}

function invitationWire(context: HmrcContext, invitation: InvitationRecord): InvitationWire {
  const status = statusToday(context, invitation);
  const { createdAt, updatedAt, arn, service, agentType } = invitation;
  // The server writes a full instant here, and an expiry without a zone at the beginning of its day.
  const expiresOn = `${addDays(londonDate(createdAt), INVITATION_DAYS)}T00:00:00.000`;
  return {
    _links: { self: { href: locationOf(invitation) } },
    created: createdAt,
    ...(status === 'Pending'
      ? { expiresOn, clientActionUrl: clientActionUrlOf(context, invitation) }
      : { updated: status === 'Expired' ? `${expiresOn}Z` : updatedAt }),
    arn,
    service: [service],
    status,
    ...(agentType ? { agentType } : {}),
  };
}

function checkKnownFact(context: HmrcContext, { service, clientId, knownFact }: AgentPayload): string | undefined {
  if (service === 'MTD-VAT') {
    const trader = context.records.traders.get(clientId);
    if (!trader) return 'CLIENT_REGISTRATION_NOT_FOUND';
    return trader.vatRegistrationDate === knownFact ? undefined : 'VAT_REG_DATE_DOES_NOT_MATCH';
  }
  const person = context.records.incomeTax.get(clientId);
  if (!person) return 'CLIENT_REGISTRATION_NOT_FOUND';
  const tidy = (postcode: string) => postcode.replaceAll(/\s/g, '');
  return tidy(person.postcode) === tidy(knownFact) ? undefined : 'POSTCODE_DOES_NOT_MATCH';
}

function isInsolvent(context: HmrcContext, { service, clientId }: AgentPayload): boolean {
  return service === 'MTD-VAT' && context.records.traders.get(clientId)?.insolvent === true;
}

/** For income tax a supporting agent is another authority than a main one. */
function hasRelationship(context: HmrcContext, arn: string, { service, clientId, agentType }: AgentPayload): boolean {
  const found = findRelationship(context, arn, service, clientId);
  return found !== undefined && found.agentType === agentType;
}

function locationOf({ arn, invitationId }: InvitationRecord): string {
  return `/agents/${arn}/invitations/${invitationId}`;
}

function noContent(headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 204, headers });
}
