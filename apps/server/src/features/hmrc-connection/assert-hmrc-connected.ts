import type { Db, Tx } from '@portal/db/database.ts';
import { hmrcConnections } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotConnectedError } from './with-access-token.ts';

/** Returns true if HMRC can be called for the practice or business at all. */
export async function isHmrcConnected(db: Db | Tx, companyId: string): Promise<boolean> {
  const [connection] = await db
    .select({ status: hmrcConnections.status })
    .from(hmrcConnections)
    .where(eq(hmrcConnections.companyId, companyId));
  return connection?.status === 'connected';
}

/** Rejects an action that would otherwise fail later, in a job. */
export async function assertHmrcConnected({ database: { db } }: Pick<AppDeps, 'database'>, companyId: string): Promise<void> {
  if (!(await isHmrcConnected(db, companyId))) throw createNotConnectedError();
}
