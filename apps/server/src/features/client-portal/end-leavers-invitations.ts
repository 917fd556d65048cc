import type { Tx } from '@portal/db/database.ts';
import { auditEntries, clientContacts, clientInvitations, clients, users } from '@portal/db/schema/schema.ts';
import { and, eq, notExists, or, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { endClientInvitations } from './invite-client-person.ts';

/**
 * Ends the open invitations that a member who leaves has got, or has sent to an address that may be another one of their own: it is neither
 * the client’s, which only admins change, nor that of a contact that someone else entered.
 */
export async function endLeaversInvitations(deps: AppDeps, tx: Tx, companyId: string, userId: string): Promise<void> {
  const { clientId, email, invitedBy } = clientInvitations;
  const isClientsAddress = tx
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId), sql`lower(trim(${clients.email})) = ${email}`));
  const enteredByLeaver = tx
    .select({ at: auditEntries.at })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.companyId, companyId),
        eq(auditEntries.actor, userId),
        sql`${auditEntries.subject} = ${clientId}::text and ${auditEntries.action} in ('client.contact_added', 'client.contact_edited')`,
        sql`lower(trim(${auditEntries.after} ->> 'email')) = ${email}`,
      ),
    );
  const isContactsAddress = tx
    .select({ id: clientContacts.id })
    .from(clientContacts)
    .where(
      and(
        eq(clientContacts.companyId, companyId),
        eq(clientContacts.clientId, clientId),
        sql`lower(trim(${clientContacts.email})) = ${email}`,
        notExists(enteredByLeaver),
      ),
    );
  const ownAddress = tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  const isSentElsewhere = and(eq(invitedBy, userId), notExists(isClientsAddress), notExists(isContactsAddress));
  await endClientInvitations(deps, tx, and(eq(clientInvitations.companyId, companyId), or(isSentElsewhere, sql`${email} = ${ownAddress}`)));
}
