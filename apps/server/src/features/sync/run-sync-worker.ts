/**
 * A sync worker: reads clients for a limited time, then queues itself again. The queue is in the database, so a worker can stop at any
 * time.
 */
import { clientSyncs, syncRuns } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { FraudHeaders } from '@portal/providers/hmrc/fraud-headers.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq, isNull, max } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { endFailedRun } from './end-failed-run.ts';
import { openFraudHeaders } from '../hmrc-connection/seal-fraud-headers.ts';
import { withAgentAccessToken } from '../hmrc-connection/with-trader-access-token.ts';
import { explainFailure } from './explain-failure.ts';
import { isThrottled, recordThrottling } from './repeat-throttled-calls.ts';
import { saveReadings, loadKnownFacts, readClient, type Reading } from './read-client.ts';
import { enqueueSyncWorker } from './start-sync.ts';
import { claimDueClients, claimQueuedClients, endRun, getNextWorkMs, returnClaims, type Claim, type RunKey } from './sync-queue.ts';

/** Short, so that other jobs can run and shutdowns don't take long. */
const TIME_BUDGET_MS = 15_000;
/** Readers that run concurrently in one worker, so that a slow response doesn't leave a slot unused. */
const CONCURRENT_READERS = 2;
/**
 * A reader's largest batch. At HMRC's rate limit a batch is one client, so results appear immediately. With faster responses, the batch
 * grows to the number read within the target time, because saving many together costs the database much less.
 */
const MAX_BATCH_SIZE = 24;
const TARGET_BATCH_MS = 2_000;
/** Limits a batch when responses are slow, so that unread clients return to the queue long before their lease ends. */
const MAX_BATCH_MS = 10_000;
/** How often a worker looks for rows that are due for a retry while others are queued. */
const DUE_CHECK_INTERVAL_MS = 3_000;
/** How long a worker waits when HMRC keeps rejecting a call, unless HMRC asks for longer. Afterwards it starts with short pauses again. */
const THROTTLED_WAIT_MS = 15_000;
const MAX_THROTTLED_WAIT_MS = 60_000;
/** Short pauses while HMRC throttles the refresh of the access token. */
const TOKEN_PAUSE_MS = 1_000;
const MAX_TOKEN_PAUSES = 4;
/**
 * The run ends after this time without a response. Equal to the time that retries take, because a run carries the headers of a user's
 * click.
 */
const MAX_THROTTLED_MS = 15 * 60_000;

/**
 * The time budget of a worker whose previous job was lost with its process. A short run soon hands over to a new job, which lost runs don't
 * affect.
 */
const TIME_BUDGET_AFTER_LOST_RUN_MS = 1_000;

export type SyncWorkerKey = { readonly companyId: string; readonly runId: string; readonly workerNumber: number };

/** Works on the run until the time budget is used up or nothing is left. `signal` stops it between two clients. */
export async function runSyncWorker(
  deps: AppDeps,
  { companyId, runId, workerNumber }: SyncWorkerKey,
  signal: AbortSignal,
  lostRuns = 0,
): Promise<void> {
  const activeRun = await markRunning(deps, companyId, runId);
  if (!activeRun) return;
  const { run, fraudHeaders } = activeRun;
  const timeBudgetMs = lostRuns === 0 ? TIME_BUDGET_MS : TIME_BUDGET_AFTER_LOST_RUN_MS;
  const budget = { deadline: performance.now() + timeBudgetMs, dueCheckedAt: 0, isOver: false, throttledWaitMs: 0, tokenPauses: 0, signal };
  const canContinue = (): boolean => !budget.isOver && !signal.aborted && performance.now() < budget.deadline;
  const readers = Array.from({ length: CONCURRENT_READERS }, async () => {
    let batchSize = 1;
    while (canContinue()) {
      const claims = await claimNextClients(deps, run, budget, batchSize);
      if (claims.length === 0) return;
      // The other reader may have ended the run while this one was claiming clients that the other had returned to the queue.
      if (budget.isOver) return returnClaims(deps.database.db, run, claims);
      const startedAt = performance.now();
      if (!(await processBatch(deps, run, claims, fraudHeaders, budget))) budget.isOver = true;
      const msPerClient = (performance.now() - startedAt) / claims.length;
      batchSize = Math.max(1, Math.min(batchSize * 2, MAX_BATCH_SIZE, Math.floor(TARGET_BATCH_MS / msPerClient)));
    }
  });
  const results = await Promise.allSettled(readers);
  const failures = results.flatMap((item) => (item.status === 'rejected' ? [item.reason as unknown] : []));
  // A bug of our own. The job is retried, and the claimed rows are taken over when their leases end.
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'several readers failed');
  if (budget.throttledWaitMs > 0) await waitForLimit(deps, run, workerNumber, budget.throttledWaitMs);
  else if (!budget.isOver) await continueOrEndRun(deps, run, workerNumber);
}

