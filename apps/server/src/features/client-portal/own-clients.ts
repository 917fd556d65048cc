/** Lists the companies whose client portal a user can access. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Db } from '@portal/db/database.ts';
import { allTenantsClientPeople } from '@portal/db/schema/schema.ts';
import { asc, eq } from '@portal/db/sql.ts';

/** Returns the first page to open in a client’s portal. */
export function getClientHome(clientId: string): string {
  return `${PAGES.clientsPortalDashboard.path}?company_id=${clientId}`;
}

/** Lists the user's own clients across all practices, by name. */
export function listOwnClients(db: Db, userId: string): Promise<{ client_id: string; name: string; practice: string }[]> {
  const { clientId, clientName, practiceName } = allTenantsClientPeople;
  return db
    .select({ client_id: clientId, name: clientName, practice: practiceName })
    .from(allTenantsClientPeople)
    .where(eq(allTenantsClientPeople.userId, userId))
    .orderBy(asc(clientName), asc(clientId));
}
