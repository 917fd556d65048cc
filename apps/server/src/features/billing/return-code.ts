import type { Tx } from '@portal/db/database.ts';
import { promotionCodes, promotionRedemptions } from '@portal/db/schema/schema.ts';
import { and, desc, eq, sql } from '@portal/db/sql.ts';
import type { SubscriptionRow } from './billing-records.ts';

/** Reverts the latest use of the subscription's code, because the practice got no benefit from it. */
export async function restorePromotionCode(tx: Tx, { companyId, promotionCode: code }: SubscriptionRow): Promise<void> {
  if (code === null) return;
  await tx.select({ code: promotionCodes.code }).from(promotionCodes).where(eq(promotionCodes.code, code)).for('update');
  const isUse = and(eq(promotionRedemptions.companyId, companyId), eq(promotionRedemptions.code, code));
  const [use] = await tx.select().from(promotionRedemptions).where(isUse).orderBy(desc(promotionRedemptions.redeemedAt)).limit(1);
  if (!use) return;
  await tx.delete(promotionRedemptions).where(and(isUse, eq(promotionRedemptions.id, use.id)));
  await tx
    .update(promotionCodes)
    .set({ uses: sql`greatest(0, ${promotionCodes.uses} - 1)` })
    .where(eq(promotionCodes.code, code));
}