async function markRunning(
  deps: AppDeps,
  companyId: string,
  runId: string,
): Promise<{ run: RunKey; fraudHeaders: FraudHeaders } | undefined> {
  const [row] = await deps.database.db
    .update(syncRuns)
    .set({ state: 'importing' })
    .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.id, runId), isNull(syncRuns.endedAt)))
    .returning({ tax: syncRuns.tax, fraudHeaders: syncRuns.fraudHeaders });
  if (!row) return undefined;
  return { run: { companyId, runId, tax: row.tax }, fraudHeaders: openFraudHeaders(deps, companyId, row.fraudHeaders) };
}

/** `throttledWaitMs` is set once HMRC has rejected a call several times. The worker then stops for this time. */
type WorkerBudget = { dueCheckedAt: number; throttledWaitMs: number; tokenPauses: number; readonly signal: AbortSignal };

async function claimNextClients(deps: AppDeps, run: RunKey, budget: WorkerBudget, batchSize: number): Promise<readonly Claim[]> {
  const { database } = deps;
  const wallNow = deps.wallClock.now();
  if (performance.now() - budget.dueCheckedAt > DUE_CHECK_INTERVAL_MS) {
    const dueItems = await claimDueClients(database, run, wallNow);
    if (dueItems.length > 0) return dueItems;
    budget.dueCheckedAt = performance.now();
  }
  const queuedClients = await claimQueuedClients(database, run, wallNow, batchSize);
  return queuedClients.length > 0 ? queuedClients : claimDueClients(database, run, wallNow);
}

/** Reads a batch client by client, and saves the results even if reading fails. Returns false if the run can't continue. */
async function processBatch(
  deps: AppDeps,
  run: RunKey,
  claims: readonly Claim[],
  fraudHeaders: FraudHeaders,
  budget: WorkerBudget,
): Promise<boolean> {
  const batch: Batch = { remaining: [...claims], readings: [], deadline: performance.now() + MAX_BATCH_MS };
  const [result] = await Promise.allSettled([readBatch(deps, run, batch, fraudHeaders, budget)]);
  const isConnectionEnded = result.status === 'rejected' && isNotConnected(result.reason);
  if (result.status === 'rejected' && !isConnectionEnded) await handleFailedTokenRefresh(deps, run, batch, result.reason, budget);
  await saveReadingsOrEachAlone(deps, run, batch.readings);
  if (isConnectionEnded) {
    deps.logger.warn({ err: result.reason, companyId: run.companyId }, 'a sync run ended because the HMRC connection has ended');
    await deps.database.db.transaction((tx) => endFailedRun(deps, tx, run, 'connection_ended'));
    return false;
  }
  await returnClaims(deps.database.db, run, batch.remaining);
  if (!batch.throttled) return true;
  const requestedMs = (batch.throttled.retryAfterSeconds ?? 0) * 1000;
  budget.throttledWaitMs = Math.min(Math.max(THROTTLED_WAIT_MS, requestedMs), MAX_THROTTLED_WAIT_MS);
  return false;
}

/** `remaining` holds the clients that were not read. They return to the queue. */
type Batch = {
  readonly remaining: Claim[];
  readonly readings: Reading[];
  readonly deadline: number;
  throttled?: { readonly retryAfterSeconds: number | undefined };
};

/** After refreshing the access token, continues with the client that needed it. */
async function readBatch(deps: AppDeps, run: RunKey, batch: Batch, fraudHeaders: FraudHeaders, { signal }: WorkerBudget): Promise<void> {
  const getKnownFacts = await loadKnownFacts(deps.database.db, run, batch.remaining);
  await withAgentAccessToken(deps, run.companyId, fraudHeaders, async (call) => {
    for (let [claim] = batch.remaining; claim; [claim] = batch.remaining) {
      if (batch.readings.length > 0 && (signal.aborted || performance.now() > batch.deadline)) return;
      const reading = await tryReadClient(deps, run, call, claim, getKnownFacts(claim), signal);
      if ('isThrottled' in reading) {
        batch.throttled = { retryAfterSeconds: reading.retryAfterSeconds };
        return;
      }
      batch.remaining.shift();
      batch.readings.push(reading);
    }
  });
}

/**
 * If HMRC throttled the token refresh, waits as after any other 429. If the refresh failed in any other way, marks the remaining clients as
 * failed, to be retried.
 */
