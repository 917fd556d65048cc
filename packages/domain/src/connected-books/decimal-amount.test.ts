import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decimal, parseDecimal, subtractDecimals, toMinorUnits, toSterlingPence } from './decimal-amount.ts';

function decimal(value: string | number): Decimal {
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
  ])('%j are %i hundredths, exactly and rounded half away from zero', (value, expected) => {
    expect(toMinorUnits(decimal(value))).toBe(expected);
  });

  it('as numbers are the same as their shortest text', () => {
    const digits = fc.integer({ min: -(10 ** 15), max: 10 ** 15 });
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 6 }), (units, decimals) => {
        const value = units / 10 ** decimals;
        expect(subtractDecimals(decimal(value), decimal(String(value))).units).toBe(0n);
      }),
    );
  });

  it.each(['', '-', '.', '1,000', '1e3', 'NaN', Number.NaN, Number.POSITIVE_INFINITY])('%j is refused', (value) => {
    expect(parseDecimal(value)).toBeUndefined();
  });

  it('become sterling by the rate of the document, rounded once', () => {
    expect(toSterlingPence(decimal(100), { dividedBy: decimal(1.3) })).toBe(7692);
    expect(toSterlingPence(decimal('100.00'), { times: decimal('0.76543') })).toBe(7654);
    expect(toSterlingPence(decimal(-0.05), { times: decimal(0.1) })).toBe(-1);
    expect(() => toSterlingPence(decimal(1), { dividedBy: decimal(0) })).toThrow(RangeError);
  });
});
