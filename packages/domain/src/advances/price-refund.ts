import { applyRate, pence, type Pence } from '../money.ts';

/** The price of a refund, in pence: we pay `net` to the trader, HMRC repays `refund`, and `fee` is the difference. */
export type Price = { readonly refund: Pence; readonly fee: Pence; readonly net: Pence };

/**
 * Prices a refund: fee = rate x refund, rounded half up to the penny, at least the minimum (docs/product/decisions.md section 4).
 * Undefined if nothing would be left for the trader.
 */
export function priceRefund(refund: Pence, rateBps: number, minimumFee: Pence): Price | undefined {
  const fee = pence(Math.max(minimumFee, applyRate(refund, rateBps, 'half-away')));
  const net = pence(refund - fee);
  return net > 0 ? { refund, fee, net } : undefined;
}
