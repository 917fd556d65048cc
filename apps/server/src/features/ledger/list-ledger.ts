/** The trial balance and the postings behind it, newest first. Balances are always computed from the lines. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { ledgerFilters, operatorsApi } from '@portal/contract/operators.ts';
import type { Db } from '@portal/db/database.ts';
import { companies, ledgerLines, ledgerPostings } from '@portal/db/schema/schema.ts';
import { LEDGER_ACCOUNTS, type LedgerAccount } from '@portal/domain/ledger/ledger.ts';
import { pence, sumPence } from '@portal/domain/money.ts';
import { and, desc, eq, gte, inArray, lt, lte, sql, type SQL } from '@portal/db/sql.ts';
import type { z } from 'zod/mini';

type Ledger = EndpointOutput<typeof operatorsApi.ledger>;
export type LedgerFilters = z.output<typeof ledgerFilters>;

const PAGE_SIZE = 50;

export async function listLedger(db: Db, { before, ...filters }: LedgerFilters & { before?: number | undefined }): Promise<Ledger> {
  const postings = await listPostings(db, filters, before);
  return {
    ...(await getTrialBalance(db, filters)),
    postings,
    next_before: postings.length === PAGE_SIZE ? (postings.at(-1)?.position ?? null) : null,
  };
}

async function getTrialBalance(db: Db, filters: LedgerFilters): Promise<Omit<Ledger, 'postings' | 'next_before'>> {
  const isFiltered = filters.company_id !== undefined || filters.from !== undefined || filters.to !== undefined;
  const base = db
    .select({
      account: ledgerLines.account,
      debit: sql`coalesce(sum(${ledgerLines.amountPence}) filter (where ${ledgerLines.amountPence} > 0), 0)`.mapWith(Number),
      credit: sql`coalesce(-sum(${ledgerLines.amountPence}) filter (where ${ledgerLines.amountPence} < 0), 0)`.mapWith(Number),
    })
    .from(ledgerLines)
    .$dynamic();
  const scopedQuery = isFiltered
    ? base
        .innerJoin(ledgerPostings, and(eq(ledgerPostings.companyId, ledgerLines.companyId), eq(ledgerPostings.id, ledgerLines.postingId)))
        .where(and(...buildScopeConditions(filters)))
    : base;
  const sums = await scopedQuery.groupBy(ledgerLines.account);
  const accounts = (Object.keys(LEDGER_ACCOUNTS) as LedgerAccount[]).map((account) => {
    const accountSums = sums.find((row) => row.account === account);
    const debit = pence(accountSums?.debit ?? 0);
    const credit = pence(accountSums?.credit ?? 0);
    return { account, name: LEDGER_ACCOUNTS[account], debit_pence: debit, credit_pence: credit, balance_pence: pence(debit - credit) };
  });
  const totalDebit = sumPence(accounts.map((row) => row.debit_pence));
  const totalCredit = sumPence(accounts.map((row) => row.credit_pence));
  return {
    accounts,
    total_debit_pence: totalDebit,
    total_credit_pence: totalCredit,
    difference_pence: pence(totalDebit - totalCredit),
  };
}

/** Filters by company and days. */
function buildScopeConditions({ company_id: companyId, from, to }: LedgerFilters): (SQL | undefined)[] {
  return [
    companyId === undefined ? undefined : eq(ledgerPostings.companyId, companyId),
    from === undefined ? undefined : gte(ledgerPostings.onDate, from),
    to === undefined ? undefined : lte(ledgerPostings.onDate, to),
  ];
}

function matchesText(q: string): SQL {
  const searchedText = sql`lower(${ledgerPostings.description} || ' ' || ${companies.name})`;
  return sql.join(
    q
      .toLowerCase()
      .split(/\s+/u)
      .map((word) => sql`strpos(${searchedText}, ${word}) > 0`),
    sql` and `,
  );
}

/** The advance of a posting, from the idempotency key of its payout or of its part of a credit. */
const ADVANCE_ID = sql<string | null>`coalesce(
  (select p.advance_id from payouts p where p.company_id = ${ledgerPostings.companyId}
    and ${ledgerPostings.idempotencyKey} in ('payout:' || p.id, 'payout-returned:' || p.id)),
  (select al.advance_id from credit_allocations al where al.company_id = ${ledgerPostings.companyId}
    and ${ledgerPostings.idempotencyKey} in ('allocation:' || al.id, 'allocation-reversed:' || al.id, 'shortfall:' || al.id)))`;

export async function listPostings(
  db: Db,
  filters: LedgerFilters,
  beforeSequence: number | undefined,
  size = PAGE_SIZE,
): Promise<Ledger['postings']> {
  const { account, q } = filters;
  const hasAccount = sql`exists (select 1 from ${ledgerLines} where ${ledgerLines.companyId} = ${ledgerPostings.companyId}
    and ${ledgerLines.postingId} = ${ledgerPostings.id} and ${ledgerLines.account} = ${account ?? ''})`;
  const rows = await db
    .select({
      id: ledgerPostings.id,
      position: ledgerPostings.position,
      postedAt: ledgerPostings.postedAt,
      onDate: ledgerPostings.onDate,
      description: ledgerPostings.description,
      companyId: ledgerPostings.companyId,
      companyName: companies.name,
      advanceId: ADVANCE_ID,
    })
    .from(ledgerPostings)
    .innerJoin(companies, eq(companies.id, ledgerPostings.companyId))
    .where(
      and(
        ...buildScopeConditions(filters),
        account === undefined ? undefined : hasAccount,
        q ? matchesText(q) : undefined,
        beforeSequence === undefined ? undefined : lt(ledgerPostings.position, beforeSequence),
      ),
    )
    .orderBy(desc(ledgerPostings.position))
    .limit(size);
  if (rows.length === 0) return [];
  const lines = await db
    .select()
    .from(ledgerLines)
    .where(
      and(
        inArray(ledgerLines.companyId, [...new Set(rows.map(({ companyId }) => companyId))]),
        inArray(
          ledgerLines.postingId,
          rows.map(({ id }) => id),
        ),
      ),
    );
  return rows.map((row) => ({
    position: row.position,
    posted_at: row.postedAt,
    on: row.onDate,
    company_id: row.companyId,
    company_name: row.companyName,
    advance_id: row.advanceId,
    description: row.description,
    lines: lines
      .filter(({ postingId }) => postingId === row.id)
      .sort((a, b) => b.amountPence - a.amountPence)
      .map(({ account: name, amountPence }) => ({
        account: name,
        debit_pence: pence(Math.max(amountPence, 0)),
        credit_pence: pence(Math.max(-amountPence, 0)),
      })),
  }));
}
