/**
 * Money. An amount is a whole number of pence held as a safe integer: `0.1 + 0.2` has no place in a tax return.
 * Sign, everywhere in the product: positive = owed to HMRC, unless a name says otherwise.
 */

declare const penceBrand: unique symbol;
declare const wholePoundsBrand: unique symbol;

/** An amount in pence; a safe integer, may be negative. */
export type Pence = number & { readonly [penceBrand]: true };

/** An amount in whole pounds, as boxes 6 to 9 of a VAT return carry it (VAT Notice 700/12). */
export type WholePounds = number & { readonly [wholePoundsBrand]: true };

/** How a fraction of a penny (or of a pound) is settled. `half-away` takes 0.5 to 1 and -0.5 to -1; `down` cuts towards zero. */
export type Rounding = 'half-away' | 'down';

/** Brands a whole number of pence. Throws a RangeError where it is not a safe integer: that is a bug, never a user's input. */
export function pence(amount: number): Pence {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not a whole number of pence: ${amount}`);
  // Minus zero would print as "-0.00" and compare unequal under Object.is.
  return (amount === 0 ? 0 : amount) as Pence;
}

/** No money. */
export const ZERO: Pence = pence(0);

const POUNDS = /^(-?)(\d{1,13}|\d{1,3}(?:,\d{3}){1,4})(?:\.(\d{1,2}))?$/;

/** Reads pounds as people and files write them ("1,234.5", "-12.30"); at most two decimals. Undefined where the text is no such amount. */
export function parsePounds(text: string): Pence | undefined {
  const match = POUNDS.exec(text.trim());
  if (!match) return undefined;
  const [, sign, pounds = '', decimals = ''] = match;
  const amount = Number(pounds.replaceAll(',', '')) * 100 + Number(decimals.padEnd(2, '0'));
  return pence(sign === '-' ? -amount : amount);
}

/** Pounds with two decimals and no separators, for wires and files: "-1234.50". */
export function poundsText(amount: Pence): string {
  const absolute = Math.abs(amount);
  const text = `${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`;
  return amount < 0 ? `-${text}` : text;
}

/** Pounds for people: "-£1,234.50" (the minus stands before the pound sign). */
export function formatPounds(amount: Pence): string {
  const [pounds = '0', decimals = '00'] = poundsText(pence(Math.abs(amount))).split('.');
  const grouped = pounds.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${amount < 0 ? '-' : ''}£${grouped}.${decimals}`;
}

/** The sum of amounts, exact. */
export function sumPence(amounts: Iterable<Pence>): Pence {
  let total = 0;
  for (const amount of amounts) total += amount;
  return pence(total);
}

/** `numerator / denominator` as a whole number, exact for safe integers and BigInt alike; denominator > 0. */
export function divideRounded(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const quotient = numerator / denominator;
  if (rounding === 'down') return quotient;
  const remainder = numerator % denominator;
  const magnitude = remainder < 0n ? -remainder : remainder;
  if (magnitude * 2n < denominator) return quotient;
  return numerator < 0n ? quotient - 1n : quotient + 1n;
}

/** A share of an amount: `rateBps` in basis points (100 = 1%). */
export function applyRate(amount: Pence, rateBps: number, rounding: Rounding): Pence {
  return shareOf(amount, rateBps, 10_000, rounding);
}

/**
 * `amount * numerator / denominator`, exact and rounded once; numerator a whole number, denominator a whole number above 0.
 * Interest is a share too: numerator the sum of each day's rate in basis points, denominator 365 * 10,000.
 */
export function shareOf(amount: number, numerator: number, denominator: number, rounding: Rounding): Pence {
  const product = amount * numerator;
  // Beyond a safe integer the product itself would be wrong; it is never used there.
  if (!Number.isSafeInteger(product) || denominator > MOST_FOR_INTEGERS) {
    return pence(Number(divideRounded(BigInt(amount) * BigInt(numerator), BigInt(denominator), rounding)));
  }
  const remainder = product % denominator;
  const quotient = (product - remainder) / denominator;
  const twice = remainder < 0 ? -remainder * 2 : remainder * 2;
  if (rounding === 'down' || twice < denominator) return pence(quotient);
  return pence(product < 0 ? quotient - 1 : quotient + 1);
}

/** The sum of `amount * numerator` over several terms, divided by one denominator and rounded once: interest on parts that ran for different days. */
export function sumOfShares(
  terms: readonly (readonly [amount: number, numerator: number])[],
  denominator: number,
  rounding: Rounding,
): Pence {
  let total = 0;
  for (const [amount, numerator] of terms) {
    total += amount * numerator;
    if (!Number.isSafeInteger(total)) return sumOfLargeShares(terms, denominator, rounding);
  }
  return shareOf(total, 1, denominator, rounding);
}

function sumOfLargeShares(terms: readonly (readonly [number, number])[], denominator: number, rounding: Rounding): Pence {
  const total = terms.reduce((sum, [amount, numerator]) => sum + BigInt(amount) * BigInt(numerator), 0n);
  return pence(Number(divideRounded(total, BigInt(denominator), rounding)));
}

/** Twice a remainder below this is still a safe integer. */
const MOST_FOR_INTEGERS = 2 ** 51;

/** Pence to whole pounds, once, at the end of a sum. */
export function toWholePounds(amount: Pence, rounding: Rounding): WholePounds {
  return Number(divideRounded(BigInt(amount), 100n, rounding)) as WholePounds;
}

/** Splits an amount by weights (whole, >= 0, not all 0) without losing a penny: largest remainder first, the earlier part on a tie. */
export function allocate(amount: Pence, weights: readonly number[]): Pence[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total <= 0 || weights.some((weight) => weight < 0 || !Number.isSafeInteger(weight))) {
    throw new RangeError('weights must be whole, not negative and not all zero');
  }
  const sign = amount < 0 ? -1 : 1;
  const exact = weights.map((weight) => BigInt(Math.abs(amount)) * BigInt(weight));
  const parts = exact.map((share) => Number(share / BigInt(total)));
  let left = Math.abs(amount) - parts.reduce((sum, part) => sum + part, 0);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share % BigInt(total) }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  for (const { index } of byRemainder) {
    if (left === 0) break;
    parts[index] = (parts[index] ?? 0) + 1;
    left -= 1;
  }
  return parts.map((part) => pence(sign * part));
}
