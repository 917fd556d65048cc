/** Starts, cancels and retries refreshes of many clients: for a user, after an import, or on the schedule. */
import { randomUUID } from 'node:crypto';
import { isInIdList } from '@portal/db/in-id-list.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clientAuthorisations, clients, clientSyncs, syncRuns } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { AGENT_TAXES, type AgentTax, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, eq, isNotNull, isNull, sql, type SQL } from '@portal/db/sql.ts';
import type { FraudHeaders } from '@portal/providers/hmrc/fraud-headers.ts';
import type { AppDeps } from '../../app-deps.ts';
import { sealFraudHeaders, sealUserHeaders } from '../hmrc-connection/seal-fraud-headers.ts';
import { getRefreshableCondition, readCoveredCount } from '../billing/plan-coverage.ts';
import { assertRefreshable, isReadOnly } from '../billing/read-only.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { assertHmrcConnected, isHmrcConnected } from '../hmrc-connection/assert-hmrc-connected.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { endRun, type RunKey } from './sync-queue.ts';
import { hasTax } from './has-tax.ts';

/** The number of workers that share a run's queue. If one instance hangs, the other worker continues. */
export const WORKERS_PER_RUN = 2;

/** Which clients to refresh: all that the user can see, some of them, or those whose last refresh failed. */
export type SyncScope = { readonly clientIds?: readonly string[]; readonly failedOnly?: boolean };

export type StartedSync = { readonly runId: string; readonly queued: number; readonly joined: boolean };

/** A practice has at most one active run per tax. Starting again joins it and adds the clients that it doesn't cover yet. */
export async function startSync(deps: AppDeps, companyId: string, tax: Tax, user: ActingUser, scope: SyncScope = {}): Promise<StartedSync> {
  const startedRun = (await startInScope(deps, companyId, tax, user, scope)) ?? (await startInScope(deps, companyId, tax, user, scope));
  if (!startedRun) throw new AppError('conflict', 'sync.just_ended', 'A refresh has just finished. Start a new one.');
  return startedRun;
}

/**
 * Starts a refresh of a tax without a user's request, using the headers that HMRC requires in that case. An active run continues unchanged.
 */
export async function startNightlySync(deps: AppDeps, companyId: string, tax: AgentTax, headers: FraudHeaders): Promise<void> {
  if (await isReadOnly(deps, companyId)) return;
  await assertHmrcConnected(deps, companyId);
  const request = { companyId, tax, startedBy: null, fraudHeaders: sealFraudHeaders(deps, companyId, headers) };
  const condition = and(isReadable(companyId, tax), isAuthorised(tax), await isInPlan(deps, deps.database.db, companyId, tax));
  await deps.database.db.transaction(async (tx) => {
    const [activeRun] = await tx
      .select({ id: syncRuns.id })
      .from(syncRuns)
      .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.tax, tax), isNull(syncRuns.endedAt)));
    if (activeRun) return;
    const [client] = await tx.select({ id: clients.id }).from(clients).where(condition).limit(1);
    if (client) await startRun(deps, tx, request, condition);
  });
}

/** Returns undefined if the active run ended before it could be joined. */
async function startInScope(
  deps: AppDeps,
  companyId: string,
  tax: Tax,
  user: ActingUser,
  scope: SyncScope,
): Promise<StartedSync | undefined> {
  if (tax === 'paye' || tax === 'ct') {
    throw new AppError('conflict', 'sync.no_source', 'HMRC doesn’t provide figures for this tax. Import a statement instead.');
  }
  await assertRefreshable(deps, companyId);
  await assertHmrcConnected(deps, companyId);
  const { actor, caller } = user;
  const request = { companyId, tax, startedBy: actor.userId, ip: caller.ip, fraudHeaders: sealUserHeaders(deps, companyId, user) };
  const condition = toClientCondition(companyId, tax, user, scope);
  const inPlan = await isInPlan(deps, deps.database.db, companyId, tax);
  return deps.database.db.transaction(async (tx) => {
    const startedRun = await startRun(deps, tx, request, and(condition, inPlan));
    if (startedRun?.queued === 0 && inPlan) await assertInPlan(tx, condition, inPlan);
    if (startedRun?.joined === false && startedRun.queued === 0)
      throw new AppError(
        'conflict',
        'sync.nothing_to_read',
        'None of these clients is active for this tax, or a refresh is already running.',
      );
    return startedRun;
  });
}

type RunRequest = {
  readonly companyId: string;
  readonly tax: Tax;
  /** Null for a scheduled refresh. */
  readonly startedBy: string | null;
  readonly ip?: string;
  readonly fraudHeaders: string;
};

