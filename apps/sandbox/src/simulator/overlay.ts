/** Combines generated documents with stored ones, so that the store contains only changes. */
import type { Collection } from './simulator-store.ts';

/** Generated documents beneath the stored ones. `list` is absent if there are too many to list; then only stored documents are listed. */
export type Underlay<Document> = {
  get(key: string): Document | undefined;
  list?(): Iterable<readonly [key: string, document: Document]>;
};

/**
 * Creates a collection over an underlay, which is read on each call. A deleted document is stored as null, so that the underlay's version
 * doesn't reappear.
 */
export function createOverlay<Document>(
  storedCollection: Collection<Document | null>,
  getUnderlay: () => Underlay<Document> | undefined,
): Collection<Document> {
  return {
    get: (key) => {
      const storedDocument = storedCollection.get(key);
      if (storedDocument !== undefined) return storedDocument ?? undefined;
      return getUnderlay()?.get(key);
    },
    put: (key, document) => storedCollection.put(key, document),
    delete: (key) => {
      if (getUnderlay()?.get(key) === undefined) storedCollection.delete(key);
      else storedCollection.put(key, null);
    },
    list: () => {
      const storedDocuments = storedCollection.list();
      const underlayDocuments = getUnderlay()?.list?.();
      if (underlayDocuments === undefined)
        return storedDocuments.flatMap(({ key, document }) => (document === null ? [] : [{ key, document }]));
      const mergedDocuments = new Map<string, Document | null>(underlayDocuments);
      for (const { key, document } of storedDocuments) mergedDocuments.set(key, document);
      return [...mergedDocuments].flatMap(([key, document]) => (document === null ? [] : [{ key, document }]));
    },
  };
}
