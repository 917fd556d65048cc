/** A bounded in-memory cache with expiry. Simultaneous requests for the same key share one load. */
import { toEpochMs, type Clock } from '@portal/domain/clock.ts';

export type BoundedCache<Value> = {
  /** Returns the cached value, or the result of `load`. Failures aren't cached. */
  getOrLoad(key: string, load: () => Promise<Value>): Promise<Value>;
};

/** `maxEntries` limits the size of the cache; `ttlMs` returns how long a value may be cached. */
export type CacheOptions<Value> = { readonly maxEntries: number; readonly ttlMs: (value: Value) => number };

type CacheEntry<Value> = { readonly value: Promise<Value>; readonly requestedAtMs: number; expiresAtMs: number };

export function createBoundedCache<Value>(clock: Clock, options: CacheOptions<Value>): BoundedCache<Value> {
  const cachedEntries = new Map<string, CacheEntry<Value>>();

  function startLoad(key: string, load: () => Promise<Value>, requestedAtMs: number): CacheEntry<Value> {
    const entry: CacheEntry<Value> = { value: load(), requestedAtMs, expiresAtMs: Number.POSITIVE_INFINITY };
    entry.value.then(
      (value) => {
        entry.expiresAtMs = requestedAtMs + options.ttlMs(value);
      },
      () => {
        if (cachedEntries.get(key) === entry) cachedEntries.delete(key);
      },
    );
    return entry;
  }

  return {
    getOrLoad: (key, load) => {
      const nowMs = toEpochMs(clock.now());
      const cachedEntry = cachedEntries.get(key);
      cachedEntries.delete(key);
      // The sandbox clock can be moved back. An entry with a time in the future must not be used.
      const isFresh = cachedEntry !== undefined && nowMs >= cachedEntry.requestedAtMs && nowMs < cachedEntry.expiresAtMs;
      const entry = isFresh ? cachedEntry : startLoad(key, load, nowMs);
      // A Map keeps insertion order: the most recently used entry is last, so the first one is evicted.
      cachedEntries.set(key, entry);
      for (const oldestKey of cachedEntries.keys()) {
        if (cachedEntries.size <= options.maxEntries) break;
        cachedEntries.delete(oldestKey);
      }
      return entry.value;
    },
  };
}
