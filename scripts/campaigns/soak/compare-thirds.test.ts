/** Tests which changes count as growth in a soak test. */
import { expect, it } from 'vitest';
import { compareThirds, type SoakSample } from './compare-thirds.ts';

const STEADY_SAMPLE = { rssBytes: 200e6, heapBytes: 60e6, handles: 40, eventLoopDelayMs: 12 };

const run = (change: (sample: number) => Partial<typeof STEADY_SAMPLE & { connections: number; p95Ms: number }>) =>
  compareThirds(
    Array.from({ length: 30 }, (_, sample): SoakSample => {
      const { connections = 31, p95Ms = 20, ...portal } = change(sample);
      return { portals: [STEADY_SAMPLE, { ...STEADY_SAMPLE, ...portal }], connections, p95Ms };
    }),
  ).findings;

it.each([
  ['a heap', 'portal 2: heap after collection grew from 62.5 MB to 72.5 MB', (n: number) => ({ heapBytes: 60e6 + n * 0.5e6 })],
  ['memory', 'portal 2: memory grew from 205.0 MB to 225.0 MB', (n: number) => ({ rssBytes: 200e6 + n * 1e6 })],
  ['the number of handles', 'portal 2: open handles grew from 45 to 65', (n: number) => ({ handles: 40 + n })],
  ['the number of connections', 'database connections grew from 36 to 56', (n: number) => ({ connections: 31 + n })],
  ['latency', 'answers, p95 grew from 25.0 ms to 45.0 ms', (n: number) => ({ p95Ms: 20 + n })],
  ['the event loop’s delay', 'portal 2: event loop delay, p99 grew from 17.0 ms to 37.0 ms', (n: number) => ({ eventLoopDelayMs: 12 + n })],
])('finds %s that grows', (_case, finding, change) => {
  expect(run(change)).toEqual([finding]);
});

it('finds nothing if values only vary, or if one sample is far off', () => {
  expect(run((n) => ({ heapBytes: 60e6 + (n % 3) * 1e6, p95Ms: n === 25 ? 900 : 20 + (n % 5), connections: 30 + (n % 3) }))).toEqual([]);
});

it('fails with too few samples', () => {
  expect(compareThirds([]).findings).toEqual(['only 0 samples: run it for longer']);
});
