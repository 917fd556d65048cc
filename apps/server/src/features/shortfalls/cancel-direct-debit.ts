import type { Tx } from '@portal/db/database.ts';
import { directDebits } from '@portal/db/schema/schema.ts';
import type { Pence } from '@portal/domain/money.ts';
import { isPendingDirectDebit } from '@portal/domain/shortfalls/direct-debit.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { ShortfallKey } from './shortfall-record.ts';

/**
 * Asks GoCardless to cancel the case's pending Direct Debit if it would collect more than is owed (always, if `owedAmount` is 0). A Direct Debit
 * that the bank already has can't be cancelled, so any excess is then owed to the trader.
 */
export async function cancelSuperfluousDirectDebit(
  deps: AppDeps,
  tx: Tx,
  { companyId, id }: ShortfallKey,
  owedAmount: Pence | 0,
): Promise<void> {
  const rows = await tx
    .select()
    .from(directDebits)
    .where(and(eq(directDebits.companyId, companyId), eq(directDebits.shortfallId, id), isNull(directDebits.cancelRequestedAt)));
  for (const debit of rows) {
    if (!isPendingDirectDebit(debit.status) || debit.amountPence <= owedAmount) continue;
    await tx
      .update(directDebits)
      .set({ cancelRequestedAt: deps.clock.now(), updatedAt: deps.clock.now() })
      .where(and(eq(directDebits.companyId, companyId), eq(directDebits.id, debit.id)));
    await deps.enqueue(
      tx,
      'direct-debit.cancel',
      { company_id: companyId, direct_debit_id: debit.id },
      { singletonKey: `direct-debit.cancel:${debit.id}` },
    );
  }
}
