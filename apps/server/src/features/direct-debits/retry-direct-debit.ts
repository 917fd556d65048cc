/** Carries out an operator's decision to collect again after a Direct Debit failed or was charged back. */
import type { shortfallsApi } from '@portal/contract/shortfalls.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { directDebits } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { hasUnansweredFailure, isPendingDirectDebit } from '@portal/domain/shortfalls/direct-debit.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { AdvanceRow } from '../advances/transition-advance.ts';
import { assertNoConflictOfInterest } from '../operators/conflict-of-interest.ts';
import type { ShortfallRow } from '../shortfalls/shortfall-record.ts';
import { lockCase } from '../shortfalls/trader-actions.ts';
import { loadNextPayment } from '../shortfalls/next-payment.ts';
import { sumUndecidedPayments } from '../shortfalls/undecided-payments.ts';
import { findUsableMandate, getChargeDay, placeOrder } from './order-direct-debit.ts';

/** Returns the amount and date of a retry. Null if no Direct Debit failed, one is pending, nothing is due, or the mandate has ended. */
export async function findRetry(
  deps: AppDeps,
  advance: AdvanceRow,
  shortfall: ShortfallRow,
): Promise<{ amount: Pence; chargeOn: PlainDate } | null> {
  const { db } = deps.database;
  if (!deps.directDebits || shortfall.status !== 'due' || !(await canRetry(db, shortfall))) return null;
  const mandate = await findUsableMandate(db, shortfall.companyId);
  const next = await loadNextPayment(db, advance, shortfall);
  return mandate && next ? { amount: next.amount, chargeOn: getChargeDay(deps.clock.today(), next.dueOn, mandate.nextChargeOn) } : null;
}

async function canRetry(db: Db | Tx, { companyId, id }: ShortfallRow): Promise<boolean> {
  const attempts = await db
    .select()
    .from(directDebits)
    .where(and(eq(directDebits.companyId, companyId), eq(directDebits.shortfallId, id)));
  return !attempts.some(({ status }) => isPendingDirectDebit(status)) && hasUnansweredFailure(attempts);
}

/** Orders the next payment again, with new notice. The operator confirms the amount shown to them. */
export function retryDirectDebit(deps: AppDeps, { input, actor, caller }: Call<typeof shortfallsApi.retryDirectDebit>): Promise<void> {
  const { company_id: companyId, shortfall_id: shortfallId } = input;
  return deps.database.db.transaction(async (tx) => {
    const { advance, shortfall } = await lockCase(tx, { companyId, shortfallId });
    await assertNoConflictOfInterest(deps, tx, actor.userId, companyId);
    if (shortfall.status !== 'due' || !(await canRetry(tx, shortfall))) {
      throw new AppError(
        'conflict',
        'shortfall.nothing_to_retry',
        'There’s no failed Direct Debit to retry: one is in progress, or the case has changed. Reload the page.',
      );
    }
    const mandate = await findUsableMandate(tx, companyId);
    if (!mandate || !deps.directDebits) {
      throw new AppError(
        'conflict',
        'shortfall.no_mandate',
        'The trader’s Direct Debit mandate has ended. Ask them to set it up again on the refund’s page or pay by bank transfer.',
      );
    }
    const next = await loadNextPayment(tx, advance, shortfall);
    if (next?.amount !== input.amount_pence) {
      throw new AppError(
        'conflict',
        'shortfall.amount_changed',
        `${next ? formatPounds(next.amount) : 'Nothing'} is due now. Reload the page before you retry.`,
      );
    }
    if (next.amount <= (await sumUndecidedPayments(tx, companyId))) {
      const message =
        'A payment that may be for this difference is waiting for a decision. Decide what it’s for in reconciliation before you retry.';
      throw new AppError('conflict', 'shortfall.undecided_payment', message);
    }
    await placeOrder(deps, tx, {
      advance,
      shortfall,
      mandate,
      next,
      context: { actor: actor.userId, at: deps.clock.now(), ip: caller.ip },
    });
  });
}
