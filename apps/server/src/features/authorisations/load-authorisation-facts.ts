/** Loads the facts on which a client's authorisations depend. */
import type { Db, Tx } from '@portal/db/database.ts';
import { clientAuthorisations, clients, hmrcConnections, practices } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { createNotFoundError } from '../../http/policies.ts';

export type ClientKey = { readonly companyId: string; readonly clientId: string };

export type StoredAuthorisation = typeof clientAuthorisations.$inferSelect;
export type Facts = Awaited<ReturnType<typeof loadFacts>>;

/** Returns all facts on which an authorisation depends: the client, the practice and its HMRC connection. */
export async function loadFacts(db: Db | Tx, { companyId, clientId }: ClientKey) {
  const [row] = await db
    .select({ client: clients, practice: practices, grant: hmrcConnections })
    .from(clients)
    .leftJoin(practices, eq(practices.companyId, clients.companyId))
    .leftJoin(hmrcConnections, eq(hmrcConnections.companyId, clients.companyId))
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)));
  if (!row) throw createNotFoundError();
  const storedAuthorisations = await db
    .select()
    .from(clientAuthorisations)
    .where(and(eq(clientAuthorisations.companyId, companyId), eq(clientAuthorisations.clientId, clientId)));
  return { ...row, storedAuthorisations: new Map(storedAuthorisations.map((stored) => [stored.tax, stored])) };
}
