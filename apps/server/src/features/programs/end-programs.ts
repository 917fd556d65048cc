/** Ends grants: at the request of the user or the app, or because the user or practice has changed. */
import type { Tx } from '@portal/db/database.ts';
import { programGrants, programTokens } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, lt, or } from '@portal/db/sql.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { hasPracticeRight } from '@portal/contract/practice-rights.ts';
import { isTraderRole } from '@portal/domain/identity/roles.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { hashToken, type Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';

type Grant = Pick<typeof programGrants.$inferSelect, 'companyId' | 'id'>;

/** From then on, none of the grant's tokens works on any instance. */
export async function endGrant(tx: Tx, { companyId, id }: Grant, { at, by }: { at: Instant; by: string | null }): Promise<void> {
  await tx
    .update(programGrants)
    .set({ endedAt: at, endedBy: by })
    .where(and(eq(programGrants.companyId, companyId), eq(programGrants.id, id), isNull(programGrants.endedAt)));
}

/** The owner of the grants: a company, a user, or a user within one company. */
type Owner = { readonly companyId?: string | undefined; readonly userId?: string | undefined };

/** Returns how many apps lost access. */
export async function endPrograms(tx: Tx, { companyId, userId }: Owner, at: Instant): Promise<number> {
  const ended = await tx
    .update(programGrants)
    .set({ endedAt: at })
    .where(
      and(
        companyId === undefined ? undefined : eq(programGrants.companyId, companyId),
        userId === undefined ? undefined : eq(programGrants.userId, userId),
        isNull(programGrants.endedAt),
      ),
    )
    .returning({ expiresAt: programGrants.expiresAt });
  return ended.filter(({ expiresAt }) => expiresAt > at).length;
}

/** Returns whether the user manages all the practice's apps, and not only their own. */
export function managesPrograms({ role, permissions = [] }: Pick<Actor, 'role' | 'permissions'>): boolean {
  return role !== undefined && !isTraderRole(role) && hasPracticeRight('practice.api', role, permissions);
}

type Removal = { readonly companyId: string; readonly actor: Actor; readonly ip: string };

export function removeProgram(deps: AppDeps, { companyId, actor, ip }: Removal, grantId: string): Promise<{ done: true }> {
  return deps.database.db.transaction(async (tx) => {
    const isGrant = and(eq(programGrants.companyId, companyId), eq(programGrants.id, grantId));
    const [grant] = await tx.select().from(programGrants).where(isGrant).for('update');
    if (!grant || (grant.userId !== actor.userId && !managesPrograms(actor))) throw createNotFoundError();
    if (grant.endedAt !== null) return { done: true };
    await endGrant(tx, grant, { at: deps.wallClock.now(), by: actor.userId });
    const entry = { companyId, at: deps.clock.now(), actor: actor.userId, action: 'program.removed', subject: grantId, ip };
    await recordAudit(tx, { ...entry, after: { name: grant.name } });
    return { done: true };
  });
}

/** The app revokes its own access (RFC 7009). An unknown token isn’t an error. */
export async function revokeByProgram(deps: AppDeps, token: string, clientId: string | undefined, ip: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const [row] = await tx
      .select({ grant: programGrants })
      .from(programTokens)
      .innerJoin(programGrants, and(eq(programGrants.companyId, programTokens.companyId), eq(programGrants.id, programTokens.grantId)))
      .where(eq(programTokens.tokenHash, hashToken(token)));
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
  const before = addMilliseconds(wallClock.now(), -RETENTION_MS);
  await db.delete(programGrants).where(or(lt(programGrants.expiresAt, before), lt(programGrants.endedAt, before)));
}

export async function purgeProgramTokens({ database: { db }, wallClock }: Pick<AppDeps, 'database' | 'wallClock'>): Promise<void> {
  await db.delete(programTokens).where(lt(programTokens.expiresAt, wallClock.now()));
}
