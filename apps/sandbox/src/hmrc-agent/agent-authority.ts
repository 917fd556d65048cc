/** Decides who may access records at HMRC: users may access their own, and agents those of clients who authorised them. */
import { AppError } from '@portal/domain/app-error.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import type { HmrcContext } from '../hmrc/hmrc-context.ts';
import type { UserRecord } from '../hmrc/hmrc-records.ts';
import { getRelationshipKey, type AgentServiceWire, type InvitationRecord, type RelationshipRecord } from './agent-records.ts';

/** Days for which an authorisation request stays open. */
export const INVITATION_DAYS = 21;

/** Returns the agent reference number (ARN) of an agent with an agent services account, otherwise undefined. */
export function findArn(user: UserRecord): string | undefined {
  return user.kind === 'agent' ? user.identifiers['agentServicesAccountNumber'] : undefined;
}

/** Returns whether a token gives access: users have access to their own records, agents to those of clients with a current relationship. */
export function canActFor(context: HmrcContext, user: UserRecord | undefined, service: AgentServiceWire, clientId: string): boolean {
  if (!user) return false;
  if (user.kind === 'agent') return findRelationship(context, findArn(user), service, clientId) !== undefined;
  if (service === 'MTD-VAT') return user.vrn === clientId && user.services.includes('mtd-vat');
  return user.identifiers['nino'] === clientId && user.services.includes('mtd-income-tax');
}

export function findRelationship(
  context: HmrcContext,
  arn: string | undefined,
  service: AgentServiceWire,
  clientId: string,
): RelationshipRecord | undefined {
  return arn === undefined ? undefined : context.records.relationships(arn).get(getRelationshipKey(service, clientId));
}

/** Returns the status that HMRC shows today. A request that wasn't answered by its last day has expired. */
export function getInvitationStatus(context: HmrcContext, invitation: InvitationRecord): InvitationRecord['status'] | 'Expired' {
  const isOver = context.clock.today() >= addDays(toLondonDate(invitation.createdAt), INVITATION_DAYS);
  return invitation.status === 'Pending' && isOver ? 'Expired' : invitation.status;
}

/** Returns any agent's request with that ID. */
export function findInvitation(context: HmrcContext, invitationId: string): InvitationRecord | undefined {
  for (const { document: user } of context.records.users.list()) {
    const arn = findArn(user);
    const foundInvitation = arn === undefined ? undefined : context.records.invitations(arn).get(invitationId);
    if (foundInvitation) return foundInvitation;
  }
  return undefined;
}

/**
 * Records the client's answer, given on HMRC's page or the control page. Accepting makes the agent the client's only main agent for the
 * service.
 */
export function answerInvitation(context: HmrcContext, invitationId: string, decision: 'accept' | 'reject'): InvitationRecord {
  return context.store.atomically(() => {
    const invitation = findInvitation(context, invitationId);
    if (!invitation) throw new AppError('notFound', 'hmrc.no_invitation', 'No authorisation request has that number.');
    const status = getInvitationStatus(context, invitation);
    if (status !== 'Pending') {
      throw new AppError('conflict', 'hmrc.invitation_closed', `The request is ${status.toLowerCase()}, so it can no longer be answered.`);
    }
    if (decision === 'accept') acceptRelationship(context, invitation);
    return saveStatus(context, invitation, decision === 'accept' ? 'Accepted' : 'Rejected');
  });
}

/** Ends a relationship for the agent or the client. Returns false when there was none. */
export function endRelationship(context: HmrcContext, arn: string, service: AgentServiceWire, clientId: string): boolean {
  return context.store.atomically(() => {
    if (!findRelationship(context, arn, service, clientId)) return false;
    context.records.relationships(arn).delete(getRelationshipKey(service, clientId));
    for (const { document } of context.records.invitations(arn).list()) {
      const isMatch = document.service === service && document.clientId === clientId && document.status === 'Accepted';
      if (isMatch) saveStatus(context, document, 'Deauthorised');
    }
    return true;
  });
}

export function saveStatus(context: HmrcContext, invitation: InvitationRecord, status: InvitationRecord['status']): InvitationRecord {
  const savedInvitation = { ...invitation, status, updatedAt: context.clock.now() };
  context.records.invitations(invitation.arn).put(invitation.invitationId, savedInvitation);
  return savedInvitation;
}

function acceptRelationship(context: HmrcContext, { arn, service, clientId, agentType }: InvitationRecord): void {
  if (agentType !== 'supporting') {
    for (const { document: user } of context.records.users.list()) {
      const otherArn = findArn(user);
      if (
        otherArn !== undefined &&
        otherArn !== arn &&
        findRelationship(context, otherArn, service, clientId)?.agentType !== 'supporting'
      ) {
        endRelationship(context, otherArn, service, clientId);
      }
    }
  }
  const relationship: RelationshipRecord = { service, clientId, since: context.clock.today(), ...(agentType ? { agentType } : {}) };
  context.records.relationships(arn).put(getRelationshipKey(service, clientId), relationship);
}
