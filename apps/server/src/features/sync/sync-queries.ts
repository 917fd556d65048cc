/** How recent the figures of the clients that the user sees are. Counted from rows, so every instance gives the same answer. */
import type { Db } from '@portal/db/database.ts';
import { clients, clientSyncs, hmrcConnections, practices, syncRuns } from '@portal/db/schema/schema.ts';
import type { Authorisation } from '@portal/domain/authorisations/describe-authorisation.ts';
import type { Refreshing } from '@portal/contract/sync.ts';
import { addMilliseconds, toEpochMs, type Instant } from '@portal/domain/clock.ts';
import { estimateProgress } from '@portal/domain/sync/estimate-progress.ts';
import { isSyncReason, nextStep, SYNC_REASONS } from '@portal/domain/sync/sync-reasons.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, asc, count, desc, eq, isNotNull, isNull, max, min, sql, type SQL } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { authorisationStatusSql } from '../authorisations/authorisation-status-sql.ts';
import type { Actor } from '../../http/session.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { hasTax } from './has-tax.ts';

const TAX_NAMES: Readonly<Record<Tax, string>> = { vat: 'VAT', paye: 'PAYE', ct: 'corporation tax', sa: 'Self Assessment' };

/** The reason with its texts for users. Null when there is no reason. */
function describeReason(code: string | null, willRetry = false): { code: string; sentence: string; next: string } | null {
  if (code === null) return null;
  if (!isSyncReason(code)) return { code, sentence: 'The refresh failed.', next: 'Refresh again.' };
  return { code, sentence: SYNC_REASONS[code].sentence, next: nextStep(code, willRetry) };
}

type ProgressCounts = Pick<NonNullable<Refreshing['run']>['counts'], 'total' | 'done' | 'failed' | 'not_authorised' | 'waiting'>;

/**
 * "Refreshing VAT for 118 clients: 96 done, 3 failed, 19 queued" (docs/product/decisions.md section 5). Clients being read and clients that
 * wait for a retry count as queued; the text mentions retries separately.
 */
export function formatProgress(tax: Tax, { total, done, failed, not_authorised: notAuthorised, waiting }: ProgressCounts): string {
  const format = (value: number): string => value.toLocaleString('en-GB');
  const unauthorised = notAuthorised === 0 ? '' : ` ${format(notAuthorised)} not authorised,`;
  const queued = total - done - failed - notAuthorised;
  const base = `Refreshing ${TAX_NAMES[tax]} for ${format(total)} ${total === 1 ? 'client' : 'clients'}: ${format(done)} done, ${format(failed)} failed,${unauthorised} ${format(queued)} queued`;
  return waiting === 0 ? base : `${base} (${format(waiting)} will be retried)`;
}

type SyncClocks = Pick<AppDeps, 'database' | 'clock' | 'wallClock'>;

/** The rate is that of the last minute, so that it follows a change soon. */
const RATE_WINDOW_MS = 60_000;

