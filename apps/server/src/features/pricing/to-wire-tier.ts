/** Converts a tier to the shape that the API returns. */
import type { PriceTier } from '@portal/domain/pricing/price-list.ts';

export function toWireTier({ name, from, to, basePence, unitPence, included }: PriceTier) {
  return { name, from, to, base_pence: basePence, unit_price_pence: unitPence, included };
}
