import type { Db, Tx } from '@portal/db/database.ts';
import { hmrcConnections } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';

/**
 * Returns whether HMRC has confirmed the practice's agent services account. Until then, anyone could be behind the practice and email
 * strangers in our name.
 */
export async function isConnectedToHmrc(db: Db | Tx, companyId: string): Promise<boolean> {
  const [connection] = await db
    .select({ companyId: hmrcConnections.companyId })
    .from(hmrcConnections)
    .where(and(eq(hmrcConnections.companyId, companyId), eq(hmrcConnections.status, 'connected')));
  return connection !== undefined;
}
