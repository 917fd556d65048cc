/** The next payment that is due in a case: the whole difference, or an instalment of it. */
import type { Db, Tx } from '@portal/db/database.ts';
import { shortfallInstalments } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { getNextPayment, type NextPayment } from '@portal/domain/shortfalls/instalment-plan.ts';
import { and, asc, eq } from '@portal/db/sql.ts';
import type { AdvanceRow } from '../advances/transition-advance.ts';
import { getOwedAmount, type ShortfallRow } from './shortfall-record.ts';

/** Returns the next payment due in a case, if any money is owed. */
export async function loadNextPayment(db: Db | Tx, advance: AdvanceRow, shortfall: ShortfallRow): Promise<NextPayment | undefined> {
  if (shortfall.dueOn === null) return undefined;
  const owedAmount = await getOwedAmount(db, advance);
  return getNextPayment(owedAmount, shortfall.dueOn, await loadPlan(db, shortfall, pence(advance.refundPence - owedAmount)));
}

export async function loadPlan(db: Db | Tx, { companyId, id, planStartedFromPence }: ShortfallRow, receivedAmount: number) {
  if (planStartedFromPence === null) return undefined;
  const rows = await db
    .select()
    .from(shortfallInstalments)
    .where(and(eq(shortfallInstalments.companyId, companyId), eq(shortfallInstalments.shortfallId, id)))
    .orderBy(asc(shortfallInstalments.number));
  const instalments = rows.map(({ number, dueOn, amountPence }) => ({ number, dueOn, amount: amountPence }));
  return { instalments, paid: pence(Math.max(0, receivedAmount - planStartedFromPence)) };
}
