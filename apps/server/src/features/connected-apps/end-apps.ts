/** Ends grants: at the request of the user or the app, or because the user or practice has changed. */
import type { Tx } from '@portal/db/database.ts';
import { connectedAppGrants, connectedAppTokens } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, lt, or } from '@portal/db/sql.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { hasPracticeRight } from '@portal/contract/practice-rights.ts';
import { isTraderRole } from '@portal/domain/identity/roles.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { hashToken, type Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';

type Grant = Pick<typeof connectedAppGrants.$inferSelect, 'companyId' | 'id'>;

/** From then on, none of the grant's tokens works on any instance. */
export async function endGrant(tx: Tx, { companyId, id }: Grant, { at, by }: { at: Instant; by: string | null }): Promise<void> {
  await tx
    .update(connectedAppGrants)
    .set({ endedAt: at, endedBy: by })
    .where(and(eq(connectedAppGrants.companyId, companyId), eq(connectedAppGrants.id, id), isNull(connectedAppGrants.endedAt)));
}

/** The owner of the grants: a company, a user, or a user within one company. */
type Owner = { readonly companyId?: string | undefined; readonly userId?: string | undefined };

/** Returns how many apps lost access. */
export async function endApps(tx: Tx, { companyId, userId }: Owner, at: Instant): Promise<number> {
  const endedGrants = await tx
    .update(connectedAppGrants)
    .set({ endedAt: at })
    .where(
      and(
        companyId === undefined ? undefined : eq(connectedAppGrants.companyId, companyId),
        userId === undefined ? undefined : eq(connectedAppGrants.userId, userId),
        isNull(connectedAppGrants.endedAt),
      ),
    )
    .returning({ expiresAt: connectedAppGrants.expiresAt });
  return endedGrants.filter(({ expiresAt }) => expiresAt > at).length;
}

/** Returns whether the user manages all the practice's apps, and not only their own. */
export function canManageApps({ role, permissions = [] }: Pick<Actor, 'role' | 'permissions'>): boolean {
  return role !== undefined && !isTraderRole(role) && hasPracticeRight('practice.api', role, permissions);
}

type AppRemoval = { readonly companyId: string; readonly actor: Actor; readonly ip: string };

export function removeApp(deps: AppDeps, { companyId, actor, ip }: AppRemoval, grantId: string): Promise<{ done: true }> {
  return deps.database.db.transaction(async (tx) => {
    const isGrant = and(eq(connectedAppGrants.companyId, companyId), eq(connectedAppGrants.id, grantId));
    const [grant] = await tx.select().from(connectedAppGrants).where(isGrant).for('update');
    if (!grant || (grant.userId !== actor.userId && !canManageApps(actor))) throw createNotFoundError();
    if (grant.endedAt !== null) return { done: true };
    await endGrant(tx, grant, { at: deps.wallClock.now(), by: actor.userId });
    const entry = { companyId, at: deps.clock.now(), actor: actor.userId, action: 'program.removed', subject: grantId, ip };
    await recordAudit(tx, { ...entry, after: { name: grant.name } });
    return { done: true };
  });
}

/** The app revokes its own access (RFC 7009). An unknown token isn’t an error. */
export async function revokeToken(deps: AppDeps, token: string, clientId: string | undefined, ip: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const [row] = await tx
      .select({ grant: connectedAppGrants })
      .from(connectedAppTokens)
      .innerJoin(
        connectedAppGrants,
        and(eq(connectedAppGrants.companyId, connectedAppTokens.companyId), eq(connectedAppGrants.id, connectedAppTokens.grantId)),
      )
      .where(eq(connectedAppTokens.tokenHash, hashToken(token)));
    if (!row || row.grant.endedAt !== null || (clientId !== undefined && clientId !== row.grant.clientId)) return;
    const { companyId, id, userId, name } = row.grant;
    await endGrant(tx, row.grant, { at: deps.wallClock.now(), by: null });
    const entry = { companyId, at: deps.clock.now(), actor: userId, action: 'program.ended', subject: id, ip };
    await recordAudit(tx, { ...entry, after: { name, reason: 'revoked_by_program' } });
  });
}

const RETENTION_MS = 90 * 86_400_000;

/** Deletes old grants together with their tokens. */
export async function purgeGrants({ database: { db }, wallClock }: Pick<AppDeps, 'database' | 'wallClock'>): Promise<void> {
  const cutoff = addMilliseconds(wallClock.now(), -RETENTION_MS);
  await db.delete(connectedAppGrants).where(or(lt(connectedAppGrants.expiresAt, cutoff), lt(connectedAppGrants.endedAt, cutoff)));
}

export async function purgeAppTokens({ database: { db }, wallClock }: Pick<AppDeps, 'database' | 'wallClock'>): Promise<void> {
  await db.delete(connectedAppTokens).where(lt(connectedAppTokens.expiresAt, wallClock.now()));
}
