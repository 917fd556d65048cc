import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocate } from './allocate.ts';
import {
  applyRate,
  divideRounded,
  formatPounds,
  parsePounds,
  pence,
  toPoundsText,
  calculateShare,
  sumShares,
  sumPence,
  toWholePounds,
} from './money.ts';

const amounts = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }).map(pence);

describe('money amounts', () => {
  it('survive formatting and parsing, for wire formats and for display', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parsePounds(toPoundsText(amount))).toBe(amount);
        expect(parsePounds(formatPounds(amount).replace('£', '').replace('−', '-'))).toBe(amount);
      }),
    );
  });

  it('reject text that is not an amount and never throw', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const parsed = parsePounds(text);
        return parsed === undefined || Number.isSafeInteger(parsed);
      }),
    );
    for (const text of ['', '-', '1.234', '1,23', '12,34.00', '£1', '1e3', 'NaN', '--1', '1.', '.5', '99999999999999']) {
      expect(parsePounds(text), text).toBeUndefined();
    }
    expect(parsePounds(' 1,234.5 ')).toBe(123_450);
    expect(parsePounds('-0.00')).toBe(0);
  });

  it('are never fractional, infinite or beyond a safe integer', () => {
    for (const invalidValue of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) expect(() => pence(invalidValue)).toThrow(RangeError);
  });

  it('split by weights without losing or creating a penny', () => {
    fc.assert(
      fc.property(amounts, fc.array(fc.nat(1_000), { minLength: 1, maxLength: 20 }), (amount, weights) => {
        fc.pre(weights.some((weight) => weight > 0));
        const parts = allocate(amount, weights);
        expect(sumPence(parts)).toBe(amount);
        parts.forEach((part, index) => weights[index] === 0 && expect(part).toBe(0));
      }),
    );
    expect(() => allocate(pence(1), [])).toThrow(RangeError);
    expect(() => allocate(pence(1), [1, -1])).toThrow(RangeError);
  });

  it('round half away from zero or towards zero, as requested', () => {
    expect([5n, -5n, 4n, 6n, -15n].map((n) => divideRounded(n, 10n, 'half-away'))).toEqual([1n, -1n, 0n, 1n, -2n]);
    expect([9n, -9n].map((n) => divideRounded(n, 10n, 'down'))).toEqual([0n, 0n]);
    expect(toWholePounds(pence(150), 'half-away')).toBe(2);
    expect(toWholePounds(pence(-150), 'half-away')).toBe(-2);
    expect(applyRate(pence(50), 100, 'half-away')).toBe(1);
  });
});

describe('a share of an amount', () => {
  const rates = fc.integer({ min: -10_000_000, max: 10_000_000 });
  const denominators = fc.integer({ min: 1, max: 4_000_000 });

  it('is exact however large the product is', () => {
    fc.assert(
      fc.property(fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }), rates, denominators, (amount, numerator, denominator) => {
        for (const rounding of ['half-away', 'down'] as const) {
          const exactQuotient = Number(divideRounded(BigInt(amount) * BigInt(numerator), BigInt(denominator), rounding));
          fc.pre(Number.isSafeInteger(exactQuotient));
          expect(calculateShare(amount, numerator, denominator, rounding)).toBe(exactQuotient === 0 ? 0 : exactQuotient);
        }
      }),
    );
  });

  it('is rounded once over all terms of a sum', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 99_999_999_999 }), fc.nat(3_000_000)), { maxLength: 6 }), (terms) => {
        const exactTotal = terms.reduce((sum, [amount, numerator]) => sum + BigInt(amount) * BigInt(numerator), 0n);
        expect(sumShares(terms, 3_650_000, 'half-away')).toBe(Number(divideRounded(exactTotal, 3_650_000n, 'half-away')));
      }),
    );
    // Three thirds of a penny make a penny; rounding each separately would give none.
    const thirds = [1, 1, 1].map((amount): [number, number] => [amount, 1]);
    expect(sumShares(thirds, 3, 'half-away')).toBe(1);
  });
});
