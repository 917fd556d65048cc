import type { CallPriority } from './call-queue.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { CallNotSentError } from './was-never-sent.ts';

/** Options for a call, in addition to the request. */
export type CallOptions = {
  /** Default: the client's priority. */
  readonly priority?: CallPriority;
  /**
   * Runs once the call may be sent, however long it has waited. If this throws, the call isn't sent. For writes whose deadline could have
   * passed by then.
   */
  readonly beforeSending?: () => Promise<void>;
};

/** A fetch that accepts options for a call. The global `fetch` ignores them. */
export type ProviderFetch = (input: string, init?: RequestInit & { readonly call?: CallOptions }) => Promise<Response>;

type RateLimitOptions = {
  readonly priority?: CallPriority;
  /** Limits the wait for the response, counted from when the call is sent. */
  readonly timeoutMs?: number;
  /** Returns the user or company that the call is for; slots rotate among them. */
  readonly findKey?: () => string;
};

/**
 * Creates a fetch that sends each call in its slot. With `timeoutMs`, the caller's own signal is ignored, because it would include the wait
 * for the slot and abort every call in a long queue; the queue limits that wait (call-queue.ts). A call that is never sent fails with
 * CallNotSentError.
 */
export function rateLimitFetch(
  fetch: typeof globalThis.fetch,
  rateLimiter: RateLimiter,
  { priority = 'interactive', timeoutMs, findKey = () => '' }: RateLimitOptions = {},
): ProviderFetch {
  return async (input, { call, ...init } = {}) => {
    const sentCall = await wrapNotSentError(rateLimiter.acquireSlot(call?.priority ?? priority, findKey()));
    await wrapNotSentError(call?.beforeSending?.());
    const response = await fetch(input, timeoutMs === undefined ? init : { ...init, signal: AbortSignal.timeout(timeoutMs) });
    rateLimiter.reportResponse(sentCall, response.status === 429);
    return response;
  };
}

async function wrapNotSentError<Result>(work: Promise<Result>): Promise<Result>;
async function wrapNotSentError(work: Promise<void> | undefined): Promise<void>;
async function wrapNotSentError<Result>(work: Promise<Result> | undefined): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CallNotSentError) throw error;
    throw new CallNotSentError('unavailable', error instanceof Error ? error.message : 'the call could not be prepared', error);
  }
}
