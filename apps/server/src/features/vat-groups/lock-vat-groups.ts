import type { Tx } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { and, eq, sql, type SQL } from '@portal/db/sql.ts';
import { lockClients, selectIds } from '../clients/lock-clients.ts';

export type LockedClient = typeof clients.$inferSelect;

/**
 * Locks clients, the clients with one of the VAT numbers or with a number that these clients had before they joined, and everyone in their
 * VAT groups, so that two changes to the same group can't deadlock. Call it before any client is locked or read.
 */
export async function lockVatGroups(tx: Tx, companyId: string, clientIds: readonly string[], vrns: readonly string[] = []): Promise<void> {
  const ids = selectIds(clientIds);
  const number = sql`select value from jsonb_array_elements_text(${JSON.stringify(vrns)}::jsonb)
    union select unnest(array[coalesce(vat_group_vrn, vrn), vrn_outside_group]) from clients
      where company_id = ${companyId}::uuid and id in (${ids})`;
  await lockClients(
    tx,
    companyId,
    sql`${ids}
      union select id from clients where company_id = ${companyId}::uuid and vrn in (${number})
      union select id from clients where company_id = ${companyId}::uuid and vat_group_vrn in (${number})`,
  );
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
