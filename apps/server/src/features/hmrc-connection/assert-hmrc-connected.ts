import { hmrcConnections } from '@portal/db/schema/schema.ts';
import { eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { createNotConnectedError } from './with-access-token.ts';

/** Rejects an action that would only fail later, in a job. */
export async function assertHmrcConnected({ database: { db } }: Pick<AppDeps, 'database'>, companyId: string): Promise<void> {
  const [connection] = await db
    .select({ status: hmrcConnections.status })
    .from(hmrcConnections)
    .where(eq(hmrcConnections.companyId, companyId));
  if (connection?.status !== 'connected') throw createNotConnectedError();
}
