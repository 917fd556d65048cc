/** The dashboard's totals for the practice or for a person's assigned clients: the stored count, or a new count when there is none. */
import type { PracticeDashboard, Totals } from '@portal/contract/practice-dashboard.ts';
import type { Db } from '@portal/db/database.ts';
import { practiceTotals, syncRuns, totalsMarks, type OverallTotals, type PracticeTotals } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { pence, type Pence } from '@portal/domain/money.ts';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { assignedNow, countTotals, WHOLE_PRACTICE } from '../positions/count-totals.ts';
import { askForTotals } from '../positions/keep-totals.ts';
import { narrowedTo } from '../positions/seen-clients.ts';

type Tab = PracticeDashboard['tax'];
export type ReadPracticeDashboard = (companyId: string, actor: Actor, tax: Tab) => Promise<PracticeDashboard>;

export function preparePracticeDashboard(deps: AppDeps): ReadPracticeDashboard {
  const { db } = deps.database;
  const readKept = prepareKept(db);
  const readSyncing = prepareSyncing(db);
  return async (companyId, actor, tax) => {
    const today = deps.clock.today();
    const viewerId = narrowedTo(actor) ?? WHOLE_PRACTICE;
    const [[kept], syncing] = await Promise.all([readKept.execute({ companyId, viewerId, today }), readSyncing.execute({ companyId })]);
    // Stored zeros are not used, so that the first import shows up at once.
    const isGood = kept?.isOfSameClients === true && kept.overall.all > 0;
    const { overall, totals, countedAt } = isGood ? kept : await countNow(deps, companyId, viewerId);
    if (isGood ? kept.isLeftBehind : overall.all > 0) await askForTotals(deps, db, companyId);
    return {
      tax,
      today,
      state: overall.all === 0 ? 'nothing_imported' : overall.read_to === null ? 'nothing_read' : 'ready',
      scope: viewerId === WHOLE_PRACTICE ? 'practice' : 'assigned',
      totals: tax === 'all' ? addUp(totals, overall) : ofTax(totals, tax),
      counted_at: countedAt,
      read_from: overall.read_from,
      read_to: overall.read_to,
      syncing: syncing.map((run) => run.tax),
    };
  };
}

/** Stored totals count only for the same day (the 7, 30 and 90 day windows move) and for the same assigned clients. */
function prepareKept(db: Db) {
  const [company, viewer] = [sql`${practiceTotals.companyId}`, sql`${practiceTotals.viewerId}`];
  const query = db
    .select({
      overall: practiceTotals.overall,
      totals: practiceTotals.totals,
      countedAt: practiceTotals.countedAt,
      isOfSameClients: sql<boolean>`(${practiceTotals.viewerId} = ${WHOLE_PRACTICE} or ${practiceTotals.assigned} = ${assignedNow(company, viewer)})`,
      // A mark older than any waiting job: the job ran before the change was committed.
      isLeftBehind: sql<boolean>`exists (select from ${totalsMarks} where ${totalsMarks.companyId} = ${practiceTotals.companyId}
        and ${totalsMarks.markedAt} < now() - interval '2 minutes')`,
    })
    .from(practiceTotals)
    .where(
      and(
        eq(practiceTotals.companyId, sql.placeholder('companyId')),
        eq(practiceTotals.viewerId, sql.placeholder('viewerId')),
        eq(practiceTotals.countedOn, sql.placeholder('today')),
      ),
    );
  return query.prepare('practice_totals_kept');
}

function prepareSyncing(db: Db) {
  const query = db
    .select({ tax: syncRuns.tax })
    .from(syncRuns)
    .where(and(eq(syncRuns.companyId, sql.placeholder('companyId')), isNull(syncRuns.endedAt)));
  return query.prepare('practice_syncing');
}

type Counted = { readonly overall: OverallTotals; readonly totals: readonly PracticeTotals[]; readonly countedAt: Instant };

async function countNow({ database, clock }: AppDeps, companyId: string, viewerId: string): Promise<Counted> {
  const [counted] = await countTotals(database.db, companyId, clock.today(), viewerId);
  if (!counted) throw new Error('no totals were counted for the requested viewer');
  return { ...counted, countedAt: clock.now() };
}

function ofTax(totals: readonly PracticeTotals[], tax: Exclude<Tab, 'all'>): Totals {
  const found = totals.find((one) => one.tax === tax);
  if (!found) throw new Error(`no totals were counted for ${tax}`);
  const { tax: _, ...rest } = found;
  return { ...rest, by_month: [...rest.by_month] };
}

function addUp(totals: readonly PracticeTotals[], overall: OverallTotals): Totals {
  const sum = (read: (one: PracticeTotals) => number): number => totals.reduce((total, one) => total + read(one), 0);
  const sumOf = (read: (one: PracticeTotals) => Pence): Pence => pence(sum(read));
  const due = (days: '7' | '30' | '90') => ({
    items: sum((one) => one.due[days].items),
    amount_pence: sumOf((one) => one.due[days].amount_pence),
  });
  const months = totals[0]?.by_month.map(({ month }) => month) ?? [];
  return {
    clients: overall.in_hand,
    owed_pence: sumOf((one) => one.owed_pence),
    overdue_pence: sumOf((one) => one.overdue_pence),
    overdue_clients: overall.overdue,
    refund_pence: sumOf((one) => one.refund_pence),
    refund_clients: overall.refund,
    overdue_returns: sum((one) => one.overdue_returns),
    at_risk_pence: sumOf((one) => one.at_risk_pence),
    due: { 7: due('7'), 30: due('30'), 90: due('90') },
    by_month: months.map((month, place) => ({
      month,
      to_pay_pence: sumOf((one) => one.by_month[place]?.to_pay_pence ?? pence(0)),
      to_receive_pence: sumOf((one) => one.by_month[place]?.to_receive_pence ?? pence(0)),
    })),
  };
}
