/** Estimates a refresh's speed and remaining time. */

/** `finishedRecently` clients were finished in the last `windowMs` milliseconds; `remaining` haven't been finished. */
export type ProgressFacts = { readonly finishedRecently: number; readonly windowMs: number; readonly remaining: number };

/** A shorter window isn't enough to estimate the rate. */
const MIN_WINDOW_MS = 5_000;

/**
 * Returns clients per minute and the seconds left, rounded up to ten seconds if at most two minutes, otherwise to a minute. Null while
 * unknown.
 */
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
