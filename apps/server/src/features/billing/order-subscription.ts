/**
 * Starts a subscription: the details shown to the user are checked and frozen in one transaction, together with the use of the promotion
 * code.
 */
import { randomUUID } from 'node:crypto';
import type { billingApi } from '@portal/contract/billing.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Tx } from '@portal/db/database.ts';
import { billingAccounts, subscriptionChanges, subscriptions } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Pence } from '@portal/domain/money.ts';
import { calculatePricing } from '@portal/domain/pricing/calculate-pricing.ts';
import { getTier } from '@portal/domain/pricing/price-list.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { countSelectedConnections, type GetPracticePrices, type PracticePrices } from '../pricing/practice-prices.ts';
import { redeemPromotion } from '../pricing/redeem-promotion.ts';
import { findSubscription, getBillingProvider, lockAccount, toDiscountColumns, type BillingAccount } from './billing-records.ts';
import { findSubscriptionView } from './billing-queries.ts';
import { assertNoEarlierDebt } from './earlier-debts.ts';
import { enqueueSend, trySendChange } from './send-change.ts';

export type SubscriptionOrder = {
  readonly companyId: string;
  readonly userId: string;
  readonly ip: string;
  readonly expectedTotalPence: Pence;
};

export async function subscribe(
  deps: AppDeps,
  getPrices: GetPracticePrices,
  { tenant, input, actor, caller }: Call<typeof billingApi.subscribe>,
): Promise<EndpointOutput<typeof billingApi.subscribe>> {
  const companyId = tenant.practiceId;
  getBillingProvider(deps);
  await assertNoEarlierDebt(deps, companyId);
  const prices = await getPrices(companyId);
  const order = { companyId, userId: actor.userId, ip: caller.ip, expectedTotalPence: input.expected_total_pence };
  const changeId = await deps.database.db.transaction((tx) => orderSubscription(deps, tx, prices, order));
  await trySendChange(deps, companyId, changeId);
  return { subscription: await findSubscriptionView(deps, companyId) };
}

/** Returns the ID of the change to send. */
export async function orderSubscription(deps: AppDeps, tx: Tx, prices: PracticePrices, order: SubscriptionOrder): Promise<string> {
  const { companyId, userId: orderedBy, ip } = order;
  const at = deps.clock.now();
  const today = deps.clock.today();
  const account = await lockAccount(tx, companyId, at);
  assertCanPay(account);
  if (await findSubscription(tx, companyId))
    throw new AppError('conflict', 'billing.already_subscribed', 'Your practice already has a subscription. Reload the page to see it.');
  const { list, partner } = prices;
  // Counted in this transaction, because the selection may have changed since the prices were read.
  const connections = await countSelectedConnections(tx, companyId);
  const tier = getTier(list, connections);
  const pricingInput = { list, connections, today, subscribedOn: today, change: null };
  const fullPricing = calculatePricing({ ...pricingInput, discount: null });
  if (fullPricing.totalPence === 0)
    throw new AppError(
      'impossible',
      'billing.nothing_to_pay',
      `${tier.name} is free. You don’t need a subscription for ${connections} connections.`,
    );
  const code = account.promotionCode;
  const use = { companyId, partner, tierName: tier.name, today, redeemedAt: at };
  const promotion = code === '' ? null : await redeemPromotion(tx, code, use);
  const pricing = calculatePricing({ ...pricingInput, discount: promotion?.discount ?? null });
  assertExpectedTotal(order.expectedTotalPence, pricing.totalPence);
  const [id, changeId] = [randomUUID(), randomUUID()];
  await tx.insert(subscriptions).values({
    companyId,
    id,
    status: 'starting',
    priceListVersion: list.version,
    connections,
    subscribedOn: today,
    netPence: pricing.netPence,
    promotionCode: code === '' ? null : code,
    ...(promotion ? toDiscountColumns(promotion) : {}),
    amountDuePence: pricing.totalPence,
    orderedBy,
    createdAt: at,
  });
  await tx.insert(subscriptionChanges).values({
    companyId,
    id: changeId,
    subscriptionId: id,
    kind: 'start',
    status: 'sending',
    connections,
    toNetPence: pricing.netPence,
    orderedBy,
    orderedAt: at,
  });
  await tx.update(billingAccounts).set({ promotionCode: '' }).where(eq(billingAccounts.companyId, companyId));
  const after = { connections, total_pence: pricing.totalPence, promotion_code: code };
  await recordAudit(tx, { companyId, at, actor: orderedBy, action: 'subscription.ordered', subject: id, after, ip });
  await enqueueSend(deps, tx, companyId, changeId);
  return changeId;
}

function assertCanPay(account: BillingAccount): void {
  if (account.billingName === '' || account.billingEmail === '' || account.billingAddress === '') {
    const message = 'Enter the billing contact’s name, email and address, which must appear on invoices.';
    throw new AppError('impossible', 'billing.contact_missing', message, {
      field: account.billingName === '' ? 'billing_name' : 'billing_address',
    });
  }
  if (account.paymentMethodId === null)
    throw new AppError('impossible', 'billing.payment_method_missing', 'Add a payment method first.', { field: 'payment_method' });
}

/** A user agrees only to the amount they were shown. */
export function assertExpectedTotal(expected: Pence, total: Pence): void {
  if (expected === total) return;
  const message = 'The price has changed since you saw it. Check the new price, then confirm again.';
  throw new AppError('conflict', 'billing.price_changed', message, { total_pence: total });
}
