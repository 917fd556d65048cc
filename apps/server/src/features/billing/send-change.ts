/**
 * Sends an ordered change to Stripe. The change's ID is the idempotency key, and Stripe's own record shows what was already done, so a
 * crash or a lost response neither subscribes nor charges twice.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { subscriptionChanges, subscriptions } from '@portal/db/schema/schema.ts';
import { and, eq, gt } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { VAT_RATE_BPS } from '@portal/domain/pricing/calculate-pricing.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { ProviderSubscription } from '@portal/providers/stripe/stripe-port.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getPriceList } from '../pricing/practice-prices.ts';
import { findAccount, getBillingProvider, getDiscountAt, isThisSubscription, type SubscriptionRow } from './billing-records.ts';
import { issueInvoices } from './issue-invoices.ts';
import { listPriceChanges } from './price-list-at.ts';
import { restorePromotionCode } from './return-code.ts';
import { readSubscription } from './read-subscription.ts';
import { findTierDiscount } from './tier-discount.ts';

type ChangeRow = typeof subscriptionChanges.$inferSelect;

const NO_DISCOUNT = { promotionCode: null, discountKind: null, discountValue: null, discountMonths: null };

/** Long enough for the request that ordered the change, which tries to send it first. */
const SEND_DELAY_SECONDS = 45;

// oxlint-disable-next-line max-params -- the delay differs for one caller
export function enqueueSend(
  deps: AppDeps,
  tx: Db | Tx,
  companyId: string,
  changeId: string,
  delaySeconds = SEND_DELAY_SECONDS,
): Promise<void> {
  const payload = { company_id: companyId, change_id: changeId };
  return deps.enqueue(tx, 'billing.send', payload, { singletonKey: `billing.send:${changeId}`, delaySeconds });
}

/** Sends the change while the user who ordered it waits, so that they see a rejection. If Stripe can't be reached, the job sends it. */
export async function trySendChange(deps: AppDeps, companyId: string, changeId: string): Promise<void> {
  try {
    await sendChange(deps, companyId, changeId);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error, changeId }, 'billing: a change could not be sent yet');
  }
  const [change] = await deps.database.db.select().from(subscriptionChanges).where(isThisChange(companyId, changeId));
  if (change?.status === 'refused')
    throw new AppError('impossible', 'billing.refused', `Stripe rejected it: ${change.refusal ?? ''} Check it, or contact us.`);
}

export async function sendChange(deps: AppDeps, companyId: string, changeId: string): Promise<void> {
  const { db } = deps.database;
  const [foundChange] = await db
    .select({ change: subscriptionChanges, subscription: subscriptions })
    .from(subscriptionChanges)
    .innerJoin(
      subscriptions,
      and(eq(subscriptions.companyId, subscriptionChanges.companyId), eq(subscriptions.id, subscriptionChanges.subscriptionId)),
    )
    .where(isThisChange(companyId, changeId));
  if (foundChange?.change.status === 'sending') {
    try {
      const sentSubscription = await sendToStripe(deps, foundChange.change, foundChange.subscription);
      await finishChange(deps, foundChange.change, foundChange.subscription, sentSubscription);
    } catch (error) {
      const refusal = getRefusal(error);
      if (refusal === undefined) throw error;
      await refuseChange(deps, foundChange.change, foundChange.subscription, refusal);
    }
  }
  await readSubscription(deps, companyId);
}

/** Returns the reason if Stripe certainly changed nothing, otherwise undefined. */
function getRefusal(error: unknown): string | undefined {
  if (error instanceof NotAppliedError) return error.message;
  if (!(error instanceof ProviderError) || error.failure !== 'refused') return undefined;
  return error.facts.detail ?? error.facts.code ?? '';
}

const isThisChange = (companyId: string, id: string) => and(eq(subscriptionChanges.companyId, companyId), eq(subscriptionChanges.id, id));

