/** Subscription changes that a user orders: connections, promotion code, cancelling and resuming, and retrying a payment. */
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@portal/db/database.ts';
import { subscriptionChanges, subscriptions, type SubscriptionChangeKind } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { toEpochMs, toInstant, type Instant } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';
import { calculatePricing } from '@portal/domain/pricing/calculate-pricing.ts';
import { getTier } from '@portal/domain/pricing/price-list.ts';
import { toPromotionCode } from '@portal/domain/pricing/promotion.ts';
import type { SubscriptionStatus } from '@portal/domain/pricing/subscription.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { countSelectedConnections, type GetPracticePrices } from '../pricing/practice-prices.ts';
import { redeemPromotion } from '../pricing/redeem-promotion.ts';
import {
  findAccount,
  findSubscription,
  getBillingProvider,
  getDiscountAt,
  isThisSubscription,
  lockAccount,
  toDiscountColumns,
  type SubscriptionRow,
} from './billing-records.ts';
import { assertMonthPaid, assertNotPaidBack } from './refunds-and-changes.ts';
import { assertExpectedTotal } from './order-subscription.ts';
import { enqueueSend, trySendChange } from './send-change.ts';
import { findTierDiscount } from './tier-discount.ts';

/** The user who orders the change. */
export type ChangeRequester = { readonly companyId: string; readonly userId: string; readonly ip: string };
type ChangeColumns = Partial<
  Omit<typeof subscriptionChanges.$inferInsert, 'companyId' | 'id' | 'subscriptionId' | 'kind' | 'status' | 'orderedBy' | 'orderedAt'>
>;
type ChangeDecision = { readonly columns?: ChangeColumns; readonly after?: unknown };
type DecideChange = (tx: Tx, subscription: SubscriptionRow, at: Instant) => Promise<ChangeDecision>;
type Order = { readonly kind: SubscriptionChangeKind; readonly allowed: readonly SubscriptionStatus[]; readonly decide: DecideChange };

/** Checks and stores the change, then sends it. If sending fails now, the job sends it later. */
async function orderChange(deps: AppDeps, { companyId, userId, ip }: ChangeRequester, { kind, allowed, decide }: Order): Promise<void> {
  getBillingProvider(deps);
  // The provider counts in whole seconds.
  const at = toInstant(Math.floor(toEpochMs(deps.clock.now()) / 1_000) * 1_000);
  const id = randomUUID();
  await deps.database.db.transaction(async (tx) => {
    await lockAccount(tx, companyId, at);
    const subscription = await findSubscription(tx, companyId);
    if (!subscription) throw new AppError('conflict', 'billing.not_subscribed', 'Your practice has no subscription. Set it up first.');
    await assertNothingSending(tx, subscription);
    if (!allowed.includes(subscription.status)) throw createWrongStatusError(subscription.status);
    const { columns, after } = await decide(tx, subscription, at);
    const change = { companyId, id, subscriptionId: subscription.id, kind, status: 'sending' as const, orderedBy: userId, orderedAt: at };
    await tx.insert(subscriptionChanges).values({ ...change, ...columns });
    await recordAudit(tx, { companyId, at, actor: userId, action: `subscription.${kind}`, subject: subscription.id, after, ip });
    await enqueueSend(deps, tx, companyId, id);
  });
  await trySendChange(deps, companyId, id);
}

export async function changeConnections(
  deps: AppDeps,
  getPrices: GetPracticePrices,
  orderer: ChangeRequester,
  expectedTotalPence: Pence,
): Promise<void> {
  const { list } = await getPrices(orderer.companyId);
  const decide: DecideChange = async (tx, subscription, at) => {
    assertNotRenewing(subscription, at);
    const connections = await countSelectedConnections(tx, orderer.companyId);
    if (connections === subscription.connections)
      throw new AppError('conflict', 'billing.no_change', 'You already pay for these connections.');
    if (connections === 0)
      throw new AppError('conflict', 'billing.no_connections', 'Select a connection, or cancel the subscription in the settings.');
    const pricingInput = { list, connections, today: deps.clock.today(), subscribedOn: subscription.subscribedOn, change: null };
    const { discount, endedCode } = await findTierDiscount(tx, subscription, { list, connections, at });
    const pricing = calculatePricing({ ...pricingInput, discount });
    assertExpectedTotal(expectedTotalPence, pricing.totalPence);
    if (pricing.netPence < subscription.netPence) {
      await assertMonthPaid(tx, subscription);
      await assertNotPaidBack(tx, subscription);
    }
    const { connections: fromConnections, periodStart, netPence: fromNetPence } = subscription;
    const columns = { connections, fromConnections, periodStart, fromNetPence, toNetPence: pricing.netPence };
    const ended = endedCode === null ? {} : { ended_promotion_code: endedCode };
    return { columns, after: { connections, total_pence: pricing.totalPence, ...ended } };
  };
  await orderChange(deps, orderer, { kind: 'connections', allowed: ['active'], decide });
}

