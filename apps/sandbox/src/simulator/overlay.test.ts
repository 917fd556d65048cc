import { describe, expect, it, onTestFinished } from 'vitest';
import { openSimulatorStore } from './simulator-store.ts';
import { overlay } from './overlay.ts';

function open() {
  const store = openSimulatorStore(':memory:');
  onTestFinished(() => store.close());
  const made = new Map([
    ['a', 1],
    ['b', 2],
  ]);
  return { made, stored: store.collection<number | null>('things'), store };
}

describe('an overlaid collection', () => {
  it('answers from below until something is put, and lists both in order', () => {
    const { made, stored } = open();
    const things = overlay(stored, () => ({ get: (key) => made.get(key), list: () => made }));
    expect([things.get('a'), things.get('c')]).toEqual([1, undefined]);
    things.put('c', 3);
    things.put('a', 10);
    expect(things.list()).toEqual([
      { key: 'a', document: 10 },
      { key: 'b', document: 2 },
      { key: 'c', document: 3 },
    ]);
    expect(stored.list()).toHaveLength(2);
  });

  it('forgets what was deleted, from below too, and takes it again', () => {
    const { made, stored } = open();
    const things = overlay(stored, () => ({ get: (key) => made.get(key), list: () => made }));
    things.delete('a');
    things.put('c', 3);
    things.delete('c');
    expect([things.get('a'), things.list().map(({ key }) => key)]).toEqual([undefined, ['b']]);
    expect(stored.list()).toEqual([{ key: 'a', document: null }]);
    things.put('a', 5);
    expect(things.get('a')).toBe(5);
  });

  it('lists only what was put where the crowd below is not walked, or is gone', () => {
    const { made, stored } = open();
    const things = overlay(stored, () => ({ get: (key) => made.get(key) }));
    things.put('b', 20);
    expect(things.list()).toEqual([{ key: 'b', document: 20 }]);
    expect(overlay(stored, () => undefined).get('a')).toBeUndefined();
  });
});
