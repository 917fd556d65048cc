/** Compares a credit on the account from which we pay with the returns that the payments provider has identified. */
import { accountCredits, payouts } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { readRecordOfOrder } from '../advances/bank-record.ts';

/**
 * Returns whether the credit can be the return of one of our payouts of the same amount: the provider's record names this credit as its
 * return, or none. Each such payout explains one credit.
 */
export async function mayReturnPayout(deps: AppDeps, creditId: string): Promise<boolean> {
  const { db } = deps.database;
  const [credit] = await db.select().from(accountCredits).where(eq(accountCredits.id, creditId));
  if (!credit) return false;
  const explainedCredits = await db
    .select({ transactionId: accountCredits.providerTransactionId })
    .from(accountCredits)
    .where(and(eq(accountCredits.amountPence, credit.amountPence), eq(accountCredits.resolution, 'payout_return')));
  const returnedPayouts = await db
    .select()
    .from(payouts)
    .where(and(eq(payouts.status, 'returned'), eq(payouts.amountPence, credit.amountPence)));
  const possibleReturns = new Set([credit.providerTransactionId, ...explainedCredits.map(({ transactionId }) => transactionId)]);
  let unexplainedCount = 0;
  for (const payout of returnedPayouts) {
    const { sent } = await readRecordOfOrder(deps, payout);
    const atBank = sent.find(({ payoutId }) => payoutId === payout.providerPayoutId);
    const { returnedByTransactionId: returnedBy } = atBank ?? {};
    if (atBank && (returnedBy === undefined || possibleReturns.has(returnedBy))) unexplainedCount += 1;
  }
  return unexplainedCount > explainedCredits.length;
}
