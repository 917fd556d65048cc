/** Operators can't make decisions about companies in which they have a private interest. */
import type { Db, Tx } from '@portal/db/database.ts';
import {
  allTenantsAccounts,
  allTenantsCompanyPeople,
  allTenantsMemberships,
  auditEntries,
  bankAccounts,
  companies,
  formerMemberships,
  identities,
  identityChecks,
  memberships,
  operatorBankAccounts,
  operators,
  users,
} from '@portal/db/schema/schema.ts';
import { comparePersonNames } from '@portal/domain/advances/compare-names.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { normaliseEmail } from '@portal/domain/identity/normalise-email.ts';
import { and, eq, inArray, ne } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';

type Deps = Pick<AppDeps, 'tokenCipher'>;

/**
 * Throws if the operator belongs or belonged to the company, or shares its bank account, or the private email address or the name of one of
 * its people.
 */
export async function assertNoConflictOfInterest(deps: Deps, db: Db | Tx, operatorId: string, companyId: string): Promise<void> {
  const reason = await findConflictOfInterest(deps, db, operatorId, companyId);
  if (reason === undefined) return;
  throw new AppError('forbidden', 'operator.conflict_of_interest', `${reason} Ask another operator to decide.`);
}

/** Returns a sentence that explains why the operator may not act on the company, or undefined if they may. */
export async function findConflictOfInterest(deps: Deps, db: Db | Tx, operatorId: string, companyId: string): Promise<string | undefined> {
  const [membership] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, operatorId)));
  if (membership) return 'You belong to this company.';
  if (await hasLeft(db, operatorId, companyId)) return 'You used to belong to this company.';
  if (await hasSharedBankAccount(db, operatorId, companyId))
    return 'This company is paid into a bank account that belongs to one of your companies.';
  if (await hasOwnBankAccount(deps, db, operatorId, companyId)) return 'This company is paid into one of your bank accounts.';
  if (await hasSharedEmail(db, operatorId, companyId)) return 'Someone at this company uses your email address.';
  if (await hasSameName(db, operatorId, companyId)) return 'Someone at this company has your name.';
  return undefined;
}

/** Leaving a company, or closing its account, just before deciding about it would otherwise end the interest. */
async function hasLeft(db: Db | Tx, operatorId: string, companyId: string): Promise<boolean> {
  const [former] = await db
    .select({ endedAt: formerMemberships.endedAt })
    .from(formerMemberships)
    .where(and(eq(formerMemberships.companyId, companyId), eq(formerMemberships.userId, operatorId)))
    .limit(1);
  if (former) return true;
  const rows = await db
    .select({ sequence: auditEntries.sequence })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.companyId, companyId),
        eq(auditEntries.subject, operatorId),
        inArray(auditEntries.action, ['company_people.left', 'company_people.removed']),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Compare all accounts, not only the latest: changing the account back and forth would otherwise hide the match. */
async function hasSharedBankAccount(db: Db | Tx, operatorId: string, companyId: string): Promise<boolean> {
  const ownAccounts = allTenantsAccounts;
  const memberOf = allTenantsMemberships;
  const rows = await db
    .select({ id: bankAccounts.id })
    .from(bankAccounts)
    .innerJoin(ownAccounts, and(eq(ownAccounts.sortCode, bankAccounts.sortCode), eq(ownAccounts.accountNumber, bankAccounts.accountNumber)))
    .innerJoin(memberOf, and(eq(memberOf.companyId, ownAccounts.companyId), eq(memberOf.userId, operatorId)))
    .where(and(eq(bankAccounts.companyId, companyId), ne(ownAccounts.companyId, companyId)))
    .limit(1);
  return rows.length > 0;
}

/** Compares the company's accounts with those that the operator recorded as their own. */
async function hasOwnBankAccount({ tokenCipher }: Deps, db: Db | Tx, operatorId: string, companyId: string): Promise<boolean> {
  const recordedAccounts = await db
    .select({ sealed: operatorBankAccounts.sealed })
    .from(operatorBankAccounts)
    .where(eq(operatorBankAccounts.userId, operatorId));
  if (recordedAccounts.length === 0) return false;
  const ownAccounts = new Set(recordedAccounts.map(({ sealed }) => tokenCipher.open(sealed, `operator_account:${operatorId}`)));
  const companyRows = await db
    .select({ sortCode: bankAccounts.sortCode, accountNumber: bankAccounts.accountNumber })
    .from(bankAccounts)
    .where(eq(bankAccounts.companyId, companyId));
  return companyRows.some(({ sortCode, accountNumber }) => ownAccounts.has(toAccountKey(sortCode, accountNumber)));
}

/** Formats an operator's own account details as the text to encrypt. */
export function toAccountKey(sortCode: string, accountNumber: string): string {
  return `${sortCode} ${accountNumber}`;
}

/**
 * An email address belongs to only one account here, but someone may have several accounts, or sign in through a provider with another
 * address.
 */
async function hasSharedEmail(db: Db | Tx, operatorId: string, companyId: string): Promise<boolean> {
  const ownAddressRows = await db
    .select({ email: users.email, privateEmail: operators.privateEmail, linked: identities.email })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.userId))
    .leftJoin(identities, eq(identities.userId, operators.userId))
    .where(eq(operators.userId, operatorId));
  // Including those who left: leaving just before deciding would otherwise end the interest.
  const companyRows = await db
    .select({ email: users.email, linked: identities.email })
    .from(allTenantsCompanyPeople)
    .innerJoin(users, eq(users.id, allTenantsCompanyPeople.userId))
    .leftJoin(identities, eq(identities.userId, allTenantsCompanyPeople.userId))
    .where(eq(allTenantsCompanyPeople.companyId, companyId));
  const toSet = (addresses: readonly (string | null)[]) =>
    new Set(addresses.filter((address) => address !== null).map((address) => normaliseEmail(address)));
  const ownAddresses = toSet(ownAddressRows.flatMap((row) => [row.email, row.privateEmail, row.linked]));
  const theirAddresses = toSet(companyRows.flatMap((row) => [row.email, row.linked]));
  return [...ownAddresses].some((address) => theirAddresses.has(address));
}

/**
 * An operator may own a company through an account with another email address, or direct it without one. The names of its people, as
 * verified, and of those listed at Companies House still say so. Someone else with that name only makes another operator decide.
 */
async function hasSameName(db: Db | Tx, operatorId: string, companyId: string): Promise<boolean> {
  const [operator] = await db.select({ name: users.fullName }).from(users).where(eq(users.id, operatorId));
  const [company] = await db.select({ register: companies.register }).from(companies).where(eq(companies.id, companyId));
  const { officers = [], controllers = [] } = company?.register?.people ?? {};
  const people = await db
    .select({ name: users.fullName, verifiedName: identityChecks.fullName })
    .from(allTenantsCompanyPeople)
    .innerJoin(users, eq(users.id, allTenantsCompanyPeople.userId))
    .leftJoin(identityChecks, and(eq(identityChecks.userId, users.id), eq(identityChecks.status, 'passed')))
    .where(eq(allTenantsCompanyPeople.companyId, companyId));
  const names = [
    ...officers,
    ...controllers.map(({ name }) => name),
    ...people.flatMap(({ name, verifiedName }) => [name, verifiedName ?? name]),
  ];
  return names.some((name) => comparePersonNames(operator?.name ?? '', name) === 'match');
}
