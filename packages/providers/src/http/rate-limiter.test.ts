import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { rateLimitFetch } from './rate-limit-fetch.ts';
import { createRateLimiter, createInMemoryRateLimiter, type RateLimiterClock, type SharedRateLimiter } from './rate-limiter.ts';

const LIMIT = 10;
const PER_SECOND = 9.6;

/** Creates a manual clock that advances to the next pending pause, or by the duration of blocking work. */
function createTestClock() {
  let now = 0;
  const waitingCalls: { readonly at: number; readonly go: () => void }[] = [];
  const clock: RateLimiterClock = {
    now: () => now,
    pause: (ms) => new Promise<void>((go) => waitingCalls.push({ at: now + ms, go })),
  };
  /** Advances the clock until `work` has finished. Pauses that end while the thread is blocked resume late, like timers. */
  const runUntil = async <Result>(work: Promise<Result>): Promise<Result> => {
    let hasEnded = false;
    const ending = work.finally(() => (hasEnded = true));
    for (;;) {
      await setImmediate();
      if (hasEnded) return ending;
      const [next] = waitingCalls.sort((a, b) => a.at - b.at).splice(0, 1);
      if (!next) throw new Error('The work has not ended and no pause is pending.');
      now = Math.max(now, next.at);
      next.go();
    }
  };
  const work = (ms: number): void => {
    now += ms;
  };
  return { clock, runUntil, work };
}

/** Creates a fetch that records when each call was sent. */
function recordCalls(sentTimes: number[], clock: RateLimiterClock, onCall: () => void = () => undefined): typeof globalThis.fetch {
  return () => {
    sentTimes.push(clock.now());
    onCall();
    return Promise.resolve(new Response());
  };
}

/** Returns the highest number of calls within any second, as a provider with a sliding window counts them. */
function countMaxCallsInOneSecond(sentTimes: readonly number[]): number {
  return Math.max(...sentTimes.map((from) => sentTimes.filter((at) => at >= from && at < from + 1000).length));
}

