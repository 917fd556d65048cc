/** Subscriptions at Stripe, with the number of connections as the quantity, and previews of their invoices. */
import { ProviderError } from '../http/provider-error.ts';
import type { PreviewOrder, BillingProvider } from './stripe-port.ts';
import type { StripeHttp } from './stripe-http.ts';
import { toPreview, toSeconds, toSubscription } from './stripe-map.ts';
import { invoiceWire, subscriptionListWire, subscriptionWire } from './stripe-wire.ts';

/** The metadata key under which a subscription stores the idempotency key it was created with. */
const ORDER_KEY = 'order';

/** Credits are based on the amount charged after the discount (docs.stripe.com, Compare billing modes). */
const BILLING_MODE = { type: 'flexible' as const, flexible: { proration_discounts: 'included' as const } };

type SubscriptionCalls = Pick<
  BillingProvider,
  | 'findSubscriptionByKey'
  | 'createSubscription'
  | 'getSubscription'
  | 'changeQuantity'
  | 'changePrice'
  | 'applyCoupon'
  | 'setEndsAtPeriodEnd'
  | 'endSubscription'
  | 'previewInvoice'
>;

export function createSubscriptionCalls(http: StripeHttp): SubscriptionCalls {
  const { stripe } = http;
  const write = async (operation: string, send: () => Promise<unknown>) =>
    toSubscription(await http.write({ operation, schema: subscriptionWire, send }));
  return {
    findSubscriptionByKey: async (customer, idempotencyKey) => {
      const send = () => stripe.subscriptions.list({ customer, status: 'all', limit: 100 });
      const { data } = await http.read({ operation: 'list_subscriptions', schema: subscriptionListWire, send });
      const foundSubscription = data.find(({ metadata }) => metadata[ORDER_KEY] === idempotencyKey);
      return foundSubscription && toSubscription(foundSubscription);
    },
    createSubscription: ({ idempotencyKey, customerId, priceId, taxRateId, quantity, couponId }) => {
      const params = {
        customer: customerId,
        items: [{ price: priceId, quantity }],
        default_tax_rates: [taxRateId],
        discounts: couponId === undefined ? [] : [{ coupon: couponId }],
        // If the first payment fails, the subscription is incomplete, and its invoice can still be paid.
        payment_behavior: 'allow_incomplete' as const,
        off_session: true,
        billing_mode: BILLING_MODE,
        metadata: { [ORDER_KEY]: idempotencyKey },
      };
      return write('create_subscription', () => stripe.subscriptions.create(params, { idempotencyKey }));
    },
    getSubscription: async (id) =>
      toSubscription(
        await http.read({ operation: 'get_subscription', schema: subscriptionWire, send: () => stripe.subscriptions.retrieve(id) }),
      ),
    changeQuantity: ({ idempotencyKey, subscriptionId, itemId, quantity, at, priceId, endsDiscount = false }) => {
      const params = {
        items: [{ id: itemId, quantity, ...(priceId === undefined ? {} : { price: priceId }) }],
        // An empty value removes the coupon (docs.stripe.com, Update a subscription).
        ...(endsDiscount ? { discounts: '' as const } : {}),
        proration_behavior: 'always_invoice' as const,
        proration_date: toSeconds(at),
        payment_behavior: 'allow_incomplete' as const,
        off_session: true,
      };
      return write('change_quantity', () => stripe.subscriptions.update(subscriptionId, params, { idempotencyKey }));
    },
    changePrice: ({ idempotencyKey, subscriptionId, itemId, priceId }) => {
      const params = { items: [{ id: itemId, price: priceId }], proration_behavior: 'none' as const };
      return write('change_price', () => stripe.subscriptions.update(subscriptionId, params, { idempotencyKey }));
    },
    applyCoupon: ({ idempotencyKey, subscriptionId, couponId }) => {
      const params = { discounts: [{ coupon: couponId }], proration_behavior: 'none' as const };
      return write('apply_coupon', () => stripe.subscriptions.update(subscriptionId, params, { idempotencyKey }));
    },
    setEndsAtPeriodEnd: ({ idempotencyKey, subscriptionId, ends }) =>
      write('set_cancel_at_period_end', () =>
        stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: ends }, { idempotencyKey }),
      ),
    endSubscription: async (id) => {
      try {
        await http.write({ operation: 'end_subscription', schema: subscriptionWire, send: () => stripe.subscriptions.cancel(id) });
      } catch (error) {
        // It has already ended, or never existed in this account.
        if (!(error instanceof ProviderError && error.failure === 'refused')) throw error;
      }
    },
    previewInvoice: async (order) => {
      const send = () => stripe.invoices.createPreview(toPreviewParams(order));
      return toPreview(await http.read({ operation: 'create_preview', schema: invoiceWire, send }));
    },
  };
}

function toPreviewParams({ priceId, taxRateId, quantity, couponId, change }: PreviewOrder) {
  const discounts = couponId === undefined ? [] : [{ coupon: couponId }];
  if (change) {
    return {
      subscription: change.subscriptionId,
      subscription_details: {
        items: [{ id: change.itemId, quantity }],
        proration_behavior: 'always_invoice' as const,
        proration_date: toSeconds(change.at),
      },
    };
  }
  return {
    currency: 'gbp',
    customer_details: { address: { country: 'GB' } },
    discounts,
    subscription_details: {
      items: [{ price: priceId, quantity }],
      default_tax_rates: [taxRateId],
      billing_mode: BILLING_MODE,
    },
  };
}
