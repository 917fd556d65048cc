import { toEpochMs, type Instant } from '../clock.ts';

/** Returns the number of hours from acceptance to payout, to one decimal place, to measure our 24-hour promise. */
export function countHoursToPayout(acceptedAt: Instant, paidAt: Instant): number {
  return Math.round((toEpochMs(paidAt) - toEpochMs(acceptedAt)) / 360_000) / 10;
}
