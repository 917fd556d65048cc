import { teamInvitations } from '@portal/db/schema/schema.ts';
import { lt, or } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';

const RETENTION_MS = 90 * 86_400_000;

/** Deletes invitations that ended 90 days ago. An open invitation ends when its link expires. */
export async function purgeInvitations({ database, clock, wallClock }: AppDeps): Promise<void> {
  const { acceptedAt, revokedAt, expiresAt } = teamInvitations;
  const cutoff = addMilliseconds(clock.now(), -RETENTION_MS);
  const isEnded = or(lt(acceptedAt, cutoff), lt(revokedAt, cutoff), lt(expiresAt, addMilliseconds(wallClock.now(), -RETENTION_MS)));
  await database.db.delete(teamInvitations).where(isEnded);
}
