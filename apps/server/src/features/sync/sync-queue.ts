/** The rows of client_syncs as a queue: who is next, who holds it, what becomes of it. States: product.md section 5, Sync. */
import type { Database, Db, Tx } from '@portal/db/database.ts';
import { clientSyncs, syncRuns } from '@portal/db/schema/schema.ts';
import { addMilliseconds, londonDate, type Instant } from '@portal/domain/clock.ts';
import { retryAfterSeconds, type SyncReason } from '@portal/domain/practice/sync-reasons.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { lockClients } from '../positions/lock-clients.ts';
import { writeClientRows } from '../positions/write-client-rows.ts';

/** A run and the practice it reads for. */
export type RunKey = { readonly companyId: string; readonly runId: string; readonly tax: Tax };

/** A row in hand. `leaseUntil` is the proof of it: whoever takes the row over after that has another. */
export type Claim = { readonly clientId: string; readonly attempts: number; readonly leaseUntil: Instant };

/** Longer than the calls for one client can take, with their turns behind others'. */
export const LEASE_MS = 120_000;

/** Where rows are taken from: the database, by a process that it knows. */
type Queue = Pick<Database, 'db' | 'holder'>;

/** The next rows of the run that wait in the queue, so many at most. `wallNow`: the computer's time. */
export function claimQueued(queue: Queue, run: RunKey, wallNow: Instant, most = 1): Promise<readonly Claim[]> {
  return claim(queue, run, wallNow, most, sql`state = 'checking'`);
}

/** A row whose time for another try has come, or one left behind by a process that died. */
export function claimDue(queue: Queue, run: RunKey, wallNow: Instant): Promise<readonly Claim[]> {
  return claim(
    queue,
    run,
    wallNow,
    1,
    sql`((state = 'failed' and retry_at <= ${wallNow}) or (state = 'importing' and ${isLeft(queue, wallNow)}))`,
    // Evaluated before any row is looked for: one that had failed is counted in the run, which must be locked before it (see lockRun).
    sql`(select id from sync_runs where company_id = ${run.companyId} and id = ${run.runId} for update)`,
  );
}

/** Its holder has died, or hangs for longer than a reading can take. */
function isLeft({ holder }: Pick<Database, 'holder'>, wallNow: Instant): SQL {
  return sql`(lease_until < ${wallNow} or ${holder.hasDied(clientSyncs.heldBy)})`;
}

/** A death uses up none of a row's tries. */
async function claim(
  { db, holder }: Queue,
  { companyId, runId, tax }: RunKey,
  wallNow: Instant,
  most: number,
  which: SQL,
  ofRun = sql`${runId}::uuid`,
): Promise<readonly Claim[]> {
  const leaseUntil = addMilliseconds(wallNow, LEASE_MS);
  const { rows } = await db.execute<{ client_id: string; attempts: number }>(sql`
    with next as (
      select client_id, state from client_syncs
      where company_id = ${companyId} and tax = ${tax} and run_id = ${ofRun} and ${which}
      order by client_id limit ${most} for update skip locked
    ), taken as (
      update client_syncs s set state = 'importing', lease_until = ${leaseUntil}, held_by = ${holder.id}, retry_at = null,
        attempts = s.attempts + case when next.state = 'importing' then 0 else 1 end
      from next where s.company_id = ${companyId} and s.tax = ${tax} and s.client_id = next.client_id
      returning s.client_id, s.attempts, next.state = 'failed' as was_failed
    ), counted as (
      update sync_runs set failed = failed - (select count(*) from taken where was_failed)
      where company_id = ${companyId} and id = ${runId} and exists (select from taken where was_failed)
    ) select client_id, attempts from taken`);
  return rows.map((row) => ({ clientId: row.client_id, attempts: row.attempts, leaseUntil }));
}

/**
 * Whoever adds clients to a run holds the run and then its rows: whoever changes both takes them in the same order, or the two would wait for each
 * other until the database ends one of them.
 */
async function lockRun(tx: Tx, { companyId, runId }: RunKey): Promise<void> {
  await tx
    .select({ id: syncRuns.id })
    .from(syncRuns)
    .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.id, runId)))
    .for('update');
}

/** What became of a row in hand: read at a time, or failed for a reason. */
export type Settled = { readonly claim: Claim } & ({ readonly readAt: Instant } | { readonly reason: SyncReason });

/**
 * Marks rows read or failed, those with the time of the next try where time may mend it. Answers the clients that were still in hand: where somebody
 * else has the row by now, or the run was cancelled, nothing of the reading may be kept.
 */