async function handleFailedTokenRefresh(deps: AppDeps, run: RunKey, batch: Batch, error: unknown, budget: WorkerBudget): Promise<void> {
  if (isThrottled(error)) {
    const { retryAfterSeconds } = error.facts;
    const pauseMs = Math.max(TOKEN_PAUSE_MS, (retryAfterSeconds ?? 0) * 1000);
    await recordThrottling(deps, run, pauseMs);
    // The clients return to the queue, and the next batch requests the token again.
    if (budget.tokenPauses < MAX_TOKEN_PAUSES && pauseMs <= THROTTLED_WAIT_MS) await deps.pause(pauseMs, budget.signal);
    else batch.throttled = { retryAfterSeconds };
    budget.tokenPauses += 1;
    return;
  }
  const reason = explainFailure(error, false);
  for (const claim of batch.remaining.splice(0)) {
    batch.readings.push(reason === undefined ? toUnexpectedFailure(deps, run, claim, error) : { claim, reason, refusal: null });
  }
}

/** An unexpected failure of one client must not stop the others. */
async function tryReadClient(
  ...[deps, run, call, claim, knownFacts, signal]: Parameters<typeof readClient>
): ReturnType<typeof readClient> {
  try {
    return await readClient(deps, run, call, claim, knownFacts, signal);
  } catch (error) {
    // withAccessToken refreshes the token, or the run ends.
    if (isNotConnected(error) || isStaleToken(error)) throw error;
    return toUnexpectedFailure(deps, run, claim, error);
  }
}

function toUnexpectedFailure(deps: AppDeps, run: RunKey, claim: Claim, error: unknown): Reading {
  deps.logger.error({ err: error, companyId: run.companyId, clientId: claim.clientId }, 'a client could not be read');
  return { claim, reason: 'internal', refusal: null };
}

/** Saves all readings together or, if that fails, each one alone. Throws if the database is down, so that the job is retried. */
async function saveReadingsOrEachAlone(deps: AppDeps, run: RunKey, readings: readonly Reading[]): Promise<void> {
  try {
    await saveReadings(deps, run, readings);
  } catch (error) {
    for (const item of readings) {
      if (readings.length > 1) await saveReadingsOrEachAlone(deps, run, [item]);
      else await saveReadings(deps, run, [toUnexpectedFailure(deps, run, item.claim, error)]);
    }
  }
}

/**
 * Queues the worker again after the wait. Ends the run if HMRC hasn't accepted any of its calls for too long; its clients don't count as
 * failed.
 */
async function waitForLimit(deps: AppDeps, run: RunKey, workerNumber: number, waitMs: number): Promise<void> {
  const { companyId, runId, tax } = run;
  await deps.database.db.transaction(async (tx) => {
    const [activeRun] = await tx
      .select({ startedAt: syncRuns.startedAt })
      .from(syncRuns)
      .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.id, runId), isNull(syncRuns.endedAt)))
      .for('update');
    if (!activeRun) return;
    const [read] = await tx
      .select({ lastAt: max(clientSyncs.readAt) })
      .from(clientSyncs)
      .where(and(eq(clientSyncs.companyId, companyId), eq(clientSyncs.tax, tax), eq(clientSyncs.runId, runId)));
    const lastAt = read?.lastAt && read.lastAt > activeRun.startedAt ? read.lastAt : activeRun.startedAt;
    const at = deps.clock.now();
    if (addMilliseconds(lastAt, MAX_THROTTLED_MS) < at) await endFailedRun(deps, tx, run, 'rate_limited');
    else await enqueueSyncWorker(deps, tx, run, workerNumber, Math.ceil(waitMs / 1000));
  });
}

function isNotConnected(error: unknown): boolean {
  return error instanceof AppError && error.code === 'hmrc.not_connected';
}

function isStaleToken(error: unknown): boolean {
  return error instanceof ProviderError && error.failure === 'unauthorized';
}

/** Queues the worker again, immediately or for the time of the next retry, or ends the run if nothing is left. */
async function continueOrEndRun(deps: AppDeps, run: RunKey, workerNumber: number): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    // Locks the run, so that no clients can be added while it is ending.
    const [activeRun] = await tx
      .select({ id: syncRuns.id })
      .from(syncRuns)
      .where(and(eq(syncRuns.companyId, run.companyId), eq(syncRuns.id, run.runId), isNull(syncRuns.endedAt)))
      .for('update');
    if (!activeRun) return;
    const waitMs = await getNextWorkMs(tx, deps.database.holder, run, deps.wallClock.now());
    if (waitMs === undefined) {
      await endRun(tx, run, { state: 'completed', reason: null, at: deps.clock.now() });
      await deps.enqueue(tx, 'work.update', { company_id: run.companyId }, { singletonKey: `work.update:${run.companyId}` });
    } else await enqueueSyncWorker(deps, tx, run, workerNumber, Math.ceil(waitMs / 1000));
  });
}
