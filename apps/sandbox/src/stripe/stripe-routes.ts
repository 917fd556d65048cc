/** The simulator's routes. Each validates the parameters it uses as Stripe does, and ignores the rest. */
import { addCalendarMonths } from './stripe-arithmetic.ts';
import {
  toCheckoutResponse,
  toInvoiceResponse,
  toPayoutResponse,
  toPreviewResponse,
  toSubscriptionResponse,
  toTransactionResponse,
} from './stripe-responses.ts';
import { changeQuantity, priceChange, priceRegular, priceSubscription, startSubscription } from './stripe-billing.ts';
import { createInvalidError, requireRecord, StripeApiError } from './stripe-error.ts';
import { readNestedParams, readItems, readParam, readTextMap, readTexts, type Params } from './stripe-form.ts';
import { isCreatedWithin, toPage } from './stripe-lists.ts';
import { attemptPayment, markUncollectible } from './stripe-payments.ts';
import { PAYMENT_ROUTES } from './stripe-payment-routes.ts';
import { REFUND_ROUTES } from './stripe-refund-routes.ts';
import { createId, saveDocument, type CheckoutRecord, type StripeRecords, type SubscriptionRecord } from './stripe-records.ts';
import { CATALOGUE_ROUTES } from './stripe-catalogue-routes.ts';
import { requireInteger, requireParam, type StripeCall, type StripeRoute, toOkResponse } from './stripe-route.ts';

const createCheckout: StripeRoute['answer'] = ({ params, records, publicUrl }) => {
  const customer = requireParam(params, 'customer');
  requireRecord(records.customers.get(customer), 'customer', customer);
  if (readParam(params, 'mode') !== 'setup') throw createInvalidError('mode', 'The simulator knows mode=setup only.');
  const [type] = readTexts(params, 'payment_method_types');
  if (type !== 'card' && type !== 'bacs_debit') throw createInvalidError('payment_method_types', 'Invalid payment method type.');
  const intent = saveDocument(records.setupIntents, { id: createId('seti'), status: 'requires_payment_method', payment_method: null });
  const urls = { success_url: requireParam(params, 'success_url'), cancel_url: requireParam(params, 'cancel_url') };
  const session: CheckoutRecord = saveDocument(records.checkouts, {
    id: createId('cs_test'),
    customer,
    type,
    status: 'open',
    setup_intent: intent.id,
    ...urls,
  });
  return toOkResponse(toCheckoutResponse(session, publicUrl));
};

/** Returns `items[0]`, the only item that the portal uses. */
const getFirstItem = (params: Params): Params => readItems(params, 'items')[0] ?? {};

function toDiscount(params: Params, records: StripeRecords, from: number): SubscriptionRecord['discount'] {
  const id = readParam(readItems(params, 'discounts')[0] ?? {}, 'coupon');
  if (id === undefined) return null;
  const coupon = records.coupons.get(id);
  if (!coupon) throw createInvalidError('discounts[0][coupon]', `No such coupon: '${id}'`, 'resource_missing');
  const months = coupon.duration_in_months;
  return { coupon: id, end: months === null ? null : addCalendarMonths(from, months) };
}

const createSubscription: StripeRoute['answer'] = ({ params, records }) => {
  const customer = requireParam(params, 'customer');
  requireRecord(records.customers.get(customer), 'customer', customer);
  const now = records.now();
  const subscription = saveDocument(records.subscriptions, {
    ...toNewSubscription(params, records, now),
    customer,
    default_payment_method: readParam(params, 'default_payment_method') ?? null,
    metadata: readTextMap(params, 'metadata'),
  });
  return toOkResponse(toSubscriptionResponse(startSubscription(records, subscription)));
};

function toNewSubscription(params: Params, records: StripeRecords, start: number): SubscriptionRecord {
  const item = getFirstItem(params);
  const price = requireParam(item, 'price');
  if (!records.prices.get(price)) throw createInvalidError('items[0][price]', `No such price: '${price}'`, 'resource_missing');
  if (readParam(readNestedParams(params, 'billing_mode'), 'type') !== 'flexible')
    throw createInvalidError('billing_mode', 'The simulator knows flexible billing only.');
  return {
    id: createId('sub'),
    item: createId('si'),
    customer: '',
    status: 'incomplete',
    price,
    quantity: requireInteger(item, 'quantity'),
    start_date: start,
    period_start: start,
    period_end: addCalendarMonths(start, 1),
    months: 1,
    charged: 0,
    cancel_at_period_end: false,
    ended_at: null,
    metadata: {},
    default_payment_method: null,
    tax_rates: readTexts(params, 'default_tax_rates'),
    discount: toDiscount(params, records, start),
    latest_invoice: null,
  };
}

function getChangeable({ id, records }: StripeCall): SubscriptionRecord {
  const subscription = requireRecord(records.subscriptions.get(id), 'subscription', id);
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired')
    throw new StripeApiError(
      400,
      'invalid_request_error',
      'A canceled subscription can only update its cancellation_details and metadata.',
    );
  return subscription;
}

