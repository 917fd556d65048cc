import { describe, expect, it } from 'vitest';
import { getRepaymentDays } from './repayment-days.ts';

const listDescendingDays = (count: number) => Array.from({ length: count }, (_unused, index) => count - index);

describe('the expected days to a repayment', () => {
  it.each([
    [[], 30],
    [listDescendingDays(49), 30],
    [listDescendingDays(50), 40],
    [listDescendingDays(100), 80],
    [Array.from({ length: 60 }, () => 11), 11],
  ])('follow our own history from 50 repayments on (case %#)', (history, expected) => {
    expect(getRepaymentDays(history, 30)).toBe(expected);
  });
});
