import type { ConnectedApp } from '@portal/contract/connected-apps.ts';
import { connectedAppGrants, memberships, users } from '@portal/db/schema/schema.ts';
import { and, desc, eq, sql } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { canManageApps } from './end-apps.ts';
import { hasLiveToken } from './live-token.ts';

/** Lists apps, newest first. Ended apps stay listed for 90 days. */
export async function listApps({ database, wallClock }: AppDeps, companyId: string, actor: Actor): Promise<{ programs: ConnectedApp[] }> {
  const now = wallClock.now();
  const rows = await database.db
    .select({
      grant: connectedAppGrants,
      actsFor: users.fullName,
      role: memberships.role,
      isLive: sql<boolean>`${hasLiveToken(database.db, now)}`,
    })
    .from(connectedAppGrants)
    .innerJoin(users, eq(users.id, connectedAppGrants.userId))
    .leftJoin(memberships, and(eq(memberships.companyId, connectedAppGrants.companyId), eq(memberships.userId, connectedAppGrants.userId)))
    .where(and(eq(connectedAppGrants.companyId, companyId), canManageApps(actor) ? undefined : eq(connectedAppGrants.userId, actor.userId)))
    .orderBy(desc(connectedAppGrants.createdAt), desc(connectedAppGrants.id));
  return {
    programs: rows.map(({ grant, actsFor, role, isLive }) => ({
      program_id: grant.id,
      name: grant.name,
      redirect_host: grant.redirectHost,
      scopes: [...grant.scopes],
      acts_for: actsFor,
      is_yours: grant.userId === actor.userId,
      created_at: grant.createdAt,
      expires_at: grant.expiresAt,
      last_used_at: grant.lastUsedAt,
      status: getStatus(grant, { isMember: role !== null, isLive }, now),
    })),
  };
}

function getStatus(
  { endedAt, endedBy, expiresAt }: typeof connectedAppGrants.$inferSelect,
  { isMember, isLive }: { readonly isMember: boolean; readonly isLive: boolean },
  now: Instant,
): ConnectedApp['status'] {
  if (endedAt !== null) return endedBy === null ? 'ended' : 'removed';
  if (expiresAt <= now || !isLive) return 'expired';
  return isMember ? 'active' : 'ended';
}