/** Starts a run or joins the active one. If a new run has no clients, the caller rolls it back. */
async function startRun(
  deps: AppDeps,
  tx: Tx,
  { companyId, tax, startedBy, ip, fraudHeaders }: RunRequest,
  condition: SQL | undefined,
): Promise<StartedSync | undefined> {
  const now = deps.clock.now();
  const newRun = { companyId, id: randomUUID(), tax, state: 'checking' as const, startedBy, startedAt: now, total: 0, fraudHeaders };
  const insertedRuns = await tx.insert(syncRuns).values(newRun).onConflictDoNothing().returning({ id: syncRuns.id });
  const runId = insertedRuns[0]?.id ?? (await lockActiveRun(tx, companyId, tax))?.runId;
  if (runId === undefined) return undefined;
  const queuedCount = await queueClients(tx, { companyId, runId, tax }, condition);
  if (insertedRuns.length > 0 && queuedCount === 0) return { runId, queued: queuedCount, joined: false };
  await recountRun(tx, { companyId, runId, tax });
  await enqueueSyncWorkers(deps, tx, { companyId, runId, tax });
  if (insertedRuns.length > 0) {
    const after = { tax, queued: queuedCount };
    await recordAudit(tx, {
      companyId,
      at: now,
      actor: startedBy ?? 'schedule',
      action: 'sync.started',
      subject: runId,
      after,
      ...(ip === undefined ? {} : { ip }),
    });
  }
  return { runId, queued: queuedCount, joined: insertedRuns.length === 0 };
}

/**
 * Starts refreshing an import's clients, as part of the click that started the import. Does nothing without a connection, or without
 * clients to read.
 */
export async function startRefreshAfterImport(
  deps: AppDeps,
  tx: Tx,
  { importId, ...request }: Omit<RunRequest, 'tax'> & { readonly importId: string },
): Promise<void> {
  if (!(await isHmrcConnected(tx, request.companyId))) return;
  for (const tax of AGENT_TAXES) {
    const isImported = sql`exists (select from client_import_rows r where r.company_id = ${clients.companyId} and r.import_id = ${importId}::uuid
      and r.client_id = ${clients.id} and r.applied_at is not null)`;
    const condition = and(isReadable(request.companyId, tax), isImported, await isInPlan(deps, tx, request.companyId, tax));
    const [client] = await tx.select({ id: clients.id }).from(clients).where(condition).limit(1);
    if (client) await startRun(deps, tx, { ...request, tax }, condition);
  }
}

/** Queues a run's workers. The singleton keys prevent duplicates of those that are waiting or running. */
export async function enqueueSyncWorkers(
  deps: Pick<AppDeps, 'enqueue'>,
  db: Tx | AppDeps['database']['db'],
  run: RunKey,
  delaySeconds = 0,
): Promise<void> {
  for (let workerNumber = 1; workerNumber <= WORKERS_PER_RUN; workerNumber += 1)
    await enqueueSyncWorker(deps, db, run, workerNumber, delaySeconds);
}

export function enqueueSyncWorker(
  deps: Pick<AppDeps, 'enqueue'>,
  db: Tx | AppDeps['database']['db'],
  { companyId, runId }: RunKey,
  workerNumber: number,
  delaySeconds: number,
): Promise<void> {
  const options = { singletonKey: `sync.run:${runId}:${workerNumber}`, delaySeconds };
  return deps.enqueue(db, 'sync.run', { company_id: companyId, run_id: runId, worker: workerNumber }, options);
}

/** Cancels the active run. Discards the client that is being read; keeps everything already saved. */
export async function cancelSync(deps: AppDeps, companyId: string, tax: Tax, user: ActingUser): Promise<boolean> {
  const { actor, caller } = user;
  return deps.database.db.transaction(async (tx) => {
    const run = await lockActiveRun(tx, companyId, tax);
    if (!run) return false;
    const at = deps.clock.now();
    const hasEnded = await endRun(tx, run, { state: 'cancelled', reason: 'cancelled', at });
    if (hasEnded)
      await recordAudit(tx, {
        companyId,
        at,
        actor: actor.userId,
        action: 'sync.cancelled',
        subject: run.runId,
        after: { tax },
        ip: caller.ip,
      });
    return hasEnded;
  });
}

/** Locks the run, so that it can't end while clients are being added. */
async function lockActiveRun(tx: Tx, companyId: string, tax: Tax): Promise<RunKey | undefined> {
  const [run] = await tx
    .select({ id: syncRuns.id })
    .from(syncRuns)
    .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.tax, tax), isNull(syncRuns.endedAt)))
    .for('update');
  return run && { companyId, runId: run.id, tax };
}

