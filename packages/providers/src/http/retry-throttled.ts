/** Asks again, a little later, where a provider said "too many calls" to a question. Only reads: a write that was throttled is the caller's to decide. */
import { setTimeout as pause } from 'node:timers/promises';

const ATTEMPTS = 4;

/** A fetch whose GETs are repeated after a 429, up to three times, each pause twice the one before. `firstPauseMs`: HMRC names none; a second is its window. */
export function retryThrottledReads(fetch: typeof globalThis.fetch, firstPauseMs = 1_000): typeof globalThis.fetch {
  return async (input, init) => {
    const isRead = (init?.method ?? 'GET').toUpperCase() === 'GET';
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(input, init);
      if (response.status !== 429 || !isRead || attempt === ATTEMPTS) return response;
      // The body is not read: an unread one would hold its connection.
      await response.body?.cancel();
      await pause(firstPauseMs * 2 ** (attempt - 1));
    }
  };
}
