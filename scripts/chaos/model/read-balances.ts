import { ledgerLines, ledgerPostings } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { Sequence } from './sequence.ts';

/** Returns the company's balance on each ledger account. */
export async function readBalances({ testBed, trader }: Sequence): Promise<Record<string, number>> {
  const rows = await testBed.portal.deps.database.db
    .select({ account: ledgerLines.account, balance: sql`sum(${ledgerLines.amountPence})`.mapWith(Number) })
    .from(ledgerLines)
    .innerJoin(ledgerPostings, and(eq(ledgerPostings.companyId, ledgerLines.companyId), eq(ledgerPostings.id, ledgerLines.postingId)))
    .where(eq(ledgerLines.companyId, trader.companyId))
    .groupBy(ledgerLines.account);
  return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]));
}
