/** Which clients a person of a practice sees: an admin every one, a team_member the assigned ones. For reads over many; one client is decided in http/client-access.ts. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Actor } from '../../http/session.ts';

/** The team_member that a list must be narrowed to; undefined for an admin. */
export function narrowedTo({ role, userId }: Actor): string | undefined {
  return role === 'practice_admin' ? undefined : userId;
}

/** A condition on two columns that name a client. */
export function seenBy(actor: Actor, companyId: SQLWrapper, clientId: SQLWrapper): SQL | undefined {
  const userId = narrowedTo(actor);
  if (userId === undefined) return undefined;
  return sql`exists (select from client_members m where m.company_id = ${companyId} and m.client_id = ${clientId} and m.user_id = ${userId})`;
}
