/** Keeps the numbers of a JSON body as written. HMRC counts decimal places in the literal, so 100.000 fails and 100.00 passes. */

/** The literal of a number in a JSON value. */
export class NumberLiteral {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** `units` x 10 to the power of -`scale`. */
export type Decimal = { readonly units: bigint; readonly scale: number };

// Standard ECMAScript ("JSON.parse source text access"), but not yet declared in the TypeScript library.
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/** Parses JSON and keeps number literals. Returns undefined when the text is not JSON. */
export function parseKeepingLiterals(text: string): unknown {
  try {
    return parseWithSource(text, (_key, value, { source }) =>
      typeof value === 'number' && source !== undefined ? new NumberLiteral(source) : value,
    );
  } catch {
    return undefined;
  }
}

const DECIMAL_PATTERN = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Reads a number literal, or a numeric string, which HMRC accepts too. */
export function readDecimal(value: unknown): Decimal | undefined {
  const text = value instanceof NumberLiteral ? value.text : typeof value === 'string' ? value : '';
  const match = DECIMAL_PATTERN.exec(text);
  if (!match) return undefined;
  const [, sign = '', integerPart = '', fraction = '', exponent = '0'] = match;
  const units = BigInt(integerPart + fraction);
  return { units: sign === '-' ? -units : units, scale: fraction.length - Number(exponent) };
}

/** Returns the value in hundredths, or undefined if it is not a whole number of them. */
export function toHundredths({ units, scale }: Decimal): bigint | undefined {
  if (scale <= 2) return units * 10n ** BigInt(2 - scale);
  const divisor = 10n ** BigInt(scale - 2);
  return units % divisor === 0n ? units / divisor : undefined;
}
