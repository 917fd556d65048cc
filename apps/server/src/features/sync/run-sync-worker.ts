/**
 * A sync worker: reads clients for a limited time, then queues itself again. The queue is in the database, so a worker can stop at any
 * moment.
 */
import { syncRuns } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { FraudHeaders } from '@portal/providers/hmrc/fraud-headers.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq, isNull } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { withAgentAccessToken } from '../hmrc-connection/with-trader-access-token.ts';
import { pauseProvider } from './shared-rate-limiter.ts';
import { explainFailure } from './explain-failure.ts';
import { saveFailure, saveReadings, loadKnownFacts, readClient, type Reading } from './read-client.ts';
import { enqueueSyncWorker } from './start-sync.ts';
import { claimDue, claimQueued, endRun, nextWorkMs, returnClaims, type Claim, type RunKey } from './sync-queue.ts';

/** Short, so that other jobs get a chance to run and a shutdown does not wait long. */
const TIME_BUDGET_MS = 15_000;
/** Readers that run concurrently in one worker, so that a slow answer leaves no slot unused. */
const CONCURRENT_READERS = 2;
/**
 * The largest batch of a reader. At HMRC's rate limit a batch is one client, so that results appear at once. When answers are faster, the
 * batch grows to the number read within the target time, because saving many together costs the database much less.
 */
const MAX_BATCH_SIZE = 24;
const TARGET_BATCH_MS = 2_000;
/** Limits a batch when answers are slow, so that unread clients return to the queue long before their lease ends. */
const MAX_BATCH_MS = 10_000;
/** How often a worker looks for rows whose retry is due while others are queued. */
const DUE_CHECK_INTERVAL_MS = 3_000;
/** Pause after a 429, doubled for each one in a row. */
const BACKOFF_MS = 2_000;
const MAX_BACKOFF_MS = 8_000;
/** The number of throttled calls in a row before the client is marked as rate limited. The time budget allows no more. */
const MAX_THROTTLED = 3;

/**
 * The time budget of a worker whose job was lost with its process before. A short run soon hands over to a new job, which starts without
 * lost runs.
 */
const SLICE_AFTER_LOST_RUN_MS = 1_000;

export type SyncWorkerKey = { readonly companyId: string; readonly runId: string; readonly workerNumber: number };

/** Works on the run until the time budget is used or nothing is left. `signal` stops it between two clients. */
export async function runSyncWorker(
  deps: AppDeps,
  { companyId, runId, workerNumber }: SyncWorkerKey,
  signal: AbortSignal,
  lostRuns = 0,
): Promise<void> {
  const activeRun = await markRunning(deps, companyId, runId);
  if (!activeRun) return;
  const { run, fraudHeaders } = activeRun;
  const sliceMs = lostRuns === 0 ? TIME_BUDGET_MS : SLICE_AFTER_LOST_RUN_MS;
  const budget = { deadline: performance.now() + sliceMs, dueCheckedAt: 0, throttled: 0, isOver: false, signal };
  const canContinue = (): boolean => !budget.isOver && !signal.aborted && performance.now() < budget.deadline;
  const readers = Array.from({ length: CONCURRENT_READERS }, async () => {
    let batchSize = 1;
    while (canContinue()) {
      const claims = await claimNext(deps, run, budget, batchSize);
      if (claims.length === 0) return;
      const startedAt = performance.now();
      budget.isOver ||= !(await processBatch(deps, run, claims, fraudHeaders, budget));
      const msPerClient = (performance.now() - startedAt) / claims.length;
      batchSize = Math.max(1, Math.min(batchSize * 2, MAX_BATCH_SIZE, Math.floor(TARGET_BATCH_MS / msPerClient)));
    }
  });
  const settled = await Promise.allSettled(readers);
  const failures = settled.flatMap((item) => (item.status === 'rejected' ? [item.reason as unknown] : []));
  // A failure of our own code. The job is retried, and the claimed rows are taken over when their leases end.
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'several readers failed');
  if (!budget.isOver) await continueOrEndRun(deps, run, workerNumber);
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
  return { run: { companyId, runId, tax: row.tax }, fraudHeaders: JSON.parse(deps.tokenCipher.open(row.fraudHeaders)) as FraudHeaders };
}

type WorkerBudget = { dueCheckedAt: number; throttled: number; readonly signal: AbortSignal };

async function claimNext(deps: AppDeps, run: RunKey, budget: WorkerBudget, batchSize: number): Promise<readonly Claim[]> {
  const { database } = deps;
  const wallNow = deps.wallClock.now();
  if (performance.now() - budget.dueCheckedAt > DUE_CHECK_INTERVAL_MS) {
    const due = await claimDue(database, run, wallNow);
    if (due.length > 0) return due;
    budget.dueCheckedAt = performance.now();
  }
  const queued = await claimQueued(database, run, wallNow, batchSize);
  return queued.length > 0 ? queued : claimDue(database, run, wallNow);
}

/** Reads a batch client by client and saves the results even if the reading fails. Returns false when the run cannot continue. */
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
  if (result.status === 'rejected' && !isConnectionEnded) handleFailedTokenRefresh(deps, run, batch, result.reason);
  await saveAll(deps, run, batch.readings);
  if (isConnectionEnded) {
    deps.logger.warn({ err: result.reason, companyId: run.companyId }, 'a sync run ended because the HMRC connection has ended');
    await deps.database.db.transaction((tx) => endRun(tx, run, { state: 'failed', reason: 'connection_ended', at: deps.clock.now() }));
    return false;
  }
  await returnClaims(deps.database.db, run, batch.remaining);
  if (batch.readings.length > 0) budget.throttled = 0;
  if (batch.throttled) await backOff(deps, run, batch.throttled.claim, budget, batch.throttled.retryAfterSeconds);
  return true;
}

