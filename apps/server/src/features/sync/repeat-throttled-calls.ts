/**
 * Repeats a single call that HMRC rejected with 429. Responses to earlier calls are kept, so a throttled refresh makes progress with every
 * call that HMRC accepts.
 */
import { addMilliseconds } from '@portal/domain/clock.ts';
import { syncRuns } from '@portal/db/schema/schema.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { pauseProvider } from './shared-rate-limiter.ts';
import type { RunKey } from './sync-queue.ts';

/** HMRC counts calls per second, so a pause of one second frees the window. Doubled for each consecutive 429 to the same call. */
const FIRST_PAUSE_MS = 1_000;
/** The pauses between them add up to 15 seconds. For a longer limit the queue waits instead. */
const MAX_ATTEMPTS = 5;
const MAX_PAUSE_MS = 10_000;
/** The limit for all of a client's calls together, so that its lease (sync-queue.ts) doesn't expire. */
const MAX_TOTAL_PAUSE_MS = 45_000;

/**
 * Wraps the client's functions so that throttled calls are retried while one client is being read. A call that is still throttled after all
 * retries fails as the first attempt would have.
 */
export function repeatThrottledCalls<Client extends object>(
  deps: Pick<AppDeps, 'pause'>,
  client: Client,
  signal: AbortSignal,
  record: (pauseMs: number) => Promise<void>,
): Client {
  let totalPauseMs = 0;
  const repeat = async (send: () => Promise<unknown>): Promise<unknown> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send();
      } catch (error) {
        if (!isThrottled(error)) throw error;
        const pauseMs = Math.max(FIRST_PAUSE_MS * 2 ** (attempt - 1), (error.facts.retryAfterSeconds ?? 0) * 1_000);
        await record(pauseMs);
        totalPauseMs += pauseMs;
        if (attempt === MAX_ATTEMPTS || pauseMs > MAX_PAUSE_MS || totalPauseMs > MAX_TOTAL_PAUSE_MS) throw error;
        await deps.pause(pauseMs, signal);
        if (signal.aborted) throw error;
      }
    }
  };
  return new Proxy(client, {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver);
      return typeof value === 'function' ? (...args: unknown[]) => repeat(() => Reflect.apply(value, target, args)) : value;
    },
  });
}

export function isThrottled(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.failure === 'throttled';
}

/** Pauses the calls of all instances, because HMRC limits the application as a whole, and shows the pause in the run's progress. */
export async function recordThrottling(deps: AppDeps, { companyId, runId }: RunKey, pauseMs: number): Promise<void> {
  deps.logger.warn({ companyId, hold_ms: pauseMs }, 'HMRC asked us to slow down');
  await pauseProvider(deps.database, 'hmrc', pauseMs);
  await deps.database.db
    .update(syncRuns)
    .set({ throttled: sql`${syncRuns.throttled} + 1`, throttledUntil: addMilliseconds(deps.wallClock.now(), pauseMs) })
    .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.id, runId)));
}
