/**
 * Agent Authorisation 2.0 (docs/reference/hmrc.md section 5). Checks run in the order of HMRC's server: Accept, token, agent, agency,
 * payload, HMRC's records.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toInstant, toEpochMs, toLondonDate } from '@portal/domain/clock.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { readBodyText } from '../simulator/request.ts';
import { getCaller, type HmrcHandler, type HmrcRequest, type HmrcRoute } from '../hmrc/gateway.ts';
import type { HmrcContext } from '../hmrc/hmrc-context.ts';
import type { BuildOperationHooks } from '../hmrc/operation-hooks.ts';
import type { InvitationWire } from '@portal/providers/hmrc-agent/agent-authorisation-wire.ts';
import { findArn, endRelationship, findRelationship, INVITATION_DAYS, saveStatus, getInvitationStatus } from './agent-authority.ts';
import { createAgentError } from './agent-errors.ts';
import { readAgentPayload, type AgentPayload, type PayloadKind } from './agent-payload.ts';
import type { InvitationRecord } from './agent-records.ts';
import { createInvitationId } from './invitation-id.ts';

/** Number of days for which requests are listed. */
const DAYS_LISTED = 30;

export function agentAuthorisationRoutes(app: FastifyInstance, context: HmrcContext, hooks: BuildOperationHooks): void {
  const addRoute = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', name: string, path: string, scope: string, handler: HmrcHandler): void => {
    const operation = hooks({
      name,
      access: { kind: 'user', scope },
      checkBeforeGateway: assertHeaders,
      // The API has its own error for a missing token; scope and rate errors are the gateway's.
      rewordTokenError: (error) => (error.status === 401 ? createAgentError('UNAUTHORIZED') : error),
    });
    app.route<HmrcRoute>({ method, url: `/agents/:arn/${path}`, ...operation, handler });
  };
  addRoute('POST', 'hmrc.send_invitation', 'invitations', 'write:sent-invitations', (request, reply) => {
    const location = sendInvitation(context, getOwnArn(context, request), readPayload(request, 'invitation'));
    return reply.code(204).header('location', location).send();
  });
  addRoute('GET', 'hmrc.list_invitations', 'invitations', 'read:sent-invitations', (request, reply) => {
    const recentInvitations = listInvitations(context, getOwnArn(context, request));
    return recentInvitations.length === 0 ? reply.code(204).send() : reply.send(recentInvitations);
  });
  addRoute('GET', 'hmrc.get_invitation', 'invitations/:invitationId', 'read:sent-invitations', (request, reply) => {
    const foundInvitation = context.records.invitations(getOwnArn(context, request)).get(request.params['invitationId'] ?? '');
    if (!foundInvitation) throw createAgentError('INVITATION_NOT_FOUND');
    return reply.send(toInvitationWire(context, foundInvitation));
  });
  addRoute('DELETE', 'hmrc.cancel_invitation', 'invitations/:invitationId', 'write:cancel-invitations', (request, reply) => {
    cancelInvitation(context, getOwnArn(context, request), request.params['invitationId'] ?? '');
    return reply.code(204).send();
  });
  addRoute('POST', 'hmrc.check_relationship', 'relationships', 'read:check-relationship', (request, reply) =>
    checkRelationship(context, request, reply),
  );
  addRoute('PUT', 'hmrc.deauthorise', 'deauthorise-client', 'write:relationships', (request, reply) => {
    const arn = getOwnArn(context, request);
    const payload = readPayload(request, 'deauthorisation');
    const isEnded = hasRelationship(context, arn, payload) && endRelationship(context, arn, payload.service, payload.clientId);
    if (!isEnded) throw createAgentError('NO_RELATIONSHIP');
    return reply.code(204).send();
  });
}

/** A missing or unrecognised Accept header gets a 406. An unsupported version or content type gets a 400. */
function assertHeaders({ headers, method }: FastifyRequest): void {
  const accept = /^application\/vnd\.hmrc\.(\d+\.\d+)\+(\w+)$/.exec(headers.accept ?? '');
  if (!accept) throw createAgentError('ACCEPT_HEADER_INVALID');
  // Version 1.0 is still served, without de-authorisation.
  const isServed = accept[1] === '2.0' || (accept[1] === '1.0' && method !== 'PUT');
  if (!isServed || accept[2] !== 'json') throw createAgentError('BAD_REQUEST');
  const hasBody = method === 'POST' || method === 'PUT';
  if (hasBody && !(headers['content-type'] ?? '').startsWith('application/json')) throw createAgentError('BAD_REQUEST');
}

/** Returns the agent reference in the path, which must be the caller's. */
function getOwnArn(context: HmrcContext, request: HmrcRequest): string {
  const user = context.records.users.get(getCaller(request).userId ?? '');
  if (user?.kind !== 'agent') throw createAgentError('NOT_AN_AGENT');
  const ownArn = findArn(user);
  if (ownArn === undefined) throw createAgentError('AGENT_NOT_SUBSCRIBED');
  if (request.params['arn'] !== ownArn) throw createAgentError('NO_PERMISSION_ON_AGENCY');
  return ownArn;
}

function readPayload(request: HmrcRequest, kind: PayloadKind): AgentPayload {
  const payload = readAgentPayload(readBodyText(request), kind);
  if (typeof payload === 'string') throw createAgentError(payload);
  return payload;
}

