import { clockFrom } from '@portal/domain/clock.ts';
import { describe, expect, it } from 'vitest';
import { createBoundedCache } from './bounded-cache.ts';

function start(entries = 3) {
  let nowMs = 1_000_000;
  const loads: string[] = [];
  const cache = createBoundedCache<string>(
    clockFrom(() => nowMs),
    { entries, lifeMs: (value) => (value === 'short' ? 10 : 100) },
  );
  return {
    loads,
    pass: (milliseconds: number) => {
      nowMs += milliseconds;
    },
    ask: (key: string, value = key) =>
      cache.through(key, async () => {
        loads.push(key);
        return value;
      }),
    fail: (key: string) => cache.through(key, () => Promise.reject(new Error('down'))),
  };
}

describe('a bounded cache', () => {
  it('loads once for simultaneous requests, and again when the entry has expired', async () => {
    const { ask, loads, pass } = start();
    expect(await Promise.all([ask('a'), ask('a')])).toEqual(['a', 'a']);
    pass(99);
    await ask('a');
    expect(loads).toEqual(['a']);
    pass(1);
    await ask('a');
    expect(loads).toEqual(['a', 'a']);
  });

  it('gives each value its own time to live', async () => {
    const { ask, loads, pass } = start();
    await ask('a', 'short');
    pass(10);
    await ask('a', 'short');
    expect(loads).toEqual(['a', 'a']);
  });

  it('does not cache failures', async () => {
    const { ask, fail } = start();
    await expect(fail('a')).rejects.toThrow('down');
    expect(await ask('a')).toBe('a');
  });

  it('evicts the least recently used entry when it is full', async () => {
    const { ask, loads } = start(2);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await ask(key);
    expect(loads).toEqual(['a', 'b', 'c', 'b']);
  });

  it('does not use an entry from the future', async () => {
    const { ask, loads, pass } = start();
    await ask('a');
    pass(-50);
    await ask('a');
    expect(loads).toEqual(['a', 'a']);
  });
});
