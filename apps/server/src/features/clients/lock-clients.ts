import type { Tx } from '@portal/db/database.ts';
import { sql, type SQL } from '@portal/db/sql.ts';

/**
 * Locks clients for a change that may rewrite or delete what is stored about them. The one order of all such changes: their places in the
 * queue of a refresh, then the clients in order of ID, then what depends on them, and the practice's audit trail last. `ids` selects IDs.
 */
export async function lockClients(tx: Tx, companyId: string, ids: SQL): Promise<void> {
  await tx.execute(sql`
    select s.client_id from client_syncs s where s.company_id = ${companyId}::uuid and s.client_id in (${ids})
    order by s.client_id, s.tax for update of s`);
  await tx.execute(sql`
    select c.id from clients c where c.company_id = ${companyId}::uuid and c.id in (${ids})
    order by c.id for update of c`);
}

/** Selects these IDs. */
export const selectIds = (ids: readonly string[]): SQL =>
  sql`select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)`;
