import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { getPartner } from '../partners/partners.ts';
import { priceRefund } from './price-refund.ts';

const MINIMUM_FEE = pence(5_00);

describe('the price of a refund', () => {
  // 1%, or 2% through swoop, at least 5 pounds: docs/product/specification.md sections 1 and 9. Rounded half up to the penny:
  // docs/product/decisions.md section 4.
  it.each([
    ['organic', 500_00, 5_00],
    ['organic', 500_50, 5_01],
    ['organic', 500_49, 5_00],
    ['organic', 499_99, 5_00],
    ['organic', 12_340_55, 123_41],
    ['swoop', 12_340_55, 246_81],
    ['SWOOP', 250_00, 5_00],
    ['an unknown partner', 1_000_00, 10_00],
  ])('through %s, %i pence costs %i', (partner, refund, fee) => {
    const price = priceRefund(pence(refund), getPartner(partner).feeRateBps, MINIMUM_FEE);
    expect(price).toEqual({ refund, fee, net: refund - fee });
  });

  it.each([5_00, 4_99, 1])('is undefined when the fee would leave nothing of %i pence', (refund) => {
    expect(priceRefund(pence(refund), 100, MINIMUM_FEE)).toBeUndefined();
  });
});