async function sendToStripe(deps: AppDeps, change: ChangeRow, subscription: SubscriptionRow): Promise<ProviderSubscription> {
  const { provider } = getBillingProvider(deps);
  const idempotencyKey = change.id;
  if (change.kind === 'start') return startSubscription(deps, change, subscription);
  const { providerSubscriptionId: subscriptionId, providerItemId: itemId } = subscription;
  if (subscriptionId === null || itemId === null) throw new Error(`the subscription ${subscription.id} isn't at Stripe`);
  switch (change.kind) {
    case 'connections': {
      const current = await provider.getSubscription(subscriptionId);
      const quantity = change.connections ?? 0;
      // Already applied, even if Stripe no longer stores the key.
      if (current.quantity === quantity) return current;
      const priceId = await findPeriodPrice(deps, change, subscription);
      const endsDiscount = await isDiscountEnding(deps.database.db, change, subscription);
      if (endsDiscount) await issueDiscountedInvoices(deps, subscription, subscriptionId);
      return provider.changeQuantity({ idempotencyKey, subscriptionId, itemId, quantity, at: change.orderedAt, priceId, endsDiscount });
    }
    case 'price':
      return changePrice(deps, change, { subscriptionId, itemId });
    case 'code':
      return provider.applyCoupon({ idempotencyKey, subscriptionId, couponId: await ensureCoupon(deps, subscription) });
    case 'pay': {
      const account = await findAccount(deps.database.db, subscription.companyId);
      if (subscription.unpaidInvoiceId !== null && account?.paymentMethodId)
        await provider.payInvoice({ idempotencyKey, invoiceId: subscription.unpaidInvoiceId, paymentMethodId: account.paymentMethodId });
      return provider.getSubscription(subscriptionId);
    }
    default:
      return provider.setEndsAtPeriodEnd({ idempotencyKey, subscriptionId, ends: change.kind === 'cancel' });
  }
}

async function changePrice(
  deps: AppDeps,
  { id: idempotencyKey, toVersion, appliesFrom }: ChangeRow,
  item: { subscriptionId: string; itemId: string },
): Promise<ProviderSubscription> {
  const { provider } = getBillingProvider(deps);
  const priceId = await provider.ensurePrice(await getPriceList(deps.database.db, toVersion ?? 0));
  const current = await provider.getSubscription(item.subscriptionId);
  // Already applied, even if Stripe no longer stores the key.
  if (current.priceId === priceId) return current;
  const isTooLate = current.periodEnd !== appliesFrom || current.endsAtPeriodEnd || current.status === 'ended';
  if (isTooLate) throw new NotAppliedError('The renewal date has passed, or the subscription ends on that date.');
  return provider.changePrice({ idempotencyKey, ...item, priceId });
}

/** Returns true if the change is to a tier that the promotion code isn't for. */
async function isDiscountEnding(db: Db | Tx, change: ChangeRow, subscription: SubscriptionRow): Promise<boolean> {
  const { kind, connections, fromConnections, orderedAt: at } = change;
  if (kind !== 'connections' || connections === null || fromConnections === null) return false;
  const list = await getPriceList(db, subscription.priceListVersion);
  // After a lost response, the subscription may already have the new number.
  const before = { ...subscription, connections: fromConnections };
  return (await findTierDiscount(db, before, { list, connections, at })).endedCode !== null;
}

/** Once the discount has ended, the invoices of the periods that had it couldn't be calculated any more. */
async function issueDiscountedInvoices(deps: AppDeps, subscription: SubscriptionRow, subscriptionId: string): Promise<void> {
  const invoices = await getBillingProvider(deps).provider.listInvoices(subscriptionId);
  if (invoices.some(({ status }) => status === 'draft'))
    throw new NotAppliedError('Your subscription is being renewed. Try again in an hour.');
  await issueInvoices(deps, subscription, invoices);
}

/** The change isn't sent, because it would no longer have the effect that was ordered. */
class NotAppliedError extends Error {}

/** Stripe may already have the coming renewal's price, but the rest of this month is charged at this month's price. */
async function findPeriodPrice(deps: AppDeps, { orderedAt }: ChangeRow, subscription: SubscriptionRow): Promise<string | undefined> {
  const { db } = deps.database;
  const upcomingChange = (await listPriceChanges(db, subscription)).find(
    ({ appliesFrom }) => appliesFrom !== null && appliesFrom > orderedAt,
  );
  if (!upcomingChange) return undefined;
  return getBillingProvider(deps).provider.ensurePrice(await getPriceList(db, subscription.priceListVersion));
}

async function startSubscription(deps: AppDeps, change: ChangeRow, subscription: SubscriptionRow): Promise<ProviderSubscription> {
  const { provider } = getBillingProvider(deps);
  const account = await findAccount(deps.database.db, subscription.companyId);
  const customerId = account?.providerCustomerId;
  if (!customerId) throw new Error(`the practice ${subscription.companyId} isn't a customer at Stripe`);
  const existing = await provider.findSubscriptionByKey(customerId, change.id);
  if (existing) return existing;
  return provider.createSubscription({
    idempotencyKey: change.id,
    customerId,
    priceId: await provider.ensurePrice(await getPriceList(deps.database.db, subscription.priceListVersion)),
    taxRateId: await provider.ensureVatRate(VAT_RATE_BPS),
    quantity: subscription.connections,
    couponId: subscription.discountKind === null ? undefined : await ensureCoupon(deps, subscription),
  });
}

