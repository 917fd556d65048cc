/** Answers kept for a while in memory, so many at most; who asks for one that is under way waits for it instead of asking again. */
import { epochOf, type Clock } from '@portal/domain/clock.ts';

export type BoundedCache<Value> = {
  /** The kept value, else what `load` gives. A failure is not kept. */
  through(key: string, load: () => Promise<Value>): Promise<Value>;
};

/** `lifeMs` says how long a value may be kept. */
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
      // A sandbox clock can be moved back; an answer from the future is none.
      const isFresh = held !== undefined && nowMs >= held.askedAtMs && nowMs < held.endsAtMs;
      const entry = isFresh ? held : begin(key, load, nowMs);
      // A Map keeps the order of insertion: what was asked for last stands last, and the first goes when it is full.
      kept.set(key, entry);
      for (const oldest of kept.keys()) {
        if (kept.size <= rules.entries) break;
        kept.delete(oldest);
      }
      return entry.value;
    },
  };
}
