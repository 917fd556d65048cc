/**
 * Finds the other companies of a company's people. Someone who has left a company, or has one account for each, is still the same: the
 * identity check of an account gives the person's name and month of birth.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { allTenantsCompanyPeople, identityChecks } from '@portal/db/schema/schema.ts';
import { comparePersonNames } from '@portal/domain/advances/compare-names.ts';
import { and, eq, inArray, ne, or, type SQL } from '@portal/db/sql.ts';

/** The IDs of other companies: those of everyone, and those of people whose identity was checked. */
export type OwnersCompanies = { readonly ofAnyone: readonly string[]; readonly ofVerifiedPeople: readonly string[] };

export async function listOwnersCompanies(db: Db | Tx, companyId: string): Promise<OwnersCompanies> {
  const people = allTenantsCompanyPeople;
  const isVerified = and(eq(identityChecks.userId, people.userId), eq(identityChecks.status, 'passed'));
  const listPeople = (condition: SQL | undefined) =>
    db
      .selectDistinct({ companyId: people.companyId, userId: people.userId, name: identityChecks.fullName, bornIn: identityChecks.bornIn })
      .from(people)
      .leftJoin(identityChecks, isVerified)
      .where(condition);
  const ownPeople = await listPeople(eq(people.companyId, companyId));
  const ownIds = new Set(ownPeople.map(({ userId }) => userId));
  const birthMonths = ownPeople.flatMap(({ bornIn }) => bornIn ?? []);
  const maybeOwn = or(inArray(people.userId, [...ownIds]), inArray(identityChecks.bornIn, birthMonths));
  const candidates = await listPeople(and(ne(people.companyId, companyId), maybeOwn));
  const samePeople = candidates.filter(
    ({ userId, name, bornIn }) =>
      ownIds.has(userId) || ownPeople.some((own) => own.bornIn === bornIn && comparePersonNames(own.name ?? '', name ?? '') !== 'none'),
  );
  const listIds = (rows: typeof samePeople) => [...new Set(rows.map((row) => row.companyId))];
  return { ofAnyone: listIds(samePeople), ofVerifiedPeople: listIds(samePeople.filter(({ name }) => name !== null)) };
}
