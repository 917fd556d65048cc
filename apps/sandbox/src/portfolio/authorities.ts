/** Oakline's HMRC authorisations: current relationships and the requests it has sent. */
import { toInstant, type Instant } from '@portal/domain/clock.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { getRelationshipKey, type AgentServiceWire, type InvitationRecord, type RelationshipRecord } from '../hmrc-agent/agent-records.ts';
import { createInvitationId } from '../hmrc-agent/invitation-id.ts';
import { getVariation } from '../hmrc/past-figures.ts';
import { OAKLINE } from './oakline.ts';
import type { Portfolio, PortfolioClient } from './portfolio-client.ts';

/** Status of the practice's authorisation for a client and one of HMRC's two agent services. */
export type AuthorisationStatus = 'active' | 'pending' | 'revoked' | 'none';

type ClientService = { readonly service: AgentServiceWire; readonly clientId: string; readonly agentType?: 'main' | 'supporting' };

export function getAuthorisationStatus({ situation }: PortfolioClient): AuthorisationStatus {
  if (situation === 'link_sent') return 'pending';
  if (situation === 'authority_revoked') return 'revoked';
  return situation === 'never_authorised' ? 'none' : 'active';
}

export function listRelationships(portfolio: Portfolio): ReadonlyMap<string, RelationshipRecord> {
  const activeClients = portfolio.list.filter((client) => getAuthorisationStatus(client) === 'active');
  return new Map(
    activeClients.flatMap((client) =>
      listServices(client).map((clientService) => {
        const since = addDays(portfolio.today, -60 - Math.floor(getPercentile(client, 1) * 1500));
        return [getRelationshipKey(clientService.service, clientService.clientId), { ...clientService, since }];
      }),
    ),
  );
}

/** Lists requests to clients who haven't responded or who revoked their authorisation, and some that were declined or expired. */
export function listInvitations(portfolio: Portfolio): ReadonlyMap<string, InvitationRecord> {
  const invitations = portfolio.list.flatMap((client) =>
    listServices(client).map((clientService) => createInvitation(client, clientService, portfolio.today)),
  );
  return new Map(invitations.flatMap((invitation) => (invitation ? [[invitation.invitationId, invitation]] : [])));
}

function createInvitation(client: PortfolioClient, clientService: ClientService, today: PlainDate): InvitationRecord | undefined {
  const percentile = getPercentile(client, 2);
  switch (getAuthorisationStatus(client)) {
    case 'active':
      return undefined;
    case 'pending':
      // Sent up to twenty days ago, so some expire within a day.
      return createRecord(client, clientService, 'Pending', addDays(today, -1 - Math.floor(percentile * 20)));
    case 'revoked': {
      const sentOn = addDays(today, -29 + Math.floor(percentile * 10));
      return createRecord(client, clientService, 'Deauthorised', sentOn, addDays(sentOn, 3 + Math.floor(percentile * 15)));
    }
    case 'none': {
      if (percentile > 0.5) return undefined;
      const sentOn = addDays(today, -28 + Math.floor(percentile * 6));
      return percentile < 0.2
        ? createRecord(client, clientService, 'Rejected', sentOn, addDays(sentOn, 2))
        : createRecord(client, clientService, 'Pending', sentOn);
    }
  }
}

function createRecord(
  client: PortfolioClient,
  clientService: ClientService,
  status: InvitationRecord['status'],
  sentOn: PlainDate,
  updatedOn: PlainDate = sentOn,
): InvitationRecord {
  const createdAt = toTimeOfDay(sentOn, client.index);
  const clientType = clientService.service === 'MTD-IT' || client.kind === 'sole_trader' ? 'personal' : 'business';
  const invitationId = createInvitationId(OAKLINE.arn, clientService.clientId, clientService.service, createdAt);
  return {
    ...clientService,
    invitationId,
    arn: OAKLINE.arn,
    clientType,
    createdAt,
    updatedAt: toTimeOfDay(updatedOn, client.index),
    status,
  };
}

function listServices(client: PortfolioClient): ClientService[] {
  const business = client.selfAssessment?.business;
  return [
    ...(client.vat ? [{ service: 'MTD-VAT', clientId: client.vat.vrn } as const] : []),
    ...(business && client.nino !== undefined
      ? [{ service: 'MTD-IT', clientId: client.nino, agentType: business.agentType } as const]
      : []),
  ];
}

function getPercentile(client: PortfolioClient, index: number): number {
  return getVariation(client.utr, index);
}

function toTimeOfDay(day: PlainDate, index: number): Instant {
  return toInstant(Date.parse(`${day}T09:00:00Z`) + (index % 28_800) * 1000);
}
