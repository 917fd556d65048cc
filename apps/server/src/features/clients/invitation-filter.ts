import type { ClientFilters } from '@portal/contract/client-filters.ts';
import { clientInvitations, clientPeople, clientRows } from '@portal/db/schema/schema.ts';
import { sql, type SQL } from '@portal/db/sql.ts';
import { getInvitationStateSql } from '../invitation-runs/invitation-state-sql.ts';

/**
 * Matches by the newest invitation or, if someone has joined since, as accepted, because accepted invitations are deleted after 90 days.
 * PostgreSQL probes the invitations of each client, or joins all of them, depending on how many clients the page needs. Links expire by the
 * wall clock, which is the database's.
 */
export function hasInvitation(invitation: NonNullable<ClientFilters['invitation']>): SQL {
  const { companyId, clientId, invitedAt, id } = clientInvitations;
  const isOfClient = sql`${companyId} = ${clientRows.companyId} and ${clientId} = ${clientRows.clientId}`;
  const isUserOfClient = sql`${clientPeople.companyId} = ${clientRows.companyId} and ${clientPeople.clientId} = ${clientRows.clientId}`;
  if (invitation === 'none') {
    return sql`(not exists (select from ${clientInvitations} where ${isOfClient})
      and not exists (select from ${clientPeople} where ${isUserOfClient}))`;
  }
  const isNewest = sql`not exists (select from client_invitations newer where newer.company_id = ${companyId} and newer.client_id = ${clientId}
    and (newer.invited_at, newer.id) > (${invitedAt}, ${id}))`;
  const hasState = sql`exists (select from ${clientInvitations} where ${isOfClient}
    and ${getInvitationStateSql(clientInvitations, sql`now()`)} = ${sql.raw(`'${invitation}'`)} and ${isNewest})`;
  const hasJoinedSince = sql`exists (select from ${clientPeople} where ${isUserOfClient} and not exists (select from ${clientInvitations}
    where ${isOfClient} and ${invitedAt} > ${clientPeople.joinedAt}))`;
  return invitation === 'accepted' ? sql`(${hasState} or ${hasJoinedSince})` : sql`(${hasState} and not ${hasJoinedSince})`;
}
