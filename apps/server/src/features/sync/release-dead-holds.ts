/** What a dead process held: on the embedded database nobody else can be alive, so that nothing is waited for at the start. */
import type { Database } from '@portal/db/database.ts';
import { clientSyncs, hmrcConnections } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull } from 'drizzle-orm';

/**
 * Before the jobs start: clients that were being read are queued again, and a grant that was being renewed may be renewed.
 * On PostgreSQL another instance may hold them, and a lease's end is the proof that it does not.
 */
export async function releaseDeadHolds({ kind, db }: Pick<Database, 'kind' | 'db'>): Promise<void> {
  if (kind !== 'embedded') return;
  await db
    .update(clientSyncs)
    .set({ state: 'checking', leaseUntil: null })
    .where(and(eq(clientSyncs.state, 'importing'), isNotNull(clientSyncs.leaseUntil)));
  await db.update(hmrcConnections).set({ refreshLeaseUntil: null }).where(isNotNull(hmrcConnections.refreshLeaseUntil));
}
