/** A bounded in-memory cache with expiry. Simultaneous requests for the same key share one load. */
import { epochOf, type Clock } from '@portal/domain/clock.ts';

export type BoundedCache<Value> = {
  /** Returns the cached value, or the result of `load`. Failures are not cached. */
  through(key: string, load: () => Promise<Value>): Promise<Value>;
};

/** `maxEntries` bounds the cache; `ttlMs` says how long a value may be cached. */
export type CacheRules<Value> = { readonly entries: number; readonly lifeMs: (value: Value) => number };

type Entry<Value> = { readonly value: Promise<Value>; readonly askedAtMs: number; endsAtMs: number };

export function createBoundedCache<Value>(clock: Clock, rules: CacheRules<Value>): BoundedCache<Value> {
  const kept = new Map<string, Entry<Value>>();

  function begin(key: string, load: () => Promise<Value>, askedAtMs: number): Entry<Value> {
    const entry: Entry<Value> = { value: load(), askedAtMs, endsAtMs: Number.POSITIVE_INFINITY };
    entry.value.then(
      (value) => {
        entry.endsAtMs = askedAtMs + rules.lifeMs(value);
      },
      () => {
        if (kept.get(key) === entry) kept.delete(key);
      },
    );
    return entry;
  }

  return {
    through: (key, load) => {
      const nowMs = epochOf(clock.now());
      const held = kept.get(key);
      kept.delete(key);
      // The sandbox clock can be moved back. An entry from the future must not be used.
      const isFresh = held !== undefined && nowMs >= held.askedAtMs && nowMs < held.endsAtMs;
      const entry = isFresh ? held : begin(key, load, nowMs);
      // A Map keeps insertion order: the most recently used entry is last, so the first one is evicted.
      kept.set(key, entry);
      for (const oldest of kept.keys()) {
        if (kept.size <= rules.entries) break;
        kept.delete(oldest);
      }
      return entry.value;
    },
  };
}
