import { describe, expect, it, onTestFinished } from 'vitest';
import { openSimulatorStore } from './simulator-store.ts';
import { createOverlay } from './overlay.ts';

function open() {
  const store = openSimulatorStore(':memory:');
  onTestFinished(() => store.close());
  const generatedDocuments = new Map([
    ['a', 1],
    ['b', 2],
  ]);
  return { made: generatedDocuments, stored: store.collection<number | null>('things'), store };
}

describe('an overlaid collection', () => {
  it('reads from the underlay until a document is put, and lists both in order', () => {
    const { made: generatedDocuments, stored } = open();
    const collection = createOverlay(stored, () => ({ get: (key) => generatedDocuments.get(key), list: () => generatedDocuments }));
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

  it('hides deleted documents, including those of the underlay, and accepts them again', () => {
    const { made: generatedDocuments, stored } = open();
    const collection = createOverlay(stored, () => ({ get: (key) => generatedDocuments.get(key), list: () => generatedDocuments }));
    collection.delete('a');
    collection.put('c', 3);
    collection.delete('c');
    expect([collection.get('a'), collection.list().map(({ key }) => key)]).toEqual([undefined, ['b']]);
    expect(stored.list()).toEqual([{ key: 'a', document: null }]);
    collection.put('a', 5);
    expect(collection.get('a')).toBe(5);
  });

  it('lists only stored documents when the underlay cannot be listed or does not exist', () => {
    const { made: generatedDocuments, stored } = open();
    const collection = createOverlay(stored, () => ({ get: (key) => generatedDocuments.get(key) }));
    collection.put('b', 20);
    expect(collection.list()).toEqual([{ key: 'b', document: 20 }]);
    expect(createOverlay(stored, () => undefined).get('a')).toBeUndefined();
  });
});
