import type { CompanyInvitation, CompanyPerson } from '@portal/contract/company-people.ts';
import type { Db } from '@portal/db/database.ts';
import { memberships, teamInvitations, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, inArray, isNull } from '@portal/db/sql.ts';
import { TRADER_ROLES, type TraderRole } from '@portal/domain/identity/roles.ts';
import type { Actor } from '../../http/session.ts';
import { toWireAccess } from './wire-access.ts';

/** Lists the company's users, owners first, and for owners the open invitations. */
export async function listCompanyPeople(
  db: Db,
  companyId: string,
  actor: Actor,
): Promise<{ people: CompanyPerson[]; invitations: CompanyInvitation[] }> {
  const [people, invitations] = await Promise.all([
    listPeople(db, companyId, actor.userId),
    actor.role === 'trader_owner' ? listInvitations(db, companyId) : [],
  ]);
  return { people, invitations };
}

async function listPeople(db: Db, companyId: string, userId: string): Promise<CompanyPerson[]> {
  const rows = await db
    .select({
      user_id: users.id,
      full_name: users.fullName,
      email: users.email,
      role: memberships.role,
      permissions: memberships.permissions,
      joined_at: memberships.createdAt,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), inArray(memberships.role, TRADER_ROLES)))
    .orderBy(asc(users.fullName), asc(users.id));
  const members = rows.map(({ role, permissions, ...row }) => ({
    ...row,
    ...toWireAccess({ role: role as TraderRole, permissions }),
    is_you: row.user_id === userId,
  }));
  return members.toSorted((a, b) => Number(b.role === 'owner') - Number(a.role === 'owner'));
}

async function listInvitations(db: Db, companyId: string): Promise<CompanyInvitation[]> {
  const { acceptedAt, revokedAt } = teamInvitations;
  const rows = await db
    .select()
    .from(teamInvitations)
    .where(and(eq(teamInvitations.companyId, companyId), isNull(acceptedAt), isNull(revokedAt)))
    .orderBy(asc(teamInvitations.email));
  return rows.map(({ id, email, role, permissions, sentAt, expiresAt }) => ({
    invitation_id: id,
    email,
    ...toWireAccess({ role: role as TraderRole, permissions }),
    sent_at: sentAt,
    expires_at: expiresAt,
  }));
}
