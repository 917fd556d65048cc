import { expect, it } from 'vitest';
import { paceCalls } from './pace-calls.ts';

const PER_SECOND = 50;
const GAP_MS = 1000 / PER_SECOND;
/** Timers count whole milliseconds, and a call leaves a moment after its turn was noted. */
const EARLY_MS = 2;

/** A fetch that notes when each call left, and keeps the thread busy so that timers fire late. */
function busyFetch(leftAt: number[], busyMs: number): typeof globalThis.fetch {
  return () => {
    const now = performance.now();
    leftAt.push(now);
    while (performance.now() - now < busyMs);
    return Promise.resolve(new Response());
  };
}

it.each([0, 5, 30])('calls leave a gap apart, in their order, though the thread is busy for %d ms after each', async (busyMs) => {
  const leftAt: number[] = [];
  const paced = paceCalls(busyFetch(leftAt, busyMs), PER_SECOND);
  await Promise.all(Array.from({ length: 6 }, () => paced('http://provider.example')));
  const gaps = leftAt.slice(1).map((at, index) => at - (leftAt[index] ?? 0));
  expect(gaps).toHaveLength(5);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(GAP_MS - EARLY_MS);
});

it('a call that fails holds up none after it', async () => {
  let calls = 0;
  const paced = paceCalls(() => {
    calls += 1;
    return calls === 1 ? Promise.reject(new TypeError('no connection')) : Promise.resolve(new Response('second'));
  }, PER_SECOND);
  await expect(paced('http://provider.example')).rejects.toThrow('no connection');
  expect(await (await paced('http://provider.example')).text()).toBe('second');
});
