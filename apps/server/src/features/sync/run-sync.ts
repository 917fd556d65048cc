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
import { useAgentGrant } from '../hmrc-connection/use-hmrc.ts';
import { holdProvider } from './provider-pace.ts';
import { explainFailure } from './explain-failure.ts';
import { giveUp, keepReadings, loadKnown, readClient, type Reading } from './read-client.ts';
import { enqueueLane } from './start-sync.ts';
import { claimDue, claimQueued, endRun, nextWorkMs, returnClaims, type Claim, type RunKey } from './sync-queue.ts';

/** Short, so that other jobs get a chance to run and a shutdown does not wait long. */
const SLICE_MS = 15_000;
/** Readers that run concurrently in one worker, so that a slow answer leaves no slot unused. */
const READERS = 2;
/**
 * Batch size of a reader. At HMRC's rate limit it is one client, so that results appear at once. When answers are faster, it grows to what
 * is read within the target time, because saving many together is much cheaper for the database.
 */
const MOST_IN_HAND = 24;
const IN_HAND_MS = 2_000;
/** When answers become slow, unread clients return to the queue long before their lease ends. */
const LONGEST_IN_HAND_MS = 10_000;
/** How often a worker looks for rows whose retry is due while others are queued. */
const DUE_EVERY_MS = 3_000;
/** Pause after a 429, doubled for each one in a row. */
const HOLD_MS = 2_000;
const LONGEST_HOLD_MS = 8_000;
/** In a row. The time budget allows no more. */
const MOST_THROTTLED = 3;

/** After a run that was lost with its process: a job that hands over has shown that it can finish, and the next one counts its lost runs from 0. */
const SLICE_AFTER_LOST_RUN_MS = 1_000;

export type LaneOf = { readonly companyId: string; readonly runId: string; readonly lane: number };

/** Works on the run until the time budget is used or nothing is left. `signal` stops it between two clients. */
export async function runLane(deps: AppDeps, { companyId, runId, lane }: LaneOf, signal: AbortSignal, lostRuns = 0): Promise<void> {
  const live = await findLive(deps, companyId, runId);
  if (!live) return;
  const { run, fraudHeaders } = live;
  const sliceMs = lostRuns === 0 ? SLICE_MS : SLICE_AFTER_LOST_RUN_MS;
  const slice = { until: performance.now() + sliceMs, lookedAt: 0, throttled: 0, over: false, signal };
  const mayGoOn = (): boolean => !slice.over && !signal.aborted && performance.now() < slice.until;
  const readers = Array.from({ length: READERS }, async () => {
    let most = 1;
    while (mayGoOn()) {
      const claims = await claimNext(deps, run, slice, most);
      if (claims.length === 0) return;
      const startedAt = performance.now();
      slice.over ||= !(await readSome(deps, run, claims, fraudHeaders, slice));
      const eachMs = (performance.now() - startedAt) / claims.length;
      most = Math.max(1, Math.min(most * 2, MOST_IN_HAND, Math.floor(IN_HAND_MS / eachMs)));
    }
  });
  const settled = await Promise.allSettled(readers);
  const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  // Our own failure. The job is retried, and the claimed rows are taken over when their leases end.
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'several readers failed');
  if (!slice.over) await goOn(deps, run, lane);
}

async function findLive(deps: AppDeps, companyId: string, runId: string): Promise<{ run: RunKey; fraudHeaders: FraudHeaders } | undefined> {
  const [row] = await deps.database.db
    .update(syncRuns)
    .set({ state: 'importing' })
    .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.id, runId), isNull(syncRuns.endedAt)))
    .returning({ tax: syncRuns.tax, fraudHeaders: syncRuns.fraudHeaders });
  if (!row) return undefined;
  return { run: { companyId, runId, tax: row.tax }, fraudHeaders: JSON.parse(deps.tokenCipher.open(row.fraudHeaders)) as FraudHeaders };
}

type Slice = { lookedAt: number; throttled: number; readonly signal: AbortSignal };

async function claimNext(deps: AppDeps, run: RunKey, slice: Slice, most: number): Promise<readonly Claim[]> {
  const { database } = deps;
  const wallNow = deps.wallClock.now();
  if (performance.now() - slice.lookedAt > DUE_EVERY_MS) {
    const due = await claimDue(database, run, wallNow);
    if (due.length > 0) return due;
    slice.lookedAt = performance.now();
  }
  const queued = await claimQueued(database, run, wallNow, most);
  return queued.length > 0 ? queued : claimDue(database, run, wallNow);
}

/** Reads a batch client by client and saves the results, however the reading ended. Returns false when the run cannot continue. */
async function readSome(deps: AppDeps, run: RunKey, claims: readonly Claim[], fraudHeaders: FraudHeaders, slice: Slice): Promise<boolean> {
  const hand: Hand = { left: [...claims], readings: [], until: performance.now() + LONGEST_IN_HAND_MS };
  const [end] = await Promise.allSettled([readAll(deps, run, hand, fraudHeaders, slice)]);
  const isGone = end.status === 'rejected' && isGrantGone(end.reason);
  if (end.status === 'rejected' && !isGone) noteFailedRenewal(deps, run, hand, end.reason);
  await keepAll(deps, run, hand.readings);
  if (isGone) {
    deps.logger.warn({ err: end.reason, companyId: run.companyId }, 'a sync run ended because the HMRC connection has ended');
    await deps.database.db.transaction((tx) => endRun(tx, run, { state: 'failed', reason: 'connection_ended', at: deps.clock.now() }));
    return false;
  }
  await returnClaims(deps.database.db, run, hand.left);
  if (hand.readings.length > 0) slice.throttled = 0;
  if (hand.throttled) await slowDown(deps, run, hand.throttled.claim, slice, hand.throttled.retryAfterSeconds);
  return true;
}

