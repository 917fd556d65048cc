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

const namedClient = z.object({ client_id: idScalar, client_company_id: idScalar });

/**
 * A call names its client as `client_id` or as `client_company_id` (the specification knows both): it is read under either name. Whoever gives
 * both names must mean the same client, or the one that is checked would not be the one that is answered.
 */
export function nameClientOnce(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const { client_id: id, client_company_id: same } = input as Record<string, unknown>;
  if ((id === undefined) === (same === undefined)) return input;
  return { ...input, client_id: id ?? same, client_company_id: id ?? same };
}

/** The client that a call names, once it is named once. A badly formed id is told as such; two clients are none. */
export function clientIdIn(input: unknown): string | undefined {
  const { client_id: id, client_company_id: same } = namedClient.parse(input);
  return id === same ? id : undefined;
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
