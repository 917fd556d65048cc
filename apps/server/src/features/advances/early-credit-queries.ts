import type { Tx } from '@portal/db/database.ts';
import { bankCredits } from '@portal/db/schema/schema.ts';
import { and, asc, eq, gte, isNull } from 'drizzle-orm';
import type { AdvanceRow } from './transition-advance.ts';

/**
 * Finds the first unmatched credit that arrived while the payout was waiting and covers the refund. The payout check and the matching must
 * use the same query, otherwise we could pay out with nothing left to repay the advance. The caller holds the company's lock.
 */
export async function findEarlyCredit(tx: Tx, advance: AdvanceRow): Promise<typeof bankCredits.$inferSelect | undefined> {
  const [credit] = await tx
    .select()
    .from(bankCredits)
    .where(
      and(
        eq(bankCredits.companyId, advance.companyId),
        isNull(bankCredits.advanceId),
        isNull(bankCredits.returnedAt),
        gte(bankCredits.amountPence, advance.refundPence),
        gte(bankCredits.receivedAt, advance.acceptedAt ?? advance.quotedAt),
      ),
    )
    .orderBy(asc(bankCredits.receivedAt))
    .limit(1);
  return credit;
}
