/** Lists a client's users, and ends their access when they leave or the practice removes them. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { clientInvitationsApi } from '@portal/contract/client-invitations.ts';
import type { clientPortalApi } from '@portal/contract/client-portal.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clientInvitations, clientPeople, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueAccessEnded, enqueuePeopleChanged, getNames } from './client-portal-emails.ts';
import { endLeaversInvitations } from './end-leavers-invitations.ts';
import { endClientInvitations, isOfClient } from './invite-client-person.ts';

export function listPeople(db: Db | Tx, { practiceId, clientId }: ClientTenant) {
  return db
    .select({ user_id: users.id, full_name: users.fullName, email: users.email, joined_at: clientPeople.joinedAt })
    .from(clientPeople)
    .innerJoin(users, eq(users.id, clientPeople.userId))
    .where(and(eq(clientPeople.companyId, practiceId), eq(clientPeople.clientId, clientId)))
    .orderBy(asc(users.fullName), asc(users.id));
}

export async function getOwnPeople(
  { database: { db } }: AppDeps,
  { tenant, actor }: Call<typeof clientPortalApi.people>,
): Promise<EndpointOutput<typeof clientPortalApi.people>> {
  const [people, { client, practice }] = await db.transaction(
    async (tx) => [await listPeople(tx, tenant), await getNames(tx, tenant)] as const,
  );
  return {
    client_id: tenant.clientId,
    name: client,
    practice,
    people: people.map(({ user_id: userId, ...person }) => ({ ...person, is_you: userId === actor.userId })),
  };
}

export function leaveClient(deps: AppDeps, { tenant, actor, caller }: Call<typeof clientPortalApi.leave>): Promise<{ done: true }> {
  return deps.database.db.transaction(async (tx) => {
    await endAccess(deps, tx, tenant, { userId: actor.userId, actor: actor.userId, what: 'left', ip: caller.ip });
    return { done: true };
  });
}

export function removeClientPerson(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof clientInvitationsApi.removePerson>,
): Promise<{ done: true }> {
  return deps.database.db.transaction(async (tx) => {
    await endAccess(deps, tx, tenant, { userId: input.user_id, actor: actor.userId, what: 'was removed', ip: caller.ip });
    return { done: true };
  });
}

type EndedAccess = { readonly userId: string; readonly actor: string; readonly what: 'left' | 'was removed'; readonly ip: string };

/** Ends a user’s access together with their open invitations, so that an older email can’t restore it. */
export async function endAccess(deps: AppDeps, tx: Tx, tenant: ClientTenant, { userId, actor, what, ip }: EndedAccess): Promise<void> {
  const { practiceId: companyId, clientId } = tenant;
  const [endedPerson] = await tx
    .delete(clientPeople)
    .where(and(eq(clientPeople.companyId, companyId), eq(clientPeople.clientId, clientId), eq(clientPeople.userId, userId)))
    .returning({ joinedAt: clientPeople.joinedAt });
  const [user] = await tx.select({ name: users.fullName, email: users.email }).from(users).where(eq(users.id, userId));
  if (!endedPerson || !user) throw createNotFoundError();
  await endClientInvitations(deps, tx, and(isOfClient(tenant), eq(clientInvitations.email, user.email)));
  await enqueuePeopleChanged(deps, tx, tenant, { ...user, what, ...(what === 'was removed' && { removedBy: actor }) });
  if (what === 'was removed') await enqueueAccessEnded(deps, tx, tenant, { email: user.email, endedBy: actor });
  const action = what === 'left' ? 'client.person_left' : 'client.person_removed';
  const endedAccess = { user_id: userId, email: user.email, joined_at: endedPerson.joinedAt };
  await recordAudit(tx, {
    companyId,
    at: deps.clock.now(),
    actor,
    action,
    subject: clientId,
    before: endedAccess,
    after: { user_id: userId },
    ip,
  });
}

type Leaver = { readonly companyId: string; readonly userId: string; readonly endedBy: string; readonly ip: string };

/**
 * Ends the access that a member who leaves the practice has as a client’s user, and every way to get it. Someone who remains its client is
 * invited again.
 */
export async function endLeaversClientAccess(deps: AppDeps, tx: Tx, { companyId, userId, endedBy, ip }: Leaver): Promise<void> {
  const isOwn = and(eq(clientPeople.companyId, companyId), eq(clientPeople.userId, userId));
  const ownClients = await tx.select({ clientId: clientPeople.clientId }).from(clientPeople).where(isOwn).orderBy(clientPeople.clientId);
  for (const { clientId } of ownClients)
    await endAccess(deps, tx, { kind: 'client', practiceId: companyId, clientId }, { userId, actor: endedBy, what: 'was removed', ip });
  await endLeaversInvitations(deps, tx, companyId, userId);
}

/** Ends the client access of a user who closes their account. */
export async function leaveAllClients(deps: AppDeps, tx: Tx, userId: string, ip: string): Promise<void> {
  const ownInvitations = await tx.select().from(clientPeople).where(eq(clientPeople.userId, userId));
  for (const { companyId: practiceId, clientId } of ownInvitations) {
    await endAccess(deps, tx, { kind: 'client', practiceId, clientId }, { userId, actor: userId, what: 'left', ip });
  }
}

/** Ends all client access for a practice that closes; a job deletes the rest of its rows minutes later. */
export async function endAllClientAccess(deps: AppDeps, tx: Tx, practiceId: string): Promise<void> {
  await tx.delete(clientPeople).where(eq(clientPeople.companyId, practiceId));
  await endClientInvitations(deps, tx, eq(clientInvitations.companyId, practiceId));
}
