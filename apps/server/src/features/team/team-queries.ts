/** A practice's current members, invitations and former members. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { teamApi, TeamMember } from '@portal/contract/team.ts';
import type { Db } from '@portal/db/database.ts';
import {
  closedAccounts,
  clientMembers,
  formerMemberships,
  memberships,
  sessions,
  teamInvitations,
  teamRoles,
  users,
} from '@portal/db/schema/schema.ts';
import { and, eq, inArray, isNull, sql, type SQL, type SQLWrapper } from '@portal/db/sql.ts';
import { PRACTICE_ROLES } from '@portal/domain/identity/roles.ts';
import type { MembershipPermission } from '@portal/domain/identity/membership-permission.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { countHeldDuties } from './deactivate-member.ts';
import { getOwnerSql } from './lock-team.ts';
import { toWirePermissions, toWireRole } from './team-access.ts';

type List = Call<typeof teamApi.list>;

export async function listTeam(
  { database: { db } }: AppDeps,
  { input, tenant, actor }: List,
): Promise<EndpointOutput<typeof teamApi.list>> {
  const { practiceId: companyId } = tenant;
  const isAdmin = actor.role === 'practice_admin';
  const everyone = [
    ...(await listActiveMembers(db, companyId, actor)),
    ...(isAdmin ? await listInvitedMembers(db, companyId) : []),
    ...(isAdmin ? await listFormerMembers(db, companyId) : []),
  ];
  const groups = [...new Set(everyone.filter(({ status }) => status === 'active').flatMap((member) => member.groups))];
  return {
    team_members: everyone.filter((member) => matches(member, input)),
    groups: groups.toSorted((a, b) => a.localeCompare(b, 'en-GB')),
  };
}

/** There are a few hundred members at most, so filtering here is faster than adding three conditions in SQL. */
function matches(member: TeamMember, { full_name: text, is_active: isActive, group }: List['input']): boolean {
  const searchText = text?.trim().toLowerCase() ?? '';
  const isFound = searchText === '' || [member.full_name, member.email].some((value) => value.toLowerCase().includes(searchText));
  const hasGroup = group === undefined || member.groups.some((item) => item.toLowerCase() === group.toLowerCase());
  return isFound && hasGroup && (isActive === undefined || (member.status === 'active') === (isActive === 'true'));
}

