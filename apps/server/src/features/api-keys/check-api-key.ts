/** Finds the user whom an API key acts for, with their current role and permissions. */
import { allTenantsMemberships, apiKeys, companies, users } from '@portal/db/schema/schema.ts';
import { and, eq, gt, isNull, lt, or, sql } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, toEpochMs } from '@portal/domain/clock.ts';
import { MAX_CALLS_PER_KEY } from '@portal/domain/developers/api-scopes.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { CheckApiKey } from '../../http/authorise-credential.ts';
import { hashToken, type Credential } from '../../http/session.ts';
import { runAsSystem } from '../../run-as-system.ts';
import { limitAttempts } from '../identity/limit-attempts.ts';

/** `last_used_at` is exact to the minute, because a write on every call would cost more than the check. */
const LAST_USED_UPDATE_INTERVAL_MS = 60_000;
const WINDOW_SECONDS = 900;

type Deps = Pick<AppDeps, 'database' | 'wallClock'>;

/** Prepares the statement once per database. A key of a user without a membership is invalid, whatever its row says. */
export function prepareApiKeyCheck({ database: { db }, wallClock }: Deps): CheckApiKey {
  const statement = db
    .select({
      id: apiKeys.id,
      companyId: apiKeys.companyId,
      scopes: apiKeys.scopes,
      lastUsedAt: apiKeys.lastUsedAt,
      userId: users.id,
      email: users.email,
      fullName: users.fullName,
      role: allTenantsMemberships.role,
      permissions: allTenantsMemberships.permissions,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .innerJoin(companies, and(eq(companies.id, apiKeys.companyId), isNull(companies.closedAt)))
    .innerJoin(
      allTenantsMemberships,
      and(eq(allTenantsMemberships.companyId, apiKeys.companyId), eq(allTenantsMemberships.userId, apiKeys.userId)),
    )
    .where(and(eq(apiKeys.keyHash, sql.placeholder('keyHash')), gt(apiKeys.expiresAt, sql.placeholder('now')), isNull(apiKeys.revokedAt)))
    .prepare('api_key_check');
  return (token) =>
    runAsSystem('api key', async () => {
      const now = wallClock.now();
      const [row] = await statement.execute({ keyHash: hashToken(token), now });
      if (!row || row.role === 'client') return undefined;
      const { id, companyId, scopes, lastUsedAt, ...keyOwner } = row;
      const usedBefore = addMilliseconds(now, -LAST_USED_UPDATE_INTERVAL_MS);
      if (lastUsedAt === null || toEpochMs(lastUsedAt) < toEpochMs(usedBefore)) {
        await db
          .update(apiKeys)
          .set({ lastUsedAt: now })
          .where(
            and(eq(apiKeys.companyId, companyId), eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, usedBefore))),
          );
      }
      return { ...keyOwner, companyId, isOperator: false, signInMethod: 'api_key' as const, credential: { id, companyId, scopes } };
    });
}

/** Counts a call made with a key, across all instances. */
export async function limitApiKey({ database: { db }, wallClock }: Deps, { id }: Credential): Promise<void> {
  await limitAttempts(db, wallClock, { [`api-key:${id}`]: MAX_CALLS_PER_KEY }, () => {
    const waitSeconds = WINDOW_SECONDS - (Math.floor(toEpochMs(wallClock.now()) / 1000) % WINDOW_SECONDS);
    const sentence = `This key has made ${MAX_CALLS_PER_KEY.toLocaleString('en-GB')} calls in 15 minutes, which is the limit.`;
    return new AppError('tooMany', 'api_key.too_many_calls', `${sentence} Wait for the time given in Retry-After.`, {
      retry_after_seconds: waitSeconds,
    });
  });
}