function ensureCoupon(deps: AppDeps, subscription: SubscriptionRow): Promise<string> {
  const discount = getDiscountAt({ ...subscription, discountFrom: null }, deps.clock.now());
  if (!discount) throw new Error(`the subscription ${subscription.id} has no discount`);
  return getBillingProvider(deps).provider.ensureCoupon({ discount, months: subscription.discountMonths });
}

async function finishChange(
  deps: AppDeps,
  change: ChangeRow,
  subscription: SubscriptionRow,
  sentSubscription: ProviderSubscription,
): Promise<void> {
  const startedSubscription = {
    providerSubscriptionId: sentSubscription.subscriptionId,
    providerItemId: sentSubscription.itemId,
    discountFrom: sentSubscription.startedAt,
  };
  const changedTerms = {
    connections: change.connections ?? subscription.connections,
    netPence: change.toNetPence ?? subscription.netPence,
  };
  const columns = {
    ...(change.kind === 'start' ? startedSubscription : {}),
    ...(change.kind === 'connections' ? changedTerms : {}),
    ...(change.kind === 'code' ? findLaterDiscountStart(change, sentSubscription) : {}),
    endsAtRenewal: sentSubscription.endsAtPeriodEnd,
  };
  await deps.database.db.transaction(async (tx) => {
    const endedDiscount = (await isDiscountEnding(tx, change, subscription)) ? NO_DISCOUNT : {};
    const doneStatus = { status: 'done' as const };
    const doneChanges = await tx
      .update(subscriptionChanges)
      .set(doneStatus)
      .where(and(isThisChange(change.companyId, change.id), eq(subscriptionChanges.status, 'sending')))
      .returning({ id: subscriptionChanges.id });
    if (doneChanges.length === 0) return;
    await tx
      .update(subscriptions)
      .set({ ...columns, ...endedDiscount })
      .where(isThisSubscription(subscription));
    if (change.kind === 'connections') await revertUpcomingPrice(tx, change);
  });
}

/** If Stripe got the code after a renewal that it was ordered before, that renewal is charged without it. */
function findLaterDiscountStart({ orderedAt }: ChangeRow, { periodStart }: ProviderSubscription): { discountFrom?: Instant } {
  return periodStart > orderedAt ? { discountFrom: addMilliseconds(periodStart, 1_000) } : {};
}

/** The change restored this month's price at Stripe, so order the move to the next one again. */
async function revertUpcomingPrice(tx: Tx, { companyId, subscriptionId, orderedAt }: ChangeRow): Promise<void> {
  const isUpcoming = and(
    eq(subscriptionChanges.companyId, companyId),
    eq(subscriptionChanges.subscriptionId, subscriptionId),
    eq(subscriptionChanges.kind, 'price'),
    eq(subscriptionChanges.status, 'done'),
    gt(subscriptionChanges.appliesFrom, orderedAt),
  );
  await tx.update(subscriptionChanges).set({ status: 'reverted' }).where(isUpcoming);
}

/** Call only if nothing was done at Stripe. If a subscription's start or a new promotion code was rejected, the code can be used again. */
async function refuseChange(deps: AppDeps, change: ChangeRow, subscription: SubscriptionRow, refusal: string): Promise<void> {
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const refusedChanges = await tx
      .update(subscriptionChanges)
      .set({ status: 'refused', refusal })
      .where(and(isThisChange(change.companyId, change.id), eq(subscriptionChanges.status, 'sending')))
      .returning({ id: subscriptionChanges.id });
    if (refusedChanges.length === 0) return;
    if (change.kind === 'start') {
      await tx.update(subscriptions).set({ status: 'ended', endedAt: at, failure: refusal }).where(isThisSubscription(subscription));
    }
    if (change.kind === 'start' || change.kind === 'code') await restorePromotionCode(tx, subscription);
    if (change.kind === 'code') await tx.update(subscriptions).set(NO_DISCOUNT).where(isThisSubscription(subscription));
    const { companyId, subscriptionId } = change;
    await recordAudit(tx, { companyId, at, actor: 'stripe', action: 'subscription.refused', subject: subscriptionId, after: { refusal } });
  });
}
