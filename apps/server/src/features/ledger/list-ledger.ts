import type { Db } from '@portal/db/database.ts';
import { companies, ledgerLines, ledgerPostings } from '@portal/db/schema/schema.ts';
import { LEDGER_ACCOUNTS, type LedgerAccount } from '@portal/domain/ledger/ledger.ts';
import { pence, sumPence } from '@portal/domain/money.ts';
import type { operatorsApi } from '@portal/contract/operators.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { desc, eq, inArray, lt, sql } from 'drizzle-orm';

const PAGE_SIZE = 50;

/** The trial balance of all companies and the newest postings. Balances are always computed from the lines. */
export async function listLedger(db: Db, before: number | undefined): Promise<EndpointOutput<typeof operatorsApi.ledger>> {
  const sums = await db
    .select({
      account: ledgerLines.account,
      debit: sql`coalesce(sum(${ledgerLines.amountPence}) filter (where ${ledgerLines.amountPence} > 0), 0)`.mapWith(Number),
      credit: sql`coalesce(-sum(${ledgerLines.amountPence}) filter (where ${ledgerLines.amountPence} < 0), 0)`.mapWith(Number),
    })
    .from(ledgerLines)
    .groupBy(ledgerLines.account);
  const accounts = (Object.keys(LEDGER_ACCOUNTS) as LedgerAccount[]).map((account) => {
    const accountSums = sums.find((row) => row.account === account);
    const debit = pence(accountSums?.debit ?? 0);
    const credit = pence(accountSums?.credit ?? 0);
    return { account, name: LEDGER_ACCOUNTS[account], debit_pence: debit, credit_pence: credit, balance_pence: pence(debit - credit) };
  });
  const totalDebit = sumPence(accounts.map((row) => row.debit_pence));
  const totalCredit = sumPence(accounts.map((row) => row.credit_pence));
  const postings = await listPostings(db, before);
  return {
    accounts,
    total_debit_pence: totalDebit,
    total_credit_pence: totalCredit,
    difference_pence: pence(totalDebit - totalCredit),
    postings,
    next_before: postings.length === PAGE_SIZE ? (postings.at(-1)?.position ?? null) : null,
  };
}

async function listPostings(db: Db, before: number | undefined): Promise<EndpointOutput<typeof operatorsApi.ledger>['postings']> {
  const rows = await db
    .select({
      id: ledgerPostings.id,
      position: ledgerPostings.position,
      postedAt: ledgerPostings.postedAt,
      onDate: ledgerPostings.onDate,
      description: ledgerPostings.description,
      companyName: companies.name,
    })
    .from(ledgerPostings)
    .innerJoin(companies, eq(companies.id, ledgerPostings.companyId))
    .where(before === undefined ? undefined : lt(ledgerPostings.position, before))
    .orderBy(desc(ledgerPostings.position))
    .limit(PAGE_SIZE);
  if (rows.length === 0) return [];
  const lines = await db
    .select()
    .from(ledgerLines)
    .where(
      inArray(
        ledgerLines.postingId,
        rows.map(({ id }) => id),
      ),
    );
  return rows.map((row) => ({
    position: row.position,
    posted_at: row.postedAt,
    on: row.onDate,
    company_name: row.companyName,
    description: row.description,
    lines: lines
      .filter(({ postingId }) => postingId === row.id)
      .sort((a, b) => b.amountPence - a.amountPence)
      .map(({ account, amountPence }) => ({
        account,
        debit_pence: pence(Math.max(amountPence, 0)),
        credit_pence: pence(Math.max(-amountPence, 0)),
      })),
  }));
}
