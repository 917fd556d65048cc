/**
 * Decides which tasks a user can see: all tasks for an admin; for a team member, those of their assigned clients and their own tasks
 * without a client. A task never reveals a client that the user can't see.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import { clientMembers, memberships, users, workItems } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, or, sql, type SQL } from '@portal/db/sql.ts';
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { getAssigneeLimit, isVisibleTo } from '../positions/visible-clients.ts';

export function isVisibleWork(actor: Actor): SQL | undefined {
  const userId = getAssigneeLimit(actor);
  if (userId === undefined) return undefined;
  return or(
    isVisibleTo(actor, workItems.companyId, workItems.clientId),
    and(isNull(workItems.clientId), or(eq(workItems.ownerId, userId), eq(workItems.createdBy, userId))),
  );
}

/** Returns the task, locked until the end of the transaction. Throws notFound if the user can't see it. */
export async function lockWorkItem(tx: Tx, companyId: string, actor: Actor, id: string): Promise<typeof workItems.$inferSelect> {
  const [item] = await tx
    .select()
    .from(workItems)
    .where(and(eq(workItems.companyId, companyId), eq(workItems.id, id), isNull(workItems.removedAt), isVisibleWork(actor)))
    .for('update');
  if (!item) throw createNotFoundError();
  return item;
}

/** Throws unless the user may create a task for the client. */
export async function assertSeesClient(tx: Tx, companyId: string, actor: Actor, clientId: string | null): Promise<void> {
  if (clientId === null) return;
  const { rows } = await tx.execute(
    sql`select from clients c where c.company_id = ${companyId}::uuid and c.id = ${clientId}::uuid
      and ${isVisibleTo(actor, sql.raw('c.company_id'), sql.raw('c.id')) ?? sql`true`} for key share`,
  );
  if (rows.length === 0) throw createNotFoundError();
}

/** Throws unless the owner works here and can see all the clients. */
export async function assertMayOwn(
  tx: Tx,
  companyId: string,
  ownerId: string | null,
  clientIds: readonly (string | null)[],
): Promise<void> {
  if (ownerId === null) return;
  const [owner] = await tx
    .select({ role: memberships.role, name: users.fullName })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, ownerId)))
    .for('share', { of: memberships });
  if (!owner) throw createInvalidFieldError('owner_id', 'Choose someone in your practice.');
  const visibleClientIds = new Set(clientIds.filter((id) => id !== null));
  if (owner.role === 'practice_admin' || visibleClientIds.size === 0) return;
  const seenClients = await listSeenClients(tx, companyId, ownerId, [...visibleClientIds]);
  const missingCount = visibleClientIds.size - seenClients.length;
  if (missingCount === 0) return;
  const clientLabel = visibleClientIds.size === 1 ? 'this client' : `${missingCount} of these clients`;
  throw createInvalidFieldError(
    'owner_id',
    `${owner.name} isn’t assigned to ${clientLabel}. Assign the client first, or choose someone else.`,
  );
}

async function listSeenClients(tx: Pick<Db, 'selectDistinct'>, companyId: string, userId: string, clientIds: readonly string[]) {
  return tx
    .selectDistinct({ id: clientMembers.clientId })
    .from(clientMembers)
    .where(and(eq(clientMembers.companyId, companyId), eq(clientMembers.userId, userId), isInIdList(clientMembers.clientId, clientIds)));
}
