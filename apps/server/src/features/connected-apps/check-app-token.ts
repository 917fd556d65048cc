/** Finds the user that an app acts for, with their current role and permissions. */
import { allTenantsMemberships, companies, connectedAppGrants, connectedAppTokens, users } from '@portal/db/schema/schema.ts';
import { and, eq, gt, inArray, isNull, lt, or, sql } from '@portal/db/sql.ts';
import { addMilliseconds, toEpochMs } from '@portal/domain/clock.ts';
import { PRACTICE_ROLES } from '@portal/domain/identity/roles.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { CheckApiKey } from '../../http/authorise-credential.ts';
import { hashToken } from '../../http/session.ts';
import { runAsSystem } from '../../run-as-system.ts';
import { getResource } from './app-urls.ts';

/** Lets secret scanners find the token, and distinguishes it from an API key. */
export const APP_TOKEN_PREFIX = 'ptl_access_';
const LAST_USED_UPDATE_INTERVAL_MS = 60_000;

/** Prepares the statement once per database. A token for another resource isn't valid here (RFC 8707). */
export function prepareAppTokenCheck({ database: { db }, wallClock, site }: Pick<AppDeps, 'database' | 'wallClock' | 'site'>): CheckApiKey {
  const statement = db
    .select({
      id: connectedAppGrants.id,
      companyId: connectedAppGrants.companyId,
      name: connectedAppGrants.name,
      clientId: connectedAppGrants.clientId,
      lastUsedAt: connectedAppGrants.lastUsedAt,
      scopes: connectedAppTokens.scopes,
      resource: connectedAppTokens.resource,
      userId: users.id,
      email: users.email,
      fullName: users.fullName,
      role: allTenantsMemberships.role,
      permissions: allTenantsMemberships.permissions,
    })
    .from(connectedAppTokens)
    .innerJoin(
      connectedAppGrants,
      and(eq(connectedAppGrants.companyId, connectedAppTokens.companyId), eq(connectedAppGrants.id, connectedAppTokens.grantId)),
    )
    .innerJoin(users, eq(users.id, connectedAppGrants.userId))
    .innerJoin(companies, and(eq(companies.id, connectedAppGrants.companyId), isNull(companies.closedAt)))
    .innerJoin(
      allTenantsMemberships,
      and(
        eq(allTenantsMemberships.companyId, connectedAppGrants.companyId),
        eq(allTenantsMemberships.userId, connectedAppGrants.userId),
        inArray(allTenantsMemberships.role, PRACTICE_ROLES),
      ),
    )
    .where(
      and(
        eq(connectedAppTokens.tokenHash, sql.placeholder('tokenHash')),
        eq(connectedAppTokens.kind, 'access'),
        gt(connectedAppTokens.expiresAt, sql.placeholder('now')),
        gt(connectedAppGrants.expiresAt, sql.placeholder('now')),
        isNull(connectedAppGrants.endedAt),
      ),
    )
    .prepare('program_token_check');
  return (token) =>
    runAsSystem('program', async () => {
      const now = wallClock.now();
      const [row] = await statement.execute({ tokenHash: hashToken(token), now });
      if (!row || row.resource !== getResource(site)) return undefined;
      const { id, companyId, scopes, lastUsedAt, name, clientId, resource: _resource, ...tokenUser } = row;
      const usedBefore = addMilliseconds(now, -LAST_USED_UPDATE_INTERVAL_MS);
      if (lastUsedAt === null || toEpochMs(lastUsedAt) < toEpochMs(usedBefore)) {
        const isStale = or(isNull(connectedAppGrants.lastUsedAt), lt(connectedAppGrants.lastUsedAt, usedBefore));
        await db
          .update(connectedAppGrants)
          .set({ lastUsedAt: now })
          .where(and(eq(connectedAppGrants.companyId, companyId), eq(connectedAppGrants.id, id), isStale));
      }
      const credential = { id, companyId, scopes, program: { name, clientId } };
      return { ...tokenUser, companyId, isOperator: false, signInMethod: 'api_key' as const, credential };
    });
}
