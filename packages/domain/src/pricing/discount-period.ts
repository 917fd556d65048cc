/** How long a promotion code's discount lasts (docs.stripe.com, Coupons: duration_in_months counts from the day it is applied). */
import type { Instant } from '../clock.ts';
import { addMonthsInUtc } from './renewal.ts';

/** Returns when the discount ends; null if it lasts as long as the subscription. */
export function getDiscountEnd(from: Instant, months: number | null): Instant | null {
  return months === null ? null : addMonthsInUtc(from, months);
}

/**
 * Returns true if a period starting at that moment, or a change made then, is discounted. A period that began before the code was applied
 * isn't, even if its invoice is issued later.
 */
export function isDiscounted(from: Instant, months: number | null, at: Instant): boolean {
  const end = getDiscountEnd(from, months);
  return at >= from && (end === null || at < end);
}
