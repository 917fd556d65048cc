/**
 * Money that we owe to a trader and don't need for anything else: amounts above a refund, returned payouts, and credits allocated to the
 * trader. Derived from the ledger, so every balance can be paid out.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { bankCredits, creditAllocations, directDebits, ledgerLines, payouts } from '@portal/db/schema/schema.ts';
import { isHmrcRemitter } from '@portal/domain/advances/match-credit.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { pence, sumPence, type Pence } from '@portal/domain/money.ts';
import { RECLAIM_DAYS } from '@portal/domain/shortfalls/direct-debit.ts';
import { and, asc, eq, gt, inArray, isNull, ne, sql, type SQL } from '@portal/db/sql.ts';
import { UNALLOCATED_PENCE } from '../advances/unallocated-sql.ts';

export type Surplus = {
  readonly companyId: string;
  /** The amount that can be paid out. Negative only if a decision was reversed after the payout. */
  readonly amount: Pence;
  /** Ordered from the provider, but without a result yet. */
  readonly inFlight: Pence;
};

/** Lists the surplus of one company, or of every company that has one. */
export async function listSurpluses(db: Db | Tx, companyId?: string): Promise<Surplus[]> {
  const owedByCompany = await sumByCompany(
    db,
    ledgerLines,
    sql`-${ledgerLines.amountPence}`,
    eq(ledgerLines.account, 'owed_to_trader'),
    companyId,
  );
  // If we owe a company nothing, it doesn't have undecided credits either: `assertSurplusCovered` ensures this.
  const ids = companyId === undefined ? [...owedByCompany].flatMap(([id, amount]) => (amount === 0 ? [] : [id])) : [companyId];
  if (ids.length === 0) return [];
  const undecidedByCompany = await sumByCompany(db, bankCredits, UNALLOCATED_PENCE, inArray(bankCredits.companyId, ids), companyId);
  const isOpenSurplus = and(inArray(payouts.companyId, ids), isNull(payouts.advanceId), inArray(payouts.status, ['created', 'submitted']));
  const inFlight = await sumByCompany(db, payouts, sql`${payouts.amountPence}`, isOpenSurplus, companyId);
  return ids.map((id) => ({
    companyId: id,
    amount: pence((owedByCompany.get(id) ?? 0) - (undecidedByCompany.get(id) ?? 0) - (inFlight.get(id) ?? 0)),
    inFlight: pence(inFlight.get(id) ?? 0),
  }));
}

export async function getSurplus(db: Db | Tx, companyId: string): Promise<Pence> {
  const [surplus] = await listSurpluses(db, companyId);
  return surplus?.amount ?? pence(0);
}

/**
 * Sums the part of a surplus that is our security while the trader's bank would still return a Direct Debit on request: what it collected in
 * excess, and money of HMRC that became the trader's since it was ordered, at most as much as it paid of a difference.
 */
export async function sumReclaimableAmounts(db: Db | Tx, companyId: string, now: Instant): Promise<Pence> {
  const recentDebits = await db
    .select()
    .from(directDebits)
    .where(
      and(
        eq(directDebits.companyId, companyId),
        ne(directDebits.place, 'trader'),
        gt(directDebits.updatedAt, addMilliseconds(now, -RECLAIM_DAYS * 86_400_000)),
      ),
    )
    .orderBy(asc(directDebits.createdAt));
  const [firstDebit] = recentDebits;
  if (!firstDebit) return pence(0);
  const excess = sumPence(recentDebits.map(({ amountPence, appliedPence }) => pence(amountPence - appliedPence)));
  const applied = sumPence(recentDebits.map(({ appliedPence }) => appliedPence));
  const fromHmrc = await sumHmrcMoneyOfTrader(db, companyId, firstDebit.createdAt);
  return pence(excess + Math.min(applied, fromHmrc));
}

/**
 * Sums HMRC's money that became the trader's since then, whenever it arrived. What the rules allocated counts too: it may be interest, but
 * also the rest of a repayment for the refund whose difference the Direct Debit paid.
 */
async function sumHmrcMoneyOfTrader(db: Db | Tx, companyId: string, since: Instant): Promise<Pence> {
  const rows = await db
    .select({ amount: creditAllocations.amountPence, remitter: bankCredits.remitter })
    .from(creditAllocations)
    .innerJoin(bankCredits, and(eq(bankCredits.companyId, creditAllocations.companyId), eq(bankCredits.id, creditAllocations.creditId)))
    .where(
      and(
        eq(creditAllocations.companyId, companyId),
        isNull(creditAllocations.advanceId),
        isNull(creditAllocations.reversedAt),
        gt(creditAllocations.at, since),
      ),
    );
  return sumPence(rows.filter(({ remitter }) => isHmrcRemitter(remitter)).map(({ amount }) => amount));
}

type SummedTable = typeof ledgerLines | typeof bankCredits | typeof payouts;

async function sumByCompany(
  db: Db | Tx,
  table: SummedTable,
  amount: SQL,
  condition: SQL | undefined,
  companyId: string | undefined,
): Promise<Map<string, number>> {
  const rows = await db
    .select({ companyId: table.companyId, sum: sql`sum(${amount})`.mapWith(Number) })
    .from(table)
    .where(and(condition, companyId === undefined ? undefined : eq(table.companyId, companyId)))
    .groupBy(table.companyId);
  return new Map(rows.map((row) => [row.companyId, row.sum]));
}
