/**
 * Money that we owe to a trader and don't need for anything else: amounts above a refund, returned payouts, and credits allocated to the
 * trader. Derived from the ledger, so every balance can be paid out.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { advances, bankCredits, creditAllocations, directDebits, ledgerLines, payouts, shortfalls } from '@portal/db/schema/schema.ts';
import { isHmrcRemitter } from '@portal/domain/advances/match-credit.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { pence, sumPence, ZERO, type Pence } from '@portal/domain/money.ts';
import { isPendingDirectDebit, RECLAIM_DAYS } from '@portal/domain/shortfalls/direct-debit.ts';
import { and, eq, gt, inArray, isNull, sql, type SQL } from '@portal/db/sql.ts';
import { listMatchCandidates } from '../advances/credit-facts.ts';
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
  // Without a balance, nothing can be paid out: a payment that waits for a decision is at most what the trader owes us, and is listed itself.
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
 * excess, and money of HMRC that became the trader's since we paid for the refund, at most as much as it paid of a difference, or will pay.
 * HMRC's money may be what the difference lacked, whether someone decided about it before or after the Direct Debit was ordered.
 */
export async function sumReclaimableAmounts(db: Db | Tx, companyId: string, now: Instant): Promise<Pence> {
  const debits = await listReclaimableDebits(db, companyId, now);
  if (debits.length === 0) return ZERO;
  const collectedDebits = debits.filter(({ place }) => place !== 'trader');
  const excess = sumPence(collectedDebits.map(({ amountPence, appliedPence }) => pence(amountPence - appliedPence)));
  const secured = sumPence(debits.map(({ place, amountPence, appliedPence }) => (place === 'trader' ? amountPence : appliedPence)));
  const since = debits.map(({ paidAt, createdAt }) => paidAt ?? createdAt).toSorted()[0] ?? now;
  return pence(excess + Math.min(secured, await sumHmrcMoneyOfTrader(db, companyId, since)));
}

/** Lists those that have collected money in the last `RECLAIM_DAYS`, or still may. `paidAt`: when we paid for the refund. */
async function listReclaimableDebits(db: Db | Tx, companyId: string, now: Instant) {
  const { status, place, amountPence, appliedPence, createdAt, updatedAt } = directDebits;
  const rows = await db
    .select({ status, place, amountPence, appliedPence, createdAt, paidAt: advances.paidAt })
    .from(directDebits)
    .innerJoin(shortfalls, and(eq(shortfalls.companyId, directDebits.companyId), eq(shortfalls.id, directDebits.shortfallId)))
    .innerJoin(advances, and(eq(advances.companyId, shortfalls.companyId), eq(advances.id, shortfalls.advanceId)))
    .where(and(eq(directDebits.companyId, companyId), gt(updatedAt, addMilliseconds(now, -RECLAIM_DAYS * 86_400_000))));
  return rows.filter((debit) => debit.place !== 'trader' || isPendingDirectDebit(debit.status));
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

/** Sums what the trader owes us from shortfalls. */
export async function sumDueAmounts(db: Db | Tx, companyId: string): Promise<Pence> {
  const candidates = await listMatchCandidates(db, companyId);
  return sumPence(candidates.flatMap(({ state, outstanding }) => (state === 'awaiting_hmrc' ? [] : [outstanding])));
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
