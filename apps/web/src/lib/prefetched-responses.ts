/** Requests sent before the app's scripts have loaded, so that both load in parallel. Each response is used only once. */

type PrefetchedResponse = { readonly response: Promise<Response>; readonly requestedAt: number };

/** Older responses are ignored. */
const MAX_AGE_MS = 20_000;

const prefetchedResponses = new Map<string, PrefetchedResponse>();

/** Sends the same request as http-transport.ts. Failures are handled where the response is used. */
export function prefetchResponse(url: string): void {
  const response = fetch(url, { credentials: 'include', redirect: 'manual', headers: { accept: 'application/json' } });
  // Avoids an unhandled rejection if the response is never used.
  response.catch(() => undefined);
  prefetchedResponses.set(url, { response, requestedAt: performance.now() });
}

/** Returns undefined if the URL wasn't prefetched, or if its response has already been used or is too old. */
export function consumePrefetchedResponse(url: string): Promise<Response> | undefined {
  const entry = prefetchedResponses.get(url);
  prefetchedResponses.delete(url);
  return entry && performance.now() - entry.requestedAt < MAX_AGE_MS ? entry.response : undefined;
}
