/**
 * Custom roles: named sets of permissions. Each member has a copy of the permissions, and changing the role updates the copies in the same
 * transaction.
 */
import { randomUUID } from 'node:crypto';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { teamApi, TeamRole } from '@portal/contract/team.ts';
import type { Db } from '@portal/db/database.ts';
import { memberships, teamInvitations, teamRoles } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, ne, sql } from '@portal/db/sql.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { PERMISSIONS } from '@portal/domain/team/permissions.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordMemberChange } from './change-member.ts';
import { lockTeam } from './lock-team.ts';

const MAX_ROLES = 20;

export async function listTeamRoles(db: Db, companyId: string): Promise<TeamRole[]> {
  const members = sql`(select count(*) from memberships m where m.company_id = team_roles.company_id and m.team_role_id = team_roles.id)`;
  const rows = await db
    .select({ id: teamRoles.id, name: teamRoles.name, permissions: teamRoles.permissions, members: members.mapWith(Number) })
    .from(teamRoles)
    .where(eq(teamRoles.companyId, companyId))
    .orderBy(sql`lower(${teamRoles.name})`);
  return rows.map(({ id, permissions, ...role }) => ({ team_role_id: id, permissions: [...permissions], ...role }));
}

export function saveTeamRole(deps: AppDeps, call: Call<typeof teamApi.saveRole>): Promise<EndpointOutput<typeof teamApi.saveRole>> {
  const { input, tenant } = call;
  const { practiceId: companyId } = tenant;
  const { name } = input;
  const permissions = PERMISSIONS.filter((permission) => input.permissions.includes(permission));
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    await lockTeam(tx, companyId, call.actor);
    const id = input.team_role_id ?? randomUUID();
    const isInPractice = eq(teamRoles.companyId, companyId);
    const roles = await tx.select().from(teamRoles).where(isInPractice);
    const existing = roles.find((role) => role.id === id);
    if (input.team_role_id !== undefined && !existing) throw createNotFoundError();
    if (!existing && roles.length >= MAX_ROLES)
      throw new AppError('conflict', 'team.too_many_roles', `A practice can have at most ${MAX_ROLES} roles.`);
    const [roleWithSameName] = await tx
      .select({ id: teamRoles.id })
      .from(teamRoles)
      .where(and(isInPractice, ne(teamRoles.id, id), sql`lower(${teamRoles.name}) = lower(${name})`));
    if (roleWithSameName || ['admin', 'team member'].includes(name.toLowerCase()))
      throw createInvalidFieldError('name', 'Another role already has this name. Choose a different one.');
    await tx
      .insert(teamRoles)
      .values({ companyId, id, name, permissions, createdAt: at, updatedAt: at })
      .onConflictDoUpdate({ target: [teamRoles.companyId, teamRoles.id], set: { name, permissions, updatedAt: at } });
    await tx
      .update(memberships)
      .set({ permissions })
      .where(and(eq(memberships.companyId, companyId), eq(memberships.teamRoleId, id)));
    await tx
      .update(teamInvitations)
      .set({ permissions })
      .where(and(eq(teamInvitations.companyId, companyId), eq(teamInvitations.teamRoleId, id), isNull(teamInvitations.acceptedAt)));
    const previousRole = existing && { name: existing.name, permissions: existing.permissions };
    await recordMemberChange(deps, tx, call, {
      action: 'team.role_saved',
      subject: id,
      ...(previousRole ? { before: previousRole } : {}),
      after: { name, permissions },
    });
    return { team_role_id: id };
  });
}

export function removeTeamRole(deps: AppDeps, call: Call<typeof teamApi.removeRole>): Promise<{ done: true }> {
  const { input, tenant } = call;
  const { practiceId: companyId } = tenant;
  return deps.database.db.transaction(async (tx) => {
    await lockTeam(tx, companyId, call.actor);
    const isRole = and(eq(teamRoles.companyId, companyId), eq(teamRoles.id, input.team_role_id));
    const [role] = await tx.select({ name: teamRoles.name }).from(teamRoles).where(isRole);
    if (!role) throw createNotFoundError();
    const [user] = await tx
      .select({ id: memberships.userId })
      .from(memberships)
      .where(and(eq(memberships.companyId, companyId), eq(memberships.teamRoleId, input.team_role_id)))
      .limit(1);
    if (user) throw new AppError('conflict', 'team.role_in_use', 'Move everyone with this role to another role first.');
    // An open invitation keeps the permissions it was sent with.
    await tx
      .update(teamInvitations)
      .set({ teamRoleId: null })
      .where(and(eq(teamInvitations.companyId, companyId), eq(teamInvitations.teamRoleId, input.team_role_id)));
    await tx.delete(teamRoles).where(isRole);
    await recordMemberChange(deps, tx, call, { action: 'team.role_removed', subject: input.team_role_id, before: role });
    return { done: true };
  });
}
