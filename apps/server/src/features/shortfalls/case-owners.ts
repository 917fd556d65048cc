/** The operators who can own a case, because they can act on it. */
import type { Db, Tx } from '@portal/db/database.ts';
import { allTenantsShortfalls, operators, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNotNull, isNull, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { canAct } from '../../http/policies.ts';
import { findConflictOfInterest } from '../operators/conflict-of-interest.ts';

export type CaseOwner = { readonly id: string; readonly name: string };

/** Lists active operators who have the right to collect and no private interest in the company, those with the fewest open cases first. */
export async function listPossibleOwners(deps: Pick<AppDeps, 'tokenCipher'>, db: Db | Tx, companyId: string): Promise<CaseOwner[]> {
  const openCases = sql`(select count(*) from ${allTenantsShortfalls} where ${allTenantsShortfalls.ownerId} = ${users.id} and ${allTenantsShortfalls.status} in ('watching', 'due', 'disputed'))`;
  const activeOwners = await db
    .select({ id: users.id, name: users.fullName, roles: operators.roles })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.userId))
    .where(and(isNull(operators.disabledAt), isNotNull(operators.enrolledAt)))
    .orderBy(asc(openCases), asc(users.id));
  const owners: CaseOwner[] = [];
  for (const { id, name, roles } of activeOwners) {
    if (!canAct('operator.finance', roles)) continue;
    if ((await findConflictOfInterest(deps, db, id, companyId)) === undefined) owners.push({ id, name });
  }
  return owners;
}
