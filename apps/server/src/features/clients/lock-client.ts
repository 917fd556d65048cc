import type { Tx } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';

/** Serialises concurrent work on one client. Rows that refer to the client can still be added. */
export async function lockClient(tx: Tx, { practiceId, clientId }: Pick<ClientTenant, 'practiceId' | 'clientId'>): Promise<void> {
  await tx
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), eq(clients.id, clientId)))
    .for('no key update');
}
