import { epochOf, londonDate, type Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

/** HMRC's figures are read anew by themselves once they are this old: the specification's "15 minutes ago" (section 9). */
const FRESH_FOR_MILLISECONDS = 15 * 60 * 1000;

/**
 * Whether HMRC's figures are old enough to be read again. Dates are compared with the portal's own `today`; the browser's
 * clock is trusted for minutes only while it agrees on the day (the sandbox moves the portal's clock, and visitors' clocks are wrong).
 */
export function isStale(asOf: Instant | null, today: PlainDate, browserNow: Instant): boolean {
  if (asOf === null || londonDate(asOf) !== today) return true;
  return londonDate(browserNow) === today && epochOf(browserNow) - epochOf(asOf) > FRESH_FOR_MILLISECONDS;
}
