/** Returns the list of a company's documents, and the facts of each. */
import type { DocumentsOutput, PeriodDocumentsOutput } from '@portal/contract/documents.ts';
import type { Db } from '@portal/db/database.ts';
import { advances, bankAccounts, companies, filings, journalAccounts, obligations, users } from '@portal/db/schema/schema.ts';
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { getFeeVatTreatment } from '@portal/domain/advances/fee-vat-treatment.ts';
import { SUGGESTED_ACCOUNTS, type JournalAccountNames, type JournalSoftware } from '@portal/domain/ledger/journal-files.ts';
import { getTraderBalance } from '@portal/domain/ledger/statement-of-account.ts';
import { and, desc, eq, lte } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { getReturnOutput } from '../vat-returns/get-return.ts';
import type { AdvanceFacts } from './advance-documents.ts';
import type { FiledReturn } from './receipt-document.ts';
import { listStatementPostings } from './statement-queries.ts';

export async function listDocuments(deps: AppDeps, companyId: string): Promise<DocumentsOutput> {
  const { db } = deps.database;
  const company = await getCompany(db, companyId);
  const postings = await listStatementPostings(db, companyId);
  const today = deps.clock.today();
  const { text, source } = getFeeVatTreatment(today);
  return {
    company_name: company.name,
    periods: await listPeriods(db, companyId),
    account: { first_on: postings[0]?.on ?? null, today, balance_pence: getTraderBalance(postings) },
    journal_accounts: await getAllJournalAccounts(db, companyId),
    fee_vat: { text, source },
  };
}

async function listPeriods(db: Db, companyId: string): Promise<DocumentsOutput['periods']> {
  const filedReturns = await db
    .select({ obligation: obligations, settledAt: filings.settledAt, sentAt: filings.sentAt })
    .from(filings)
    .innerJoin(obligations, and(eq(obligations.companyId, filings.companyId), eq(obligations.id, filings.obligationId)))
    .where(and(eq(filings.companyId, companyId), eq(filings.state, 'accepted')));
  const offers = await db
    .select({ obligation: obligations, advance: advances })
    .from(advances)
    .innerJoin(obligations, and(eq(obligations.companyId, advances.companyId), eq(obligations.id, advances.obligationId)))
    .where(eq(advances.companyId, companyId))
    .orderBy(desc(advances.quotedAt));
  const periods = new Map<string, PeriodDocumentsOutput>();
  const getPeriod = ({ id, periodStart, periodEnd }: typeof obligations.$inferSelect): PeriodDocumentsOutput => {
    const period = periods.get(id) ?? { obligation_id: id, period_start: periodStart, period_end: periodEnd, filed_at: null, offers: [] };
    periods.set(id, period);
    return period;
  };
  for (const { obligation, settledAt, sentAt } of filedReturns) getPeriod(obligation).filed_at = settledAt ?? sentAt;
  for (const { obligation, advance } of offers) {
    getPeriod(obligation).offers.push({
      advance_id: advance.id,
      state: advance.state as AdvanceState,
      version: advance.version,
      quoted_at: advance.quotedAt,
      accepted_at: advance.acceptedAt,
      refund_pence: advance.refundPence,
      net_pence: advance.netPence,
    });
  }
  return [...periods.values()].toSorted((a, b) => (a.period_end < b.period_end ? 1 : a.period_end > b.period_end ? -1 : 0));
}

export async function getCompany(db: Db, companyId: string): Promise<{ name: string; vrn: string | null }> {
  const [company] = await db.select({ name: companies.name, vrn: companies.vrn }).from(companies).where(eq(companies.id, companyId));
  if (!company) throw createNotFoundError();
  return company;
}

/** Returns a return with its receipt. Throws notFound if we didn't file it or HMRC hasn't accepted it. */
export async function getFiledReturn(deps: AppDeps, companyId: string, obligationId: string): Promise<FiledReturn> {
  const { obligation, boxes, receipt } = await getReturnOutput(deps, { companyId, practiceId: null }, obligationId);
  if (!boxes || !receipt) throw createNotFoundError();
  return { obligation, boxes, receipt };
}

export async function getAdvanceFacts(db: Db, companyId: string, advanceId: string): Promise<AdvanceFacts> {
  const [row] = await db
    .select({ advance: advances, acceptedBy: users.fullName })
    .from(advances)
    .leftJoin(users, eq(users.id, advances.acceptedBy))
    .where(and(eq(advances.companyId, companyId), eq(advances.id, advanceId)));
  if (!row) throw createNotFoundError();
  const { acceptedAt } = row.advance;
  const [bankAccount] =
    acceptedAt === null
      ? []
      : await db
          .select()
          .from(bankAccounts)
          .where(and(eq(bankAccounts.companyId, companyId), lte(bankAccounts.createdAt, acceptedAt)))
          .orderBy(desc(bankAccounts.createdAt))
          .limit(1);
  return { ...row, company: await getCompany(db, companyId), bankAccount };
}

/** Returns the accounts that the trader chose, otherwise our suggestion. */
export async function getJournalAccounts(db: Db, companyId: string, software: JournalSoftware): Promise<JournalAccountNames> {
  return (await getAllJournalAccounts(db, companyId))[software];
}

async function getAllJournalAccounts(db: Db, companyId: string): Promise<Record<JournalSoftware, JournalAccountNames>> {
  const rows = await db.select().from(journalAccounts).where(eq(journalAccounts.companyId, companyId));
  const find = (software: JournalSoftware): JournalAccountNames =>
    rows.find((row) => row.software === software)?.accounts ?? SUGGESTED_ACCOUNTS[software];
  return { xero: find('xero'), quickbooks: find('quickbooks'), freeagent: find('freeagent') };
}
