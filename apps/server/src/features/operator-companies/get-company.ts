/** Returns everything we store about one company, for its page. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { operatorCompaniesApi } from '@portal/contract/operator-companies.ts';
import type { Db } from '@portal/db/database.ts';
import {
  advances,
  bankAccounts,
  booksFiles,
  collectionAccounts,
  companies,
  filings,
  hmrcConnections,
  identityChecks,
  memberships,
  obligations,
  sessions,
  undeliverableAddresses,
  users,
} from '@portal/db/schema/schema.ts';
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { countHoursToPayout } from '@portal/domain/advances/hours-to-payout.ts';
import { RECEIVED_PENCE } from '../advances/credit-facts.ts';
import { getOutstandingRefund, isMatchable } from '@portal/domain/advances/settle-credit.ts';
import { pence } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { and, asc, desc, eq, inArray, isNotNull, max, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { loadExposureLimits, sumExposure } from '../advances/exposure.ts';
import { findVatNumberHolder } from './move-vat-number.ts';

type CompanyPage = EndpointOutput<typeof operatorCompaniesApi.get>;

/** Enough for years of quarterly returns. */
const MAX_ROWS = 40;

export async function getCompany(deps: AppDeps, companyId: string): Promise<CompanyPage> {
  const { db } = deps.database;
  const [company] = await db.select().from(companies).where(eq(companies.id, companyId));
  if (!company) throw createNotFoundError();
  const { company: exposure } = await sumExposure(db, companyId);
  const limits = await loadExposureLimits(db, companyId, getAdvanceTerms(deps.clock.today()));
  const { register } = company;
  return {
    company: {
      company_id: company.id,
      name: company.name,
      vrn: company.vrn,
      vrn_holder: await findVatNumberHolder(db, company),
      vrn_registered_name: company.vrnRegisteredName,
      company_number: company.companyNumber,
      register_status: register?.status ?? null,
      register_type: register?.type ?? null,
      register_read_at: register?.read_at ?? null,
      partner: company.partner,
      created_at: company.createdAt,
    },
    exposure: { exposure_pence: exposure, limit_pence: limits.companyExposureLimitPence },
    people: await listPeople(db, companyId),
    undeliverable: await listUndeliverableMail(db, companyId),
    ...(await loadAccounts(db, companyId)),
    hmrc: await findHmrc(db, companyId),
    obligations: await db
      .select({
        period_start: obligations.periodStart,
        period_end: obligations.periodEnd,
        due_on: obligations.dueOn,
        status: obligations.status,
        received_on: obligations.receivedOn,
      })
      .from(obligations)
      .where(eq(obligations.companyId, companyId))
      .orderBy(desc(obligations.periodEnd))
      .limit(MAX_ROWS),
    advances: await listAdvances(db, companyId),
    documents: await listDocuments(db, companyId),
  };
}

function listUndeliverableMail(db: Db, companyId: string): Promise<CompanyPage['undeliverable']> {
  const { email, cause, detail, reportedAt } = undeliverableAddresses;
  return db
    .select({ email, cause, detail, reported_at: reportedAt })
    .from(undeliverableAddresses)
    .where(eq(undeliverableAddresses.companyId, companyId))
    .orderBy(desc(reportedAt), asc(email))
    .limit(MAX_ROWS);
}

async function listPeople(db: Db, companyId: string): Promise<CompanyPage['people']> {
  const members = await db
    .select({ user_id: users.id, name: users.fullName, email: users.email, role: memberships.role, since: memberships.createdAt })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.companyId, companyId))
    .orderBy(asc(memberships.createdAt));
  if (members.length === 0) return [];
  const ids = members.map(({ user_id }) => user_id);
  const lastSeenTimes = await db
    .select({ userId: sessions.userId, at: max(sessions.lastSeenAt) })
    .from(sessions)
    .where(inArray(sessions.userId, ids))
    .groupBy(sessions.userId);
  const checks = await db
    .selectDistinctOn([identityChecks.userId], {
      userId: identityChecks.userId,
      status: identityChecks.status,
      at: sql`coalesce(${identityChecks.completedAt}, ${identityChecks.createdAt})`.mapWith(identityChecks.createdAt),
    })
    .from(identityChecks)
    .where(inArray(identityChecks.userId, ids))
    .orderBy(identityChecks.userId, desc(identityChecks.createdAt));
  return members.map((person) => {
    const check = checks.find(({ userId }) => userId === person.user_id);
    return {
      ...person,
      last_seen_at: lastSeenTimes.find(({ userId }) => userId === person.user_id)?.at ?? null,
      identity: check ? { status: check.status, at: check.at } : null,
    };
  });
}

