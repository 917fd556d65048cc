import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pence, sumPence } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { getNextPayment, planInstalments } from './instalment-plan.ts';

const FIRST = plainDate('2026-12-31');

describe('instalments', () => {
  it('are equal to the penny, monthly and without interest', () => {
    expect(planInstalments(pence(100_000), 3, FIRST)).toEqual([
      { number: 1, dueOn: '2026-12-31', amount: 33_334 },
      { number: 2, dueOn: '2027-01-31', amount: 33_333 },
      { number: 3, dueOn: '2027-02-28', amount: 33_333 },
    ]);
  });

  it('always add up to the amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 1e9 }), fc.constantFrom(2, 3), (amount, count) => {
        const total = sumPence(planInstalments(pence(amount), count, FIRST).map((instalment) => instalment.amount));
        return total === amount;
      }),
    );
  });

  it.each([0, 1, 4, 12, 2.5])('number two or three, because more would be regulated credit (%d)', (count) => {
    expect(() => planInstalments(pence(100_000), count, FIRST)).toThrow(RangeError);
  });

  it.each([
    [0, 1, 33_334, '2026-12-31'],
    [33_333, 1, 1, '2026-12-31'],
    [33_334, 2, 33_333, '2027-01-31'],
    [70_000, 3, 30_000, '2027-02-28'],
  ])('are paid oldest first: after %d pence', (paidAmount, number, amount, dueOn) => {
    const instalments = planInstalments(pence(100_000), 3, FIRST);
    expect(getNextPayment(pence(100_000 - paidAmount), FIRST, { instalments, paid: pence(paidAmount) })).toEqual({ number, amount, dueOn });
  });

  it('leave nothing to pay once nothing is owed, and the whole amount without a plan', () => {
    expect(getNextPayment(pence(0), FIRST, undefined)).toBeUndefined();
    expect(getNextPayment(pence(500), FIRST, undefined)).toEqual({ amount: 500, dueOn: FIRST });
  });
});
