import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { identityCheckApi } from '@portal/contract/identity-check.ts';
import { companies, identityChecks, memberships, users } from '@portal/db/schema/schema.ts';
import { and, asc, desc, eq, inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';

/** Lists a company's owners, each with their decisive identity check: one that passed, otherwise the newest. */
export async function listOwners(deps: AppDeps, companyId: string): Promise<EndpointOutput<typeof identityCheckApi.listOwners>> {
  const { db } = deps.database;
  const [company] = await db.select({ register: companies.register }).from(companies).where(eq(companies.id, companyId));
  if (!company) throw createNotFoundError();
  const owners = await db
    .select({ userId: users.id, fullName: users.fullName })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), eq(memberships.role, 'trader_owner')))
    .orderBy(asc(users.fullName));
  const checks = await db
    .select({ check: identityChecks, verifiedBy: users.fullName })
    .from(identityChecks)
    .leftJoin(users, eq(users.id, identityChecks.verifiedBy))
    .where(
      inArray(
        identityChecks.userId,
        owners.map(({ userId }) => userId),
      ),
    )
    .orderBy(desc(identityChecks.createdAt));
  const people = company.register?.people;
  return {
    owners: owners.map(({ userId, fullName }) => {
      const userChecks = checks.filter(({ check }) => check.userId === userId);
      const decisiveCheck = userChecks.find(({ check }) => check.status === 'passed') ?? userChecks[0];
      return {
        user_id: userId,
        full_name: decisiveCheck?.check.fullName ?? fullName,
        status: decisiveCheck?.check.status ?? 'not_started',
        verified_by: decisiveCheck?.verifiedBy ?? null,
        evidence: decisiveCheck?.check.evidence ?? null,
      };
    }),
    company_people: people ? [...people.officers, ...people.controllers.map(({ name }) => name)] : null,
  };
}