export async function settleClaims(tx: Tx, run: RunKey, list: readonly Settled[], wallNow: Instant): Promise<ReadonlySet<string>> {
  const { companyId, runId, tax } = run;
  await lockRun(tx, run);
  const rows = list.map((one) => ({ client_id: one.claim.clientId, held_until: one.claim.leaseUntil, ...outcomeOf(one, wallNow) }));
  const { rows: settled } = await tx.execute<{ client_id: string; state: string }>(sql`
    update client_syncs s set state = n.state, reason = n.reason, retry_at = n.retry_at, read_at = coalesce(n.read_at, s.read_at),
      lease_until = null, held_by = null
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(
      client_id uuid, held_until timestamptz, state text, reason text, retry_at timestamptz, read_at timestamptz)
    where s.company_id = ${companyId} and s.client_id = n.client_id and s.tax = ${tax} and s.run_id = ${runId}
      and s.state = 'importing' and s.lease_until = n.held_until
    returning s.client_id, s.state`);
  const done = settled.filter(({ state }) => state === 'completed').length;
  if (settled.length > 0) {
    const failed = settled.length - done;
    await tx
      .update(syncRuns)
      .set({ done: sql`${syncRuns.done} + ${done}::int`, failed: sql`${syncRuns.failed} + ${failed}::int` })
      .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.id, runId)));
  }
  return new Set(settled.map((row) => row.client_id));
}

function outcomeOf(one: Settled, wallNow: Instant) {
  if ('readAt' in one) return { state: 'completed', reason: null, retry_at: null, read_at: one.readAt };
  const seconds = retryAfterSeconds(one.reason, one.claim.attempts);
  const retryAt = seconds === undefined ? null : addMilliseconds(wallNow, seconds * 1000);
  return { state: 'failed', reason: one.reason, retry_at: retryAt, read_at: null };
}

/** Puts rows back as if nobody had taken them. */
export async function returnClaims(db: Db, { companyId, runId, tax }: RunKey, held: readonly Claim[]): Promise<void> {
  if (held.length === 0) return;
  const rows = held.map(({ clientId, leaseUntil }) => ({ client_id: clientId, held_until: leaseUntil }));
  await db.execute(sql`
    update client_syncs s set state = 'checking', attempts = attempts - 1, lease_until = null, held_by = null
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(client_id uuid, held_until timestamptz)
    where s.company_id = ${companyId} and s.client_id = n.client_id and s.tax = ${tax} and s.run_id = ${runId}
      and s.state = 'importing' and s.lease_until = n.held_until`);
}

/** When there is something to do for the run: undefined where it is over, else in how many milliseconds (0: now). */
export async function nextWorkMs(
  db: Db | Tx,
  holder: Database['holder'],
  { companyId, runId, tax }: RunKey,
  wallNow: Instant,
): Promise<number | undefined> {
  const { rows } = await db.execute<{ rows: number; wait_ms: number | null }>(sql`
    select count(*)::int as rows, min(case
        when state = 'importing' and ${isLeft({ holder }, wallNow)} then 0
        when state = 'importing' then extract(epoch from lease_until - ${wallNow}::timestamptz) * 1000
        when retry_at is not null then extract(epoch from retry_at - ${wallNow}::timestamptz) * 1000
        else 0 end)::float8 as wait_ms
    from client_syncs
    where company_id = ${companyId} and tax = ${tax} and run_id = ${runId}
      and (state in ('checking', 'importing') or (state = 'failed' and retry_at is not null))`);
  const [left] = rows;
  if (!left || left.rows === 0) return undefined;
  return Math.max(left.wait_ms ?? 0, 0);
}

/** Ends a run and lets go of what it had not read: a client goes back to what its last reading came to, one that never had one says why. */
export async function endRun(
  tx: Tx,
  { companyId, runId, tax }: RunKey,
  end: { readonly state: 'completed' | 'failed' | 'cancelled'; readonly reason: SyncReason | null; readonly at: Instant },
): Promise<boolean> {
  const ended = await tx
    .update(syncRuns)
    .set({ state: end.state, reason: end.reason, endedAt: end.at })
    .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.id, runId), isNull(syncRuns.endedAt)))
    .returning({ id: syncRuns.id });
  await tx.execute(sql`
    update client_syncs set lease_until = null, held_by = null, retry_at = null,
      attempts = attempts - case when state = 'importing' then 1 else 0 end,
      state = case when read_at is null or reason not in ('cancelled', 'connection_ended') then 'failed' else 'completed' end,
      reason = case when reason not in ('cancelled', 'connection_ended') then reason when read_at is null then ${end.reason ?? 'cancelled'} end
    where company_id = ${companyId} and tax = ${tax} and run_id = ${runId} and state in ('checking', 'importing')`);
  // What waited for another try waits no longer: the click that carried it is over.
  const { rows: left } = await tx.execute<{ client_id: string }>(sql`
    update client_syncs set retry_at = null
    where company_id = ${companyId} and tax = ${tax} and run_id = ${runId} and state = 'failed' and retry_at is not null
    returning client_id`);
  await tellLeft(
    tx,
    companyId,
    left.map(({ client_id }) => client_id),
    end.at,
  );
  return ended.length > 0;
}

/** In the list they waited until now; from now on their last reading has failed. */
async function tellLeft(tx: Tx, companyId: string, clientIds: readonly string[], at: Instant): Promise<void> {
  if (clientIds.length === 0) return;
  await lockClients(tx, companyId, clientIds);
  await writeClientRows(tx, companyId, clientIds, londonDate(at));
}