async function listActiveMembers(db: Db, companyId: string, actor: Actor): Promise<TeamMember[]> {
  const isAdmin = actor.role === 'practice_admin';
  const assignedCounts = db
    .select({ userId: clientMembers.userId, clients: sql<number>`count(distinct ${clientMembers.clientId})`.mapWith(Number).as('clients') })
    .from(clientMembers)
    .where(and(eq(clientMembers.companyId, companyId), isVisibleTo(actor, clientMembers.companyId, clientMembers.clientId)))
    .groupBy(clientMembers.userId)
    .as('assigned');
  const lastSeen = sql`(select max(s.last_seen_at) from ${sessions} s where s.user_id = ${users.id})`;
  const rows = await db
    .select({
      membership: memberships,
      fullName: users.fullName,
      email: users.email,
      roleName: teamRoles.name,
      clients: assignedCounts.clients,
      ownerId: getOwnerSql(companyId),
      lastSeenAt: isAdmin ? lastSeen.mapWith(sessions.lastSeenAt) : sql<null>`null`,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(teamRoles, matchesRole(memberships.companyId, memberships.teamRoleId))
    .leftJoin(assignedCounts, eq(assignedCounts.userId, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), inArray(memberships.role, PRACTICE_ROLES)))
    .orderBy(users.fullName, users.id);
  return rows.map(({ membership, fullName, email, roleName, clients, ownerId, lastSeenAt }) => ({
    ...toAccess(membership, roleName),
    user_id: membership.userId,
    invitation_id: null,
    full_name: fullName,
    email,
    status: 'active',
    is_owner: membership.userId === ownerId,
    is_you: membership.userId === actor.userId,
    clients: clients ?? 0,
    since: membership.createdAt,
    expires_at: null,
    last_seen_at: lastSeenAt,
  }));
}

const NO_ACCESS = { is_owner: false, is_you: false, clients: 0, last_seen_at: null } as const;

async function listInvitedMembers(db: Db, companyId: string): Promise<TeamMember[]> {
  const rows = await db
    .select({ invitation: teamInvitations, roleName: teamRoles.name })
    .from(teamInvitations)
    .leftJoin(teamRoles, matchesRole(teamInvitations.companyId, teamInvitations.teamRoleId))
    .where(and(eq(teamInvitations.companyId, companyId), isNull(teamInvitations.acceptedAt), isNull(teamInvitations.revokedAt)))
    .orderBy(teamInvitations.email);
  return rows.map(({ invitation, roleName }) => ({
    ...toAccess(invitation, roleName),
    ...NO_ACCESS,
    user_id: null,
    invitation_id: invitation.id,
    full_name: '',
    email: invitation.email,
    status: 'invited',
    since: invitation.sentAt,
    expires_at: invitation.expiresAt,
  }));
}

async function listFormerMembers(db: Db, companyId: string): Promise<TeamMember[]> {
  const rows = await db
    .select({
      former: formerMemberships,
      fullName: users.fullName,
      email: users.email,
      roleName: teamRoles.name,
      closedId: closedAccounts.userId,
      closedEmail: closedAccounts.email,
    })
    .from(formerMemberships)
    .innerJoin(users, eq(users.id, formerMemberships.userId))
    .leftJoin(closedAccounts, eq(closedAccounts.userId, formerMemberships.userId))
    .leftJoin(teamRoles, matchesRole(formerMemberships.companyId, formerMemberships.teamRoleId))
    .where(eq(formerMemberships.companyId, companyId))
    .orderBy(users.fullName, users.id);
  return rows.map(({ former, fullName, email, roleName, closedId, closedEmail }) => ({
    ...toAccess(former, roleName),
    ...NO_ACCESS,
    user_id: former.userId,
    invitation_id: null,
    full_name: fullName,
    email: closedId === null ? email : (closedEmail ?? ''),
    status: closedId === null ? 'deactivated' : 'closed',
    since: former.endedAt,
    expires_at: null,
  }));
}

function matchesRole(companyId: SQLWrapper, teamRoleId: SQLWrapper): SQL | undefined {
  return and(eq(teamRoles.companyId, companyId), eq(teamRoles.id, teamRoleId));
}

type StoredAccess = {
  readonly role: string;
  readonly permissions: readonly MembershipPermission[];
  readonly teamRoleId: string | null;
  readonly groups: readonly string[];
};

function toAccess({ role, permissions, teamRoleId, groups }: StoredAccess, roleName: string | null) {
  return {
    role: toWireRole(role),
    team_role: teamRoleId !== null && roleName !== null ? { team_role_id: teamRoleId, name: roleName } : null,
    permissions: toWirePermissions({ role, permissions }),
    groups: [...groups],
  };
}

/** Returns the duties that must be handed over before a member leaves. */
export async function getDuties(
  { database: { db } }: AppDeps,
  { input, tenant }: Call<typeof teamApi.duties>,
): Promise<EndpointOutput<typeof teamApi.duties>> {
  const { practiceId: companyId } = tenant;
  const heldDuties = await countHeldDuties(db, companyId, input.user_id);
  const [member] = await db
    .select({
      clients: sql`(select count(distinct client_id) from ${clientMembers} c
        where c.company_id = memberships.company_id and c.user_id = memberships.user_id)`.mapWith(Number),
      sessions: sql`(select count(*) from ${sessions} s where s.user_id = memberships.user_id)`.mapWith(Number),
    })
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, input.user_id)));
  const duties = Object.entries(heldDuties).map(([duty, clients]) => ({ duty: duty as keyof typeof heldDuties, clients }));
  return { clients: member?.clients ?? 0, sessions: member?.sessions ?? 0, duties };
}
