import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { isMatchable, getOutstandingRefund, isReversible, reverseMatch, settleCredit } from './settle-credit.ts';

const advance = (state: 'awaiting_hmrc' | 'shortfall' | 'collecting', receivedAmount: number) => ({
  state,
  refund: pence(420_000),
  received: pence(receivedAmount),
});

describe('settling a credit that an operator matched', () => {
  it.each([
    ['the whole refund, awaited', 420_000, advance('awaiting_hmrc', 0), { applied: 420_000, surplus: 0, missing: 0, to: 'settled' }],
    ['more than it', 421_500, advance('awaiting_hmrc', 0), { applied: 420_000, surplus: 1500, missing: 0, to: 'settled' }],
    ['less than it', 310_000, advance('awaiting_hmrc', 0), { applied: 310_000, surplus: 0, missing: 110_000, to: 'shortfall' }],
    ['a part of a shortfall', 10_000, advance('shortfall', 310_000), { applied: 10_000, surplus: 0, missing: 100_000, to: 'collecting' }],
    ['the rest of a shortfall', 100_000, advance('collecting', 320_000), { applied: 100_000, surplus: 0, missing: 0, to: 'settled' }],
    ['more than a shortfall', 110_001, advance('shortfall', 310_000), { applied: 110_000, surplus: 1, missing: 0, to: 'settled' }],
  ] as const)('%s: every penny is applied or left over', (_name, credit, facts, expected) => {
    const settlement = settleCredit(pence(credit), facts);
    expect(settlement).toEqual(expected);
    expect(settlement.applied + settlement.surplus).toBe(credit);
  });

  it('allows only advances that still wait for money', () => {
    expect((['awaiting_hmrc', 'shortfall', 'collecting'] as const).every(isMatchable)).toBe(true);
    expect((['quoted', 'paid', 'repaid', 'settled', 'written_off', 'payout_failed'] as const).some(isMatchable)).toBe(false);
  });

  it('finds nothing outstanding when more arrived than was bought', () => {
    expect(getOutstandingRefund({ refund: pence(100), received: pence(130) })).toBe(0);
  });
});

describe('reversing a match', () => {
  it.each([
    ['the only payment of a settled advance', 420_000, 'settled', 420_000, { to: 'awaiting_hmrc', receivable: 420_000, due: 0 }],
    ['one of two payments of a settled advance', 110_000, 'settled', 420_000, { to: 'collecting', receivable: 0, due: 110_000 }],
    ['the payment that made a shortfall', 310_000, 'shortfall', 310_000, { to: 'awaiting_hmrc', receivable: 420_000, due: -110_000 }],
    ['a part of a shortfall', 10_000, 'collecting', 320_000, { to: 'collecting', receivable: 0, due: 10_000 }],
  ] as const)('%s: every penny is owed by someone again', (_name, amount, state, receivedAmount, expected) => {
    const reversal = reverseMatch(pence(amount), { state, refund: pence(420_000), received: pence(receivedAmount) });
    expect(reversal).toEqual(expected);
    expect(reversal.receivable + reversal.due).toBe(amount);
  });

  it('is impossible once a shortfall is written off, and before anything was matched', () => {
    expect((['settled', 'shortfall', 'collecting'] as const).every(isReversible)).toBe(true);
    expect((['written_off', 'awaiting_hmrc', 'paying'] as const).some(isReversible)).toBe(false);
  });
});
