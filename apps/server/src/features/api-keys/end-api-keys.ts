import type { Tx } from '@portal/db/database.ts';
import { apiKeys } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, lt, or } from '@portal/db/sql.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';

/** The owner of the keys: a company, a user, or a user in one company. */
type Owner = { readonly companyId: string; readonly userId?: string } | { readonly companyId?: undefined; readonly userId: string };

/** Ends keys because of a change to their user or company. Returns how many were active until now. */
export async function revokeApiKeysFor(tx: Tx, { companyId, userId }: Owner, at: Instant): Promise<number> {
  const endedKeys = await tx
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(
      and(
        companyId === undefined ? undefined : eq(apiKeys.companyId, companyId),
        userId === undefined ? undefined : eq(apiKeys.userId, userId),
        isNull(apiKeys.revokedAt),
      ),
    )
    .returning({ expiresAt: apiKeys.expiresAt });
  return endedKeys.filter(({ expiresAt }) => expiresAt > at).length;
}

const RETENTION_MS = 90 * 86_400_000;

export async function purgeApiKeys({ database, wallClock }: Pick<AppDeps, 'database' | 'wallClock'>): Promise<void> {
  const cutoff = addMilliseconds(wallClock.now(), -RETENTION_MS);
  await database.db.delete(apiKeys).where(or(lt(apiKeys.expiresAt, cutoff), lt(apiKeys.revokedAt, cutoff)));
}
