/** Finds the user that an app acts for, with their current role and permissions. */
import { allTenantsMemberships, companies, programGrants, programTokens, users } from '@portal/db/schema/schema.ts';
import { and, eq, gt, inArray, isNull, lt, or, sql } from '@portal/db/sql.ts';
import { addMilliseconds, toEpochMs } from '@portal/domain/clock.ts';
import { PRACTICE_ROLES } from '@portal/domain/identity/roles.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { CheckApiKey } from '../../http/authorise-credential.ts';
import { hashToken } from '../../http/session.ts';
import { runAsSystem } from '../../run-as-system.ts';
import { getResource } from './program-urls.ts';

/** Lets secret scanners find the token, and distinguishes it from an API key. */
export const PROGRAM_TOKEN_PREFIX = 'ptl_access_';
const LAST_USED_INTERVAL_MS = 60_000;

/** Prepares the statement once per database. A token for another resource isn't valid here (RFC 8707). */
export function prepareProgramTokenCheck({
  database: { db },
  wallClock,
  site,
}: Pick<AppDeps, 'database' | 'wallClock' | 'site'>): CheckApiKey {
  const statement = db
    .select({
      id: programGrants.id,
      companyId: programGrants.companyId,
      name: programGrants.name,
      clientId: programGrants.clientId,
      lastUsedAt: programGrants.lastUsedAt,
      scopes: programTokens.scopes,
      resource: programTokens.resource,
      userId: users.id,
      email: users.email,
      fullName: users.fullName,
      role: allTenantsMemberships.role,
      permissions: allTenantsMemberships.permissions,
    })
    .from(programTokens)
    .innerJoin(programGrants, and(eq(programGrants.companyId, programTokens.companyId), eq(programGrants.id, programTokens.grantId)))
    .innerJoin(users, eq(users.id, programGrants.userId))
    .innerJoin(companies, and(eq(companies.id, programGrants.companyId), isNull(companies.closedAt)))
    .innerJoin(
      allTenantsMemberships,
      and(
        eq(allTenantsMemberships.companyId, programGrants.companyId),
        eq(allTenantsMemberships.userId, programGrants.userId),
        inArray(allTenantsMemberships.role, PRACTICE_ROLES),
      ),
    )
    .where(
      and(
        eq(programTokens.tokenHash, sql.placeholder('tokenHash')),
        eq(programTokens.kind, 'access'),
        gt(programTokens.expiresAt, sql.placeholder('now')),
        gt(programGrants.expiresAt, sql.placeholder('now')),
        isNull(programGrants.endedAt),
      ),
    )
    .prepare('program_token_check');
  return (token) =>
    runAsSystem('program', async () => {
      const now = wallClock.now();
      const [row] = await statement.execute({ tokenHash: hashToken(token), now });
      if (!row || row.resource !== getResource(site)) return undefined;
      const { id, companyId, scopes, lastUsedAt, name, clientId, resource: _resource, ...person } = row;
      const usedBefore = addMilliseconds(now, -LAST_USED_INTERVAL_MS);
      if (lastUsedAt === null || toEpochMs(lastUsedAt) < toEpochMs(usedBefore)) {
        const isStale = or(isNull(programGrants.lastUsedAt), lt(programGrants.lastUsedAt, usedBefore));
        await db
          .update(programGrants)
          .set({ lastUsedAt: now })
          .where(and(eq(programGrants.companyId, companyId), eq(programGrants.id, id), isStale));
      }
      const credential = { id, companyId, scopes, program: { name, clientId } };
      return { ...person, companyId, isOperator: false, signInMethod: 'api_key' as const, credential };
    });
}
