/** One company's postings, as its statement and its journals need them. */
import type { Db } from '@portal/db/database.ts';
import { advances, bankCredits, ledgerLines, ledgerPostings, payouts } from '@portal/db/schema/schema.ts';
import type { LedgerAccount } from '@portal/domain/ledger/ledger.ts';
import type { StatementPosting } from '@portal/domain/ledger/statement-of-account.ts';
import { asc, eq } from 'drizzle-orm';

/** All postings, oldest first, with the VAT period of the refund that each is about. */
export async function listStatementPostings(db: Db, companyId: string): Promise<StatementPosting[]> {
  const rows = await db
    .select({
      id: ledgerPostings.id,
      idempotencyKey: ledgerPostings.idempotencyKey,
      on: ledgerPostings.onDate,
    })
    .from(ledgerPostings)
    .where(eq(ledgerPostings.companyId, companyId))
    .orderBy(asc(ledgerPostings.onDate), asc(ledgerPostings.position));
  if (rows.length === 0) return [];
  const lines = await db.select().from(ledgerLines).where(eq(ledgerLines.companyId, companyId)).orderBy(asc(ledgerLines.account));
  const linesByPosting = Map.groupBy(lines, ({ postingId }) => postingId);
  const periods = await loadPeriods(db, companyId);
  return rows.map(({ id, idempotencyKey, on }) => {
    // A key ends in the id of the payout, credit or advance that the posting is about, for example "payout:ID".
    const period = periods.get(idempotencyKey.slice(idempotencyKey.lastIndexOf(':') + 1));
    return {
      idempotencyKey,
      on,
      lines: (linesByPosting.get(id) ?? []).map(({ account, amountPence }) => ({ account: account as LedgerAccount, amount: amountPence })),
      ...(period ? { period } : {}),
    };
  });
}

/** The VAT periods of advances, by the id of the advance, of its payouts and of its credits. */
async function loadPeriods(db: Db, companyId: string): Promise<Map<string, NonNullable<StatementPosting['period']>>> {
  const advanceRows = await db
    .select({ id: advances.id, start: advances.periodStart, end: advances.periodEnd })
    .from(advances)
    .where(eq(advances.companyId, companyId));
  const periods = new Map(advanceRows.map(({ id, start, end }) => [id, { start, end }]));
  const payoutRows = await db
    .select({ id: payouts.id, advanceId: payouts.advanceId })
    .from(payouts)
    .where(eq(payouts.companyId, companyId));
  const creditRows = await db
    .select({ id: bankCredits.id, transactionId: bankCredits.providerTransactionId, advanceId: bankCredits.advanceId })
    .from(bankCredits)
    .where(eq(bankCredits.companyId, companyId));
  const related = [
    ...payoutRows.map(({ id, advanceId }) => [id, advanceId] as const),
    ...creditRows.flatMap(({ id, transactionId, advanceId }) => [[id, advanceId] as const, [transactionId, advanceId] as const]),
  ];
  for (const [id, advanceId] of related) {
    const period = advanceId === null ? undefined : periods.get(advanceId);
    if (period) periods.set(id, period);
  }
  return periods;
}