function checkRelationship(context: HmrcContext, request: HmrcRequest, reply: FastifyReply): FastifyReply {
  const arn = getOwnArn(context, request);
  const payload = readPayload(request, 'relationship');
  assertKnownFact(context, payload);
  if (isInsolvent(context, payload)) throw createAgentError('VAT_CLIENT_INSOLVENT');
  if (!hasRelationship(context, arn, payload)) throw createAgentError('RELATIONSHIP_NOT_FOUND');
  return reply.code(204).send();
}

/** Stores a new request and returns its location. */
function sendInvitation(context: HmrcContext, arn: string, payload: AgentPayload): string {
  return context.store.atomically(() => {
    assertKnownFact(context, payload);
    const { service, clientId } = payload;
    const invitations = context.records.invitations(arn);
    const pendingInvitation = invitations
      .list()
      .map(({ document }) => document)
      .find((record) => record.service === service && record.clientId === clientId && getInvitationStatus(context, record) === 'Pending');
    if (pendingInvitation) throw createAgentError('DUPLICATE_AUTHORISATION_REQUEST', { location: toLocation(pendingInvitation) });
    if (hasRelationship(context, arn, payload)) throw createAgentError('ALREADY_AUTHORISED');
    if (isInsolvent(context, payload)) throw createAgentError('VAT_CLIENT_INSOLVENT');
    const createdAt = context.clock.now();
    let invitationId = createInvitationId(arn, clientId, service, createdAt);
    // The sandbox clock may be stopped, so requests made at the same time still need different IDs.
    for (let shift = 1; invitations.get(invitationId); shift += 1) {
      invitationId = createInvitationId(arn, clientId, service, toInstant(toEpochMs(createdAt) + shift));
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
    return toLocation(invitation);
  });
}

/** Lists the agent's recent requests, newest first. */
function listInvitations(context: HmrcContext, arn: string): InvitationWire[] {
  const from = addDays(context.clock.today(), -DAYS_LISTED);
  return context.records
    .invitations(arn)
    .list()
    .map(({ document }) => document)
    .filter(({ createdAt }) => toLondonDate(createdAt) >= from)
    .sort((a, b) => (a.createdAt > b.createdAt ? -1 : 1))
    .map((invitation) => toInvitationWire(context, invitation));
}

function cancelInvitation(context: HmrcContext, arn: string, invitationId: string): void {
  context.store.atomically(() => {
    const invitation = context.records.invitations(arn).get(invitationId);
    if (!invitation) throw createAgentError('INVITATION_NOT_FOUND');
    if (getInvitationStatus(context, invitation) !== 'Pending') throw createAgentError('INVALID_INVITATION_STATUS');
    saveStatus(context, invitation, 'Cancelled');
  });
}

/** Returns the URL of HMRC's page where the client accepts or rejects the request. */
export function toClientActionUrl(context: HmrcContext, { invitationId, arn, service }: InvitationRecord): string {
  const agent = context.records.users.list().find(({ document }) => findArn(document) === arn);
  const name = (agent?.document.fullName ?? 'agent').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const tax = service === 'MTD-VAT' ? 'vat' : 'income-tax';
  return `${context.wwwUrl}/appoint-someone-to-deal-with-HMRC-for-you/${invitationId}/${name}/${tax}`;
}

function toInvitationWire(context: HmrcContext, invitation: InvitationRecord): InvitationWire {
  const status = getInvitationStatus(context, invitation);
  const { createdAt, updatedAt, arn, service, agentType } = invitation;
  // HMRC sends `created` as a full instant, but the expiry as the start of its day, without a time zone.
  const expiresOn = `${addDays(toLondonDate(createdAt), INVITATION_DAYS)}T00:00:00.000`;
  return {
    _links: { self: { href: toLocation(invitation) } },
    created: createdAt,
    ...(status === 'Pending'
      ? { expiresOn, clientActionUrl: toClientActionUrl(context, invitation) }
      : { updated: status === 'Expired' ? `${expiresOn}Z` : updatedAt }),
    arn,
    service: [service],
    status,
    ...(agentType ? { agentType } : {}),
  };
}

/** The known fact proves that the agent knows the client: the registration date for VAT, the postcode for income tax. */
function assertKnownFact(context: HmrcContext, { service, clientId, knownFact }: AgentPayload): void {
  if (service === 'MTD-VAT') {
    const trader = context.records.traders.get(clientId);
    if (!trader) throw createAgentError('CLIENT_REGISTRATION_NOT_FOUND');
    if (trader.vatRegistrationDate !== knownFact) throw createAgentError('VAT_REG_DATE_DOES_NOT_MATCH');
    return;
  }
  const incomeTaxRecord = context.records.incomeTax.get(clientId);
  if (!incomeTaxRecord) throw createAgentError('CLIENT_REGISTRATION_NOT_FOUND');
  const removeSpaces = (postcode: string) => postcode.replaceAll(/\s/g, '');
  if (removeSpaces(incomeTaxRecord.postcode) !== removeSpaces(knownFact)) throw createAgentError('POSTCODE_DOES_NOT_MATCH');
}

function isInsolvent(context: HmrcContext, { service, clientId }: AgentPayload): boolean {
  return service === 'MTD-VAT' && context.records.traders.get(clientId)?.insolvent === true;
}

/** For income tax, a supporting agent's authorisation differs from a main agent's. */
function hasRelationship(context: HmrcContext, arn: string, { service, clientId, agentType }: AgentPayload): boolean {
  const foundRelationship = findRelationship(context, arn, service, clientId);
  return foundRelationship !== undefined && foundRelationship.agentType === agentType;
}

function toLocation({ arn, invitationId }: InvitationRecord): string {
  return `/agents/${arn}/invitations/${invitationId}`;
}
