import type { StepStatus } from '@portal/contract/scalars.ts';
import { listSteps, type Progress, type Step } from '@portal/contract/onboarding.ts';
import type { Db } from '@portal/db/database.ts';
import { booksFiles, companies, hmrcConnections, memberships, users } from '@portal/db/schema/schema.ts';
import { ORGANIC_PARTNER } from '@portal/domain/partners/partner-name.ts';
import { TRADER_ROLES } from '@portal/domain/identity/roles.ts';
import { BOOKS_PROVIDERS } from '@portal/domain/connected-books/books-providers.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import { and, desc, eq, inArray, isNotNull } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { findBooksGrant } from '../identity/sign-up-books.ts';
import { findBestCheckStatus } from '../identity-check/identity-checks.ts';
import { findNewestBankAccount } from '../advances/find-newest-bank-account.ts';

/**
 * Returns a user's onboarding progress with a company: the given one if it is theirs, otherwise their newest. Undefined if they have none.
 */
export async function findProgress(db: Db, userId: string, companyId: string | undefined, now: Instant): Promise<Progress> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  const [row] = await db
    .select({ company: companies, hmrc: hmrcConnections })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .leftJoin(hmrcConnections, eq(hmrcConnections.companyId, companies.id))
    .where(
      and(
        eq(memberships.userId, userId),
        // Everyone with access sees what is set up; only owners are guided through it.
        companyId === undefined
          ? eq(memberships.role, 'trader_owner')
          : and(eq(memberships.companyId, companyId), inArray(memberships.role, TRADER_ROLES)),
      ),
    )
    .orderBy(desc(memberships.createdAt))
    .limit(1);
  const books = row ? await findBooks(db, row.company.id) : undefined;
  const bankAccount = row ? await findBankAccount(db, row.company.id) : undefined;
  const { booksStep } = getPartner(row?.company.partner ?? user?.partner ?? ORGANIC_PARTNER);
  const statusByStep: Record<Step, StepStatus> = {
    about: user?.fullName ? 'done' : 'todo',
    company: row ? 'done' : 'todo',
    'government-gateway': row?.hmrc?.status === 'connected' ? 'done' : row?.hmrc?.status === 'postponed' ? 'later' : 'todo',
    // A trader who files elsewhere doesn't need books here before filing with us.
    bookkeeping: books ? 'done' : booksStep === 'last' ? 'later' : 'todo',
    'bank-account': bankAccount ? 'done' : 'todo',
    identity: await getIdentityStepStatus(db, userId),
  };
  const status = row?.hmrc?.status;
  const order = listSteps(booksStep);
  return {
    company_id: row?.company.id ?? null,
    steps: order.map((step) => ({ step, status: statusByStep[step] })),
    next_step: order.find((step) => statusByStep[step] === 'todo') ?? null,
    about: { full_name: user?.fullName ?? '', email: user?.email ?? '', phone: user?.phone ?? null },
    company: row
      ? {
          name: row.company.name,
          company_number: row.company.companyNumber ?? '',
          vrn: row.company.vrn ?? '',
          vrn_registered_name: row.company.vrnRegisteredName,
        }
      : null,
    hmrc: {
      status: status === undefined || status === 'postponed' ? 'not_connected' : status,
      connected_at: row?.hmrc?.connectedAt ?? null,
      vrn: row?.company.vrn ?? null,
    },
    books: books ?? null,
    books_program: BOOKS_PROVIDERS.find((provider) => provider === (row?.company.partner ?? user?.partner)) ?? null,
    granted_books: await listGrantedBooks(db, userId, now),
    bank_account: bankAccount ?? null,
  };
}

/** Returns the status of this user's own identity check. A check under review needs nothing more from them. */
async function getIdentityStepStatus(db: Db, userId: string): Promise<StepStatus> {
  const checkStatus = await findBestCheckStatus(db, [userId]);
  if (checkStatus === 'passed') return 'done';
  return checkStatus === 'needs_review' ? 'later' : 'todo';
}

async function findBooks(db: Db, companyId: string): Promise<NonNullable<Progress['books']> | undefined> {
  const [file] = await db
    .select({ file_name: booksFiles.fileName, rows: booksFiles.rows, applied_at: booksFiles.appliedAt })
    .from(booksFiles)
    .where(and(eq(booksFiles.companyId, companyId), isNotNull(booksFiles.appliedAt)))
    .orderBy(desc(booksFiles.appliedAt))
    .limit(1);
  return file?.applied_at ? { ...file, applied_at: file.applied_at } : undefined;
}

async function listGrantedBooks(db: Db, userId: string, now: Instant): Promise<Progress['granted_books']> {
  const grant = await findBooksGrant(db, userId, now);
  return (
    grant && {
      program: grant.provider,
      organisations: grant.organisations.map(({ id, name, vatNumber, companyNumber }) => ({
        organisation_id: id,
        name,
        vrn: vatNumber,
        company_number: companyNumber,
      })),
    }
  );
}

async function findBankAccount(db: Db, companyId: string): Promise<NonNullable<Progress['bank_account']> | undefined> {
  const account = await findNewestBankAccount(db, companyId);
  if (!account) return undefined;
  return { account_holder: account.accountHolder, sort_code: account.sortCode, account_number_end: account.accountNumber.slice(-4) };
}
