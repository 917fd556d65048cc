import { toEpochMs, toLondonDate, type Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

/** HMRC's figures are refreshed automatically once they are this old: "15 minutes ago" in docs/product/specification.md section 9. */
const STALE_AFTER_MS = 15 * 60 * 1000;

/**
 * Returns whether HMRC's figures are old enough for a refresh. Dates are compared with the portal's own `today`. The browser's clock is
 * used for minutes only if it agrees on the day: the sandbox moves the portal's clock, and visitors' clocks can be wrong.
 */
export function isStale(asOf: Instant | null, today: PlainDate, browserNow: Instant): boolean {
  if (asOf === null || toLondonDate(asOf) !== today) return true;
  return toLondonDate(browserNow) === today && toEpochMs(browserNow) - toEpochMs(asOf) > STALE_AFTER_MS;
}
