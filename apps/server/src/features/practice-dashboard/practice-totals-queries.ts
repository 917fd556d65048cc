/** The dashboard's totals for the practice or for a user's assigned clients: the stored count, or a fresh count if none is stored. */
import type { PracticeDashboard, Totals } from '@portal/contract/practice-totals.ts';
import type { Db } from '@portal/db/database.ts';
import { practiceTotals, syncRuns, staleTotals, type OverallTotals, type PracticeTotals } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, eq, isNull, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { countTotals, getAssignmentsFingerprint, WHOLE_PRACTICE } from '../positions/count-totals.ts';
import { enqueueTotalsJob } from '../positions/refresh-totals.ts';
import { getAssigneeLimit } from '../positions/visible-clients.ts';

type Tab = PracticeDashboard['tax'];
export type ReadPracticeDashboard = (companyId: string, actor: Actor, tax: Tab) => Promise<PracticeDashboard>;

export function preparePracticeDashboard(deps: AppDeps): ReadPracticeDashboard {
  const { db } = deps.database;
  const storedTotals = prepareStoredTotals(db);
  const runningSyncs = prepareRunningSyncs(db);
  return async (companyId, actor, tax) => {
    const today = deps.clock.today();
    const viewerId = getAssigneeLimit(actor) ?? WHOLE_PRACTICE;
    const [[currentTotals], syncing] = await Promise.all([
      storedTotals.execute({ companyId, viewerId, today }),
      runningSyncs.execute({ companyId }),
    ]);
    // Stored zeros are not used, so that the first import shows up immediately.
    const isCurrent = currentTotals?.hasSameClients === true && currentTotals.overall.clients > 0 && hasAllFields(currentTotals.totals);
    const { overall, totals, countedAt } = isCurrent ? currentTotals : await computeCurrentCounts(deps, companyId, viewerId);
    if (isCurrent ? currentTotals.hasOldMark : overall.clients > 0) await enqueueTotalsJob(deps, db, companyId);
    return {
      tax,
      today,
      state: overall.clients === 0 ? 'nothing_imported' : overall.read_to === null ? 'nothing_read' : 'ready',
      scope: viewerId === WHOLE_PRACTICE ? 'practice' : 'assigned',
      totals: toTotals(totals, tax),
      counted_at: countedAt,
      read_from: overall.read_from,
      read_to: overall.read_to,
      syncing: syncing.map((run) => run.tax),
    };
  };
}

/** Whether stored totals are of this release. JSON of an earlier one lacks the fields. */
const hasAllFields = (totals: readonly PracticeTotals[]): boolean =>
  totals.every(({ by_month: months }) => months.every((month) => typeof month.to_pay_is_partial === 'boolean'));

/** Reads stored totals. They are valid only for the same day (the 7, 30 and 90 day windows move) and the same assigned clients. */
function prepareStoredTotals(db: Db) {
  const [company, viewer] = [sql`${practiceTotals.companyId}`, sql`${practiceTotals.viewerId}`];
  const query = db
    .select({
      overall: practiceTotals.overall,
      totals: practiceTotals.totals,
      countedAt: practiceTotals.countedAt,
      hasSameClients: sql<boolean>`(${practiceTotals.viewerId} = ${WHOLE_PRACTICE} or ${practiceTotals.assigned} = ${getAssignmentsFingerprint(company, viewer)})`,
      // The mark is older than any waiting job, so its job ran before the change was committed.
      hasOldMark: sql<boolean>`exists (select from ${staleTotals} where ${staleTotals.companyId} = ${sql.placeholder('companyId')}
        and ${staleTotals.markedAt} < now() - interval '2 minutes')`,
    })
    .from(practiceTotals)
    .where(
      and(
        eq(practiceTotals.companyId, sql.placeholder('companyId')),
        eq(practiceTotals.viewerId, sql.placeholder('viewerId')),
        eq(practiceTotals.countedOn, sql.placeholder('today')),
      ),
    );
  return query.prepare('practice_totals_stored');
}

function prepareRunningSyncs(db: Db) {
  const query = db
    .select({ tax: syncRuns.tax })
    .from(syncRuns)
    .where(and(eq(syncRuns.companyId, sql.placeholder('companyId')), isNull(syncRuns.endedAt)));
  return query.prepare('practice_syncing');
}

type CurrentCounts = { readonly overall: OverallTotals; readonly totals: readonly PracticeTotals[]; readonly countedAt: Instant };

async function computeCurrentCounts({ database, clock }: AppDeps, companyId: string, viewerId: string): Promise<CurrentCounts> {
  const [countedTotals] = await countTotals(database.db, companyId, clock.today(), viewerId);
  if (!countedTotals) throw new Error('no totals were counted for the requested viewer');
  return { ...countedTotals, countedAt: clock.now() };
}

/** A total is unknown, not zero, until at least one of its clients has been read. Dates that follow from rules are known even then. */
function toTotals(totals: readonly PracticeTotals[], tab: Tab): Totals {
  const foundTotals = totals.find(({ tax }) => tax === tab);
  if (!foundTotals) throw new Error(`no totals were counted for ${tab}`);
  const { tax: _tax, read_clients: read, by_month: byMonth, ...countedTotals } = foundTotals;
  const isKnown = read > 0 || countedTotals.clients === 0;
  const hideUnlessKnown = <Value>(value: Value): Value | null => (isKnown ? value : null);
  return {
    ...countedTotals,
    owed_pence: hideUnlessKnown(countedTotals.owed_pence),
    overdue_pence: hideUnlessKnown(countedTotals.overdue_pence),
    refund_pence: hideUnlessKnown(countedTotals.refund_pence),
    overdue_returns: hideUnlessKnown(countedTotals.overdue_returns),
    overdue_updates: hideUnlessKnown(countedTotals.overdue_updates ?? 0),
    overdue_update_clients: countedTotals.overdue_update_clients ?? 0,
    at_risk_pence: hideUnlessKnown(countedTotals.at_risk_pence),
    by_month: isKnown ? [...byMonth] : [],
  };
}
