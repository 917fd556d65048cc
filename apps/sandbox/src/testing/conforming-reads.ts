/** For conformance tests of the bookkeeping clients: a clock that only moves during pauses, and a record of the client's calls. */
import type { CallLimit } from '../simulator/recordings.ts';

export function createReadClock(perMinute: number) {
  let now = 0;
  const pauses: number[] = [];
  const limit: CallLimit = { perMinute, now: () => now };
  const pause = async (ms: number): Promise<void> => {
    pauses.push(ms);
    now += ms;
  };
  return { limit, pause, pauses };
}

/** Creates a fetch that records the URLs, and fails the first calls with the statuses in `failures`. */
export function recordFetch(failures: readonly number[] = []) {
  const urls: string[] = [];
  const fetchAndRecord: typeof globalThis.fetch = async (input, init) => {
    urls.push(decodeURIComponent(new Request(input).url));
    const failure = failures[urls.length - 1];
    return failure === undefined ? fetch(input, init) : new Response('gateway', { status: failure });
  };
  return { urls, fetch: fetchAndRecord };
}