/** `remaining`: clients that were not read. They return to the queue. */
type Hand = {
  readonly left: Claim[];
  readonly readings: Reading[];
  readonly until: number;
  throttled?: { readonly claim: Claim; readonly retryAfterSeconds: number | undefined };
};

/** When the access token is refreshed in between, reading continues with the client that needed it. */
async function readAll(deps: AppDeps, run: RunKey, hand: Hand, fraudHeaders: FraudHeaders, { signal }: Slice): Promise<void> {
  const knownOf = await loadKnown(deps.database.db, run, hand.left);
  await useAgentGrant(deps, run.companyId, fraudHeaders, async (call) => {
    for (let [claim] = hand.left; claim; [claim] = hand.left) {
      if (hand.readings.length > 0 && (signal.aborted || performance.now() > hand.until)) return;
      const reading = await readOrStumble(deps, run, call, claim, knownOf(claim));
      hand.left.shift();
      if ('throttled' in reading) {
        hand.throttled = { claim, retryAfterSeconds: reading.retryAfterSeconds };
        return;
      }
      hand.readings.push(reading);
    }
  });
}

/**
 * HMRC throttled the token refresh: pause as after any other 429. Any other failure to refresh fails the remaining clients, to be retried.
 */
function noteFailedRenewal(deps: AppDeps, run: RunKey, hand: Hand, error: unknown): void {
  const reason = explainFailure(error, false);
  const [first] = hand.left;
  if (reason === 'rate_limited' && first) {
    hand.left.shift();
    hand.throttled = { claim: first, retryAfterSeconds: error instanceof ProviderError ? error.facts.retryAfterSeconds : undefined };
    return;
  }
  for (const claim of hand.left.splice(0)) {
    hand.readings.push(reason === undefined ? stumbled(deps, run, claim, error) : { claim, reason, refusal: null });
  }
}

/** An unexpected failure of one client must not stop the others. */
async function readOrStumble(...[deps, run, call, claim, known]: Parameters<typeof readClient>): ReturnType<typeof readClient> {
  try {
    return await readClient(deps, run, call, claim, known);
  } catch (error) {
    // withAccessToken refreshes the token, or the run ends.
    if (isGrantGone(error) || isStaleToken(error)) throw error;
    return stumbled(deps, run, claim, error);
  }
}

function stumbled(deps: AppDeps, run: RunKey, claim: Claim, error: unknown): Reading {
  deps.logger.error({ err: error, companyId: run.companyId, clientId: claim.clientId }, 'a client could not be read');
  return { claim, reason: 'internal', refusal: null };
}

/** Saves all readings together. If that fails, saves each alone. Throws when the database is down, so that the job is retried. */
async function keepAll(deps: AppDeps, run: RunKey, readings: readonly Reading[]): Promise<void> {
  try {
    await keepReadings(deps, run, readings);
  } catch (error) {
    for (const one of readings) {
      if (readings.length > 1) await keepAll(deps, run, [one]);
      else await keepReadings(deps, run, [stumbled(deps, run, one.claim, error)]);
    }
  }
}

/** The whole application has called too often. All workers pause, and the client is read later. */
async function slowDown(deps: AppDeps, run: RunKey, claim: Claim, slice: Slice, retryAfterSeconds = 0): Promise<void> {
  slice.throttled += 1;
  const ownMs = Math.min(HOLD_MS * 2 ** (slice.throttled - 1), LONGEST_HOLD_MS);
  const holdMs = Math.max(ownMs, retryAfterSeconds * 1000);
  deps.logger.warn({ companyId: run.companyId, hold_ms: holdMs }, 'HMRC asked to slow down');
  await holdProvider(deps.database, 'hmrc', holdMs);
  // Users see a reason when the wait is long. The row is retried automatically.
  if (slice.throttled >= MOST_THROTTLED || holdMs > LONGEST_HOLD_MS) await giveUp(deps, run, claim, 'rate_limited');
  else await returnClaims(deps.database.db, run, [claim]);
  // A shutdown interrupts the pause. The row is already back in the queue.
  await deps.pause(Math.min(holdMs, LONGEST_HOLD_MS), slice.signal);
}

function isGrantGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'hmrc.not_connected';
}

function isStaleToken(error: unknown): boolean {
  return error instanceof ProviderError && error.failure === 'unauthorized';
}

/** Queues the worker again, at once or for the time of the next retry, or ends the run when nothing is left. */
async function goOn(deps: AppDeps, run: RunKey, lane: number): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    // Locks the run, so that no clients can be added while it ends here.
    const [live] = await tx
      .select({ id: syncRuns.id })
      .from(syncRuns)
      .where(and(eq(syncRuns.companyId, run.companyId), eq(syncRuns.id, run.runId), isNull(syncRuns.endedAt)))
      .for('update');
    if (!live) return;
    const waitMs = await nextWorkMs(tx, deps.database.holder, run, deps.wallClock.now());
    if (waitMs === undefined) await endRun(tx, run, { state: 'completed', reason: null, at: deps.clock.now() });
    else await enqueueLane(deps, tx, run, lane, Math.ceil(waitMs / 1000));
  });
}
