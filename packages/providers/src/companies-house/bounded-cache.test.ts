import { createClock } from '@portal/domain/clock.ts';
import { describe, expect, it } from 'vitest';
import { createBoundedCache } from './bounded-cache.ts';

function setUp(entries = 3) {
  let nowMs = 1_000_000;
  const loads: string[] = [];
  const cache = createBoundedCache<string>(
    createClock(() => nowMs),
    { maxEntries: entries, ttlMs: (value) => (value === 'short' ? 10 : 100) },
  );
  return {
    loads,
    advance: (milliseconds: number) => {
      nowMs += milliseconds;
    },
    get: (key: string, value = key) =>
      cache.getOrLoad(key, async () => {
        loads.push(key);
        return value;
      }),
    fail: (key: string) => cache.getOrLoad(key, () => Promise.reject(new Error('down'))),
  };
}

describe('a bounded cache', () => {
  it('loads once for simultaneous requests, and again when the entry has expired', async () => {
    const { get, loads, advance } = setUp();
    expect(await Promise.all([get('a'), get('a')])).toEqual(['a', 'a']);
    advance(99);
    await get('a');
    expect(loads).toEqual(['a']);
    advance(1);
    await get('a');
    expect(loads).toEqual(['a', 'a']);
  });

  it('gives each value its own time to live', async () => {
    const { get, loads, advance } = setUp();
    await get('a', 'short');
    advance(10);
    await get('a', 'short');
    expect(loads).toEqual(['a', 'a']);
  });

  it('does not cache failures', async () => {
    const { get, fail } = setUp();
    await expect(fail('a')).rejects.toThrow('down');
    expect(await get('a')).toBe('a');
  });

  it('evicts the least recently used entry when it is full', async () => {
    const { get, loads } = setUp(2);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key);
    expect(loads).toEqual(['a', 'b', 'c', 'b']);
  });

  it('does not use an entry from the future', async () => {
    const { get, loads, advance } = setUp();
    await get('a');
    advance(-50);
    await get('a');
    expect(loads).toEqual(['a', 'a']);
  });
});