async function loadAccounts(db: Db, companyId: string): Promise<Pick<CompanyPage, 'bank_accounts' | 'collection_account'>> {
  const accounts = await db.select().from(bankAccounts).where(eq(bankAccounts.companyId, companyId)).orderBy(desc(bankAccounts.createdAt));
  const [collection] = await db.select().from(collectionAccounts).where(eq(collectionAccounts.companyId, companyId));
  return {
    bank_accounts: accounts.map(({ accountHolder, sortCode, accountNumber, createdAt }) => ({
      account_holder: accountHolder,
      sort_code: sortCode,
      account_number_end: accountNumber.slice(-4),
      added_at: createdAt,
    })),
    collection_account: collection
      ? {
          account_holder: collection.accountHolder,
          sort_code: collection.sortCode,
          account_number: collection.accountNumber,
          opened_at: collection.openedAt,
        }
      : null,
  };
}

async function findHmrc(db: Db, companyId: string): Promise<CompanyPage['hmrc']> {
  const [row] = await db
    .select({
      status: hmrcConnections.status,
      connected_at: hmrcConnections.connectedAt,
      permission_ends_at: hmrcConnections.consentEndsAt,
      ended_at: hmrcConnections.endedAt,
      figures_as_of: hmrcConnections.figuresAsOf,
    })
    .from(hmrcConnections)
    .where(eq(hmrcConnections.companyId, companyId));
  return row ?? null;
}

async function listAdvances(db: Db, companyId: string): Promise<CompanyPage['advances']> {
  const rows = await db
    .select({
      advance_id: advances.id,
      period_end: advances.periodEnd,
      state: advances.state,
      refund_pence: advances.refundPence,
      net_pence: advances.netPence,
      quoted_at: advances.quotedAt,
      accepted_at: advances.acceptedAt,
      paid_at: advances.paidAt,
      received: RECEIVED_PENCE,
    })
    .from(advances)
    .where(eq(advances.companyId, companyId))
    .orderBy(desc(advances.quotedAt))
    .limit(MAX_ROWS);
  return rows.map(({ received: sum, accepted_at, ...row }) => ({
    ...row,
    state: row.state as AdvanceState,
    outstanding_pence: isMatchable(row.state) ? getOutstandingRefund({ refund: row.refund_pence, received: pence(sum) }) : pence(0),
    hours_to_payout: accepted_at && row.paid_at ? countHoursToPayout(accepted_at, row.paid_at) : null,
  }));
}

async function listDocuments(db: Db, companyId: string): Promise<CompanyPage['documents']> {
  const agreements = await db
    .select({ at: advances.acceptedAt, periodEnd: advances.periodEnd, hash: advances.agreementHash })
    .from(advances)
    .where(and(eq(advances.companyId, companyId), isNotNull(advances.acceptedAt)))
    .orderBy(desc(advances.acceptedAt))
    .limit(MAX_ROWS);
  const receipts = await db
    .select({ at: filings.sentAt, periodEnd: obligations.periodEnd, receipt: filings.receipt })
    .from(filings)
    .innerJoin(obligations, and(eq(obligations.companyId, filings.companyId), eq(obligations.id, filings.obligationId)))
    .where(and(eq(filings.companyId, companyId), eq(filings.state, 'accepted')))
    .orderBy(desc(filings.sentAt))
    .limit(MAX_ROWS);
  const files = await db
    .select({ at: booksFiles.appliedAt, name: booksFiles.fileName })
    .from(booksFiles)
    .where(and(eq(booksFiles.companyId, companyId), isNotNull(booksFiles.appliedAt)))
    .orderBy(desc(booksFiles.appliedAt))
    .limit(MAX_ROWS);
  const documents: CompanyPage['documents'] = [
    ...agreements.flatMap(({ at, periodEnd, hash }) =>
      at ? [{ kind: 'agreement' as const, title: `Agreement for the period to ${formatDate(periodEnd)}`, at, reference: hash }] : [],
    ),
    ...receipts.map(({ at, periodEnd, receipt }) => ({
      kind: 'filing_receipt' as const,
      title: `Return for the period to ${formatDate(periodEnd)}`,
      at,
      reference: typeof receipt?.body['formBundleNumber'] === 'string' ? receipt.body['formBundleNumber'] : null,
    })),
    ...files.flatMap(({ at, name }) => (at ? [{ kind: 'books_file' as const, title: name, at, reference: null }] : [])),
  ];
  return documents.toSorted((a, b) => (a.at < b.at ? 1 : -1));
}
