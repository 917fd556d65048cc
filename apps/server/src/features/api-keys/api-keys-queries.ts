import type { ApiKey } from '@portal/contract/api-keys.ts';
import { apiKeys, memberships, users } from '@portal/db/schema/schema.ts';
import { and, desc, eq } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';

/** Lists keys newest first. Ended keys stay listed for 90 days. */
export async function listApiKeys({ database, wallClock }: AppDeps, companyId: string): Promise<{ keys: ApiKey[] }> {
  const rows = await database.db
    .select({ key: apiKeys, actsFor: users.fullName, role: memberships.role })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .leftJoin(memberships, and(eq(memberships.companyId, apiKeys.companyId), eq(memberships.userId, apiKeys.userId)))
    .where(eq(apiKeys.companyId, companyId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
  const now = wallClock.now();
  return {
    keys: rows.map(({ key, actsFor, role }) => ({
      key_id: key.id,
      name: key.name,
      scopes: [...key.scopes],
      hint: key.hint,
      acts_for: actsFor,
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      last_used_at: key.lastUsedAt,
      status: getStatus(key, role !== null, now),
    })),
  };
}

function getStatus({ revokedAt, revokedBy, expiresAt }: typeof apiKeys.$inferSelect, isMember: boolean, now: Instant): ApiKey['status'] {
  if (revokedAt !== null) return revokedBy === null ? 'ended' : 'revoked';
  if (expiresAt <= now) return 'expired';
  return isMember ? 'active' : 'ended';
}
