/** Numbers of a JSON body as they were written: HMRC counts decimals on the literal, so that 100.000 fails where 100.00 passes. */

/** A JSON value in which every number is kept as its literal. */
export class NumberLiteral {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** `units` x 10 to the power of -`scale`. */
export type Decimal = { readonly units: bigint; readonly scale: number };

// Standard ECMAScript by now ("JSON.parse source text access"), which the compiler's library does not describe yet.
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/** Parses JSON, keeping literals; undefined where the text is no JSON (JSON has no undefined). */
export function parseKeepingLiterals(text: string): unknown {
  try {
    return parseWithSource(text, (_key, value, { source }) =>
      typeof value === 'number' && source !== undefined ? new NumberLiteral(source) : value,
    );
  } catch {
    return undefined;
  }
}

const SHAPE = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Reads a number literal, or a numeric string, which HMRC's reader takes as well. */
export function readDecimal(value: unknown): Decimal | undefined {
  const text = value instanceof NumberLiteral ? value.text : typeof value === 'string' ? value : '';
  const match = SHAPE.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const units = BigInt(whole + fraction);
  return { units: sign === '-' ? -units : units, scale: fraction.length - Number(exponent) };
}

/** The value in hundredths, where it is a whole number of them; undefined otherwise. */
export function inHundredths({ units, scale }: Decimal): bigint | undefined {
  if (scale <= 2) return units * 10n ** BigInt(2 - scale);
  const divisor = 10n ** BigInt(scale - 2);
  return units % divisor === 0n ? units / divisor : undefined;
}
