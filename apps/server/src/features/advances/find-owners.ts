/**
 * Finds the people of a company in other companies. Someone who has left a company, or has one account for each, is still the same: the
 * identity check of an account gives the person's name and month of birth.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { allTenantsCompanyPeople, identityChecks } from '@portal/db/schema/schema.ts';
import { comparePersonNames } from '@portal/domain/advances/compare-names.ts';
import { and, eq, inArray, or, type SQL } from '@portal/db/sql.ts';

const people = allTenantsCompanyPeople;

/** For a query on people, left joined with identity checks that are `IS_VERIFIED`. */
export const PERSON_COLUMNS = { userId: people.userId, name: identityChecks.fullName, bornIn: identityChecks.bornIn };
export const IS_VERIFIED = and(eq(identityChecks.userId, people.userId), eq(identityChecks.status, 'passed'));

type Person = { readonly userId: string; readonly name: string | null; readonly bornIn: string | null };

/** `isCandidate` narrows the query down to people who may be the same; `isOwnPerson` decides about each row. */
export type Owners = { readonly isCandidate: SQL | undefined; readonly isOwnPerson: (candidate: Person) => boolean };

export async function findOwners(db: Db | Tx, companyId: string): Promise<Owners> {
  const ownPeople = await db
    .select(PERSON_COLUMNS)
    .from(people)
    .leftJoin(identityChecks, IS_VERIFIED)
    .where(eq(people.companyId, companyId));
  const birthMonths = ownPeople.flatMap(({ bornIn }) => bornIn ?? []);
  const ownIds = new Set(ownPeople.map(({ userId }) => userId));
  return {
    isCandidate: or(inArray(people.userId, [...ownIds]), inArray(identityChecks.bornIn, birthMonths)),
    isOwnPerson: (candidate) =>
      ownIds.has(candidate.userId) ||
      ownPeople.some((own) => own.bornIn === candidate.bornIn && comparePersonNames(own.name ?? '', candidate.name ?? '') !== 'none'),
  };
}
