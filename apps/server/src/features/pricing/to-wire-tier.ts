/** A tier as the calls return it. */
import type { PriceTier } from '@portal/domain/pricing/price-list.ts';

export function toWireTier({ name, from, to, basePence, unitPence, included }: PriceTier) {
  return { name, from, to, base_pence: basePence, unit_price_pence: unitPence, included };
}
