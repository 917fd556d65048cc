/** Spaces calls out in time, so that a provider's limit per second is kept instead of met with refusals. */
import { setTimeout as pause } from 'node:timers/promises';

/** A fetch that lets at most `perSecond` calls leave in any second, in the order in which they were asked for. Real time: a provider counts by its own. */
export function paceCalls(fetch: typeof globalThis.fetch, perSecond: number): typeof globalThis.fetch {
  const gapMs = 1000 / perSecond;
  let lastLeft: Promise<number> = Promise.resolve(Number.NEGATIVE_INFINITY);
  return async (input, init) => {
    // From when the call before really left: a timer that fires late would else let the next ones bunch up.
    lastLeft = lastLeft.then(async (before) => {
      const waitMs = before + gapMs - performance.now();
      if (waitMs > 0) await pause(Math.ceil(waitMs));
      return performance.now();
    });
    await lastLeft;
    return fetch(input, init);
  };
}
