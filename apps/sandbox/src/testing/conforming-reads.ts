/** For conformance tests of the bookkeeping clients: a clock that only pauses move, and the calls that a client made. */
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

/** A fetch that notes the addresses, and answers the first calls with `failures` instead. */
export function recordFetch(failures: readonly number[] = []) {
  const urls: string[] = [];
  const fetchAndNote: typeof globalThis.fetch = async (input, init) => {
    urls.push(decodeURIComponent(new Request(input).url));
    const failure = failures[urls.length - 1];
    return failure === undefined ? fetch(input, init) : new Response('gateway', { status: failure });
  };
  return { urls, fetch: fetchAndNote };
}
