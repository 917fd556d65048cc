/** Resolves the access of an invitation or a member from a request. */
import type { Tx } from '@portal/db/database.ts';
import { teamRoles } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import type { MembershipPermission } from '@portal/domain/identity/membership-permission.ts';
import type { PracticeRole } from '@portal/domain/identity/roles.ts';
import { parseGroups } from '@portal/domain/team/labels.ts';
import { DEFAULT_PERMISSIONS, PERMISSIONS, type Permission } from '@portal/domain/team/permissions.ts';

export type WireRole = 'admin' | 'team_member';

export type TeamAccess = {
  readonly role: PracticeRole;
  readonly permissions: readonly Permission[];
  readonly teamRoleId: string | null;
  readonly groups: readonly string[];
};

type AccessInput = {
  readonly role: WireRole;
  readonly team_role_id?: string | null | undefined;
  readonly permissions?: readonly Permission[] | undefined;
  readonly groups?: readonly string[] | undefined;
};

export function toWireRole(role: string): WireRole {
  return role === 'practice_admin' ? 'admin' : 'team_member';
}

/** Returns the member's permissions: all of them for an admin, whatever is stored. */
export function toWirePermissions({
  role,
  permissions,
}: {
  readonly role: string;
  readonly permissions: readonly MembershipPermission[];
}): Permission[] {
  return PERMISSIONS.filter((permission) => role === 'practice_admin' || permissions.includes(permission));
}

/** Throws if the custom role belongs to another practice, or is given to an admin. */
export async function resolveAccess(tx: Tx, companyId: string, input: AccessInput): Promise<TeamAccess> {
  const groups = parseGroups(input.groups ?? []);
  if (!groups.ok) throw createInvalidFieldError('groups', groups.reason);
  const { team_role_id: teamRoleId = null } = input;
  if (input.role === 'admin') {
    if (teamRoleId !== null)
      throw createInvalidFieldError('team_role_id', 'Custom roles are for team members. An admin can do everything.');
    return { role: 'practice_admin', permissions: DEFAULT_PERMISSIONS, teamRoleId: null, groups: groups.value };
  }
  if (teamRoleId === null) {
    const chosenPermissions = input.permissions ?? DEFAULT_PERMISSIONS;
    const permissions = PERMISSIONS.filter((permission) => chosenPermissions.includes(permission));
    return { role: 'team_member', permissions, teamRoleId: null, groups: groups.value };
  }
  const role = await findTeamRole(tx, companyId, teamRoleId);
  if (!role) throw createInvalidFieldError('team_role_id', 'Choose one of your practice’s roles.');
  return { role: 'team_member', permissions: role.permissions, teamRoleId, groups: groups.value };
}

/** Locks the custom role, so that a change to its permissions reaches a new member too. */
export async function findTeamRole(tx: Tx, companyId: string, id: string): Promise<{ permissions: readonly Permission[] } | undefined> {
  const [role] = await tx
    .select({ permissions: teamRoles.permissions })
    .from(teamRoles)
    .where(and(eq(teamRoles.companyId, companyId), eq(teamRoles.id, id)))
    .for('share');
  return role;
}
