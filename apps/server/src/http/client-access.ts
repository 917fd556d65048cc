/** Whether a person of a practice may see one of its clients: an admin every one, a team_member the assigned ones (product.md section 3). */
import type { Db } from '@portal/db/database.ts';
import { clientMembers, clients } from '@portal/db/schema/schema.ts';
import { idScalar } from '@portal/contract/scalars.ts';
import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Actor } from './session.ts';

export type SeesClient = (actor: Actor, companyId: string, clientId: string) => Promise<boolean>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isId(text: string): boolean {
  return UUID.test(text);
}

const named = z.object({ client_id: idScalar });
const namedAsCompany = z.object({ client_company_id: idScalar });

/** The client a call names, as `client_id` or, in the specification's older calls, as `client_company_id`. A badly formed id is told as such. */
export function clientIdIn(input: unknown): string {
  const isOlder = typeof input === 'object' && input !== null && 'client_company_id' in input;
  return isOlder ? namedAsCompany.parse(input).client_company_id : named.parse(input).client_id;
}

/** Prepares the check of one database: the same statements for every call. */
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
  return async (actor, companyId, clientId) => {
    const statement = actor.role === 'practice_admin' ? anyClient : assignedClient;
    const rows = await statement.execute({ companyId, clientId, userId: actor.userId });
    return rows.length > 0;
  };
}
