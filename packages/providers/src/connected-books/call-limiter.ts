/** Keeps calls for each organisation within its provider's rate limits (docs/reference/providers.md sections 1 to 3). */
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import { setTimeout } from 'node:timers/promises';
import { ProviderError } from '../http/provider-error.ts';

type CallWindow = { readonly calls: number; readonly seconds: number };

/**
 * The limits per organisation. Xero's are for applications above the Starter tier; FreeAgent's are per user, and per client of a practice.
 */
export const BOOKS_LIMITS: Readonly<Record<BooksProviderName, readonly CallWindow[]>> = {
  xero: [
    { calls: 60, seconds: 60 },
    { calls: 5_000, seconds: 86_400 },
  ],
  quickbooks: [{ calls: 500, seconds: 60 }],
  freeagent: [
    { calls: 120, seconds: 60 },
    { calls: 3_600, seconds: 3_600 },
  ],
};

/** For a longer wait, a job should continue later rather than hold a connection open. */
const MAX_WAIT_SECONDS = 65;

/** Milliseconds. A port, so that tests don't need real time. */
export type LimiterClock = { now(): number; pause(ms: number): Promise<unknown> };
const SYSTEM_CLOCK: LimiterClock = { now: () => performance.now(), pause: (ms) => setTimeout(ms) };

/** Resolves when the next call may be sent. Throws ProviderError "throttled" if that is more than about a minute away. */
export function createCallLimiter(provider: BooksProviderName, clock: LimiterClock = SYSTEM_CLOCK): () => Promise<void> {
  const windows = BOOKS_LIMITS[provider].map((window) => ({ ...window, sentAt: [] as number[] }));
  let queue: Promise<void> = Promise.resolve();
  const acquireSlot = async (): Promise<void> => {
    for (;;) {
      const now = clock.now();
      const waitMs = Math.max(0, ...windows.map((window) => getWaitMs(window, now)));
      if (waitMs === 0) {
        for (const { sentAt } of windows) sentAt.push(now);
        return;
      }
      const retryAfterSeconds = Math.ceil(waitMs / 1_000);
      if (retryAfterSeconds > MAX_WAIT_SECONDS) {
        throw new ProviderError('throttled', {
          provider,
          operation: `${provider}.limit`,
          retryAfterSeconds,
          detail: 'the call limit has been reached',
        });
      }
      await clock.pause(waitMs);
    }
  };
  return () => {
    // Runs one at a time, so that two calls never use the same slot.
    const queuedCall = queue.then(acquireSlot);
    queue = queuedCall.catch(() => undefined);
    return queuedCall;
  };
}

/** Returns the milliseconds until a window has a free slot. Removes calls older than the window. */
function getWaitMs({ calls, seconds, sentAt }: CallWindow & { readonly sentAt: number[] }, now: number): number {
  const start = now - seconds * 1_000;
  while (sentAt[0] !== undefined && sentAt[0] <= start) sentAt.shift();
  return sentAt.length < calls ? 0 : (sentAt[0] ?? now) - start;
}
