import type { Tx } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { and, eq, sql, type SQL } from '@portal/db/sql.ts';

export type LockedClient = typeof clients.$inferSelect;

/**
 * Locks clients, the clients with one of the VAT numbers, and everyone in their VAT groups. In order of ID, as every bulk change does, so
 * that two changes to the same group can't deadlock. Call it before anything else is locked or read.
 */
export async function lockVatGroups(tx: Tx, companyId: string, clientIds: readonly string[], vrns: readonly string[] = []): Promise<void> {
  const ids = sql`select value::uuid from jsonb_array_elements_text(${JSON.stringify(clientIds)}::jsonb)`;
  const numbers = sql`select value from jsonb_array_elements_text(${JSON.stringify(vrns)}::jsonb)
    union select coalesce(vat_group_vrn, vrn) from clients where company_id = ${companyId}::uuid and id in (${ids})`;
  const everyone = sql`
      ${ids}
      union select id from clients where company_id = ${companyId}::uuid and vrn in (select value from number)
      union select id from clients where company_id = ${companyId}::uuid and vat_group_vrn in (select value from number)`;
  // A refresh locks its place in the queue before the client, and a changed number clears both.
  await tx.execute(sql`
    with number as (${numbers})
    select s.client_id from client_syncs s where s.company_id = ${companyId}::uuid and s.client_id in (${everyone})
    order by s.client_id, s.tax for update of s`);
  await tx.execute(sql`
    with number as (${numbers})
    select c.id from clients c where c.company_id = ${companyId}::uuid and c.id in (${everyone})
    order by c.id for update of c`);
}

/** Locks and returns the practice's client that meets the condition. */
export async function lockClient(tx: Tx, companyId: string, condition: SQL): Promise<LockedClient | undefined> {
  const [client] = await tx
    .select()
    .from(clients)
    .where(and(eq(clients.companyId, companyId), condition))
    .for('update');
  return client;
}
