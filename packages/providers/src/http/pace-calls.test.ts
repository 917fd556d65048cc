import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openPace, paceCalls, turnsInMemory, type Clock, type SharedTurns } from './pace-calls.ts';

const LIMIT = 10;
const PER_SECOND = 9.6;

/** A manual clock: it moves to the next pending pause, or by the time that blocking work takes. */
function makeClock() {
  let now = 0;
  const waiting: { readonly at: number; readonly go: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    pause: (ms) => new Promise<void>((go) => waiting.push({ at: now + ms, go })),
  };
  /** Moves the clock until `work` has ended. Pauses that end while the thread is blocked resume late, like timers. */
  const runUntil = async <Result>(work: Promise<Result>): Promise<Result> => {
    let hasEnded = false;
    const ending = work.finally(() => (hasEnded = true));
    for (;;) {
      await setImmediate();
      if (hasEnded) return ending;
      const [next] = waiting.sort((a, b) => a.at - b.at).splice(0, 1);
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

/** A fetch that records when each call was sent. */
function noteCalls(leftAt: number[], clock: Clock, then: () => void = () => undefined): typeof globalThis.fetch {
  return () => {
    leftAt.push(clock.now());
    then();
    return Promise.resolve(new Response());
  };
}

/** The highest number of calls within any second, as a provider with a sliding window counts them. */
function mostInOneSecond(leftAt: readonly number[]): number {
  return Math.max(...leftAt.map((from) => leftAt.filter((at) => at >= from && at < from + 1000).length));
}

describe('rate-limited calls', () => {
  it.each([0, 5, 60, 130])(
    'never exceed the limit in any second, even when the thread is blocked for %d ms after each call',
    async (busyMs) => {
      const { clock, runUntil, work } = makeClock();
      const leftAt: number[] = [];
      const paced = paceCalls(
        noteCalls(leftAt, clock, () => work(busyMs)),
        openPace({ perSecond: PER_SECOND, limit: LIMIT, clock }),
      );
      await runUntil(Promise.all(Array.from({ length: 25 }, () => paced('http://provider.example'))));
      expect(leftAt).toHaveLength(25);
      expect(mostInOneSecond(leftAt)).toBeLessThanOrEqual(LIMIT);
    },
  );

  it('never arrive too fast, even when the first calls of a new process wait for a connection', async () => {
    const { clock, runUntil } = makeClock();
    const arrivedAt: number[] = [];
    let opened = 0;
    const cold: typeof globalThis.fetch = async () => {
      opened += 1;
      if (opened <= 4) await clock.pause(200);
      arrivedAt.push(clock.now());
      return new Response();
    };
    const paced = paceCalls(cold, openPace({ perSecond: PER_SECOND, limit: LIMIT, clock }));
    await runUntil(Promise.all(Array.from({ length: 25 }, () => paced('http://provider.example'))));
    expect(arrivedAt).toHaveLength(25);
    expect(mostInOneSecond(arrivedAt)).toBeLessThanOrEqual(LIMIT);
  });

  it('of two instances with shared slots keep to one limit and use it fully', async () => {
    const { clock, runUntil } = makeClock();
    const leftAt: number[] = [];
    const shared = turnsInMemory(PER_SECOND, clock);
    const instances = [1, 2].map(() =>
      paceCalls(noteCalls(leftAt, clock), openPace({ perSecond: PER_SECOND, limit: LIMIT, shared, clock })),
    );
    await runUntil(Promise.all(instances.flatMap((paced) => Array.from({ length: 15 }, () => paced('http://provider.example')))));
    expect(mostInOneSecond(leftAt)).toBeLessThanOrEqual(LIMIT);
    const seconds = ((leftAt.at(-1) ?? 0) - (leftAt[0] ?? 0)) / 1000;
    expect(29 / seconds).toBeGreaterThan(0.95 * PER_SECOND);
  });

  it('that arrive late are not bunched with later calls of any instance', async () => {
    const { clock, runUntil } = makeClock();
    const arrivedAt: number[] = [];
    // Like HMRC's limit: three calls a second, with little room between three intervals and one second.
    const [perSecond, limit] = [2.9, 3];
    const shared = turnsInMemory(perSecond, clock);
    // Every fifth call is delayed by more than that room.
    let calls = 0;
    const jammed: typeof globalThis.fetch = async () => {
      calls += 1;
      await clock.pause(calls % 5 === 0 ? 140 : 2);
      arrivedAt.push(clock.now());
      return new Response();
    };
    const instances = [1, 2, 3].map(() => paceCalls(jammed, openPace({ perSecond, limit, shared, clock })));
    await runUntil(Promise.all(instances.flatMap((paced) => Array.from({ length: 20 }, () => paced('http://provider.example')))));
    expect(arrivedAt).toHaveLength(60);
    expect(mostInOneSecond(arrivedAt)).toBeLessThanOrEqual(limit);
  });

  it('are barely slowed down by slow responses once no call was rejected for a long time', async () => {
    const { clock, runUntil } = makeClock();
    const leftAt: number[] = [];
    const slow: typeof globalThis.fetch = async () => {
      leftAt.push(clock.now());
      await clock.pause(100 + ((leftAt.length * 37) % 300));
      return new Response();
    };
    const [perSecond, limit] = [2.91, 3];
    const paced = paceCalls(slow, openPace({ perSecond, limit, clock }));
    await runUntil(Promise.all(Array.from({ length: 3000 }, () => paced('http://provider.example'))));
    const reached = (from: number, to: number): number => (1000 * (to - from)) / ((leftAt[to] ?? 0) - (leftAt[from] ?? 0));
    expect(reached(0, 1000)).toBeGreaterThan(0.9 * perSecond);
    expect(reached(2500, 2999)).toBeGreaterThan(0.985 * perSecond);
  });

  it('get their time limit from when they are sent, however long they waited for a slot', async () => {
    const slow: typeof globalThis.fetch = (_input, init) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => resolve(new Response('in time')), 20);
        const give = (): void => {
          clearTimeout(timer);
          reject(new DOMException('too late', 'TimeoutError'));
        };
        if (init?.signal?.aborted) give();
        init?.signal?.addEventListener('abort', give);
      });
    const ask = async (timeoutMs?: number): Promise<string> => {
      const pace = openPace({ perSecond: 5, limit: 5 });
      const paced = paceCalls(slow, pace, 'run', timeoutMs);
      const calls = [1, 2, 3].map(() => paced('http://provider.example', { signal: AbortSignal.timeout(150) }));
      const settled = await Promise.allSettled(calls);
      return settled.map(({ status }) => status).join();
    };
    expect(await ask(150)).toBe('fulfilled,fulfilled,fulfilled');
    expect(await ask()).toBe('fulfilled,rejected,rejected');
  });

  it('do not block later calls when they fail', async () => {
    let calls = 0;
    const flaky: typeof globalThis.fetch = () => {
      calls += 1;
      return calls === 1 ? Promise.reject(new TypeError('no connection')) : Promise.resolve(new Response('second'));
    };
    const paced = paceCalls(flaky, openPace({ perSecond: 50, limit: 50 }));
    await expect(paced('http://provider.example')).rejects.toThrow('no connection');
    expect(await (await paced('http://provider.example')).text()).toBe('second');
  });

  it('fail with the reason when no slot can be reserved, and later calls try again', async () => {
    let asked = 0;
    const shared: SharedTurns = {
      ...turnsInMemory(50),
      reserve: async () => {
        asked += 1;
        if (asked === 1) throw new Error('the database is away');
        return 0;
      },
    };
    const paced = paceCalls(() => Promise.resolve(new Response()), openPace({ perSecond: 50, limit: 50, shared }));
    await expect(paced('http://provider.example')).rejects.toThrow('the database is away');
    expect((await paced('http://provider.example')).status).toBe(200);
  });
});

describe('an interactive call', () => {
  it('takes the next slot before waiting background calls', async () => {
    const order: string[] = [];
    const pace = openPace({ perSecond: 50, limit: 50 });
    const call = (name: string, lane: 'person' | 'run') => pace.take(lane).then(() => order.push(name));
    const calls = Array.from({ length: 6 }, (_, index) => call(`run ${index}`, 'run'));
    await calls[0];
    await Promise.all([...calls, call('person', 'person')]);
    expect(order.indexOf('person')).toBeLessThanOrEqual(2);
  });

  it('finds at most one slot reserved ahead, however long the background queue is', async () => {
    let [taken, gone] = [0, 0];
    const ahead: number[] = [];
    const shared: SharedTurns = {
      ...turnsInMemory(200),
      reserve: async () => {
        taken += 1;
        ahead.push(taken - gone);
        return 0;
      },
    };
    const pace = openPace({ perSecond: 200, limit: 200, shared });
    await Promise.all(Array.from({ length: 20 }, () => pace.take('run').then(() => (gone += 1))));
    expect(Math.max(...ahead)).toBeLessThanOrEqual(2);
    expect(taken).toBe(20);
  });
});
