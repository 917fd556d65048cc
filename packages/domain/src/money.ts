/**
 * Money as a whole number of pence in a safe integer, because floating point can't represent amounts such as 0.1 exactly. Everywhere,
 * positive = owed to HMRC, unless a name states otherwise.
 */

declare const penceBrand: unique symbol;
declare const wholePoundsBrand: unique symbol;

/** An amount in pence: a safe integer, which may be negative. */
export type Pence = number & { readonly [penceBrand]: true };

/** An amount in whole pounds, as in boxes 6 to 9 of a VAT return (VAT Notice 700/12). */
export type WholePounds = number & { readonly [wholePoundsBrand]: true };

/** How to round a fraction of a penny or pound. `half-away` rounds 0.5 to 1 and -0.5 to -1; `down` truncates towards zero. */
export type Rounding = 'half-away' | 'down';

/** Brands a whole number of pence. Throws a RangeError if it isn't a safe integer; this is always a bug, never user input. */
export function pence(amount: number): Pence {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not a whole number of pence: ${amount}`);
  // Minus zero would be shown as "-0.00" and fail Object.is comparisons.
  return (amount === 0 ? 0 : amount) as Pence;
}

/** Zero pence. */
export const ZERO: Pence = pence(0);

const POUNDS_PATTERN = /^(-?)(\d{1,13}|\d{1,3}(?:,\d{3}){1,4})(?:\.(\d{1,2}))?$/;

/** Parses pounds as entered by users or found in files ("1,234.5", "-12.30"), with at most two decimals. Undefined for any other text. */
export function parsePounds(text: string): Pence | undefined {
  const match = POUNDS_PATTERN.exec(text.trim());
  if (!match) return undefined;
  const [, sign, pounds = '', decimals = ''] = match;
  const amount = Number(pounds.replaceAll(',', '')) * 100 + Number(decimals.padEnd(2, '0'));
  return pence(sign === '-' ? -amount : amount);
}

/** Formats pounds with two decimals and no separators, for wire formats and files: "-1234.50". */
export function toPoundsText(amount: Pence): string {
  const absoluteAmount = Math.abs(amount);
  const text = `${Math.floor(absoluteAmount / 100)}.${String(absoluteAmount % 100).padStart(2, '0')}`;
  return amount < 0 ? `-${text}` : text;
}

/**
 * Formats pounds for display: "−£1,234.50", with a minus sign (U+2212) before the pound sign. Files and wire formats use `toPoundsText`.
 */
export function formatPounds(amount: Pence): string {
  const [pounds = '0', decimals = '00'] = toPoundsText(pence(Math.abs(amount))).split('.');
  const groupedPounds = pounds.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${amount < 0 ? '−' : ''}£${groupedPounds}.${decimals}`;
}

/** Formats an amount as "£12.00", or as "EUR 12.00" in another currency. */
export function formatCurrency(amount: Pence, currency: string): string {
  return currency === 'GBP' ? formatPounds(amount) : `${currency} ${(amount / 100).toFixed(2)}`;
}

/** Returns the sum of amounts, in pence. */
export function sumPence(amounts: Iterable<Pence>): Pence {
  let total = 0;
  for (const amount of amounts) total += amount;
  return pence(total);
}

/** Returns `numerator / denominator` rounded to a whole number; exact for any size. The denominator must be > 0. */
export function divideRounded(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const quotient = numerator / denominator;
  if (rounding === 'down') return quotient;
  const remainder = numerator % denominator;
  const magnitude = remainder < 0n ? -remainder : remainder;
  if (magnitude * 2n < denominator) return quotient;
  return numerator < 0n ? quotient - 1n : quotient + 1n;
}

/** Returns a percentage of an amount; `rateBps` in basis points (100 = 1%). */
export function applyRate(amount: Pence, rateBps: number, rounding: Rounding): Pence {
  return calculateShare(amount, rateBps, 10_000, rounding);
}

/**
 * Returns `amount * numerator / denominator`, exact and rounded once. The numerator is a whole number, the denominator a whole number above
 * 0. Also used for interest: numerator = the sum of each day's rate in basis points, denominator = 365 * 10,000.
 */
export function calculateShare(amount: number, numerator: number, denominator: number, rounding: Rounding): Pence {
  const product = amount * numerator;
  // The product would be inexact beyond a safe integer, so use BigInt.
  if (!Number.isSafeInteger(product) || denominator > MAX_INTEGER_DENOMINATOR) {
    return pence(Number(divideRounded(BigInt(amount) * BigInt(numerator), BigInt(denominator), rounding)));
  }
  const remainder = product % denominator;
  const quotient = (product - remainder) / denominator;
  const doubledRemainder = remainder < 0 ? -remainder * 2 : remainder * 2;
  if (rounding === 'down' || doubledRemainder < denominator) return pence(quotient);
  return pence(product < 0 ? quotient - 1 : quotient + 1);
}

/**
 * Returns the sum of `amount * numerator` over several terms, divided by one denominator and rounded once. Used for interest on parts that
 * accrue for different numbers of days.
 */
export function sumShares(
  terms: readonly (readonly [amount: number, numerator: number])[],
  denominator: number,
  rounding: Rounding,
): Pence {
  let total = 0;
  for (const [amount, numerator] of terms) {
    total += amount * numerator;
    if (!Number.isSafeInteger(total)) return sumLargeShares(terms, denominator, rounding);
  }
  return calculateShare(total, 1, denominator, rounding);
}

function sumLargeShares(terms: readonly (readonly [number, number])[], denominator: number, rounding: Rounding): Pence {
  const total = terms.reduce((sum, [amount, numerator]) => sum + BigInt(amount) * BigInt(numerator), 0n);
  return pence(Number(divideRounded(total, BigInt(denominator), rounding)));
}

/** Below this, twice a remainder is still a safe integer. */
const MAX_INTEGER_DENOMINATOR = 2 ** 51;

/** Rounds pence to whole pounds. Round only once, at the end of a sum. */
export function toWholePounds(amount: Pence, rounding: Rounding): WholePounds {
  return Number(divideRounded(BigInt(amount), 100n, rounding)) as WholePounds;
}