/** The newest run for a tax, with counts of the clients that the user sees. */
export async function getRefreshStatus(deps: SyncClocks, companyId: string, tax: Tax, actor: Actor): Promise<Refreshing> {
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
  // Only readings have a time. Failures are finished at the same rate as readings were so far.
  const finished = counts.done + counts.failed + counts.not_authorised;
  const finishedRecently = counts.done === 0 ? 0 : (readRecently * finished) / counts.done;
  const { ratePerMinute, secondsLeft } = estimateProgress({
    finishedRecently,
    windowMs,
    remaining: counts.total - finished,
  });
  // A team member without clients in the run sees nothing of it.
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
 * Counts the states of a run. While it is active only the queued count can fall, because a client that waits for a retry does not count as
 * failed. Clients that a cancelled run released (`endRun`) count as queued, whatever their state was before.
 */
async function countRun(db: Db, actor: Actor, run: typeof syncRuns.$inferSelect, recentSince: Instant) {
  const hasFailed = sql`(${clientSyncs.state} = 'failed' and ${clientSyncs.retryAt} is null and ${clientSyncs.attempts} > 0)`;
  const isUnauthorised = sql`coalesce(${clientSyncs.reason}, '') in ('not_authorised', 'authorisation_revoked')`;
  const [counts] = await db
    .select({
      total: count(),
      reading: sql<number>`(count(*) filter (where ${clientSyncs.state} = 'importing'))::int`,
      waiting: sql<number>`(count(*) filter (where ${clientSyncs.state} = 'failed' and ${clientSyncs.retryAt} is not null))::int`,
      done: sql<number>`(count(*) filter (where ${clientSyncs.state} = 'completed' and ${clientSyncs.readAt} >= ${run.startedAt}))::int`,
      failed: sql<number>`(count(*) filter (where ${hasFailed} and not ${isUnauthorised}))::int`,
      notAuthorised: sql<number>`(count(*) filter (where ${hasFailed} and ${isUnauthorised}))::int`,
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

type States = Record<'checking' | 'importing' | 'waiting' | 'completed' | 'failed', number>;

/** A failed reading with a retry due is "waiting". A failed reading without one is "failed". */
const displayState = sql<
  keyof States
>`case when ${clientSyncs.state} = 'failed' and ${clientSyncs.retryAt} is not null then 'waiting' else ${clientSyncs.state} end`;

async function countStates(db: Db, actor: Actor, condition: SQL | undefined): Promise<States> {
  const rows = await db
    .select({ state: displayState, clients: count() })
    .from(clientSyncs)
    .where(and(condition, isVisibleTo(actor, clientSyncs.companyId, clientSyncs.clientId)))
    .groupBy(sql`1`);
  const states: States = { checking: 0, importing: 0, waiting: 0, completed: 0, failed: 0 };
  for (const row of rows) states[row.state] = row.clients;
  return states;
}

/** Example clients for each reason. The list filter shows all of them. */
const MAX_EXAMPLES = 5;

export async function getSyncData(deps: SyncClocks, companyId: string, tax: Tax, actor: Actor) {
  const { db } = deps.database;
  const isOfTax = and(eq(clientSyncs.companyId, companyId), eq(clientSyncs.tax, tax));
  const states = await countStates(db, actor, isOfTax);
  const [read] = await db
    .select({
      oldest: sql<Instant | null>`${min(clientSyncs.readAt)}`.mapWith(clientSyncs.readAt),
      newest: max(clientSyncs.readAt),
      read: count(clientSyncs.readAt),
    })
    .from(clientSyncs)
    .where(and(isOfTax, isVisibleTo(actor, clientSyncs.companyId, clientSyncs.clientId)));
  const [all] = await db
    .select({
      clients: count(),
      neverAsked: sql<number>`(count(*) filter (where ${tax === 'sa' ? isNull(clients.nino) : sql`false`}))::int`,
    })
    .from(clients)
    .where(
      and(
        eq(clients.companyId, companyId),
        hasTax(tax),
        sql`${clients.status} not in ('inactive', 'closed')`,
        isVisibleTo(actor, clients.companyId, clients.id),
      ),
    );
  const total = all?.clients ?? 0;
  return {
    tax_type: tax,
    clients: total,
    never_read: Math.max(total - (read?.read ?? 0), 0),
    states,
    failures: await listFailures(db, companyId, tax, actor),
    waits: await listRetries(db, companyId, tax, actor),
    never_asked: all?.neverAsked ?? 0,
    authorisations: await countAuthorisations(deps, companyId, tax, actor),
    oldest_read_at: read?.oldest ?? null,
    newest_read_at: read?.newest ?? null,
    run: (await getRefreshStatus(deps, companyId, tax, actor)).run,
  };
}

/** Current clients with the tax by authorisation status. The list's filters find the same clients. */
async function countAuthorisations({ database: { db }, clock }: SyncClocks, companyId: string, tax: Tax, actor: Actor) {
  const status =
    tax === 'vat' || tax === 'sa'
      ? authorisationStatusSql(sql`${clients.companyId}`, sql`${clients.id}`, tax, sql`${clock.today()}::date`)
      : sql<string>`'unsupported'`;
  const rows = await db
    .select({ status: sql<Authorisation>`${status}`, clients: count() })
    .from(clients)
    .where(
      and(
        eq(clients.companyId, companyId),
        hasTax(tax),
        sql`${clients.status} not in ('inactive', 'closed')`,
        isVisibleTo(actor, clients.companyId, clients.id),
      ),
    )
    .groupBy(sql`1`)
    .orderBy(asc(sql`1`));
  return rows;
}

/** Clients that the user sees whose last reading failed, with or without a retry due. */
const isFailed = (companyId: string, tax: Tax, actor: Actor) =>
  and(
    eq(clientSyncs.companyId, companyId),
    eq(clientSyncs.tax, tax),
    eq(clientSyncs.state, 'failed'),
    isVisibleTo(actor, clientSyncs.companyId, clientSyncs.clientId),
  );

async function listFailures(db: Db, companyId: string, tax: Tax, actor: Actor) {
  const rows = await db
    .select({
      reason: clientSyncs.reason,
      clients: count(),
      examples: sql<
        { client_id: string; name: string }[]
      >`(jsonb_agg(jsonb_build_object('client_id', ${clients.id}, 'name', ${clients.name}) order by ${clients.name}))`,
    })
    .from(clientSyncs)
    .innerJoin(clients, and(eq(clients.companyId, clientSyncs.companyId), eq(clients.id, clientSyncs.clientId)))
    .where(
      and(
        isFailed(companyId, tax, actor),
        isNull(clientSyncs.retryAt),
        sql`coalesce(${clientSyncs.reason}, '') not in ('not_authorised', 'authorisation_revoked')`,
      ),
    )
    .groupBy(clientSyncs.reason)
    .orderBy(desc(count()));
  return rows.flatMap((row) => {
    const description = describeReason(row.reason ?? 'unknown');
    return description ? [{ ...description, clients: row.clients, examples: row.examples.slice(0, MAX_EXAMPLES) }] : [];
  });
}

async function listRetries(db: Db, companyId: string, tax: Tax, actor: Actor) {
  const rows = await db
    .select({ reason: clientSyncs.reason, clients: count() })
    .from(clientSyncs)
    .where(and(isFailed(companyId, tax, actor), isNotNull(clientSyncs.retryAt)))
    .groupBy(clientSyncs.reason)
    .orderBy(desc(count()));
  return rows.flatMap((row) => {
    const description = describeReason(row.reason ?? 'unknown', true);
    return description ? [{ ...description, clients: row.clients }] : [];
  });
}

export async function getClientSyncData(db: Db, companyId: string, clientId: string) {
  const rows = await db
    .select()
    .from(clientSyncs)
    .where(and(eq(clientSyncs.companyId, companyId), eq(clientSyncs.clientId, clientId)));
  const [client] = await db
    .select({ vat: clients.hasVat, paye: clients.hasPaye, ct: clients.hasCt, sa: clients.hasSa })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)));
  const taxes = TAXES.filter((tax) => client?.[tax]);
  return {
    client_id: clientId,
    taxes: taxes.map((tax) => {
      const row = rows.find((sync) => sync.tax === tax);
      return {
        tax_type: tax,
        state: row?.state ?? null,
        // While a client is read again, the row still holds the reason of its last failure (sync-queue.ts).
        reason: row?.state === 'failed' ? describeReason(row.reason, row.retryAt !== null) : null,
        read_at: row?.readAt ?? null,
        retry_at: row?.retryAt ?? null,
      };
    }),
  };
}

async function getHmrcConnection(db: Db, companyId: string) {
  const [hmrcConnection] = await db.select().from(hmrcConnections).where(eq(hmrcConnections.companyId, companyId));
  const status = hmrcConnection?.status ?? 'not_connected';
  return {
    provider: 'hmrc' as const,
    status: status === 'postponed' ? ('not_connected' as const) : status,
    connected_at: hmrcConnection?.connectedAt ?? null,
    consent_ends_at: hmrcConnection?.consentEndsAt ?? null,
  };
}

export async function getConnectionStatus(deps: SyncClocks, companyId: string, tax: Tax, actor: Actor) {
  const connection = await getHmrcConnection(deps.database.db, companyId);
  const isReadFromHmrc = tax === 'vat' || tax === 'sa';
  return {
    tax_type: tax,
    source: isReadFromHmrc ? ('hmrc' as const) : ('statement' as const),
    connection,
    can_refresh: isReadFromHmrc && connection.status === 'connected',
    authorisations: await countAuthorisations(deps, companyId, tax, actor),
  };
}

export async function getAccountantConnections(db: Db, companyId: string) {
  const [practice] = await db.select({ arn: practices.arn }).from(practices).where(eq(practices.companyId, companyId));
  return { arn: practice?.arn ?? null, connections: [await getHmrcConnection(db, companyId)] };
}
