/** Loads one company's postings for its statement and journals. */
import type { Db } from '@portal/db/database.ts';
import {
  advances,
  bankCredits,
  creditAllocations,
  ledgerLines,
  ledgerPostings,
  payouts,
  shortfallRecoveries,
  shortfalls,
} from '@portal/db/schema/schema.ts';
import type { LedgerAccount } from '@portal/domain/ledger/ledger.ts';
import type { StatementPosting } from '@portal/domain/ledger/statement-of-account.ts';
import { and, asc, eq, ne } from '@portal/db/sql.ts';

type Context = Pick<StatementPosting, 'period' | 'remitter'>;

/** Loads all postings, oldest first, each with the VAT period of its refund and the sender of its credit. */
export async function listStatementPostings(db: Db, companyId: string): Promise<StatementPosting[]> {
  const rows = await db
    .select({ id: ledgerPostings.id, idempotencyKey: ledgerPostings.idempotencyKey, on: ledgerPostings.onDate })
    .from(ledgerPostings)
    .where(eq(ledgerPostings.companyId, companyId))
    .orderBy(asc(ledgerPostings.onDate), asc(ledgerPostings.position));
  if (rows.length === 0) return [];
  const lines = await db.select().from(ledgerLines).where(eq(ledgerLines.companyId, companyId)).orderBy(asc(ledgerLines.account));
  const linesByPosting = Map.groupBy(lines, ({ postingId }) => postingId);
  const contexts = await loadContexts(db, companyId);
  return rows.map(({ id, idempotencyKey, on }) => ({
    // The key contains the ID of the record that was posted, for example "payout:ID" or "direct-debit:ID:1".
    ...contexts.get(idempotencyKey.split(':').findLast((part) => contexts.has(part)) ?? ''),
    idempotencyKey,
    on,
    lines: (linesByPosting.get(id) ?? []).map(({ account, amountPence }) => ({ account: account as LedgerAccount, amount: amountPence })),
  }));
}

/** Returns contexts by the ID of the advance, case, payout, credit (the provider's ID), allocation, Direct Debit or write-off request. */
async function loadContexts(db: Db, companyId: string): Promise<Map<string, Context>> {
  const advanceRows = await db
    .select({ id: advances.id, start: advances.periodStart, end: advances.periodEnd })
    .from(advances)
    .where(eq(advances.companyId, companyId));
  const contexts = new Map<string, Context>(advanceRows.map(({ id, start, end }) => [id, { period: { start, end } }]));
  const getPeriod = (advanceId: string | null | undefined): Context => (advanceId ? (contexts.get(advanceId) ?? {}) : {});
  const payoutRows = await db
    .select({ id: payouts.id, advanceId: payouts.advanceId })
    .from(payouts)
    .where(eq(payouts.companyId, companyId));
  const creditRows = await db
    .select({ id: bankCredits.id, transactionId: bankCredits.providerTransactionId, remitter: bankCredits.remitter })
    .from(bankCredits)
    .where(eq(bankCredits.companyId, companyId));
  const allocationRows = await db
    .select()
    .from(creditAllocations)
    .where(eq(creditAllocations.companyId, companyId))
    .orderBy(asc(creditAllocations.at));
  const recoveryRows = await db
    .select({ sourceId: shortfallRecoveries.sourceId, advanceId: shortfallRecoveries.advanceId })
    .from(shortfallRecoveries)
    // A netting's source is the payout of another advance, and its posting belongs to that advance.
    .where(and(eq(shortfallRecoveries.companyId, companyId), ne(shortfallRecoveries.source, 'netting')));
  const caseRows = await db
    .select({ id: shortfalls.id, advanceId: shortfalls.advanceId })
    .from(shortfalls)
    .where(eq(shortfalls.companyId, companyId));
  for (const { id, advanceId } of caseRows) contexts.set(id, getPeriod(advanceId));
  for (const { sourceId, advanceId } of recoveryRows) contexts.set(sourceId, getPeriod(advanceId));
  for (const { id, advanceId } of payoutRows) contexts.set(id, getPeriod(advanceId));
  for (const { id, transactionId, remitter } of creditRows) {
    const ownAllocations = allocationRows.filter(({ creditId }) => creditId === id);
    const current = ownAllocations.find(({ advanceId, reversedAt }) => advanceId !== null && reversedAt === null);
    contexts.set(transactionId, { ...getPeriod(current?.advanceId), remitter });
    for (const allocation of ownAllocations) contexts.set(allocation.id, { ...getPeriod(allocation.advanceId), remitter });
    contexts.set(id, { remitter });
  }
  return contexts;
}