describe('rate-limited calls', () => {
  it.each([0, 5, 60, 130])(
    'never exceed the limit in any second, even when the thread is blocked for %d ms after each call',
    async (busyMs) => {
      const { clock, runUntil, work } = createTestClock();
      const sentTimes: number[] = [];
      const limitedFetch = rateLimitFetch(
        recordCalls(sentTimes, clock, () => work(busyMs)),
        createRateLimiter({ perSecond: PER_SECOND, limit: LIMIT, clock }),
      );
      await runUntil(Promise.all(Array.from({ length: 25 }, () => limitedFetch('http://provider.example'))));
      expect(sentTimes).toHaveLength(25);
      expect(countMaxCallsInOneSecond(sentTimes)).toBeLessThanOrEqual(LIMIT);
    },
  );

  it('never arrive too fast, even when the first calls of a new process wait for a connection', async () => {
    const { clock, runUntil } = createTestClock();
    const arrivedAt: number[] = [];
    let openCount = 0;
    const fetchCold: typeof globalThis.fetch = async () => {
      openCount += 1;
      if (openCount <= 4) await clock.pause(200);
      arrivedAt.push(clock.now());
      return new Response();
    };
    const limitedFetch = rateLimitFetch(fetchCold, createRateLimiter({ perSecond: PER_SECOND, limit: LIMIT, clock }));
    await runUntil(Promise.all(Array.from({ length: 25 }, () => limitedFetch('http://provider.example'))));
    expect(arrivedAt).toHaveLength(25);
    expect(countMaxCallsInOneSecond(arrivedAt)).toBeLessThanOrEqual(LIMIT);
  });

  it('of two instances with shared slots keep to one limit and use it fully', async () => {
    const { clock, runUntil } = createTestClock();
    const sentTimes: number[] = [];
    const sharedLimiter = createInMemoryRateLimiter(PER_SECOND, clock);
    const instances = [1, 2].map(() =>
      rateLimitFetch(
        recordCalls(sentTimes, clock),
        createRateLimiter({ perSecond: PER_SECOND, limit: LIMIT, shared: sharedLimiter, clock }),
      ),
    );
    await runUntil(
      Promise.all(instances.flatMap((limitedFetch) => Array.from({ length: 15 }, () => limitedFetch('http://provider.example')))),
    );
    expect(countMaxCallsInOneSecond(sentTimes)).toBeLessThanOrEqual(LIMIT);
    const seconds = ((sentTimes.at(-1) ?? 0) - (sentTimes[0] ?? 0)) / 1000;
    expect(29 / seconds).toBeGreaterThan(0.95 * PER_SECOND);
  });

  it('that arrive late are not bunched with later calls of any instance', async () => {
    const { clock, runUntil } = createTestClock();
    const arrivedAt: number[] = [];
    // Like HMRC's limit: three calls a second, with little margin between three intervals and one second.
    const [perSecond, limit] = [2.9, 3];
    const sharedLimiter = createInMemoryRateLimiter(perSecond, clock);
    // Delays every fifth call by more than that margin.
    let calls = 0;
    const fetchWithDelay: typeof globalThis.fetch = async () => {
      calls += 1;
      await clock.pause(calls % 5 === 0 ? 140 : 2);
      arrivedAt.push(clock.now());
      return new Response();
    };
    const instances = [1, 2, 3].map(() =>
      rateLimitFetch(fetchWithDelay, createRateLimiter({ perSecond, limit, shared: sharedLimiter, clock })),
    );
    await runUntil(
      Promise.all(instances.flatMap((limitedFetch) => Array.from({ length: 20 }, () => limitedFetch('http://provider.example')))),
    );
    expect(arrivedAt).toHaveLength(60);
    expect(countMaxCallsInOneSecond(arrivedAt)).toBeLessThanOrEqual(limit);
  });

  it('are barely slowed down by slow responses once no call was rejected for a long time', async () => {
    const { clock, runUntil } = createTestClock();
    const sentTimes: number[] = [];
    const slowFetch: typeof globalThis.fetch = async () => {
      sentTimes.push(clock.now());
      await clock.pause(100 + ((sentTimes.length * 37) % 300));
      return new Response();
    };
    const [perSecond, limit] = [2.91, 3];
    const limitedFetch = rateLimitFetch(slowFetch, createRateLimiter({ perSecond, limit, clock }), { priority: 'background' });
    await runUntil(Promise.all(Array.from({ length: 3000 }, () => limitedFetch('http://provider.example'))));
    const getAchievedRate = (from: number, to: number): number => (1000 * (to - from)) / ((sentTimes[to] ?? 0) - (sentTimes[from] ?? 0));
    expect(getAchievedRate(0, 1000)).toBeGreaterThan(0.9 * perSecond);
    expect(getAchievedRate(2500, 2999)).toBeGreaterThan(0.985 * perSecond);
  });

  it('get their time limit from when they are sent, however long they waited for a slot', async () => {
    const slowFetch: typeof globalThis.fetch = (_input, init) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => resolve(new Response('in time')), 20);
        const abort = (): void => {
          clearTimeout(timer);
          reject(new DOMException('too late', 'TimeoutError'));
        };
        if (init?.signal?.aborted) abort();
        init?.signal?.addEventListener('abort', abort);
      });
    const settleCalls = async (timeoutMs?: number): Promise<string> => {
      const rateLimiter = createRateLimiter({ perSecond: 5, limit: 5 });
      const limitedFetch = rateLimitFetch(slowFetch, rateLimiter, {
        priority: 'background',
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
      const calls = [1, 2, 3].map(() => limitedFetch('http://provider.example', { signal: AbortSignal.timeout(150) }));
      const results = await Promise.allSettled(calls);
      return results.map(({ status }) => status).join();
    };
    expect(await settleCalls(150)).toBe('fulfilled,fulfilled,fulfilled');
    expect(await settleCalls()).toBe('fulfilled,rejected,rejected');
  });

  it('do not block later calls when they fail', async () => {
    let calls = 0;
    const flakyFetch: typeof globalThis.fetch = () => {
      calls += 1;
      return calls === 1 ? Promise.reject(new TypeError('no connection')) : Promise.resolve(new Response('second'));
    };
    const limitedFetch = rateLimitFetch(flakyFetch, createRateLimiter({ perSecond: 50, limit: 50 }));
    await expect(limitedFetch('http://provider.example')).rejects.toThrow('no connection');
    expect(await (await limitedFetch('http://provider.example')).text()).toBe('second');
  });

  it('fail with the reason when no slot can be reserved, and later calls try again', async () => {
    let reservations = 0;
    const sharedLimiter: SharedRateLimiter = {
      ...createInMemoryRateLimiter(50),
      reserve: async () => {
        reservations += 1;
        if (reservations === 1) throw new Error('the database is away');
        return 0;
      },
    };
    const limitedFetch = rateLimitFetch(
      () => Promise.resolve(new Response()),
      createRateLimiter({ perSecond: 50, limit: 50, shared: sharedLimiter }),
    );
    await expect(limitedFetch('http://provider.example')).rejects.toThrow('the database is away');
    expect((await limitedFetch('http://provider.example')).status).toBe(200);
  });
});

describe('an interactive call', () => {
  it('takes the next slot before waiting background calls', async () => {
    const order: string[] = [];
    const rateLimiter = createRateLimiter({ perSecond: 50, limit: 50 });
    const call = (name: string, priority: 'interactive' | 'background') => rateLimiter.acquireSlot(priority).then(() => order.push(name));
    const calls = Array.from({ length: 6 }, (_, index) => call(`run ${index}`, 'background'));
    await calls[0];
    await Promise.all([...calls, call('person', 'interactive')]);
    expect(order.indexOf('person')).toBeLessThanOrEqual(2);
  });

  it('finds at most one slot reserved ahead, however long the background queue is', async () => {
    let [reservedCount, sentCount] = [0, 0];
    const waitsAhead: number[] = [];
    const sharedLimiter: SharedRateLimiter = {
      ...createInMemoryRateLimiter(200),
      reserve: async () => {
        reservedCount += 1;
        waitsAhead.push(reservedCount - sentCount);
        return 0;
      },
    };
    const rateLimiter = createRateLimiter({ perSecond: 200, limit: 200, shared: sharedLimiter });
    await Promise.all(Array.from({ length: 20 }, () => rateLimiter.acquireSlot('background').then(() => (sentCount += 1))));
    expect(Math.max(...waitsAhead)).toBeLessThanOrEqual(2);
    expect(reservedCount).toBe(20);
  });
});
