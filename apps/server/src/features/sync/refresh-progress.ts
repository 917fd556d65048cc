/** The progress of a refresh, for screens and the event stream. Counted from rows, so that every instance reports the same. */
import type { Db } from '@portal/db/database.ts';
import { clientSyncs, syncRuns } from '@portal/db/schema/schema.ts';
import type { TaxRefreshStatus } from '@portal/contract/sync-status.ts';
import { addMilliseconds, toEpochMs, type Instant } from '@portal/domain/clock.ts';
import { estimateProgress } from '@portal/domain/sync/estimate-progress.ts';
import { describeNextStep, isSyncReason, SYNC_REASONS } from '@portal/domain/sync/sync-reasons.ts';
import { type Tax, TAX_NAMES_IN_SENTENCE } from '@portal/domain/uk-tax/tax.ts';
import { and, count, desc, eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { isInRunGroup, type RunGroup } from './run-conditions.ts';

/** Returns the reason with its messages for users, or null if there is no reason. */
export function describeReason(code: string | null, willRetry = false): { code: string; sentence: string; next: string } | null {
  if (code === null) return null;
  if (!isSyncReason(code)) return { code, sentence: 'The refresh failed.', next: 'Refresh again.' };
  return { code, sentence: SYNC_REASONS[code].sentence, next: describeNextStep(code, willRetry) };
}

type ProgressCounts = Pick<NonNullable<TaxRefreshStatus['run']>['counts'], 'total' | 'done' | 'failed' | 'not_authorised' | 'waiting'>;

/**
 * Formats "Refreshing VAT for 118 clients: 96 done, 3 failed, 19 queued" (docs/product/decisions.md section 5). Clients that are being read
 * or waiting for a retry count as queued; the text mentions retries separately.
 */
export function formatProgress(tax: Tax, { total, done, failed, not_authorised: notAuthorised, waiting }: ProgressCounts): string {
  const format = (value: number): string => value.toLocaleString('en-GB');
  const unauthorised = notAuthorised === 0 ? '' : ` ${format(notAuthorised)} not authorised,`;
  const queuedCount = total - done - failed - notAuthorised;
  const base = `Refreshing ${TAX_NAMES_IN_SENTENCE[tax]} for ${format(total)} ${total === 1 ? 'client' : 'clients'}: ${format(done)} done, ${format(failed)} failed,${unauthorised} ${format(queuedCount)} queued`;
  return waiting === 0 ? base : `${base} (${format(waiting)} will be retried)`;
}

export type SyncClocks = Pick<AppDeps, 'database' | 'clock' | 'wallClock'>;

/** Uses the rate over the last minute, so that it follows changes quickly. */
const RATE_WINDOW_MS = 60_000;

/** Returns the newest run for a tax, with counts of the clients that the user can see. */
export async function getRefreshStatus(deps: SyncClocks, companyId: string, tax: Tax, actor: Actor): Promise<TaxRefreshStatus> {
  const { db } = deps.database;
  const [run] = await db
    .select()
    .from(syncRuns)
    .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.tax, tax)))
    .orderBy(desc(syncRuns.startedAt))
    .limit(1);
  if (!run) return { tax_type: tax, is_refreshing: false, sentence: null, run: null };
  const now = deps.clock.now();
  const windowMs = run.endedAt === null ? Math.min(toEpochMs(now) - toEpochMs(run.startedAt), RATE_WINDOW_MS) : 0;
  const { readRecently, ...counts } = await countRun(db, actor, run, addMilliseconds(now, -windowMs));
  // Only readings have a time. Failures are assumed to finish at the same rate as readings.
  const finishedCount = counts.done + counts.failed + counts.not_authorised;
  const finishedRecently = counts.done === 0 ? 0 : (readRecently * finishedCount) / counts.done;
  const { ratePerMinute, secondsLeft } = estimateProgress({
    finishedRecently,
    windowMs,
    remaining: counts.total - finishedCount,
  });
  // Hides the run from a team member without clients in it.
  const isLive = run.endedAt === null && counts.total > 0;
  return {
    tax_type: tax,
    is_refreshing: isLive,
    sentence: isLive ? formatProgress(tax, counts) : null,
    run:
      counts.total === 0
        ? null
        : {
            run_id: run.id,
            state: run.state,
            started_at: run.startedAt,
            ended_at: run.endedAt,
            reason: describeReason(run.reason),
            counts,
            is_throttled: isLive && run.throttledUntil !== null && run.throttledUntil > deps.wallClock.now(),
            rate_per_minute: ratePerMinute,
            seconds_left: secondsLeft,
          },
  };
}

/**
 * Counts the states of a run. While it is active, only the queued count can fall, because a client that will be retried doesn't count as
 * failed. Clients released by a cancelled run (`endRun`) count as queued, whatever their previous state.
 */
async function countRun(db: Db, actor: Actor, run: typeof syncRuns.$inferSelect, recentSince: Instant) {
  const countGroup = (group: RunGroup) =>
    sql<number>`(count(*) filter (where ${isInRunGroup(group, sql`${run.startedAt}::timestamptz`)}))::int`;
  const [counts] = await db
    .select({
      total: count(),
      reading: sql<number>`(count(*) filter (where ${clientSyncs.state} = 'importing'))::int`,
      waiting: sql<number>`(count(*) filter (where ${clientSyncs.state} = 'failed' and ${clientSyncs.retryAt} is not null))::int`,
      done: countGroup('run_done'),
      failed: countGroup('run_failed'),
      notAuthorised: countGroup('run_not_authorised'),
      readRecently: sql<number>`(count(*) filter (where ${clientSyncs.state} = 'completed'
        and ${clientSyncs.readAt} >= greatest(${recentSince}::timestamptz, ${run.startedAt}::timestamptz)))::int`,
    })
    .from(clientSyncs)
    .where(
      and(
        eq(clientSyncs.companyId, run.companyId),
        eq(clientSyncs.tax, run.tax),
        eq(clientSyncs.runId, run.id),
        isVisibleTo(actor, clientSyncs.companyId, clientSyncs.clientId),
      ),
    );
  const { total, reading, waiting, done, failed, notAuthorised, readRecently } = counts ?? NO_COUNTS;
  return {
    total,
    queued: total - reading - done - failed - notAuthorised,
    reading,
    waiting,
    done,
    failed,
    not_authorised: notAuthorised,
    throttled: run.throttled,
    readRecently,
  };
}

const NO_COUNTS = { total: 0, reading: 0, waiting: 0, done: 0, failed: 0, notAuthorised: 0, readRecently: 0 };
