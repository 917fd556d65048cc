/**
 * Decides whether a user in a practice can see one of its clients: an admin sees all, a team_member the assigned ones
 * (docs/product/decisions.md section 3).
 */
import type { Db } from '@portal/db/database.ts';
import { clientMembers, clients } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { ClientTenant } from './resolve-tenant.ts';
import type { Actor } from './session.ts';

export type SeesClient = (actor: Actor, tenant: ClientTenant) => Promise<boolean>;

/** Prepares the statements of the check once per database. */
export function prepareClientCheck(db: Db): SeesClient {
  const ids = [eq(clients.companyId, sql.placeholder('companyId')), eq(clients.id, sql.placeholder('clientId'))];
  const anyClient = db
    .select({ id: clients.id })
    .from(clients)
    .where(and(...ids))
    .prepare('client_of_practice');
  const assignedClient = db
    .select({ id: clients.id })
    .from(clients)
    .innerJoin(
      clientMembers,
      and(
        eq(clientMembers.companyId, clients.companyId),
        eq(clientMembers.clientId, clients.id),
        eq(clientMembers.userId, sql.placeholder('userId')),
      ),
    )
    .where(and(...ids))
    .limit(1)
    .prepare('client_of_member');
  return async (actor, { practiceId, clientId }) => {
    const statement = actor.role === 'practice_admin' ? anyClient : assignedClient;
    const rows = await statement.execute({ companyId: practiceId, clientId, userId: actor.userId });
    return rows.length > 0;
  };
}
