/**
 * The rights of each role in a practice. The server enforces this table (http/policies.ts), and the settings page shows it
 * (roles-matrix.ts).
 */
import type { MembershipPermission } from '@portal/domain/identity/membership-permission.ts';
import type { PracticeRole } from '@portal/domain/identity/roles.ts';
import type { Permission } from '@portal/domain/team/permissions.ts';
import type { Access } from './endpoint.ts';

/** The access rules of a practice and its clients. */
export type PracticeAccess = Extract<Access, `${'practice' | 'client'}.${string}`>;

/** Roles of a practice's members and of a client's users. */
export type RoleInPractice = PracticeRole | 'client';

type PracticeRight = {
  /** Roles that have the right regardless of their permissions. */
  readonly roles: readonly RoleInPractice[];
  /** The permission that gives a team member the right. */
  readonly permission?: Permission;
};

const ALL_STAFF: PracticeRight = { roles: ['practice_admin', 'team_member'] };
const ADMINS: PracticeRight = { roles: ['practice_admin'] };

export const PRACTICE_RIGHTS: Readonly<Record<PracticeAccess, PracticeRight>> = {
  'practice.read': ALL_STAFF,
  // The server checks which tasks a team_member may see (features/work-items/visible-work-items.ts).
  'practice.work': ALL_STAFF,
  // The server checks which clients a team_member may see (http/client-access.ts).
  'client.read': ALL_STAFF,
  'client.work': ALL_STAFF,
  'client.figures': { roles: [...ALL_STAFF.roles, 'client'] },
  'client.companies': { roles: [...ALL_STAFF.roles, 'client'] },
  'client.papers': { roles: [...ALL_STAFF.roles, 'client'] },
  'client.own': { roles: ['client'] },
  'client.manage': ADMINS,
  'client.file_return': { ...ADMINS, permission: 'file_returns' },
  'client.propose_advance': { ...ADMINS, permission: 'propose_advances' },
  'client.invite': { ...ADMINS, permission: 'invite_clients' },
  'client.connections': { ...ADMINS, permission: 'manage_connections' },
  'practice.invitations': { ...ADMINS, permission: 'invite_clients' },
  'practice.export': { ...ADMINS, permission: 'export' },
  'practice.messages': { ...ADMINS, permission: 'message_clients' },
  'practice.connections': { ...ADMINS, permission: 'manage_connections' },
  'practice.manage': ADMINS,
  // Apart from `practice.manage`, so that an API key may have it without the rest.
  'practice.clients': ADMINS,
  'practice.team': ADMINS,
  'practice.api': ADMINS,
};

/** Returns true if an access rule concerns a practice or its clients. */
export function isPracticeAccess(access: Access): access is PracticeAccess {
  return access in PRACTICE_RIGHTS;
}

/** Returns true if a client's users may call endpoints with this rule for their own client. */
export function isOpenToClients(access: Access): boolean {
  return isPracticeAccess(access) && PRACTICE_RIGHTS[access].roles.includes('client');
}

/** Returns true if a user with this role and these permissions has the right. */
export function hasPracticeRight(access: PracticeAccess, role: RoleInPractice, permissions: readonly MembershipPermission[]): boolean {
  const { roles, permission } = PRACTICE_RIGHTS[access];
  return roles.includes(role) || (permission !== undefined && permissions.includes(permission));
}
