/** Returns the figures above the desk: advances in each view, the exposure, and performance against the promise to pay within a day. */
import type { deskApi } from '@portal/contract/desk.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { sql, type SQL } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { loadExposureLimits, sumExposure } from '../advances/exposure.ts';
import { isAbove, isAssignedTo, isDueWithin, isNewTrader, isOpen, toConditions, type DeskFilters, type DeskScope } from './desk-filters.ts';
import { DUE_AT, FROM_ADVANCES, isException, needsOperator, PAY_BY } from './desk-sql.ts';

type PromiseTotal = EndpointOutput<typeof deskApi.promise>['total'];
type Summary = EndpointOutput<typeof deskApi.summary>;

/** Thresholds of the standard views. The screen's links set the same filters. */
const DUE_SOON_HOURS = 2;
const LARGE_ABOVE_PENCE = 25_000_00;

export async function summariseDesk(deps: AppDeps, scope: DeskScope, filters: DeskFilters): Promise<Summary> {
  const { db } = deps.database;
  const [matchedRow] = (
    await db.execute<{ count: number; refund: number; net: number }>(
      sql`select count(*)::int as count, coalesce(sum(a.refund_pence), 0)::bigint as refund, coalesce(sum(a.net_pence), 0)::bigint as net
        from ${FROM_ADVANCES} where ${toConditions(filters, scope)}`,
    )
  ).rows;
  const { company: _, total } = await sumExposure(db, undefined);
  const { totalExposureLimitPence } = await loadExposureLimits(db, undefined, getAdvanceTerms(deps.clock.today()));
  return {
    matched: matchedRow?.count ?? 0,
    matched_refund_pence: pence(Number(matchedRow?.refund ?? 0)),
    matched_net_pence: pence(Number(matchedRow?.net ?? 0)),
    views: await countViews(deps, scope),
    exposure_pence: total,
    exposure_limit_pence: totalExposureLimitPence,
    now: scope.now,
  };
}

async function countViews({ database: { db } }: AppDeps, { now, me }: DeskScope): Promise<Summary['views']> {
  const conditions: Readonly<Record<keyof Summary['views'], SQL>> = {
    needs_us: needsOperator(now),
    due_soon: isDueWithin(now, DUE_SOON_HOURS),
    large: isAbove(LARGE_ABOVE_PENCE),
    new_trader: isNewTrader,
    exceptions: isException(now),
    mine: isAssignedTo(me),
    in_progress: sql`true`,
  };
  const counts = Object.entries(conditions).map(
    ([view, condition]) => sql`count(*) filter (where ${condition})::int as ${sql.identifier(view)}`,
  );
  const { rows } = await db.execute<Summary['views']>(sql`select ${sql.join(counts, sql`, `)} from ${FROM_ADVANCES} where ${isOpen}`);
  const [views] = rows;
  if (!views) throw new Error('an aggregate answers one row');
  return views;
}

/** The hours from acceptance to payout. */
const HOURS = sql.raw('extract(epoch from a.paid_at - a.accepted_at) / 3600');
const getHoursAtPercentile = (percentile: number): SQL =>
  sql`round((percentile_cont(${percentile}::float8) within group (order by ${HOURS}) filter (where a.paid_at is not null))::numeric, 1)::float8`;
/** Advances that ended before any payout don't count towards the promise. */
const IS_PROMISED = sql.raw(`not (a.paid_at is null and a.state in ('declined', 'withdrawn'))`);
const IN_TIME = sql`a.paid_at <= ${PAY_BY}`;

type PromiseRow = {
  accepted: number;
  paid: number;
  paid_in_time: number;
  overdue: number;
  median_hours: number | null;
  slowest_tenth_hours: number | null;
};

const isAcceptedWithin = (now: Instant, days: number): SQL =>
  sql`a.accepted_at > ${now}::timestamptz - ${sql.raw(`interval '${days} days'`)} and a.accepted_at <= ${now}::timestamptz and ${IS_PROMISED}`;

const selectPromiseFields = (now: Instant): SQL => sql`count(*)::int as accepted, count(a.paid_at)::int as paid,
  count(*) filter (where ${IN_TIME})::int as paid_in_time, count(*) filter (where ${DUE_AT} < ${now}::timestamptz)::int as overdue,
  ${getHoursAtPercentile(0.5)} as median_hours, ${getHoursAtPercentile(0.9)} as slowest_tenth_hours`;

async function measurePromise({ database: { db } }: AppDeps, now: Instant, days: number): Promise<PromiseTotal> {
  const { rows } = await db.execute<PromiseRow>(
    sql`select ${selectPromiseFields(now)} from advances a where ${isAcceptedWithin(now, days)}`,
  );
  const [row] = rows;
  if (!row) throw new Error('an aggregate answers one row');
  return { days, ...row };
}

export async function measurePromiseByDay(deps: AppDeps, days: number): Promise<EndpointOutput<typeof deskApi.promise>> {
  const now = deps.clock.now();
  const { rows } = await deps.database.db.execute<PromiseRow & { on: PlainDate }>(
    sql`select to_char(a.accepted_at at time zone 'Europe/London', 'YYYY-MM-DD') as on, ${selectPromiseFields(now)}
      from advances a where ${isAcceptedWithin(now, days)} group by 1 order by 1 desc`,
  );
  return {
    total: await measurePromise(deps, now, days),
    by_day: rows.map(({ on, accepted, paid, paid_in_time, median_hours }) => ({ on, accepted, paid, paid_in_time, median_hours })),
  };
}
