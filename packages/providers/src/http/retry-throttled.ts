/**
 * Handles a 429 response to a call that a user is waiting for: all calls pause, and a read is retried. A throttled write is left to the
 * caller.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { ProviderFetch } from './rate-limit-fetch.ts';
import { parseRetryAfterSeconds } from './retry-after.ts';

const MAX_ATTEMPTS = 4;
/** Longer waits are reported to the user instead. */
const MAX_WAIT_MS = 10_000;

export type RetryThrottledOptions = {
  /**
   * Minimum pause before the first retry, one second by default. Doubles with each attempt; a longer wait from the provider takes
   * precedence.
   */
  readonly firstPauseMs?: number;
  /**
   * Pauses all calls to the provider. The limit applies to the whole application, so other calls would be rejected as well and keep the
   * window full.
   */
  readonly recordPause?: (ms: number) => Promise<void>;
};

/** Creates a fetch that retries GETs after a 429, up to three times. */
export function retryThrottledReads(
  fetch: ProviderFetch,
  { firstPauseMs = 1_000, recordPause: pauseProvider }: RetryThrottledOptions = {},
): ProviderFetch {
  return async (input, init) => {
    const isRead = (init?.method ?? 'GET').toUpperCase() === 'GET';
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(input, init);
      if (response.status !== 429) return response;
      const waitMs = Math.max(firstPauseMs * 2 ** (attempt - 1), (parseRetryAfterSeconds(response.headers) ?? 0) * 1_000);
      await pauseProvider?.(waitMs);
      if (!isRead || attempt === MAX_ATTEMPTS || waitMs > MAX_WAIT_MS) return response;
      // An unread body would keep its connection open.
      await response.body?.cancel();
      await pause(waitMs);
    }
  };
}
