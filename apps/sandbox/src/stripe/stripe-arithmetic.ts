/**
 * Calculates the amounts of Stripe's invoices from its documentation, independently of the portal's code, which it tests: tiered pricing
 * (docs.stripe.com/subscriptions/pricing-models/tiered-pricing), coupons, tax rates that are added to the price, and prorations to the
 * second (docs.stripe.com/billing/subscriptions/prorations). All amounts are integers.
 */

export type Tier = { readonly up_to: number | null; readonly unit_amount: number; readonly flat_amount: number };
export type TieredPrice = { readonly tiers_mode: 'volume' | 'graduated'; readonly tiers: readonly Tier[] };
export type Coupon = { readonly percent_off: number | null; readonly amount_off: number | null };

/** Divides to the nearest penny, rounding halves away from zero. */
export function divideRounded(numerator: bigint, denominator: bigint): number {
  const isNegative = numerator < 0n;
  const size = isNegative ? -numerator : numerator;
  const quotient = (2n * size + denominator) / (2n * denominator);
  return Number(isNegative ? -quotient : quotient);
}

export type LineAmounts = { readonly flat: number; readonly units: number };

/**
 * Volume pricing applies one tier to every unit. Graduated pricing applies each tier to its own units, and adds the tier's flat fee once it
 * is reached.
 */
export function priceQuantity({ tiers_mode: mode, tiers }: TieredPrice, quantity: number): LineAmounts {
  if (mode === 'volume') {
    const reachedTier = tiers.find(({ up_to: end }) => end === null || quantity <= end);
    return { flat: reachedTier?.flat_amount ?? 0, units: quantity * (reachedTier?.unit_amount ?? 0) };
  }
  let [flatPence, units, below] = [0, 0, 0];
  for (const { up_to: end, unit_amount: unit, flat_amount: fee } of tiers) {
    if (quantity <= below) break;
    const quantityInTier = Math.min(quantity, end ?? quantity) - below;
    flatPence += fee;
    units += quantityInTier * unit;
    below += quantityInTier;
  }
  return { flat: flatPence, units };
}

/** Returns a coupon's discount, which is never more than the subtotal. */
export function calculateDiscount(subtotal: number, coupon: Coupon | undefined): number {
  if (!coupon || subtotal <= 0) return 0;
  if (coupon.amount_off !== null) return Math.min(subtotal, coupon.amount_off);
  return divideRounded(BigInt(subtotal) * BigInt(coupon.percent_off ?? 0), 100n);
}

/** `percentage` is the rate of an exclusive tax, for example 20. */
export function calculateTax(amount: number, percentage: number): number {
  return divideRounded(BigInt(amount) * BigInt(Math.round(percentage * 100)), 10_000n);
}

/** Returns the share of an amount for the seconds from `at` to the end of the period. */
export function getRemainingShare(amount: number, period: { readonly start: number; readonly end: number }, at: number): number {
  return divideRounded(BigInt(amount) * BigInt(period.end - at), BigInt(period.end - period.start));
}

/** Returns the same day and time `months` later, or the last day of a shorter month (docs.stripe.com, Billing cycle). */
export function addCalendarMonths(seconds: number, months: number): number {
  const date = new Date(seconds * 1_000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const start = Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay));
  return Math.floor((start + (seconds * 1_000 - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))) / 1_000);
}
