/** Documents that are made when asked for, under those that were put: only what changed is in the store. */
import type { Collection } from './simulator-store.ts';

/** What lies under the store. `list` is left out where the crowd is too large to walk: then only what was put is listed. */
export type Underlay<Document> = {
  get(key: string): Document | undefined;
  list?(): Iterable<readonly [key: string, document: Document]>;
};

/** A collection over an underlay that is asked anew at each call. A deleted document is remembered as such, so that it does not come back from below. */
export function overlay<Document>(stored: Collection<Document | null>, below: () => Underlay<Document> | undefined): Collection<Document> {
  return {
    get: (key) => {
      const own = stored.get(key);
      if (own !== undefined) return own ?? undefined;
      return below()?.get(key);
    },
    put: (key, document) => stored.put(key, document),
    delete: (key) => {
      if (below()?.get(key) === undefined) stored.delete(key);
      else stored.put(key, null);
    },
    list: () => {
      const own = stored.list();
      const under = below()?.list?.();
      if (under === undefined) return own.flatMap(({ key, document }) => (document === null ? [] : [{ key, document }]));
      const merged = new Map<string, Document | null>(under);
      for (const { key, document } of own) merged.set(key, document);
      return [...merged].flatMap(([key, document]) => (document === null ? [] : [{ key, document }]));
    },
  };
}
