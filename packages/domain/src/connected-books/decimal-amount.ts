/** Exact decimals from a provider's API: JSON numbers (Xero, QuickBooks) or strings (FreeAgent). They never pass through floating point. */
import { divideRounded, type Pence, pence } from '../money.ts';

/** `units` / 10^`scale`; scale >= 0. */
export type Decimal = { readonly units: bigint; readonly scale: number };

const DECIMAL_PATTERN = /^([+-]?)(\d{0,18})(?:\.(\d{0,20}))?$/;
const MAX_JSON_DECIMALS = 12;
/** At most 15 digits: 13 of a whole number below the limit, and two decimals. */
const SHORT_PATTERN = /^-?\d{1,13}(?:\.\d{1,2})?$/;
const MAX_SHORT_NUMBER = 1e13;
const POWERS_OF_TEN = Array.from({ length: 61 }, (_, exponent) => 10n ** BigInt(exponent));

/** Zero. */
export const ZERO_DECIMAL: Decimal = { units: 0n, scale: 0 };

/** Parses "-1234.5" or a JSON number; undefined for anything else. A number's shortest decimal string equals the provider's. */
export function parseDecimal(value: string | number): Decimal | undefined {
  return parseShort(value) ?? parseAny(value);
}

/** Parses an amount to hundredths of its own currency, rounded half away from zero; undefined if it isn't a decimal. */
export function parseMinorUnits(value: string | number): number | undefined {
  const hundredths = parseHundredths(value);
  if (hundredths !== undefined) return hundredths;
  const decimal = parseAny(value);
  return decimal && toMinorUnits(decimal);
}

function parseShort(value: string | number): Decimal | undefined {
  const hundredths = parseHundredths(value);
  return hundredths === undefined ? undefined : { units: BigInt(hundredths), scale: 2 };
}

/**
 * Parses most amounts in a fraction of the time. Up to 15 digits identify a number, so the hundredths that give the same number are the
 * amount, whether it is a number or a text.
 */
function parseHundredths(value: string | number): number | undefined {
  const number = typeof value === 'number' ? value : SHORT_PATTERN.test(value) ? Number(value) : Number.NaN;
  if (!(Math.abs(number) < MAX_SHORT_NUMBER)) return undefined;
  // Adding zero turns the minus zero of "-0.00" into zero.
  const hundredths = Math.round(number * 100) + 0;
  return hundredths / 100 === number ? hundredths : undefined;
}

function parseAny(value: string | number): Decimal | undefined {
  const text = typeof value === 'number' ? formatNumber(value) : value.trim();
  const match = DECIMAL_PATTERN.exec(text);
  if (!match || text === '' || text === '-' || text === '.') return undefined;
  const [, sign, wholePart = '', fraction = ''] = match;
  if (wholePart === '' && fraction === '') return undefined;
  const units = BigInt(`${wholePart}${fraction}` || '0');
  return { units: sign === '-' ? -units : units, scale: fraction.length };
}

/** Returns the exact sum of two decimals. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: rescale(a, scale) + rescale(b, scale), scale };
}

/** Returns the decimal with its sign reversed. */
export function negateDecimal({ units, scale }: Decimal): Decimal {
  return { units: -units, scale };
}

/** a - b, exact. */
export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  return addDecimals(a, negateDecimal(b));
}

/** a * b, exact. */
export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

/** How to convert an amount in a document's currency to sterling: multiply or divide by the document's rate, which is above 0. */
export type SterlingRate = { readonly times: Decimal } | { readonly dividedBy: Decimal };

/** The rate for documents in sterling. */
export const IN_STERLING: SterlingRate = { times: { units: 1n, scale: 0 } };

/** Returns the amount in pence sterling, rounded once, half away from zero. */
export function toSterlingPence(amount: Decimal, rate: SterlingRate): Pence {
  if (rate === IN_STERLING && amount.scale <= 2) return pence(Number(rescale(amount, 2)));
  const penceAmount = { units: amount.units * 100n, scale: amount.scale };
  if ('times' in rate) {
    const product = multiplyDecimals(penceAmount, rate.times);
    return toPence(product.units, getPowerOfTen(product.scale));
  }
  const { units, scale } = rate.dividedBy;
  if (units <= 0n) throw new RangeError('an exchange rate must be above zero');
  return toPence(penceAmount.units * getPowerOfTen(scale), units * getPowerOfTen(penceAmount.scale));
}

/** Returns the amount in hundredths of its own currency, rounded half away from zero; for shares of a document. */
export function toMinorUnits(amount: Decimal): number {
  return toSterlingPence(amount, IN_STERLING);
}

/** Converts a percentage such as 17.5 to basis points (1750), rounded. */
export function toBasisPoints(percent: Decimal): number {
  return toMinorUnits(percent);
}

function toPence(numerator: bigint, denominator: bigint): Pence {
  return pence(Number(divideRounded(numerator, denominator, 'half-away')));
}

function rescale({ units, scale }: Decimal, to: number): bigint {
  return scale === to ? units : units * getPowerOfTen(to - scale);
}

function getPowerOfTen(exponent: number): bigint {
  return POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent);
}

/** Returns a number's shortest decimal string; exponents, as in 1e-7, are written out. */
function formatNumber(value: number): string {
  const valueText = String(value);
  return valueText.includes('e') ? value.toFixed(MAX_JSON_DECIMALS) : valueText;
}