/** `remaining` holds the clients that were not read. They return to the queue. */
type Batch = {
  readonly remaining: Claim[];
  readonly readings: Reading[];
  readonly deadline: number;
  throttled?: { readonly claim: Claim; readonly retryAfterSeconds: number | undefined };
};

/** After a refresh of the access token, reading continues with the client that needed it. */
async function readBatch(deps: AppDeps, run: RunKey, batch: Batch, fraudHeaders: FraudHeaders, { signal }: WorkerBudget): Promise<void> {
  const getKnownFacts = await loadKnownFacts(deps.database.db, run, batch.remaining);
  await withAgentAccessToken(deps, run.companyId, fraudHeaders, async (call) => {
    for (let [claim] = batch.remaining; claim; [claim] = batch.remaining) {
      if (batch.readings.length > 0 && (signal.aborted || performance.now() > batch.deadline)) return;
      const reading = await tryRead(deps, run, call, claim, getKnownFacts(claim));
      batch.remaining.shift();
      if ('isThrottled' in reading) {
        batch.throttled = { claim, retryAfterSeconds: reading.retryAfterSeconds };
        return;
      }
      batch.readings.push(reading);
    }
  });
}

/**
 * Pauses if HMRC throttled the token refresh, as after any other 429. After any other failed refresh, marks the remaining clients as
 * failed, to be retried.
 */
function handleFailedTokenRefresh(deps: AppDeps, run: RunKey, batch: Batch, error: unknown): void {
  const reason = explainFailure(error, false);
  const [first] = batch.remaining;
  if (reason === 'rate_limited' && first) {
    batch.remaining.shift();
    batch.throttled = { claim: first, retryAfterSeconds: error instanceof ProviderError ? error.facts.retryAfterSeconds : undefined };
    return;
  }
  for (const claim of batch.remaining.splice(0)) {
    batch.readings.push(reason === undefined ? toUnexpectedFailure(deps, run, claim, error) : { claim, reason, refusal: null });
  }
}

/** An unexpected failure of one client must not stop the others. */
async function tryRead(...[deps, run, call, claim, known]: Parameters<typeof readClient>): ReturnType<typeof readClient> {
  try {
    return await readClient(deps, run, call, claim, known);
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

/** Saves all readings together. If that fails, saves each alone. Throws when the database is down, so that the job is retried. */
async function saveAll(deps: AppDeps, run: RunKey, readings: readonly Reading[]): Promise<void> {
  try {
    await saveReadings(deps, run, readings);
  } catch (error) {
    for (const item of readings) {
      if (readings.length > 1) await saveAll(deps, run, [item]);
      else await saveReadings(deps, run, [toUnexpectedFailure(deps, run, item.claim, error)]);
    }
  }
}

/** Pauses all workers, because the whole application has called too often. The client is read later. */
async function backOff(deps: AppDeps, run: RunKey, claim: Claim, budget: WorkerBudget, retryAfterSeconds = 0): Promise<void> {
  budget.throttled += 1;
  const backoffMs = Math.min(BACKOFF_MS * 2 ** (budget.throttled - 1), MAX_BACKOFF_MS);
  const pauseMs = Math.max(backoffMs, retryAfterSeconds * 1000);
  deps.logger.warn({ companyId: run.companyId, hold_ms: pauseMs }, 'HMRC asked to slow down');
  await pauseProvider(deps.database, 'hmrc', pauseMs);
  // Users see a reason when the wait is long. The row is retried automatically.
  if (budget.throttled >= MAX_THROTTLED || pauseMs > MAX_BACKOFF_MS) await saveFailure(deps, run, claim, 'rate_limited');
  else await returnClaims(deps.database.db, run, [claim]);
  // A shutdown interrupts the pause. The row is already back in the queue.
  await deps.pause(Math.min(pauseMs, MAX_BACKOFF_MS), budget.signal);
}

function isNotConnected(error: unknown): boolean {
  return error instanceof AppError && error.code === 'hmrc.not_connected';
}

function isStaleToken(error: unknown): boolean {
  return error instanceof ProviderError && error.failure === 'unauthorized';
}

/** Queues the worker again, at once or for the time of the next retry, or ends the run when nothing is left. */
async function continueOrEndRun(deps: AppDeps, run: RunKey, workerNumber: number): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    // Locks the run, so that no clients can be added while it ends here.
    const [activeRun] = await tx
      .select({ id: syncRuns.id })
      .from(syncRuns)
      .where(and(eq(syncRuns.companyId, run.companyId), eq(syncRuns.id, run.runId), isNull(syncRuns.endedAt)))
      .for('update');
    if (!activeRun) return;
    const waitMs = await nextWorkMs(tx, deps.database.holder, run, deps.wallClock.now());
    if (waitMs === undefined) await endRun(tx, run, { state: 'completed', reason: null, at: deps.clock.now() });
    else await enqueueSyncWorker(deps, tx, run, workerNumber, Math.ceil(waitMs / 1000));
  });
}
