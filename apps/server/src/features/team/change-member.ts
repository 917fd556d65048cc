/** Changes to one member: role and permissions, ownership, sessions, reactivation. */
import type { teamApi } from '@portal/contract/team.ts';
import type { Tx } from '@portal/db/database.ts';
import { closedAccounts, formerMemberships, memberships, practices, teamInvitations } from '@portal/db/schema/schema.ts';
import { and, eq, notExists } from '@portal/db/sql.ts';
import { assertMayDemote, assertMayTransfer } from '@portal/domain/team/member-rules.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call, Caller } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { endAllSignIns } from '../identity/end-sign-ins.ts';
import { endInvitations } from './end-invitations.ts';
import { getMember, lockTeam } from './lock-team.ts';
import { findTeamRole, resolveAccess, toWirePermissions, toWireRole } from './team-access.ts';
import { enqueueRoleChanged } from './team-emails.ts';

type DoneResult = { readonly done: true };
/** The user who makes a change, and the practice. */
export type TeamCall = { readonly tenant: { readonly practiceId: string }; readonly actor: Actor; readonly caller: Pick<Caller, 'ip'> };

export const isMember = (companyId: string, userId: string) => and(eq(memberships.companyId, companyId), eq(memberships.userId, userId));

export function changeMember(deps: AppDeps, call: Call<typeof teamApi.change>): Promise<DoneResult> {
  const { input, tenant, actor } = call;
  const { practiceId: companyId } = tenant;
  return deps.database.db.transaction(async (tx) => {
    const team = await lockTeam(tx, companyId, actor);
    const existing = getMember(team, input.user_id);
    const access = await resolveAccess(tx, companyId, input);
    assertMayDemote({ actorId: actor.userId, userId: existing.userId, ownerId: team.ownerId }, access.role);
    await tx.update(memberships).set(access).where(isMember(companyId, existing.userId));
    const { role, permissions, teamRoleId, groups } = existing;
    // Only an admin can invite. A demoted admin's open invitations, perhaps to an accomplice, must not outlive their right to invite.
    if (role !== access.role && access.role !== 'practice_admin')
      await endInvitations(tx, companyId, deps.clock.now(), eq(teamInvitations.invitedBy, existing.userId));
    await recordMemberChange(deps, tx, call, {
      action: 'team.member_changed',
      subject: existing.userId,
      before: { role: toWireRole(role), permissions, teamRoleId, groups },
      after: { ...access, role: toWireRole(access.role) },
    });
    if (role !== access.role) await enqueueRoleChanged(deps, tx, existing, access.role);
    return { done: true };
  });
}

export function transferOwnership(deps: AppDeps, call: Call<typeof teamApi.transferOwnership>): Promise<DoneResult> {
  const { input, tenant, actor } = call;
  const { practiceId: companyId } = tenant;
  return deps.database.db.transaction(async (tx) => {
    const team = await lockTeam(tx, companyId, actor);
    const { userId, role } = getMember(team, input.user_id);
    assertMayTransfer({ actorId: actor.userId, userId, ownerId: team.ownerId }, role);
    const updatedAt = deps.clock.now();
    await tx
      .insert(practices)
      .values({ companyId, ownerId: userId, taxes: [], updatedAt })
      .onConflictDoUpdate({ target: practices.companyId, set: { ownerId: userId, updatedAt } });
    const owners = { before: { owner_id: team.ownerId }, after: { owner_id: userId } };
    await recordMemberChange(deps, tx, call, { action: 'team.ownership_transferred', subject: userId, ...owners });
    return { done: true };
  });
}

export function endMemberSessions(deps: AppDeps, call: Call<typeof teamApi.endSessions>): Promise<DoneResult> {
  const { input, tenant } = call;
  return deps.database.db.transaction(async (tx) => {
    const { userId } = getMember(await lockTeam(tx, tenant.practiceId, call.actor), input.user_id);
    await endAllSignIns(tx, userId);
    await recordMemberChange(deps, tx, call, { action: 'team.sessions_ended', subject: userId });
    return { done: true };
  });
}

/** Restores the member's earlier access. If their custom role has been removed in the meantime, they keep its permissions. */
export function reactivateMember(deps: AppDeps, call: Call<typeof teamApi.reactivate>): Promise<DoneResult> {
  const { input, tenant } = call;
  const { practiceId: companyId } = tenant;
  return deps.database.db.transaction(async (tx) => {
    await lockTeam(tx, companyId, call.actor);
    const [formerMembership] = await tx
      .delete(formerMemberships)
      .where(
        and(
          eq(formerMemberships.companyId, companyId),
          eq(formerMemberships.userId, input.user_id),
          notExists(tx.select({ userId: closedAccounts.userId }).from(closedAccounts).where(eq(closedAccounts.userId, input.user_id))),
        ),
      )
      .returning();
    if (!formerMembership) throw createNotFoundError();
    const { userId, role, permissions, teamRoleId, groups, joinedAt } = formerMembership;
    const keptRoleId = teamRoleId !== null && (await findTeamRole(tx, companyId, teamRoleId)) ? teamRoleId : null;
    const access = await resolveAccess(tx, companyId, {
      role: toWireRole(role),
      permissions: toWirePermissions({ role, permissions }),
      team_role_id: keptRoleId,
      groups,
    });
    await tx.insert(memberships).values({ companyId, userId, ...access, createdAt: joinedAt });
    await recordMemberChange(deps, tx, call, { action: 'team.reactivated', subject: userId, after: { role: toWireRole(role) } });
    await enqueueRoleChanged(deps, tx, { companyId, userId }, access.role);
    return { done: true };
  });
}

type MemberEntry = { readonly action: string; readonly subject: string; readonly before?: object; readonly after?: object };

export async function recordMemberChange(deps: AppDeps, tx: Tx, { tenant, actor, caller }: TeamCall, entry: MemberEntry): Promise<void> {
  await recordAudit(tx, { companyId: tenant.practiceId, at: deps.clock.now(), actor: actor.userId, ...entry, ip: caller.ip });
}
