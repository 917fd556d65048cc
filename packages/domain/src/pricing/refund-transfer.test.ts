import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { findTransferProblem } from './refund-transfer.ts';

describe('a bank transfer pays a refund', () => {
  const refund = { totalPence: pence(87_60), orderedOn: plainDate('2026-11-10') };
  it.each([
    [87_60, '2026-11-10', undefined],
    [87_60, '2026-11-12', undefined],
    [87_59, '2026-11-12', 'other_amount'],
    [87_61, '2026-11-12', 'other_amount'],
    [87_60, '2026-11-13', 'in_future'],
    [87_60, '2026-11-09', 'before_refund'],
  ])('of %i pence on %s: %s', (amount, day, problem) => {
    const transfer = { amountPence: pence(amount), transferredOn: plainDate(day) };
    expect(findTransferProblem(transfer, refund, plainDate('2026-11-12'))).toBe(problem);
  });
});