/** The code is redeemed in the transaction that orders the change. */
export async function applyCode(deps: AppDeps, getPrices: GetPracticePrices, orderer: ChangeRequester, text: string): Promise<void> {
  const { list, partner } = await getPrices(orderer.companyId);
  const decide: DecideChange = async (tx, subscription, at) => {
    assertNotRenewing(subscription, at);
    if (getDiscountAt(subscription, at) !== null) {
      const message = 'A promotion code already applies to your subscription. You can use another one when it ends.';
      throw new AppError('conflict', 'promotion.one_at_a_time', message, { field: 'promotion_code' });
    }
    const tierName = getTier(list, subscription.connections).name;
    const promotionUse = { companyId: orderer.companyId, partner, tierName, today: deps.clock.today(), redeemedAt: at };
    const promotion = await redeemPromotion(tx, text, promotionUse);
    const columns = { ...toDiscountColumns(promotion), promotionCode: toPromotionCode(text), discountFrom: at };
    await tx.update(subscriptions).set(columns).where(isThisSubscription(subscription));
    return { after: { promotion_code: toPromotionCode(text) } };
  };
  await orderChange(deps, orderer, { kind: 'code', allowed: ['active'], decide });
}

export function setEnding(deps: AppDeps, orderer: ChangeRequester, ends: boolean): Promise<void> {
  const decide: DecideChange = async (_tx, { endsAtRenewal }) => {
    if (endsAtRenewal !== ends) return {};
    const message = ends ? 'Your subscription is already set to end at its renewal.' : 'Your subscription is already set to renew.';
    throw new AppError('conflict', 'billing.no_change', message);
  };
  return orderChange(deps, orderer, { kind: ends ? 'cancel' : 'resume', allowed: ['active', 'past_due'], decide });
}

export function retryPayment(deps: AppDeps, orderer: ChangeRequester): Promise<void> {
  const decide: DecideChange = async (tx, { unpaidInvoiceId }) => {
    const account = await findAccount(tx, orderer.companyId);
    if (unpaidInvoiceId === null) throw new AppError('conflict', 'billing.nothing_due', 'There is nothing to pay.');
    if (!account?.paymentMethodId) throw new AppError('impossible', 'billing.payment_method_missing', 'Add a payment method first.');
    return { after: { invoice: unpaidInvoiceId } };
  };
  return orderChange(deps, orderer, { kind: 'pay', allowed: ['incomplete', 'past_due'], decide });
}

/** Stripe may already have priced the new period. */
function assertNotRenewing({ periodEnd }: SubscriptionRow, at: Instant): void {
  if (periodEnd !== null && at >= periodEnd)
    throw new AppError('conflict', 'billing.in_progress', 'Your subscription is being renewed. Try again in a minute.');
}

async function assertNothingSending(db: Db | Tx, { companyId, id, status }: SubscriptionRow): Promise<void> {
  const isSending = and(
    eq(subscriptionChanges.companyId, companyId),
    eq(subscriptionChanges.subscriptionId, id),
    eq(subscriptionChanges.status, 'sending'),
  );
  const [sendingChange] = await db.select({ id: subscriptionChanges.id }).from(subscriptionChanges).where(isSending);
  if (sendingChange ?? status === 'starting')
    throw new AppError('conflict', 'billing.in_progress', 'Your last change is still being sent to Stripe. Try again in a minute.');
}

function createWrongStatusError(status: SubscriptionStatus): AppError {
  if (status === 'past_due' || status === 'incomplete')
    return new AppError('conflict', 'billing.payment_due', 'You have an unpaid invoice. Pay it first, then change your subscription.');
  return new AppError('conflict', 'billing.nothing_due', 'There is nothing to pay.');
}
