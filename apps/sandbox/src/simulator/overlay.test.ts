import { describe, expect, it, onTestFinished } from 'vitest';
import { openSimulatorStore } from './simulator-store.ts';
import { overlay } from './overlay.ts';

function open() {
  const store = openSimulatorStore(':memory:');
  onTestFinished(() => store.close());
  const generated = new Map([
    ['a', 1],
    ['b', 2],
  ]);
  return { made: generated, stored: store.collection<number | null>('things'), store };
}

describe('an overlaid collection', () => {
  it('reads from the underlay until a document is put, and lists both in order', () => {
    const { made: generated, stored } = open();
    const collection = overlay(stored, () => ({ get: (key) => generated.get(key), list: () => generated }));
    expect([collection.get('a'), collection.get('c')]).toEqual([1, undefined]);
    collection.put('c', 3);
    collection.put('a', 10);
    expect(collection.list()).toEqual([
      { key: 'a', document: 10 },
      { key: 'b', document: 2 },
      { key: 'c', document: 3 },
    ]);
    expect(stored.list()).toHaveLength(2);
  });

  it('hides deleted documents, also those of the underlay, and accepts them again', () => {
    const { made: generated, stored } = open();
    const collection = overlay(stored, () => ({ get: (key) => generated.get(key), list: () => generated }));
    collection.delete('a');
    collection.put('c', 3);
    collection.delete('c');
    expect([collection.get('a'), collection.list().map(({ key }) => key)]).toEqual([undefined, ['b']]);
    expect(stored.list()).toEqual([{ key: 'a', document: null }]);
    collection.put('a', 5);
    expect(collection.get('a')).toBe(5);
  });

  it('lists only stored documents when the underlay cannot be listed or does not exist', () => {
    const { made: generated, stored } = open();
    const collection = overlay(stored, () => ({ get: (key) => generated.get(key) }));
    collection.put('b', 20);
    expect(collection.list()).toEqual([{ key: 'b', document: 20 }]);
    expect(overlay(stored, () => undefined).get('a')).toBeUndefined();
  });
});
