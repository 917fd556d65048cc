import type { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { listOwnClients } from '../client-portal/own-clients.ts';

/** Finds the user's own companies whose names contain the text, in the same format as a search of a practice's clients. */
export async function findOwnClients(
  db: Db,
  userId: string,
  { q, limit }: { readonly q: string; readonly limit: number },
): Promise<EndpointOutput<typeof clientDashboardApi.companies>> {
  const ownClients = await listOwnClients(db, userId);
  const matchingClients = ownClients.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase())).slice(0, limit);
  return {
    companies: matchingClients.map(({ client_id, name }) => ({ client_id, name, status: 'active', client_code: null, matched: null })),
  };
}