/** Recounts from the rows, so that a client that failed and is then retried in this run counts only once. */
async function recountRun(tx: Tx, { companyId, runId, tax }: RunKey): Promise<void> {
  await tx.execute(sql`
    update sync_runs set (total, done, failed) = (
      select count(*), count(*) filter (where state = 'completed'), count(*) filter (where state = 'failed')
      from client_syncs where company_id = ${companyId} and tax = ${tax} and run_id = ${runId})
    where company_id = ${companyId} and id = ${runId}`);
}

/** Returns the SQL condition on `clients` for the scope of a refresh. */
function toClientCondition(
  companyId: string,
  tax: Tax,
  { actor }: ActingUser,
  { clientIds, failedOnly = false }: SyncScope,
): SQL | undefined {
  const hasFailedSync = sql`exists (select from ${clientSyncs} where ${clientSyncs.companyId} = ${clients.companyId}
    and ${clientSyncs.clientId} = ${clients.id} and ${clientSyncs.tax} = ${tax} and ${clientSyncs.state} = 'failed')`;
  return and(
    isReadable(companyId, tax),
    isVisibleTo(actor, clients.companyId, clients.id),
    clientIds ? isInIdList(clients.id, clientIds) : undefined,
    failedOnly ? hasFailedSync : undefined,
  );
}

/** Returns the SQL condition on `clients` that the practice's plan covers this tax, or undefined if it covers everything. */
async function isInPlan(deps: AppDeps, db: Db | Tx, companyId: string, tax: Tax): Promise<SQL | undefined> {
  return getRefreshableCondition(companyId, await readCoveredCount(deps, companyId, db), sql`${clients.id}`, tax);
}

/** Says why nothing is refreshed if the plan has no room for any of the requested clients. */
async function assertInPlan(tx: Tx, condition: SQL | undefined, inPlan: SQL): Promise<void> {
  const [counts] = await tx
    .select({ requested: sql`count(*)`.mapWith(Number), inPlan: sql`count(*) filter (where ${inPlan})`.mapWith(Number) })
    .from(clients)
    .where(condition);
  if (!counts || counts.requested === 0 || counts.inPlan > 0) return;
  const message =
    'Your trial has ended, and your plan has no room for these clients’ connections, so their figures aren’t refreshed. An admin of your practice can add connections under Plan and price.';
  throw new AppError('conflict', 'billing.not_in_plan', message);
}

/** The schedule skips clients that HMRC would reject. */
function isAuthorised(tax: AgentTax): SQL {
  return sql`exists (select from ${clientAuthorisations} where ${clientAuthorisations.companyId} = ${clients.companyId}
    and ${clientAuthorisations.clientId} = ${clients.id} and ${clientAuthorisations.tax} = ${tax}
    and ${clientAuthorisations.status} in ('authorised', 'expiring'))`;
}

/** Returns a condition for the practice's active clients with the details that HMRC requires. */
function isReadable(companyId: string, tax: Tax): SQL | undefined {
  return and(
    eq(clients.companyId, companyId),
    hasTax(tax),
    // A VAT client without a VAT number must be reported. Partnerships and trusts don't have National Insurance numbers, so they are never
    // read.
    tax === 'sa' ? isNotNull(clients.nino) : undefined,
    sql`${clients.status} not in ('inactive', 'closed')`,
  );
}

/**
 * Skips clients that are already queued or being read in this run, without locking them. `on conflict` alone would lock them, and workers
 * looking for their next client wouldn't find any. Keeps the reason for the last failure until the next reading ends.
 */
async function queueClients(tx: Tx, { companyId, runId, tax }: RunKey, condition: SQL | undefined): Promise<number> {
  const isInRun = sql`exists (select from ${clientSyncs} where ${clientSyncs.companyId} = ${companyId} and ${clientSyncs.clientId} = ${clients.id}
    and ${clientSyncs.tax} = ${tax} and ${clientSyncs.runId} = ${runId} and ${clientSyncs.state} <> 'failed')`;
  const { rows } = await tx.execute(sql`
    insert into client_syncs (company_id, client_id, tax, state, run_id, attempts)
    select ${companyId}::uuid, ${clients.id}, ${tax}, 'checking', ${runId}::uuid, 0 from ${clients} where ${condition} and not ${isInRun}
    on conflict (company_id, client_id, tax) do update
      set state = 'checking', run_id = excluded.run_id, attempts = 0, lease_until = null, holder_id = null, retry_at = null
      where client_syncs.run_id is distinct from excluded.run_id or client_syncs.state = 'failed'
    returning client_id`);
  return rows.length;
}
