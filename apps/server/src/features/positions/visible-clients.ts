/**
 * Decides which clients a user can see in lists: all clients for an admin, only the assigned ones for a team member. http/client-access.ts
 * decides for a single client.
 */
import { sql, type SQL, type SQLWrapper } from '@portal/db/sql.ts';
import type { Actor } from '../../http/session.ts';

/** Returns the user ID that a list must be limited to, or undefined for an admin, who sees all clients. */
export function getAssigneeLimit({ role, userId }: Actor): string | undefined {
  return role === 'practice_admin' ? undefined : userId;
}

/** Returns the condition for the two columns that identify a client. */
export function isVisibleTo(actor: Actor, companyId: SQLWrapper, clientId: SQLWrapper): SQL | undefined {
  const userId = getAssigneeLimit(actor);
  if (userId === undefined) return undefined;
  return sql`exists (select from client_members m where m.company_id = ${companyId} and m.client_id = ${clientId} and m.user_id = ${userId})`;
}
