import type { Tx } from '@portal/db/database.ts';
import { teamInvitations } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, type SQL } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';

export const isOpenInvitation = and(isNull(teamInvitations.acceptedAt), isNull(teamInvitations.revokedAt));

/** Ends the practice's open invitations that match; without a condition, all of them. */
export async function endInvitations(tx: Tx, companyId: string, at: Instant, matches?: SQL): Promise<void> {
  await tx
    .update(teamInvitations)
    .set({ revokedAt: at })
    .where(and(eq(teamInvitations.companyId, companyId), matches, isOpenInvitation));
}
