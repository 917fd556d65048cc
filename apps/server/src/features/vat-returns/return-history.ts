/** Whether a return has been repaid or paid, and the earlier returns to compare it with. */
import type { VatReturnOutput } from '@portal/contract/vat-returns.ts';
import type { Db } from '@portal/db/database.ts';
import { advances, hmrcReturns, obligations } from '@portal/db/schema/schema.ts';
import { addDays, addMonths } from '@portal/domain/plain-date.ts';
import { and, desc, eq, inArray, lt } from '@portal/db/sql.ts';
import { findRefundCharge } from './find-found-return.ts';
import { toNineBoxes } from './to-nine-boxes.ts';

type ObligationRow = typeof obligations.$inferSelect;

/** Returns whether HMRC has repaid the refund or received the payment, according to its list of charges or the advance that it settled. */
export async function isReturnSettled(db: Db, obligation: ObligationRow): Promise<boolean> {
  const [advance] = await db
    .select({ id: advances.id })
    .from(advances)
    .where(
      and(
        eq(advances.companyId, obligation.companyId),
        eq(advances.obligationId, obligation.id),
        inArray(advances.state, ['repaid', 'settled', 'written_off']),
      ),
    )
    .limit(1);
  return advance !== undefined || (await findRefundCharge(db, obligation.companyId, obligation))?.outstanding === 0;
}

/** More than a year of monthly returns. */
const MAX_EARLIER_RETURNS = 14;

/** Returns the previous return and the one a year earlier. */
export async function listEarlierReturns(
  db: Db,
  { companyId, periodStart, periodEnd }: ObligationRow,
): Promise<VatReturnOutput['earlier']> {
  const rows = await db
    .select({ periodEnd: obligations.periodEnd, boxes: hmrcReturns })
    .from(hmrcReturns)
    .innerJoin(obligations, and(eq(obligations.companyId, hmrcReturns.companyId), eq(obligations.id, hmrcReturns.obligationId)))
    .where(and(eq(hmrcReturns.companyId, companyId), lt(obligations.periodEnd, periodStart)))
    .orderBy(desc(obligations.periodEnd))
    .limit(MAX_EARLIER_RETURNS);
  const yearAgoMonth = addMonths(periodEnd, -12).slice(0, 7);
  const comparisons = [
    { which: 'previous' as const, row: rows.find((row) => addDays(row.periodEnd, 1) === periodStart) },
    { which: 'year_ago' as const, row: rows.find((row) => row.periodEnd.startsWith(yearAgoMonth)) },
  ];
  return comparisons.flatMap(({ which, row }) => (row ? [{ which, period_end: row.periodEnd, boxes: toNineBoxes(row.boxes) }] : []));
}
