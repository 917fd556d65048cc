import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decimal, parseDecimal, parseMinorUnits, subtractDecimals, toMinorUnits, toSterlingPence } from './decimal-amount.ts';

function toDecimal(value: string | number): Decimal {
  const parsed = parseDecimal(value);
  if (!parsed) throw new Error(`not a decimal: ${value}`);
  return parsed;
}

describe('amounts of providers', () => {
  it.each([
    [1.005, 101],
    ['1.005', 101],
    ['-1.005', -101],
    [1234567.89, 123456789],
    ['.5', 50],
    ['3.', 300],
    [1e-7, 0],
    [0.1 + 0.2, 30],
    ['0.0', 0],
    ['-0.00', 0],
  ])('%j are %i hundredths, exactly and rounded half away from zero', (value, expected) => {
    expect(toMinorUnits(toDecimal(value))).toBe(expected);
    expect(parseMinorUnits(value)).toBe(expected);
  });

  it('of up to 15 digits are exact, as a number or as text', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 15) + 1, max: 10 ** 15 - 1 }), fc.integer({ min: 0, max: 6 }), (units, decimals) => {
        const digits = String(Math.abs(units)).padStart(decimals + 1, '0');
        const whole = digits.slice(0, digits.length - decimals);
        const text = `${units < 0 ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`;
        for (const value of [text, Number(text)]) {
          expect(subtractDecimals(toDecimal(value), { units: BigInt(units), scale: decimals }).units).toBe(0n);
        }
      }),
    );
  });

  it.each(['', '-', '.', '1,000', '1e3', 'NaN', Number.NaN, Number.POSITIVE_INFINITY])('%j is rejected', (value) => {
    expect(parseDecimal(value)).toBeUndefined();
    expect(parseMinorUnits(value)).toBeUndefined();
  });

  it('become sterling by the rate of the document, rounded once', () => {
    expect(toSterlingPence(toDecimal(100), { dividedBy: toDecimal(1.3) })).toBe(7692);
    expect(toSterlingPence(toDecimal('100.00'), { times: toDecimal('0.76543') })).toBe(7654);
    expect(toSterlingPence(toDecimal(-0.05), { times: toDecimal(0.1) })).toBe(-1);
    expect(() => toSterlingPence(toDecimal(1), { dividedBy: toDecimal(0) })).toThrow(RangeError);
  });
});
