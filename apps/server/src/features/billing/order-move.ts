/**
 * Moves a subscription to the price list announced in its notice. Stripe gets the new price shortly before the first renewal that is late
 * enough, without proration, so that the paid month is unchanged.
 */
import { randomUUID } from 'node:crypto';
import { priceNotices, subscriptionChanges, subscriptions } from '@portal/db/schema/schema.ts';
import { and, eq, inArray, lte } from '@portal/db/sql.ts';
import { addMilliseconds, toLondonDate } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { isThisSubscription, lockAccount, type SubscriptionRow } from './billing-records.ts';
import { enqueueSend } from './send-change.ts';

/**
 * The lead time before the renewal. Until then, a change in connections doesn't need a second call, and an outage at Stripe is harmless.
 */
const RENEWAL_LEAD_MS = 3 * 86_400_000;

export async function orderDueMoves(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const dueMoves = await db
    .select({ subscription: subscriptions })
    .from(priceNotices)
    .innerJoin(subscriptions, and(eq(subscriptions.companyId, priceNotices.companyId), eq(subscriptions.id, priceNotices.subscriptionId)))
    .where(and(eq(priceNotices.status, 'noticed'), lte(subscriptions.periodEnd, addMilliseconds(deps.clock.now(), RENEWAL_LEAD_MS))));
  await tryEach(dueMoves, ({ subscription }) => orderMove(deps, subscription));
}

/** Checks the facts again under the lock that users' orders take. */
async function orderMove(deps: AppDeps, { companyId, id: subscriptionId }: SubscriptionRow): Promise<void> {
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    await lockAccount(tx, companyId, at);
    const isOfSubscription = and(eq(priceNotices.companyId, companyId), eq(priceNotices.subscriptionId, subscriptionId));
    const [notice] = await tx
      .select()
      .from(priceNotices)
      .where(and(isOfSubscription, eq(priceNotices.status, 'noticed')));
    const [subscription] = await tx
      .select()
      .from(subscriptions)
      .where(isThisSubscription({ companyId, id: subscriptionId }));
    if (!notice || !subscription || !isDue(subscription, notice.movesFrom, at)) return;
    const isClaimed = and(
      eq(subscriptionChanges.companyId, companyId),
      eq(subscriptionChanges.subscriptionId, subscriptionId),
      inArray(subscriptionChanges.status, ['sending', 'done']),
    );
    const claimedChanges = await tx.select().from(subscriptionChanges).where(isClaimed);
    if (claimedChanges.some(({ status, appliesFrom }) => status === 'sending' || appliesFrom === subscription.periodEnd)) return;
    const id = randomUUID();
    const { fromVersion, toVersion } = notice;
    const versions = { fromVersion, toVersion, appliesFrom: subscription.periodEnd };
    await tx
      .insert(subscriptionChanges)
      .values({ companyId, id, subscriptionId, kind: 'price', status: 'sending', ...versions, orderedAt: at });
    const after = { to_version: toVersion, applies_from: subscription.periodEnd };
    await recordAudit(tx, { companyId, at, actor: 'rules', action: 'subscription.price', subject: subscriptionId, after });
    await enqueueSend(deps, tx, companyId, id, 0);
  });
}

/** Returns whether the subscription moves at this renewal. It doesn't if the practice then returns to the free level. */
function isDue({ status, periodEnd, endsAtRenewal }: SubscriptionRow, movesFrom: string, now: string): boolean {
  const isLive = status === 'active' || status === 'past_due';
  return isLive && !endsAtRenewal && periodEnd !== null && periodEnd > now && toLondonDate(periodEnd) >= movesFrom;
}
