/** Finds the price list that a subscription's period is charged at. */
import type { Db, Tx } from '@portal/db/database.ts';
import { subscriptionChanges } from '@portal/db/schema/schema.ts';
import { and, asc, eq } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { SubscriptionRow } from './billing-records.ts';

export type PriceChange = typeof subscriptionChanges.$inferSelect;

/** Lists the moves to another price list that Stripe has accepted, oldest first. */
export function listPriceChanges(db: Db | Tx, { companyId, id }: Pick<SubscriptionRow, 'companyId' | 'id'>): Promise<PriceChange[]> {
  return db
    .select()
    .from(subscriptionChanges)
    .where(
      and(
        eq(subscriptionChanges.companyId, companyId),
        eq(subscriptionChanges.subscriptionId, id),
        eq(subscriptionChanges.kind, 'price'),
        eq(subscriptionChanges.status, 'done'),
      ),
    )
    .orderBy(asc(subscriptionChanges.appliesFrom));
}

/** Returns the price list for a period that starts at that time. Each move contains the lists before and after it. */
export async function getListVersionAt(db: Db | Tx, subscription: SubscriptionRow, at: Instant): Promise<number> {
  const changes = await listPriceChanges(db, subscription);
  const latestChange = changes.findLast(({ appliesFrom }) => appliesFrom !== null && appliesFrom <= at);
  return latestChange?.toVersion ?? changes[0]?.fromVersion ?? subscription.priceListVersion;
}
