/** Locks a practice's team for a change, to serialise concurrent changes by two admins. */
import type { Db, Tx } from '@portal/db/database.ts';
import { companies, memberships, practices } from '@portal/db/schema/schema.ts';
import { and, eq, inArray, isNull, sql, type SQL } from '@portal/db/sql.ts';
import { PRACTICE_ROLES, type PracticeRole } from '@portal/domain/identity/roles.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { lockOpenCompany } from '../identity/lock-open-company.ts';

export type LockedMember = Omit<typeof memberships.$inferSelect, 'role'> & { readonly role: PracticeRole };
export type LockedTeam = { readonly ownerId: string; readonly members: readonly LockedMember[] };

/** Returns the owner or, for a practice older than the owner role, the admin who joined first. */
export function getOwnerSql(companyId: string): SQL<string> {
  return sql<string>`coalesce(
    (select p.owner_id from ${practices} p join ${memberships} m on m.company_id = p.company_id and m.user_id = p.owner_id
      where p.company_id = ${companyId}::uuid and m.role = 'practice_admin'),
    (select m.user_id from ${memberships} m where m.company_id = ${companyId}::uuid and m.role = 'practice_admin'
      order by m.created_at, m.user_id limit 1))`;
}

/**
 * Waits for other changes to the team. Throws a 404 if the user has been demoted or deactivated in the meantime, or the practice closed, as
 * their next request would.
 */
export async function lockTeam(tx: Tx, companyId: string, { userId: actorId }: Pick<Actor, 'userId'>): Promise<LockedTeam> {
  await lockOpenCompany(tx, companyId);
  const members = await listMembers(tx, companyId);
  if (!members.some(({ userId, role }) => userId === actorId && role === 'practice_admin')) throw createNotFoundError();
  const { rows } = await tx.execute<{ owner_id: string }>(sql`select ${getOwnerSql(companyId)} as owner_id`);
  const ownerId = rows[0]?.owner_id ?? '';
  // From the first change on, the owner no longer depends on who joined first.
  await tx
    .update(practices)
    .set({ ownerId })
    .where(and(eq(practices.companyId, companyId), isNull(practices.ownerId)));
  return { ownerId, members };
}

/**
 * Keeps every member in the practice until the transaction ends. Call it before locking any client, which is the order that every change to
 * the team uses, so that no member can leave between a check and an assignment.
 */
export async function lockTeamMembership(tx: Tx, companyId: string): Promise<void> {
  await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('share');
}

async function listMembers(db: Db | Tx, companyId: string): Promise<LockedMember[]> {
  const rows = await db
    .select()
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), inArray(memberships.role, PRACTICE_ROLES)));
  return rows as LockedMember[];
}

/** Returns the member, or throws a 404 for anyone else. */
export function getMember({ members }: LockedTeam, userId: string): LockedMember {
  const member = members.find((member) => member.userId === userId);
  if (!member) throw createNotFoundError();
  return member;
}
