/** Answers asked for before the app is there to ask: its scripts and its first data then come side by side. Each answer is taken once. */

type PrefetchedResponse = { readonly response: Promise<Response>; readonly requestedAt: number };

/** An answer that nobody took for so long is no first data any more. */
const MAX_AGE_MS = 20_000;

const prefetched = new Map<string, PrefetchedResponse>();

/** Asks as `http-transport.ts` does; a failure is told to whoever takes the answer. */
export function prefetchResponse(url: string): void {
  const response = fetch(url, { credentials: 'include', redirect: 'manual', headers: { accept: 'application/json' } });
  // Where nobody takes it, nobody has lost anything by its failure.
  response.catch(() => undefined);
  prefetched.set(url, { response, requestedAt: performance.now() });
}

/** The answer to an early question; undefined if it was not asked, was taken before, or is old. */
export function takePrefetchedResponse(url: string): Promise<Response> | undefined {
  const entry = prefetched.get(url);
  prefetched.delete(url);
  return entry && performance.now() - entry.requestedAt < MAX_AGE_MS ? entry.response : undefined;
}
