import type { Tx } from '@portal/db/database.ts';
import { invitationRuns } from '@portal/db/schema/schema.ts';
import { and, eq, ne } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';

/** Ends the runs of a practice that is closing, so that no more invitations are sent for it. */
export async function endInvitationRuns(tx: Tx, companyId: string, at: Instant): Promise<void> {
  await tx
    .update(invitationRuns)
    .set({ state: 'ended', endedAt: at, waits: null })
    .where(and(eq(invitationRuns.companyId, companyId), ne(invitationRuns.state, 'ended')));
}
