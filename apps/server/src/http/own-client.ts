/** Finds the client that a user belongs to (docs/decisions/0051). Their rights over the client don't come from a membership. */
import type { Db } from '@portal/db/database.ts';
import { allTenantsClientPeople } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { runInScope } from '@portal/db/tenant-scope.ts';
import { isId, type ClientTenant } from './resolve-tenant.ts';

/** A client as identified by its own users: by its ID alone, or with its practice. */
type NamedClient = { readonly clientId: string; readonly practiceId: string | null };
export type FindOwnClient = (userId: string, client: NamedClient) => Promise<ClientTenant | undefined>;

/** Prepares the statement once per database. */
export function prepareOwnClient(db: Db): FindOwnClient {
  const practice = sql`${sql.placeholder('practiceId')}::uuid`;
  const statement = db
    .select({ practiceId: allTenantsClientPeople.companyId })
    .from(allTenantsClientPeople)
    .where(
      and(
        eq(allTenantsClientPeople.userId, sql.placeholder('userId')),
        eq(allTenantsClientPeople.clientId, sql.placeholder('clientId')),
        sql`(${practice} is null or ${allTenantsClientPeople.companyId} = ${practice})`,
      ),
    )
    .prepare('own_client');
  return async (userId, client) => {
    const [foundClient] = await runInScope({ kind: 'unchanged' }, () => statement.execute({ userId, ...client }));
    return foundClient && { kind: 'client', practiceId: foundClient.practiceId, clientId: client.clientId };
  };
}

/** Reads the client from a request by its own users. If the request identifies the client in both ways, they must match. */
export function readOwnClient(namedInput: unknown): NamedClient | undefined {
  if (typeof namedInput !== 'object' || namedInput === null) return undefined;
  const { company_id: company, client_id: id, client_company_id: repeatedClientId } = namedInput as Record<string, unknown>;
  const client = id ?? repeatedClientId ?? company;
  if (typeof company !== 'string' || !isId(company) || typeof client !== 'string' || !isId(client)) return undefined;
  if (id !== undefined && repeatedClientId !== undefined && id !== repeatedClientId) return undefined;
  const clientId = client.toLowerCase();
  const companyId = company.toLowerCase();
  return { clientId, practiceId: companyId === clientId ? null : companyId };
}
