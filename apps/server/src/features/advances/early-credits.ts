/**
 * Payments from HMRC that reached the collection account before the payout and haven't been allocated yet. HMRC may have repaid all or part
 * of the refund, so buying it would lose us that amount.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { bankCredits } from '@portal/db/schema/schema.ts';
import { isHmrcRemitter } from '@portal/domain/advances/match-credit.ts';
import { pence, type Pence } from '@portal/domain/money.ts';
import { and, asc, eq, sql } from '@portal/db/sql.ts';
import { listEarlyCredits, type CreditRow } from './credit-facts.ts';
import type { AdvanceRow } from './transition-advance.ts';
import { UNALLOCATED_PENCE } from './unallocated-sql.ts';

/** Gives no details, because an operator still has to find out what the payment is for. */
export const EARLY_CREDIT_HOLD_REASON =
  'Money from HMRC has reached your collection account. Your payment is on hold while we check what it’s for.';

export type EarlyCredit = { readonly credit: CreditRow; readonly unallocated: Pence };

/** Lists these payments, oldest first. Excludes a payment that covers the refund, because it repays the advance once the payout is made. */
export async function listHoldingCredits(db: Db | Tx, advance: AdvanceRow): Promise<EarlyCredit[]> {
  const rows = await db
    .select({ credit: bankCredits, unallocated: UNALLOCATED_PENCE })
    .from(bankCredits)
    .where(and(eq(bankCredits.companyId, advance.companyId), sql`${UNALLOCATED_PENCE} > 0`))
    .orderBy(asc(bankCredits.receivedAt));
  const hmrcCredits = rows.filter(({ credit }) => isHmrcRemitter(credit.remitter));
  if (hmrcCredits.length === 0) return [];
  const coveringIds = new Set((await listEarlyCredits(db, advance)).map(({ id }) => id));
  return hmrcCredits
    .filter(({ credit }) => !coveringIds.has(credit.id))
    .map(({ credit, unallocated }) => ({ credit, unallocated: pence(unallocated) }));
}
