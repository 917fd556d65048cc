/** Jobs that keep totals and positions up to date after changes and on a new day. */
import { taxPositions } from '@portal/db/schema/schema.ts';
import { ZERO } from '@portal/domain/money.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { SOON_DAYS } from '@portal/domain/positions/item-status.ts';
import { and, eq, gt, lt, ne, or, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { enqueueTotalsJob, enqueueTotals, refreshTotals, listPracticesWithStaleTotals } from './refresh-totals.ts';
import { rebuildPositions } from './rebuild-position.ts';
import { enqueueOutdatedRebuilds, rebuildOutdatedPositions } from './rebuild-outdated-positions.ts';

export function positionJobs(
  deps: AppDeps,
): Pick<PortalJobHandlers, 'practice.refresh-totals' | 'positions.sweep' | 'positions.rebuild-outdated'> {
  return {
    'practice.refresh-totals': ({ company_id }) => refreshTotals(deps, company_id),
    'positions.sweep': () => sweepPositions(deps),
    'positions.rebuild-outdated': ({ company_id }, { signal }) => rebuildOutdatedPositions(deps, company_id, signal),
  };
}

const BATCH_SIZE = 200;
/** A run stops after a minute. The next one continues with the rows that are still stale. */
const MAX_SWEEP_MS = 60_000;
/** Rebuild an otherwise unchanged position this often, because computed due dates reach only a year ahead. */
const MAX_COMPUTED_AGE_DAYS = 28;

/**
 * Rebuilds positions that a new day changes: interest grows, yesterday's due date becomes overdue, a credit covers an amount falling due,
 * or a date comes near. Other positions are unaffected.
 */
export async function sweepPositions(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const today = deps.clock.today();
  const deadline = performance.now() + MAX_SWEEP_MS;
  // "Not equal" instead of "earlier", because the sandbox clock can be moved back.
  const isStale = and(
    ne(taxPositions.computedOn, today),
    or(
      sql`${taxPositions.overduePence} > 0`,
      gt(taxPositions.overdueReturns, 0),
      lt(taxPositions.nextDueOn, today),
      // A credit is set off against a debt from the debt's due date.
      and(gt(taxPositions.refundPence, ZERO), eq(taxPositions.nextDueOn, today)),
      // Within the `due_soon` period today, but not on the day of the calculation.
      sql`${taxPositions.nextDueOn} between ${today}::date and ${addDays(today, SOON_DAYS)}::date
        and ${taxPositions.nextDueOn} > ${taxPositions.computedOn} + ${SOON_DAYS}::int`,
      lt(taxPositions.computedOn, addDays(today, -MAX_COMPUTED_AGE_DAYS)),
      gt(taxPositions.computedOn, today),
    ),
  );
  while (performance.now() < deadline) {
    const stalePositions = await db
      .select({ companyId: taxPositions.companyId, tax: taxPositions.tax, clientId: taxPositions.clientId })
      .from(taxPositions)
      .where(isStale)
      .limit(BATCH_SIZE);
    if (stalePositions.length === 0) break;
    for (const group of Map.groupBy(stalePositions, ({ companyId, tax }) => `${companyId} ${tax}`).values()) {
      const [first] = group;
      if (!first) continue;
      const { companyId, tax } = first;
      const clientIds = group.map(({ clientId }) => clientId);
      await db.transaction(async (tx) => {
        await rebuildPositions(tx, { companyId, tax, clientIds, today, now: deps.clock.now(), cause: 'day' });
        await enqueueTotals(deps, tx, companyId);
      });
    }
  }
  await enqueueOutdatedRebuilds(deps);
  // The totals for 7, 30 and 90 days change with the date, even when no position does.
  for (const companyId of await listPracticesWithStaleTotals(db, today)) await enqueueTotalsJob(deps, db, companyId);
}
