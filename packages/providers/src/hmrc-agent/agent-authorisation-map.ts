/** Maps Agent Authorisation wire shapes to the port's types and back. Pure. Impossible values throw a RangeError. */
import { parseInstant, type Instant } from '@portal/domain/clock.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import type { ClientIdentity, ClientReference, Invitation, InvitationStatus } from './agent-authorisation-port.ts';
import type { InvitationWire } from './agent-authorisation-wire.ts';

const STATUS_BY_WIRE_VALUE: Readonly<Record<InvitationWire['status'], InvitationStatus>> = {
  Pending: 'pending',
  Accepted: 'accepted',
  Rejected: 'rejected',
  Expired: 'expired',
  Cancelled: 'cancelled',
  Deauthorised: 'deauthorised',
  Partialauth: 'partial_authority',
};

export function mapInvitation(wire: InvitationWire): Invitation {
  const invitationId = parseInvitationId(wire._links.self.href);
  if (invitationId === undefined) throw new RangeError(`no invitation ID in ${wire._links.self.href}`);
  const service = typeof wire.service === 'string' ? wire.service : wire.service[0];
  if (service !== 'MTD-VAT' && service !== 'MTD-IT') throw new RangeError(`unknown service: ${String(service)}`);
  return {
    invitationId,
    arn: wire.arn,
    service: service === 'MTD-VAT' ? 'vat' : 'income_tax',
    status: STATUS_BY_WIRE_VALUE[wire.status],
    createdAt: parseWireInstant(wire.created),
    ...(wire.updated === undefined ? {} : { updatedAt: parseWireInstant(wire.updated) }),
    // Only the date matters. HMRC sends the time in three formats, one of them invalid ("00:00:00:000").
    ...(wire.expiresOn === undefined ? {} : { expiresOn: plainDate(wire.expiresOn.slice(0, 10)) }),
    ...(wire.clientActionUrl === undefined ? {} : { clientActionUrl: wire.clientActionUrl }),
    ...(wire.agentType ? { agentType: wire.agentType } : {}),
  };
}

/** "/agents/TARN0000001/invitations/CS5AK7O8FPC43" -> "CS5AK7O8FPC43". */
export function parseInvitationId(location: string | null): string | undefined {
  return /\/invitations\/([A-Z0-9]+)$/.exec(location ?? '')?.[1];
}

/** Returns the body of an invitation or relationship check. A check has no client type. */
export function toClientBody(client: ClientIdentity, kind: 'invitation' | 'relationship'): object {
  const { clientType, ...reference } = toReferenceBody(client);
  return {
    ...reference,
    ...(kind === 'invitation' ? { clientType } : {}),
    knownFact: client.service === 'vat' ? client.registeredOn : formatPostcode(client.postcode),
  };
}

export function toReferenceBody(
  client: ClientReference,
): { readonly clientType: 'personal' | 'business' } & Readonly<Record<string, string>> {
  if (client.service === 'vat') {
    const clientType = client.isPerson === true ? 'personal' : 'business';
    return { service: 'MTD-VAT', clientType, clientIdType: 'vrn', clientId: client.vrn };
  }
  const { nino, agentType } = client;
  return { service: 'MTD-IT', clientType: 'personal', clientIdType: 'ni', clientId: nino, ...(agentType ? { agentType } : {}) };
}

/** Formats a postcode in capitals with a space before the last three characters, the only form that HMRC accepts. */
function formatPostcode(postcode: string): string {
  const compact = postcode.replaceAll(/\s/g, '').toUpperCase();
  return compact.startsWith('BFPO') ? compact : `${compact.slice(0, -3)} ${compact.slice(-3)}`;
}

/** HMRC omits the time zone of some times, which are in UTC. */
function parseWireInstant(text: string): Instant {
  const instant = parseInstant(text) ?? parseInstant(`${text}Z`);
  if (instant === undefined) throw new RangeError(`not a time: ${text}`);
  return instant;
}
