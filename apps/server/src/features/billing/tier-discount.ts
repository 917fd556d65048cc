/** A promotion code that is only for some tiers ends when its practice changes to another tier. */
import type { Db, Tx } from '@portal/db/database.ts';
import { promotionCodes } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { Discount } from '@portal/domain/pricing/calculate-pricing.ts';
import { getTier, type PriceList } from '@portal/domain/pricing/price-list.ts';
import { isForTier } from '@portal/domain/pricing/promotion.ts';
import { getDiscountAt, type SubscriptionRow } from './billing-records.ts';

type ConnectionChange = { readonly list: Pick<PriceList, 'tiers'>; readonly connections: number; readonly at: Instant };

/** `endedCode`: the code that ends with the change; null if none does. */
export type TierDiscount = { readonly discount: Discount | null; readonly endedCode: string | null };

/** Returns the discount of a subscription that is changed to this number of connections. */
export async function findTierDiscount(
  db: Db | Tx,
  subscription: SubscriptionRow,
  { list, connections, at }: ConnectionChange,
): Promise<TierDiscount> {
  const discount = getDiscountAt(subscription, at);
  const { promotionCode } = subscription;
  const tierName = getTier(list, connections).name;
  // A later price list may name the tiers differently, which ends no code by itself.
  const isSameTier = tierName === getTier(list, subscription.connections).name;
  if (discount === null || promotionCode === null || isSameTier) return { discount, endedCode: null };
  const [code] = await db.select({ tiers: promotionCodes.tiers }).from(promotionCodes).where(eq(promotionCodes.code, promotionCode));
  return code === undefined || isForTier(code, tierName) ? { discount, endedCode: null } : { discount: null, endedCode: promotionCode };
}
