/** A queue of clients to refresh, stored in client_syncs. States: docs/product/decisions.md section 5 (Sync). */
import type { Database, Db, Tx } from '@portal/db/database.ts';
import { clientSyncs, syncRuns } from '@portal/db/schema/schema.ts';
import { addMilliseconds, toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { retryAfterSeconds, type SyncReason } from '@portal/domain/sync/sync-reasons.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, eq, isNull, sql, type SQL } from '@portal/db/sql.ts';
import { lockClients } from '../positions/lock-clients.ts';
import { writeClientRows } from '../positions/write-client-rows.ts';

/** Identifies a run, with its practice and its tax. */
export type RunKey = { readonly companyId: string; readonly runId: string; readonly tax: Tax };

/** A claimed row. `leaseUntil` identifies the claim: a later claim of the same row has a different value. */
export type Claim = { readonly clientId: string; readonly attempts: number; readonly leaseUntil: Instant };

/** Longer than the calls for one client can take, including waits for rate limit slots. */
export const LEASE_MS = 120_000;

/** The database, and the process that claims rows. */
type Queue = Pick<Database, 'db' | 'holder'>;

/** Claims up to `limit` queued rows of the run. `wallNow` is the real time, not the sandbox clock. */
export function claimQueuedClients(queue: Queue, run: RunKey, wallNow: Instant, limit = 1): Promise<readonly Claim[]> {
  return claim(queue, run, wallNow, limit, sql`state = 'checking'`);
}

/** Claims a row whose retry is due or whose process has died. */
export function claimDueClients(queue: Queue, run: RunKey, wallNow: Instant): Promise<readonly Claim[]> {
  return claim(
    queue,
    run,
    wallNow,
    1,
    sql`((state = 'failed' and retry_at <= ${wallNow}) or (state = 'importing' and ${isAbandoned(queue, wallNow)}))`,
    // PostgreSQL evaluates this subquery first. A failed row is counted in the run, so the run must be locked before the row (see lockRun).
    sql`(select id from sync_runs where company_id = ${run.companyId} and id = ${run.runId} for update)`,
  );
}

/** Matches rows whose process has died, or has been stuck for longer than any reading takes. */
function isAbandoned({ holder }: Pick<Database, 'holder'>, wallNow: Instant): SQL {
  return sql`(lease_until < ${wallNow} or ${holder.hasDied(clientSyncs.holderId)})`;
}

/** Doesn't count a reading interrupted by a crash as an attempt. */
async function claim(
  { db, holder }: Queue,
  { companyId, runId, tax }: RunKey,
  wallNow: Instant,
  limit: number,
  condition: SQL,
  runIdSql = sql`${runId}::uuid`,
): Promise<readonly Claim[]> {
  const leaseUntil = addMilliseconds(wallNow, LEASE_MS);
  const { rows } = await db.execute<{ client_id: string; attempts: number }>(sql`
    with next as (
      select client_id, state from client_syncs
      where company_id = ${companyId} and tax = ${tax} and run_id = ${runIdSql} and ${condition}
      order by client_id limit ${limit} for update skip locked
    ), taken as (
      update client_syncs s set state = 'importing', lease_until = ${leaseUntil}, holder_id = ${holder.id}, retry_at = null,
        attempts = s.attempts + case when next.state = 'importing' then 0 else 1 end
      from next where s.company_id = ${companyId} and s.tax = ${tax} and s.client_id = next.client_id
      returning s.client_id, s.attempts, next.state = 'failed' as was_failed
    ), counted as (
      update sync_runs set failed = failed - (select count(*) from taken where was_failed)
      where company_id = ${companyId} and id = ${runId} and exists (select from taken where was_failed)
    ) select client_id, attempts from taken`);
  return rows.map((row) => ({ clientId: row.client_id, attempts: row.attempts, leaseUntil }));
}

/** Code that adds clients to a run locks the run before its rows. Anything that changes both must use the same order to avoid deadlocks. */
async function lockRun(tx: Tx, { companyId, runId }: RunKey): Promise<void> {
  await tx
    .select({ id: syncRuns.id })
    .from(syncRuns)
    .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.id, runId)))
    .for('update');
}

/** The result for a claimed row: either the time it was read, or the reason it failed. */
export type SettledClaim = { readonly claim: Claim } & ({ readonly readAt: Instant } | { readonly reason: SyncReason });

/**
 * Marks rows as read or failed, and sets the time of the next attempt if a retry may help. Returns the clients that were still claimed.
 * Discard the readings of all others, because another worker has claimed the row or the run was cancelled.
 */
export async function settleClaims(tx: Tx, run: RunKey, list: readonly SettledClaim[], wallNow: Instant): Promise<ReadonlySet<string>> {
  const { companyId, runId, tax } = run;
  await lockRun(tx, run);
  const rows = list.map((item) => ({ client_id: item.claim.clientId, held_until: item.claim.leaseUntil, ...toOutcome(item, wallNow) }));
  const { rows: settledRows } = await tx.execute<{ client_id: string; state: string }>(sql`
    update client_syncs s set state = n.state, reason = n.reason, retry_at = n.retry_at, read_at = coalesce(n.read_at, s.read_at),
      lease_until = null, holder_id = null
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(
      client_id uuid, held_until timestamptz, state text, reason text, retry_at timestamptz, read_at timestamptz)
    where s.company_id = ${companyId} and s.client_id = n.client_id and s.tax = ${tax} and s.run_id = ${runId}
      and s.state = 'importing' and s.lease_until = n.held_until
    returning s.client_id, s.state`);
  const doneCount = settledRows.filter(({ state }) => state === 'completed').length;
  if (settledRows.length > 0) {
    const failedCount = settledRows.length - doneCount;
    await tx
      .update(syncRuns)
      .set({ done: sql`${syncRuns.done} + ${doneCount}::int`, failed: sql`${syncRuns.failed} + ${failedCount}::int` })
      .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.id, runId)));
  }
  return new Set(settledRows.map((row) => row.client_id));
}

