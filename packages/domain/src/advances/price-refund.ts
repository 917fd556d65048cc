import { applyRate, pence, type Pence } from '../money.ts';

/** What a refund is bought for, in pence: `net` is paid to the trader, `refund` comes back from HMRC, `fee` is the difference. */
export type Price = { readonly refund: Pence; readonly fee: Pence; readonly net: Pence };

/**
 * Prices a refund: fee = rate x refund, rounded half up to the penny, at least the minimum (product.md section 4).
 * Undefined where nothing would be left for the trader.
 */
export function priceRefund(refund: Pence, rateBps: number, minimumFee: Pence): Price | undefined {
  const fee = pence(Math.max(minimumFee, applyRate(refund, rateBps, 'half-away')));
  const net = pence(refund - fee);
  return net > 0 ? { refund, fee, net } : undefined;
}
