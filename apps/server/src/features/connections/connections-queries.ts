/** Returns the connections of a user and their companies, from stored data only. */
import type { CompanyConnections, connectionsApi } from '@portal/contract/connections.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { SIGN_IN_PROVIDERS } from '@portal/contract/security.ts';
import type { Db } from '@portal/db/database.ts';
import {
  bankAccounts,
  booksConnections,
  booksFiles,
  booksReads,
  companies,
  hmrcConnections,
  identities,
  memberships,
  passkeys,
  users,
} from '@portal/db/schema/schema.ts';
import { and, asc, count, desc, eq, inArray, isNotNull } from '@portal/db/sql.ts';
import { TRADER_ROLES } from '@portal/domain/identity/roles.ts';
import type { AppDeps } from '../../app-deps.ts';
import { getHmrcConnectionStatus } from './connection-status.ts';

export async function listConnections(deps: AppDeps, userId: string): Promise<EndpointOutput<typeof connectionsApi.list>> {
  const { db } = deps.database;
  const rows = await db
    .select({ company_id: companies.id, name: companies.name, vrn: companies.vrn, hmrc: hmrcConnections })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .leftJoin(hmrcConnections, eq(hmrcConnections.companyId, companies.id))
    .where(and(eq(memberships.userId, userId), inArray(memberships.role, TRADER_ROLES)))
    .orderBy(asc(companies.name), asc(companies.id));
  const ids = rows.map(({ company_id }) => company_id);
  const [books, booksByCompany, bankAccountByCompany, sign_in] = await Promise.all([
    listNewestBooks(db, ids),
    listBooksProviders(db, ids),
    listNewestBankAccounts(db, ids),
    getSignInMethods(db, userId),
  ]);
  const now = deps.clock.now();
  return {
    companies: rows.map(({ company_id, name, vrn, hmrc }) => ({
      company_id,
      name,
      vrn,
      hmrc: {
        status: getHmrcConnectionStatus(hmrc, now),
        connected_at: hmrc?.connectedAt ?? null,
        ends_at: hmrc?.consentEndsAt ?? null,
        last_read_at: hmrc?.figuresAsOf ?? null,
      },
      books: books.get(company_id) ?? null,
      books_program: booksByCompany.get(company_id) ?? null,
      bank_account: bankAccountByCompany.get(company_id) ?? null,
    })),
    sign_in,
  };
}

async function listNewestBooks(db: Db, companyIds: readonly string[]): Promise<Map<string, NonNullable<CompanyConnections['books']>>> {
  if (companyIds.length === 0) return new Map();
  const files = await db
    .selectDistinctOn([booksFiles.companyId], {
      companyId: booksFiles.companyId,
      file_name: booksFiles.fileName,
      rows: booksFiles.rows,
      flagged: booksFiles.flagged,
      first_date: booksFiles.firstDate,
      last_date: booksFiles.lastDate,
      uploaded_at: booksFiles.appliedAt,
    })
    .from(booksFiles)
    .where(and(inArray(booksFiles.companyId, [...companyIds]), isNotNull(booksFiles.appliedAt)))
    .orderBy(booksFiles.companyId, desc(booksFiles.appliedAt));
  return new Map(
    files.flatMap(({ companyId, uploaded_at, ...file }) => (uploaded_at === null ? [] : [[companyId, { ...file, uploaded_at }] as const])),
  );
}

async function listBooksProviders(
  db: Db,
  companyIds: readonly string[],
): Promise<Map<string, NonNullable<CompanyConnections['books_program']>>> {
  if (companyIds.length === 0) return new Map();
  const rows = await db
    .select({
      companyId: booksConnections.companyId,
      program: booksConnections.provider,
      status: booksConnections.status,
      organisation_name: booksConnections.organisationName,
      last_read_at: booksReads.finishedAt,
      problem: booksReads.problem,
    })
    .from(booksConnections)
    .leftJoin(booksReads, eq(booksReads.companyId, booksConnections.companyId))
    .where(inArray(booksConnections.companyId, [...companyIds]));
  return new Map(rows.map(({ companyId, problem, ...booksState }) => [companyId, { ...booksState, has_problem: problem !== null }]));
}

async function listNewestBankAccounts(
  db: Db,
  companyIds: readonly string[],
): Promise<Map<string, NonNullable<CompanyConnections['bank_account']>>> {
  if (companyIds.length === 0) return new Map();
  const accounts = await db
    .selectDistinctOn([bankAccounts.companyId])
    .from(bankAccounts)
    .where(inArray(bankAccounts.companyId, [...companyIds]))
    .orderBy(bankAccounts.companyId, desc(bankAccounts.createdAt));
  return new Map(
    accounts.map(({ companyId, accountHolder, sortCode, accountNumber, createdAt }) => [
      companyId,
      { account_holder: accountHolder, sort_code: sortCode, account_number_end: accountNumber.slice(-4), since: createdAt },
    ]),
  );
}

async function getSignInMethods(db: Db, userId: string): Promise<EndpointOutput<typeof connectionsApi.list>['sign_in']> {
  const [[userRow], linkedIdentities, [counts]] = await Promise.all([
    db.select({ email: users.email, passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId)),
    db
      .select({ provider: identities.provider, email: identities.email, linked_at: identities.linkedAt })
      .from(identities)
      .where(eq(identities.userId, userId))
      .orderBy(asc(identities.linkedAt)),
    db
      .select({ passkeys: count().mapWith(Number) })
      .from(passkeys)
      .where(eq(passkeys.userId, userId)),
  ]);
  return {
    email: userRow?.email ?? '',
    has_password: (userRow?.passwordHash ?? null) !== null,
    passkeys: counts?.passkeys ?? 0,
    linked: linkedIdentities.flatMap(({ provider, ...rest }) => {
      const knownProvider = SIGN_IN_PROVIDERS.find((name) => name === provider);
      return knownProvider === undefined ? [] : [{ provider: knownProvider, ...rest }];
    }),
  };
}
