import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { promotionCodes, promotionRedemptions } from '@portal/db/schema/schema.ts';
import { eq, sql } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { getDiscount, toPromotionCode } from '@portal/domain/pricing/promotion.ts';
import { getUsablePromotion, type CodeUse } from './calculate-price.ts';

/**
 * Uses a code once, in the subscription's transaction. The lock on the code lasts until that transaction ends, so practices that redeem it
 * concurrently can't exceed its total uses, and no practice can exceed its own limit.
 */
export async function redeemPromotion(
  tx: Tx,
  text: string,
  { redeemedAt, ...use }: CodeUse & { readonly redeemedAt: Instant },
): Promise<ReturnType<typeof getDiscount>> {
  const code = toPromotionCode(text);
  await tx.select({ code: promotionCodes.code }).from(promotionCodes).where(eq(promotionCodes.code, code)).for('update');
  const promotion = await getUsablePromotion(tx, code, use);
  await tx
    .update(promotionCodes)
    .set({ uses: sql`${promotionCodes.uses} + 1` })
    .where(eq(promotionCodes.code, code));
  await tx.insert(promotionRedemptions).values({ companyId: use.companyId, id: randomUUID(), code, redeemedAt });
  return getDiscount(promotion);
}