const updateSubscription: StripeRoute['answer'] = (call) => {
  const { params, records } = call;
  const subscription = getChangeable(call);
  const endsAtPeriodEnd = readParam(params, 'cancel_at_period_end');
  if (endsAtPeriodEnd !== undefined) {
    records.emit('customer.subscription.updated', 'subscription', subscription.id);
    return toOkResponse(
      toSubscriptionResponse(saveDocument(records.subscriptions, { ...subscription, cancel_at_period_end: endsAtPeriodEnd === 'true' })),
    );
  }
  if (readItems(params, 'discounts').length > 0) {
    const discountedSubscription = saveDocument(records.subscriptions, {
      ...subscription,
      discount: toDiscount(params, records, records.now()),
    });
    records.emit('customer.subscription.updated', 'subscription', subscription.id);
    return toOkResponse(toSubscriptionResponse(discountedSubscription));
  }
  const remainingDiscount = params['discounts'] === '' ? null : subscription.discount;
  const pricedSubscription = changePrice(params, { ...subscription, discount: remainingDiscount }, records);
  const behaviour = readParam(params, 'proration_behavior');
  // The new price applies from the next renewal.
  if (behaviour === 'none' && readParam(getFirstItem(params), 'quantity') === undefined) {
    const movedSubscription = saveDocument(records.subscriptions, pricedSubscription);
    records.emit('customer.subscription.updated', 'subscription', subscription.id);
    return toOkResponse(toSubscriptionResponse(movedSubscription));
  }
  const { quantity, at } = readChange(params, subscription, records.now());
  if (behaviour !== 'always_invoice')
    throw createInvalidError('proration_behavior', 'The simulator knows always_invoice for a quantity only.');
  return toOkResponse(toSubscriptionResponse(changeQuantity(records, pricedSubscription, quantity, at)));
};

function changePrice(params: Params, subscription: SubscriptionRecord, records: StripeRecords): SubscriptionRecord {
  const item = getFirstItem(params);
  if (readParam(item, 'id') !== subscription.item)
    throw createInvalidError('items[0][id]', 'No such subscription item.', 'resource_missing');
  const price = readParam(item, 'price') ?? subscription.price;
  if (!records.prices.get(price)) throw createInvalidError('items[0][price]', `No such price: '${price}'`, 'resource_missing');
  return { ...subscription, price };
}

function readChange(params: Params, subscription: SubscriptionRecord, now: number): { quantity: number; at: number } {
  const item = getFirstItem(params);
  if (readParam(item, 'id') !== subscription.item)
    throw createInvalidError('items[0][id]', 'No such subscription item.', 'resource_missing');
  const at = readParam(params, 'proration_date') === undefined ? now : requireInteger(params, 'proration_date');
  if (at < subscription.period_start || at > subscription.period_end)
    throw createInvalidError('proration_date', 'Cannot specify a proration date outside the current billing period.');
  return { quantity: requireInteger(item, 'quantity'), at };
}

const createPreview: StripeRoute['answer'] = ({ params, records }) => {
  const details = readNestedParams(params, 'subscription_details');
  const id = readParam(params, 'subscription');
  if (id === undefined) {
    const now = records.now();
    const subscription = toNewSubscription({ ...details, discounts: params['discounts'] }, records, now);
    return toOkResponse(toPreviewResponse(priceRegular(priceSubscription(records, subscription, subscription.quantity, now))));
  }
  const subscription = requireRecord(records.subscriptions.get(id), 'subscription', id);
  const { quantity, at } = readChange(details, subscription, records.now());
  return toOkResponse(toPreviewResponse(priceChange(priceSubscription(records, subscription, quantity, at), subscription, at)));
};

const payInvoice: StripeRoute['answer'] = ({ params, id, records, publicUrl }) => {
  const invoice = requireRecord(records.invoices.get(id), 'invoice', id);
  if (invoice.status === 'paid') throw new StripeApiError(400, 'invalid_request_error', 'Invoice is already paid');
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
    throw new StripeApiError(400, 'invalid_request_error', `The invoice is ${invoice.status}.`);
  const method = requireParam(params, 'payment_method');
  if (records.methods.get(method)?.customer !== invoice.customer)
    throw createInvalidError('payment_method', 'The payment method does not belong to the customer of the invoice.');
  const attempt = attemptPayment(records, invoice, method);
  const intent = records.intents.get(attempt.payment_intent ?? '');
  if (attempt.status === 'paid' || intent?.status === 'processing') return toOkResponse(toInvoiceResponse(attempt, publicUrl));
  const isToConfirm = intent?.status === 'requires_action';
  const code = isToConfirm ? 'invoice_payment_intent_requires_action' : (intent?.last_payment_error?.code ?? 'card_declined');
  return {
    status: 402,
    body: { error: { type: 'card_error', code, message: intent?.last_payment_error?.message ?? 'Confirm the payment.' } },
  };
};

