/** Locks a company's users for a change, so that concurrent changes by two owners run one after the other. */
import type { Tx } from '@portal/db/database.ts';
import { memberships } from '@portal/db/schema/schema.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import { TRADER_ROLES, type TraderRole } from '@portal/domain/identity/roles.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { lockOpenCompany } from '../identity/lock-open-company.ts';

export type LockedPerson = { readonly userId: string; readonly role: TraderRole; readonly permissions: readonly string[] };

/** Throws a 404 if the company was closed while this change waited. */
export async function lockPeople(tx: Tx, companyId: string): Promise<readonly LockedPerson[]> {
  if (!(await lockOpenCompany(tx, companyId))) throw createNotFoundError();
  const rows = await tx
    .select({ userId: memberships.userId, role: memberships.role, permissions: memberships.permissions })
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), inArray(memberships.role, TRADER_ROLES)));
  return rows as LockedPerson[];
}

/** Like lockPeople, for changes that only an owner may make. The actor may have lost that role while this change waited. */
export async function lockPeopleAsOwner(tx: Tx, companyId: string, actorId: string): Promise<readonly LockedPerson[]> {
  const members = await lockPeople(tx, companyId);
  if (!members.some(({ userId, role }) => userId === actorId && role === 'trader_owner')) throw createNotFoundError();
  return members;
}

/** Returns the user, or throws a 404: users of other companies aren't visible to this one. */
export function getPerson(people: readonly LockedPerson[], userId: string): LockedPerson {
  const member = people.find((item) => item.userId === userId);
  if (!member) throw createNotFoundError();
  return member;
}

export function listOwnerIds(people: readonly LockedPerson[]): string[] {
  return people.filter(({ role }) => role === 'trader_owner').map(({ userId }) => userId);
}
