import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { deductShortfalls } from './net-payout.ts';

describe('netting against the next payout', () => {
  it.each([
    [396_000, [], 396_000, []],
    [396_000, [100_000], 296_000, [100_000]],
    [396_000, [100_000, 50_000], 246_000, [100_000, 50_000]],
    [60_000, [50_000, 30_000], 100, [50_000, 9_900]],
    [10_000, [30_000], 100, [9_900]],
    [50, [30_000], 50, [0]],
  ])('deducts unpaid differences from %d, oldest first', (net, unpaid, payout, taken) => {
    expect(deductShortfalls(pence(net), unpaid.map(pence))).toEqual({ payout, taken });
  });
});
