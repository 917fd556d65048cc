/** The dashboard's totals for the practice or for a person's assigned clients: the stored count, or a new count when there is none. */
import type { PracticeDashboard, Totals } from '@portal/contract/practice-dashboard.ts';
import type { Db } from '@portal/db/database.ts';
import { practiceTotals, syncRuns, staleTotals, type OverallTotals, type PracticeTotals } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { pence, type Pence } from '@portal/domain/money.ts';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { assignmentsFingerprint, countTotals, WHOLE_PRACTICE } from '../positions/count-totals.ts';
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
    const [[stored], syncing] = await Promise.all([
      storedTotals.execute({ companyId, viewerId, today }),
      runningSyncs.execute({ companyId }),
    ]);
    // Stored zeros are not used, so that the first import shows up at once.
    const isCurrent = stored?.hasSameClients === true && stored.overall.all > 0;
    const { overall, totals, countedAt } = isCurrent ? stored : await countNow(deps, companyId, viewerId);
    if (isCurrent ? stored.hasOldMark : overall.all > 0) await enqueueTotalsJob(deps, db, companyId);
    return {
      tax,
      today,
      state: overall.all === 0 ? 'nothing_imported' : overall.read_to === null ? 'nothing_read' : 'ready',
      scope: viewerId === WHOLE_PRACTICE ? 'practice' : 'assigned',
      totals: tax === 'all' ? sumTaxes(totals, overall) : toTaxTotals(totals, tax),
      counted_at: countedAt,
      read_from: overall.read_from,
      read_to: overall.read_to,
      syncing: syncing.map((run) => run.tax),
    };
  };
}

/** Reads stored totals. They are valid only for the same day (the 7, 30 and 90 day windows move) and the same assigned clients. */
function prepareStoredTotals(db: Db) {
  const [company, viewer] = [sql`${practiceTotals.companyId}`, sql`${practiceTotals.viewerId}`];
  const query = db
    .select({
      overall: practiceTotals.overall,
      totals: practiceTotals.totals,
      countedAt: practiceTotals.countedAt,
      hasSameClients: sql<boolean>`(${practiceTotals.viewerId} = ${WHOLE_PRACTICE} or ${practiceTotals.assigned} = ${assignmentsFingerprint(company, viewer)})`,
      // A mark that is older than any waiting job. Its job ran before the change was committed.
      hasOldMark: sql<boolean>`exists (select from ${staleTotals} where ${staleTotals.companyId} = ${practiceTotals.companyId}
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

type CountedNow = { readonly overall: OverallTotals; readonly totals: readonly PracticeTotals[]; readonly countedAt: Instant };

async function countNow({ database, clock }: AppDeps, companyId: string, viewerId: string): Promise<CountedNow> {
  const [counted] = await countTotals(database.db, companyId, clock.today(), viewerId);
  if (!counted) throw new Error('no totals were counted for the requested viewer');
  return { ...counted, countedAt: clock.now() };
}

function toTaxTotals(totals: readonly PracticeTotals[], tax: Exclude<Tab, 'all'>): Totals {
  const found = totals.find((taxTotals) => taxTotals.tax === tax);
  if (!found) throw new Error(`no totals were counted for ${tax}`);
  const { tax: _, ...rest } = found;
  return { ...rest, by_month: [...rest.by_month] };
}

function sumTaxes(totals: readonly PracticeTotals[], overall: OverallTotals): Totals {
  const sum = (getValue: (taxTotals: PracticeTotals) => number): number =>
    totals.reduce((total, taxTotals) => total + getValue(taxTotals), 0);
  const sumAmount = (getValue: (taxTotals: PracticeTotals) => Pence): Pence => pence(sum(getValue));
  const due = (days: '7' | '30' | '90') => ({
    items: sum((taxTotals) => taxTotals.due[days].items),
    amount_pence: sumAmount((taxTotals) => taxTotals.due[days].amount_pence),
  });
  const months = totals[0]?.by_month.map(({ month }) => month) ?? [];
  return {
    clients: overall.active,
    owed_pence: sumAmount((taxTotals) => taxTotals.owed_pence),
    overdue_pence: sumAmount((taxTotals) => taxTotals.overdue_pence),
    overdue_clients: overall.overdue,
    refund_pence: sumAmount((taxTotals) => taxTotals.refund_pence),
    refund_clients: overall.refund,
    overdue_returns: sum((taxTotals) => taxTotals.overdue_returns),
    at_risk_pence: sumAmount((taxTotals) => taxTotals.at_risk_pence),
    due: { 7: due('7'), 30: due('30'), 90: due('90') },
    by_month: months.map((month, index) => ({
      month,
      to_pay_pence: sumAmount((taxTotals) => taxTotals.by_month[index]?.to_pay_pence ?? pence(0)),
      to_receive_pence: sumAmount((taxTotals) => taxTotals.by_month[index]?.to_receive_pence ?? pence(0)),
    })),
  };
}
