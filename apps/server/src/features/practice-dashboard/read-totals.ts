/** The dashboard's totals: an admin's as last counted for the practice, a team_member's counted now over the assigned clients. */
import type { PracticeDashboard, Totals } from '@portal/contract/practice-dashboard.ts';
import type { Db } from '@portal/db/database.ts';
import { clientRows, practiceTotals, syncRuns, type PracticeTotals } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { pence, type Pence } from '@portal/domain/money.ts';
import { and, count, eq, isNull, max, min, sql, type SQL } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { countTotals, TAXES } from '../positions/count-totals.ts';
import { enqueueTotals } from '../positions/position-jobs.ts';
import { narrowedTo, seenBy } from '../positions/seen-clients.ts';

type Tab = PracticeDashboard['tax'];

export async function readPracticeDashboard(deps: AppDeps, companyId: string, actor: Actor, tax: Tab): Promise<PracticeDashboard> {
  const { db } = deps.database;
  const [counted, overall, live] = await Promise.all([
    readCounted(deps, companyId, actor, tax),
    countRows(db, companyId, actor),
    db
      .select({ tax: syncRuns.tax })
      .from(syncRuns)
      .where(and(eq(syncRuns.companyId, companyId), isNull(syncRuns.endedAt))),
  ]);
  return {
    tax,
    today: deps.clock.today(),
    state: overall.all === 0 ? 'nothing_imported' : overall.readTo === null ? 'nothing_read' : 'ready',
    scope: narrowedTo(actor) === undefined ? 'practice' : 'assigned',
    totals: tax === 'all' ? addUp(counted.totals, overall) : ofTax(counted.totals, tax),
    counted_at: counted.at,
    read_from: overall.readFrom,
    read_to: overall.readTo,
    syncing: live.map((run) => run.tax),
  };
}

async function readCounted(
  deps: AppDeps,
  companyId: string,
  actor: Actor,
  tax: Tab,
): Promise<{ totals: readonly PracticeTotals[]; at: Instant }> {
  const { db } = deps.database;
  const assignedTo = narrowedTo(actor);
  if (assignedTo === undefined) {
    const [row] = await db.select().from(practiceTotals).where(eq(practiceTotals.companyId, companyId));
    // Counted for another day the windows are wrong; the daily job is on its way and may be a few minutes behind.
    if (row && row.countedOn === deps.clock.today()) return { totals: row.totals, at: row.countedAt };
    await enqueueTotals(deps, db, companyId);
  }
  const taxes = tax === 'all' ? TAXES : [tax];
  const totals = [];
  for (const one of taxes) totals.push(await countTotals(db, companyId, one, deps.clock.today(), assignedTo));
  return { totals, at: deps.clock.now() };
}

type Overall = {
  readonly all: number;
  readonly inHand: number;
  readonly overdue: number;
  readonly refund: number;
  readonly readFrom: Instant | null;
  readonly readTo: Instant | null;
};

/** What does not add up over the taxes, because one client has several. */
async function countRows(db: Db, companyId: string, actor: Actor): Promise<Overall> {
  const inHand = sql`${clientRows.status} not in ('inactive', 'closed')`;
  const having = (condition: SQL) => count(sql`case when ${condition} then 1 end`);
  const [row] = await db
    .select({
      all: count(),
      inHand: having(inHand),
      overdue: having(sql`${inHand} and ${clientRows.overduePence} > 0`),
      refund: having(sql`${inHand} and ${clientRows.refundPence} > 0`),
      readFrom: min(clientRows.asOf),
      readTo: max(clientRows.asOf),
    })
    .from(clientRows)
    .where(and(eq(clientRows.companyId, companyId), seenBy(actor, clientRows.companyId, clientRows.clientId)));
  return row ?? { all: 0, inHand: 0, overdue: 0, refund: 0, readFrom: null, readTo: null };
}

function ofTax(totals: readonly PracticeTotals[], tax: Exclude<Tab, 'all'>): Totals {
  const found = totals.find((one) => one.tax === tax);
  if (!found) throw new Error(`the totals of ${tax} were not counted`);
  const { tax: _, ...rest } = found;
  return { ...rest, by_month: [...rest.by_month] };
}

function addUp(totals: readonly PracticeTotals[], overall: Overall): Totals {
  const sum = (read: (one: PracticeTotals) => number): number => totals.reduce((total, one) => total + read(one), 0);
  const sumOf = (read: (one: PracticeTotals) => Pence): Pence => pence(sum(read));
  const due = (days: '7' | '30' | '90') => ({
    items: sum((one) => one.due[days].items),
    amount_pence: sumOf((one) => one.due[days].amount_pence),
  });
  const months = totals[0]?.by_month.map(({ month }) => month) ?? [];
  return {
    clients: overall.inHand,
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
