import type { Tx } from '@portal/db/database.ts';
import { bankCredits } from '@portal/db/schema/schema.ts';
import { and, asc, eq, gte, isNull } from 'drizzle-orm';
import type { AdvanceRow } from './move-advance.ts';

/**
 * The first credit that came while the payout waited, covers the refund and repaid nothing yet. Both ask here, whether a payout may be made because
 * HMRC's money has come and which money then repays it: two answers would pay out what nothing repays. The caller holds the company's lock.
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
