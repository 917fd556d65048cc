import type { Db, Tx } from '@portal/db/database.ts';
import { advances, memberships } from '@portal/db/schema/schema.ts';
import { STATES_BEFORE_PAYOUT } from '@portal/domain/advances/advance-states.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';

/** Queues the advance's next automatic step. Only one is queued for each advance. */
export function enqueueProgress(deps: AppDeps, tx: Db | Tx, companyId: string, advanceId: string, delaySeconds = 0): Promise<void> {
  return deps.enqueue(
    tx,
    'advance.progress',
    { company_id: companyId, advance_id: advanceId },
    { singletonKey: `advance.progress:${advanceId}`, delaySeconds },
  );
}

/** Queues the next step of every unpaid advance of a user's companies, after a fact about the user has changed. */
export async function enqueueProgressOfOwner(deps: AppDeps, tx: Db | Tx, userId: string): Promise<void> {
  const rows = await tx
    .select({ companyId: advances.companyId, id: advances.id })
    .from(advances)
    .innerJoin(memberships, and(eq(memberships.companyId, advances.companyId), eq(memberships.role, 'trader_owner')))
    .where(and(eq(memberships.userId, userId), inArray(advances.state, STATES_BEFORE_PAYOUT)));
  for (const { companyId, id } of rows) await enqueueProgress(deps, tx, companyId, id);
}
