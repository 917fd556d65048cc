/**
 * The amounts of Stripe's invoices, written from its documentation and not from the portal's code, which it checks: tiered pricing
 * (docs.stripe.com/subscriptions/pricing-models/tiered-pricing), coupons, tax rates that are added to the price, and prorations to the second
 * (docs.stripe.com/billing/subscriptions/prorations). Integers throughout.
 */

export type Tier = { readonly up_to: number | null; readonly unit_amount: number; readonly flat_amount: number };
export type TieredPrice = { readonly tiers_mode: 'volume' | 'graduated'; readonly tiers: readonly Tier[] };
export type Coupon = { readonly percent_off: number | null; readonly amount_off: number | null };

/** To the nearest penny, halves upwards in size. */
export function divide(numerator: bigint, denominator: bigint): number {
  const negative = numerator < 0n;
  const size = negative ? -numerator : numerator;
  const quotient = (2n * size + denominator) / (2n * denominator);
  return Number(negative ? -quotient : quotient);
}

export type LineAmounts = { readonly flat: number; readonly units: number };

/** Volume: one tier prices every unit. Graduated: each tier prices its own units, and adds its flat fee once reached. */
export function priceQuantity({ tiers_mode: mode, tiers }: TieredPrice, quantity: number): LineAmounts {
  if (mode === 'volume') {
    const reached = tiers.find(({ up_to: end }) => end === null || quantity <= end);
    return { flat: reached?.flat_amount ?? 0, units: quantity * (reached?.unit_amount ?? 0) };
  }
  let [flat, units, below] = [0, 0, 0];
  for (const { up_to: end, unit_amount: unit, flat_amount: fee } of tiers) {
    if (quantity <= below) break;
    const here = Math.min(quantity, end ?? quantity) - below;
    flat += fee;
    units += here * unit;
    below += here;
  }
  return { flat, units };
}

/** What a coupon takes off: never more than there is. */
export function discountOff(subtotal: number, coupon: Coupon | undefined): number {
  if (!coupon || subtotal <= 0) return 0;
  if (coupon.amount_off !== null) return Math.min(subtotal, coupon.amount_off);
  return divide(BigInt(subtotal) * BigInt(coupon.percent_off ?? 0), 100n);
}

/** `percentage` of an exclusive tax rate, for example 20. */
export function taxOn(amount: number, percentage: number): number {
  return divide(BigInt(amount) * BigInt(Math.round(percentage * 100)), 10_000n);
}

/** The part of an amount for the seconds from `at` to the end of the period. */
export function remainingPart(amount: number, period: { readonly start: number; readonly end: number }, at: number): number {
  return divide(BigInt(amount) * BigInt(period.end - at), BigInt(period.end - period.start));
}

/** The same day and time `months` later; the last day of a month that is too short (docs.stripe.com, Billing cycle). */
export function addCalendarMonths(seconds: number, months: number): number {
  const date = new Date(seconds * 1_000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const start = Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay));
  return Math.floor((start + (seconds * 1_000 - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))) / 1_000);
}