function toOutcome(item: SettledClaim, wallNow: Instant) {
  if ('readAt' in item) return { state: 'completed', reason: null, retry_at: null, read_at: item.readAt };
  const seconds = retryAfterSeconds(item.reason, item.claim.attempts);
  const retryAt = seconds === undefined ? null : addMilliseconds(wallNow, seconds * 1000);
  return { state: 'failed', reason: item.reason, retry_at: retryAt, read_at: null };
}

/** Returns rows to the queue as if they had never been claimed. */
export async function returnClaims(db: Db, { companyId, runId, tax }: RunKey, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return;
  const rows = claims.map(({ clientId, leaseUntil }) => ({ client_id: clientId, held_until: leaseUntil }));
  await db.execute(sql`
    update client_syncs s set state = 'checking', attempts = attempts - 1, lease_until = null, holder_id = null
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(client_id uuid, held_until timestamptz)
    where s.company_id = ${companyId} and s.client_id = n.client_id and s.tax = ${tax} and s.run_id = ${runId}
      and s.state = 'importing' and s.lease_until = n.held_until`);
}

/** Returns the milliseconds until the run has work: 0 means now, undefined means that the run is over. */
export async function getNextWorkMs(
  db: Db | Tx,
  holder: Database['holder'],
  { companyId, runId, tax }: RunKey,
  wallNow: Instant,
): Promise<number | undefined> {
  const { rows } = await db.execute<{ rows: number; wait_ms: number | null }>(sql`
    select count(*)::int as rows, min(case
        when state = 'importing' and ${isAbandoned({ holder }, wallNow)} then 0
        when state = 'importing' then extract(epoch from lease_until - ${wallNow}::timestamptz) * 1000
        when retry_at is not null then extract(epoch from retry_at - ${wallNow}::timestamptz) * 1000
        else 0 end)::float8 as wait_ms
    from client_syncs
    where company_id = ${companyId} and tax = ${tax} and run_id = ${runId}
      and (state in ('checking', 'importing') or (state = 'failed' and retry_at is not null))`);
  const [remaining] = rows;
  if (!remaining || remaining.rows === 0) return undefined;
  return Math.max(remaining.wait_ms ?? 0, 0);
}

/** Reasons that stopped a whole run and don't concern a single client. */
const RUN_REASONS = sql.raw(`('cancelled', 'connection_ended', 'rate_limited')`);

/**
 * Ends a run and releases its unread clients. Each client returns to the result of its last reading; one without a result gets the reason
 * the run ended.
 */
export async function endRun(
  tx: Tx,
  { companyId, runId, tax }: RunKey,
  end: { readonly state: 'completed' | 'failed' | 'cancelled'; readonly reason: SyncReason | null; readonly at: Instant },
): Promise<boolean> {
  const endedRuns = await tx
    .update(syncRuns)
    .set({ state: end.state, reason: end.reason, endedAt: end.at })
    .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.id, runId), isNull(syncRuns.endedAt)))
    .returning({ id: syncRuns.id });
  const { rows: releasedRows } = await tx.execute<{ client_id: string; state: string }>(sql`
    update client_syncs set lease_until = null, holder_id = null, retry_at = null,
      attempts = attempts - case when state = 'importing' then 1 else 0 end,
      state = case when read_at is null or reason not in ${RUN_REASONS} then 'failed' else 'completed' end,
      reason = case when reason not in ${RUN_REASONS} then reason when read_at is null then ${end.reason ?? 'cancelled'} end
    where company_id = ${companyId} and tax = ${tax} and run_id = ${runId} and state in ('checking', 'importing')
    returning client_id, state`);
  // Cancel the retries, because they belonged to this run.
  const { rows: remaining } = await tx.execute<{ client_id: string }>(sql`
    update client_syncs set retry_at = null
    where company_id = ${companyId} and tax = ${tax} and run_id = ${runId} and state = 'failed' and retry_at is not null
    returning client_id`);
  const failedItems = [...releasedRows.filter(({ state }) => state === 'failed'), ...remaining];
  await markRefreshFailed(
    tx,
    companyId,
    failedItems.map(({ client_id }) => client_id),
    end.at,
  );
  return endedRuns.length > 0;
}

/** Keeps statements short when a run over a whole practice ends. */
const CLIENTS_AT_ONCE = 500;

/** The client list shows these clients as waiting. Updates it to show that their last refresh has failed. */
async function markRefreshFailed(tx: Tx, companyId: string, clientIds: readonly string[], at: Instant): Promise<void> {
  if (clientIds.length === 0) return;
  await lockClients(tx, companyId, clientIds);
  for (let start = 0; start < clientIds.length; start += CLIENTS_AT_ONCE)
    await writeClientRows(tx, companyId, clientIds.slice(start, start + CLIENTS_AT_ONCE), toLondonDate(at));
}
