/** What a 429 to a person's call means: everybody waits, and a question is asked again. A write that was throttled is the caller's to decide. */
import { setTimeout as pause } from 'node:timers/promises';
import { retryAfterSecondsOf } from './retry-after.ts';

const ATTEMPTS = 4;
/** A person is told of a longer wait instead of being kept waiting. */
const LONGEST_WAIT_MS = 10_000;

export type ThrottledSetting = {
  /** Where the provider names none; a second is its window. Each further pause is twice the one before. */
  readonly firstPauseMs?: number;
  /** Lets nobody call the provider for so long. The limit counts the application: whoever else calls meanwhile would be refused, and keep the window full. */
  readonly hold?: (ms: number) => Promise<void>;
};

/** A fetch whose GETs are repeated after a 429, up to three times. */
export function retryThrottledReads(
  fetch: typeof globalThis.fetch,
  { firstPauseMs = 1_000, hold }: ThrottledSetting = {},
): typeof globalThis.fetch {
  return async (input, init) => {
    const isRead = (init?.method ?? 'GET').toUpperCase() === 'GET';
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(input, init);
      if (response.status !== 429) return response;
      const waitMs = Math.max(firstPauseMs * 2 ** (attempt - 1), (retryAfterSecondsOf(response.headers) ?? 0) * 1_000);
      await hold?.(waitMs);
      if (!isRead || attempt === ATTEMPTS || waitMs > LONGEST_WAIT_MS) return response;
      // The body is not read: an unread one would hold its connection.
      await response.body?.cancel();
      await pause(waitMs);
    }
  };
}
