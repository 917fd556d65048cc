/** Spaces calls out in time, so that a provider's limit per second is kept instead of met with refusals. */
import { setTimeout as pause } from 'node:timers/promises';

/** A fetch that lets at most `perSecond` calls leave in any second, in the order in which they were asked for. Real time: a provider counts by its own. */
export function paceCalls(fetch: typeof globalThis.fetch, perSecond: number): typeof globalThis.fetch {
  const gapMs = 1000 / perSecond;
  let nextAt = 0;
  return async (input, init) => {
    const now = performance.now();
    const at = Math.max(now, nextAt);
    nextAt = at + gapMs;
    if (at > now) await pause(at - now);
    return fetch(input, init);
  };
}