/** Marks an open invoice as uncollectible; only open ones can be (docs.stripe.com, Status transitions and finalization). */
const markInvoiceUncollectible: StripeRoute['answer'] = ({ id, records, publicUrl }) => {
  const invoice = requireRecord(records.invoices.get(id), 'invoice', id);
  if (invoice.status !== 'open')
    throw new StripeApiError(
      400,
      'invalid_request_error',
      `You can only mark an open invoice as uncollectible. This invoice is ${invoice.status}.`,
    );
  return toOkResponse(toInvoiceResponse(markUncollectible(records, invoice), publicUrl));
};

const subscriptionPath = '/subscriptions/:id';

export const STRIPE_ROUTES: readonly StripeRoute[] = [
  ...CATALOGUE_ROUTES,
  { method: 'POST', path: '/checkout/sessions', operation: 'stripe.write', answer: createCheckout },
  {
    method: 'GET',
    path: '/checkout/sessions/:id',
    operation: 'stripe.read',
    answer: ({ id, records, publicUrl }) =>
      toOkResponse(toCheckoutResponse(requireRecord(records.checkouts.get(id), 'checkout session', id), publicUrl)),
  },
  { method: 'POST', path: '/subscriptions', operation: 'stripe.create_subscription', answer: createSubscription },
  {
    method: 'GET',
    path: '/subscriptions',
    operation: 'stripe.read',
    answer: ({ params, records }) => {
      const customer = readParam(params, 'customer');
      const customerSubscriptions = records.subscriptions
        .list()
        .flatMap(({ document }) => (document.customer === customer ? [document] : []));
      return toOkResponse(toPage('/v1/subscriptions', params, customerSubscriptions.toReversed(), toSubscriptionResponse));
    },
  },
  {
    method: 'GET',
    path: subscriptionPath,
    operation: 'stripe.read',
    answer: ({ id, records }) => toOkResponse(toSubscriptionResponse(requireRecord(records.subscriptions.get(id), 'subscription', id))),
  },
  { method: 'POST', path: subscriptionPath, operation: 'stripe.change_subscription', answer: updateSubscription },
  {
    method: 'DELETE',
    path: subscriptionPath,
    operation: 'stripe.change_subscription',
    answer: (call) => {
      const { records } = call;
      const endedSubscription = saveDocument(records.subscriptions, {
        ...getChangeable(call),
        status: 'canceled',
        ended_at: records.now(),
      });
      records.emit('customer.subscription.deleted', 'subscription', endedSubscription.id);
      return toOkResponse(toSubscriptionResponse(endedSubscription));
    },
  },
  { method: 'POST', path: '/invoices/create_preview', operation: 'stripe.read', answer: createPreview },
  {
    method: 'GET',
    path: '/invoices',
    operation: 'stripe.read',
    answer: ({ params, records, publicUrl }) => {
      const subscription = readParam(params, 'subscription');
      const subscriptionInvoices = records.invoices
        .list()
        .flatMap(({ document }) => (document.subscription === subscription ? [document] : []));
      return toOkResponse(
        toPage('/v1/invoices', params, subscriptionInvoices.toReversed(), (invoice) => toInvoiceResponse(invoice, publicUrl)),
      );
    },
  },
  {
    method: 'GET',
    path: '/invoices/:id',
    operation: 'stripe.read',
    answer: ({ id, records, publicUrl }) =>
      toOkResponse(toInvoiceResponse(requireRecord(records.invoices.get(id), 'invoice', id), publicUrl)),
  },
  { method: 'POST', path: '/invoices/:id/mark_uncollectible', operation: 'stripe.mark_uncollectible', answer: markInvoiceUncollectible },
  { method: 'POST', path: '/invoices/:id/pay', operation: 'stripe.write', answer: payInvoice },
  ...REFUND_ROUTES,
  ...PAYMENT_ROUTES,
  {
    method: 'GET',
    path: '/balance_transactions',
    operation: 'stripe.read',
    answer: ({ params, records }) => {
      const payout = readParam(params, 'payout');
      const isRequested = (item: { payout: string | null; created: number }) =>
        payout === undefined ? isCreatedWithin(params, item.created) : item.payout === payout;
      const matchingTransactions = records.transactions.list().flatMap(({ document }) => (isRequested(document) ? [document] : []));
      return toOkResponse(toPage('/v1/balance_transactions', params, matchingTransactions.toReversed(), toTransactionResponse));
    },
  },
  {
    method: 'GET',
    path: '/payouts',
    operation: 'stripe.read',
    answer: ({ params, records }) => {
      const matchingPayouts = records.payouts
        .list()
        .flatMap(({ document }) => (isCreatedWithin(params, document.created) ? [document] : []));
      return toOkResponse(toPage('/v1/payouts', params, matchingPayouts.toReversed(), toPayoutResponse));
    },
  },
];
