import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { clientInvitationsApi } from '@portal/contract/client-invitations.ts';
import { hasPracticeRight } from '@portal/contract/practice-rights.ts';
import type { Db } from '@portal/db/database.ts';
import { clientContacts, clientInvitations, clients, users } from '@portal/db/schema/schema.ts';
import { and, desc, eq } from '@portal/db/sql.ts';
import { getInvitationState } from '@portal/domain/clients/invitation-state.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { Actor } from '../../http/session.ts';
import { listPeople } from './client-people.ts';
import { isOfClient } from './invite-client-person.ts';

type Invitations = EndpointOutput<typeof clientInvitationsApi.read>;

export async function getClientInvitations({ database, wallClock }: AppDeps, tenant: ClientTenant, actor: Actor): Promise<Invitations> {
  const { db } = database;
  const people = await listPeople(db, tenant);
  const rows = await db
    .select({ row: clientInvitations, invitedBy: users.fullName })
    .from(clientInvitations)
    .innerJoin(users, eq(users.id, clientInvitations.invitedBy))
    .where(isOfClient(tenant))
    .orderBy(desc(clientInvitations.invitedAt), desc(clientInvitations.id));
  const now = wallClock.now();
  const invitations = rows.map(({ row, invitedBy }) => ({
    invitation_id: row.id,
    email: row.email,
    state: getInvitationState(row, now),
    invited_by: invitedBy,
    sent_at: row.sentAt,
    opened_at: row.openedAt,
    expires_at: row.expiresAt,
    reminders: row.reminders,
    reminders_ended: row.remindersEndedAt !== null,
  }));
  const knownEmails = new Set([...people, ...rows.map(({ row }) => row)].map(({ email }) => email.toLowerCase()));
  const { role, permissions = [] } = actor;
  return {
    client_id: tenant.clientId,
    status: invitations[0]?.state ?? null,
    people,
    invitations,
    suggestions: (await listAddresses(db, tenant)).filter(({ email }) => !knownEmails.has(email.toLowerCase())),
    may_invite: (role === 'practice_admin' || role === 'team_member') && hasPracticeRight('client.invite', role, permissions),
  };
}

/** Lists the email addresses of a client and its contacts, without duplicates. */
async function listAddresses(db: Db, { practiceId, clientId }: ClientTenant): Promise<Invitations['suggestions']> {
  const [client] = await db
    .select({ email: clients.email, name: clients.name })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), eq(clients.id, clientId)));
  const contacts = await db
    .select({ email: clientContacts.email, name: clientContacts.name })
    .from(clientContacts)
    .where(and(eq(clientContacts.companyId, practiceId), eq(clientContacts.clientId, clientId)));
  const candidates = [...(client ? [{ email: client.email ?? '', name: client.name }] : []), ...contacts].filter(
    ({ email }) => email !== '',
  );
  return [...new Map(candidates.toReversed().map((address) => [address.email.toLowerCase(), address])).values()].toReversed();
}
