import type { Tx } from '@portal/db/database.ts';
import { directDebits } from '@portal/db/schema/schema.ts';
import type { Pence } from '@portal/domain/money.ts';
import { isPendingDirectDebit } from '@portal/domain/shortfalls/direct-debit.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { AdvanceRow } from '../advances/transition-advance.ts';
import { loadNextPayment } from './next-payment.ts';
import type { ShortfallKey, ShortfallRow } from './shortfall-record.ts';
import { sumUndecidedPayments } from './undecided-payments.ts';

/**
 * Asks GoCardless to cancel the case's pending Direct Debit if it would collect more than is owed (always, if `owedAmount` is 0). A Direct Debit
 * that the bank already has can't be cancelled, so any excess is then owed to the trader.
 */
export function cancelSuperfluousDirectDebit(deps: AppDeps, tx: Tx, key: ShortfallKey, owedAmount: Pence | 0): Promise<void> {
  return cancelAbove(deps, tx, key, () => owedAmount);
}

/**
 * Call this after a payment: cancels the pending Direct Debit as well if it is for an instalment that has now been paid, even in part.
 * Otherwise the next instalment would be collected early. The sweep orders what is still due.
 */
export async function cancelDirectDebitAfterPayment(deps: AppDeps, tx: Tx, advance: AdvanceRow, shortfall: ShortfallRow): Promise<void> {
  const next = await loadNextPayment(tx, advance, shortfall);
  await cancelAbove(deps, tx, shortfall, ({ chargeOn }) => (next && next.dueOn <= chargeOn ? next.amount : 0));
}

/** Call this after a payment that waits for a decision: it may be what the Direct Debit would collect. The sweep orders what is still due. */
export async function cancelCoveredDirectDebits(deps: AppDeps, tx: Tx, companyId: string): Promise<void> {
  const undecided = await sumUndecidedPayments(tx, companyId);
  const rows = await tx
    .select()
    .from(directDebits)
    .where(and(eq(directDebits.companyId, companyId), isNull(directDebits.cancelRequestedAt)));
  for (const debit of rows)
    if (isPendingDirectDebit(debit.status) && debit.amountPence <= undecided) await requestCancellation(deps, tx, debit);
}

type DirectDebitRow = typeof directDebits.$inferSelect;

async function cancelAbove(
  deps: AppDeps,
  tx: Tx,
  { companyId, id }: ShortfallKey,
  getLimit: (debit: DirectDebitRow) => Pence | 0,
): Promise<void> {
  const rows = await tx
    .select()
    .from(directDebits)
    .where(and(eq(directDebits.companyId, companyId), eq(directDebits.shortfallId, id), isNull(directDebits.cancelRequestedAt)));
  for (const debit of rows) {
    if (isPendingDirectDebit(debit.status) && debit.amountPence > getLimit(debit)) await requestCancellation(deps, tx, debit);
  }
}

async function requestCancellation(deps: AppDeps, tx: Tx, { companyId, id }: DirectDebitRow): Promise<void> {
  const at = deps.clock.now();
  await tx
    .update(directDebits)
    .set({ cancelRequestedAt: at, updatedAt: at })
    .where(and(eq(directDebits.companyId, companyId), eq(directDebits.id, id)));
  const job = { company_id: companyId, direct_debit_id: id };
  await deps.enqueue(tx, 'direct-debit.cancel', job, { singletonKey: `direct-debit.cancel:${id}` });
}
