// Tests the fee against docs/product/specification.md sections 1, 2.1 and 9: 1% of the refund, 2% for swoop, minimum £5.
import { describe, expect, it } from 'vitest';
import { formatFeeLine } from './fee-line.ts';

describe('the fee line', () => {
  it.each([
    ['organic', '1% of your VAT refund, minimum £5'],
    ['swoop', '2% of your VAT refund, minimum £5'],
    ['SWOOP', '2% of your VAT refund, minimum £5'],
    ['azets', '1% of your VAT refund, minimum £5'],
    ['unknown-partner', '1% of your VAT refund, minimum £5'],
  ])('of %s is %s', (partner, line) => {
    expect(formatFeeLine(partner)).toBe(line);
  });
});
