/** Estimates how fast a refresh is and how long it still takes. */

/** `finishedRecently` clients were finished in the last `windowMs` milliseconds; `remaining` are not finished. */
export type ProgressFacts = { readonly finishedRecently: number; readonly windowMs: number; readonly remaining: number };

/** Shorter observations say nothing about the rate. */
const MIN_WINDOW_MS = 5_000;

/** Clients per minute, and seconds left rounded up: to ten seconds up to two minutes, above to a minute. Null while unknown. */
export function estimateProgress({ finishedRecently, windowMs, remaining }: ProgressFacts): {
  readonly ratePerMinute: number | null;
  readonly secondsLeft: number | null;
} {
  if (windowMs < MIN_WINDOW_MS || finishedRecently <= 0) return { ratePerMinute: null, secondsLeft: null };
  const seconds = (remaining * windowMs) / finishedRecently / 1000;
  const step = seconds > 120 ? 60 : 10;
  return {
    ratePerMinute: Math.max(1, Math.round((finishedRecently * 60_000) / windowMs)),
    secondsLeft: Math.ceil(seconds / step) * step,
  };
}
