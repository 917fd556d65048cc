// Tests docs/product/specification.md sections 5 ("Money input") and 9 (GBP with 2 decimals).
import type { Pence } from '@portal/domain/money.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCaret, countDigitsAfter, formatMoneyInput, parseMoneyInput } from './money-input.ts';

describe('a money input', () => {
  it.each([
    ['1', '£0.01'],
    ['1234', '£12.34'],
    ['123456', '£1,234.56'],
    ['1234.56', '£1,234.56'],
    ['£1,234.56', '£1,234.56'],
    ['£1,234.5', '£123.45'],
    ['££12..34,,', '£12.34'],
    ['12abc', '£0.12'],
    ['007', '£0.07'],
    ['', ''],
    ['£', ''],
    ['0', ''],
    ['£0.00', ''],
    ['-5', ''],
    ['£-12.00', ''],
    ['abc', ''],
    ['99999999999999999999', ''],
  ])('formats %j as %j', (text, formattedText) => {
    expect(formatMoneyInput(parseMoneyInput(text))).toBe(formattedText);
  });

  it('parses its own format as the same amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 13 }), (amount) => {
        expect(parseMoneyInput(formatMoneyInput(amount as Pence))).toBe(amount);
      }),
    );
  });

  it.each([
    ['£1,234.56', 0, 9],
    ['£1,234.56', 2, 7],
    ['£1,234.56', 6, 1],
    ['£1,234.56', 99, 0],
    ['', 2, 0],
  ])('places the caret in %j with %i digits after it at %i', (text, digits, place) => {
    expect(findCaret(text, digits)).toBe(place);
  });

  it('counts the digits after the caret', () => {
    expect(countDigitsAfter('£1,234.56', 3)).toBe(5);
  });
});
