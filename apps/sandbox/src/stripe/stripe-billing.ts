/** Moves subscriptions and their invoices through renewals, retries and cancellation as the sandbox clock advances. */
import {
  addCalendarMonths,
  calculateDiscount,
  calculateTax,
  getRemainingShare,
  priceQuantity,
  type TieredPrice,
} from './stripe-arithmetic.ts';
import { attemptPayment, markPaid, payOut, settleDirectDebits } from './stripe-payments.ts';
import { settleRefunds } from './stripe-charge-refunds.ts';
import {
  createId,
  saveDocument,
  type CouponRecord,
  type InvoiceLine,
  type InvoiceRecord,
  type StripeRecords,
  type SubscriptionRecord,
} from './stripe-records.ts';

/** A renewal's invoice can be changed for an hour before it is charged (docs.stripe.com, Subscription invoices). */
const DRAFT_SECONDS = 3_600;
const INCOMPLETE_SECONDS = 23 * 3_600;

export type Amounts = Pick<InvoiceRecord, 'lines' | 'subtotal' | 'discount' | 'tax' | 'total'>;
type PricedPeriod = {
  readonly price: TieredPrice;
  readonly quantity: number;
  readonly coupon: CouponRecord | undefined;
  readonly percentage: number;
  readonly start: number;
  readonly end: number;
};

/** Prices a whole period. */
export function priceRegular({ price, quantity, coupon, percentage, start, end }: PricedPeriod): Amounts {
  const { flat, units } = priceQuantity(price, quantity);
  const line = { quantity, proration: false, start, end };
  const lines: InvoiceLine[] = [{ ...line, description: `${quantity} × OpenTax connections`, amount: units }];
  if (flat !== 0) lines.push({ ...line, description: 'OpenTax connections, flat fee', amount: flat });
  const subtotal = flat + units;
  const discount = calculateDiscount(subtotal, coupon);
  const tax = calculateTax(subtotal - discount, percentage);
  return { lines, subtotal, discount, tax, total: subtotal - discount + tax };
}

/** Prices the rest of a period after discounts, because prorations aren't discounted again. */
export function priceChange(
  { price, quantity, coupon, percentage, start, end }: PricedPeriod,
  previous: SubscriptionRecord,
  at: number,
): Amounts {
  const { flat, units } = priceQuantity(price, quantity);
  const net = flat + units - calculateDiscount(flat + units, coupon);
  const line = { proration: true, start: at, end };
  const lines: InvoiceLine[] = [
    {
      ...line,
      quantity: previous.quantity,
      description: `Unused time on ${previous.quantity} connections`,
      amount: -getRemainingShare(previous.charged, { start, end }, at),
    },
    {
      ...line,
      quantity,
      description: `Remaining time on ${quantity} connections`,
      amount: getRemainingShare(net, { start, end }, at),
    },
  ];
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  const tax = calculateTax(subtotal, percentage);
  return { lines, subtotal, discount: 0, tax, total: subtotal + tax };
}

/** Returns the subscription's price, discount and tax at a given time. */
export function priceSubscription(records: StripeRecords, subscription: SubscriptionRecord, quantity: number, at: number): PricedPeriod {
  const price = records.prices.get(subscription.price);
  if (!price) throw new RangeError(`no price ${subscription.price}`);
  const { discount } = subscription;
  const isDiscountActive = discount !== null && (discount.end === null || at < discount.end);
  return {
    price,
    quantity,
    coupon: isDiscountActive ? records.coupons.get(discount.coupon) : undefined,
    percentage: subscription.tax_rates.reduce((sum, id) => sum + (records.taxRates.get(id)?.percentage ?? 0), 0),
    start: subscription.period_start,
    end: subscription.period_end,
  };
}

export function startSubscription(records: StripeRecords, subscription: SubscriptionRecord): SubscriptionRecord {
  const amounts = priceRegular(priceSubscription(records, subscription, subscription.quantity, subscription.start_date));
  saveDocument(records.subscriptions, { ...subscription, charged: amounts.subtotal - amounts.discount });
  records.emit('customer.subscription.created', 'subscription', subscription.id);
  finalise(records, createInvoice(records, subscription.id, 'subscription_create', amounts));
  return getSubscription(records, subscription.id);
}

/** Changes the quantity and invoices the difference immediately. */
export function changeQuantity(records: StripeRecords, subscription: SubscriptionRecord, quantity: number, at: number): SubscriptionRecord {
  const pricedSubscription = priceSubscription(records, subscription, quantity, at);
  const amounts = priceChange(pricedSubscription, subscription, at);
  const regularAmounts = priceRegular(pricedSubscription);
  saveDocument(records.subscriptions, { ...subscription, quantity, charged: regularAmounts.subtotal - regularAmounts.discount });
  records.emit('customer.subscription.updated', 'subscription', subscription.id);
  finalise(records, createInvoice(records, subscription.id, 'subscription_update', amounts));
  return getSubscription(records, subscription.id);
}

function createInvoice(
  records: StripeRecords,
  subscriptionId: string,
  reason: InvoiceRecord['billing_reason'],
  amounts: Amounts,
): InvoiceRecord {
  const subscription = getSubscription(records, subscriptionId);
  const invoice = saveDocument(records.invoices, {
    id: createId('in'),
    customer: subscription.customer,
    subscription: subscriptionId,
    billing_reason: reason,
    status: 'draft',
    created: records.now(),
    finalizes_at: null,
    finalized_at: null,
    paid_at: null,
    ...amounts,
    starting_balance: 0,
    amount_due: 0,
    amount_paid: 0,
    attempt_count: 0,
    next_payment_attempt: null,
    payment_intent: null,
  });
  saveDocument(records.subscriptions, { ...subscription, latest_invoice: invoice.id });
  records.emit('invoice.created', 'invoice', invoice.id);
  return invoice;
}

/** A negative invoice credits the customer's balance, which reduces later invoices (docs.stripe.com, Customer credit balance). */
export function finalise(records: StripeRecords, draft: InvoiceRecord): InvoiceRecord {
  const customer = records.customers.get(draft.customer);
  if (!customer) throw new RangeError(`no customer ${draft.customer}`);
  const dueAmount = Math.max(0, draft.total + customer.balance);
  saveDocument(records.customers, { ...customer, balance: draft.total + customer.balance - dueAmount });
  const invoice = saveDocument(records.invoices, {
    ...draft,
    status: 'open',
    finalizes_at: null,
    finalized_at: records.now(),
    starting_balance: customer.balance,
    amount_due: dueAmount,
  });
  records.emit('invoice.finalized', 'invoice', invoice.id);
  return dueAmount === 0 ? markPaid(records, invoice) : attemptPayment(records, invoice, getMethodId(records, invoice));
}

/** Returns the subscription's payment method, otherwise the customer's. */
function getMethodId(records: StripeRecords, { subscription, customer }: InvoiceRecord): string {
  const subscriptionMethodId = records.subscriptions.get(subscription)?.default_payment_method;
  return subscriptionMethodId ?? records.customers.get(customer)?.default_payment_method ?? '';
}

function getSubscription(records: StripeRecords, id: string): SubscriptionRecord {
  const currentSubscription = records.subscriptions.get(id);
  if (!currentSubscription) throw new RangeError(`no subscription ${id}`);
  return currentSubscription;
}

/** Processes everything that is due by the clock, in the order in which it became due. */
export function advanceToClock(records: StripeRecords): void {
  settleDirectDebits(records);
  settleRefunds(records);
  for (const { document: invoice } of records.invoices.list()) {
    if (invoice.status === 'draft' && invoice.finalizes_at !== null && invoice.finalizes_at <= records.now()) finalise(records, invoice);
    const retryAt = invoice.status === 'open' ? invoice.next_payment_attempt : null;
    if (retryAt !== null && retryAt <= records.now()) attemptPayment(records, invoice, getMethodId(records, invoice));
  }
  for (const { document: subscription } of records.subscriptions.list()) advanceSubscription(records, subscription.id);
  payOut(records);
}

function advanceSubscription(records: StripeRecords, id: string): void {
  for (let subscription = getSubscription(records, id); ; subscription = getSubscription(records, id)) {
    const { status, start_date: start, period_end: end } = subscription;
    if (status === 'incomplete' && start + INCOMPLETE_SECONDS <= records.now()) {
      saveDocument(records.subscriptions, { ...subscription, status: 'incomplete_expired', ended_at: start + INCOMPLETE_SECONDS });
      const invoice = records.invoices.get(subscription.latest_invoice ?? '');
      if (invoice?.status === 'open') saveDocument(records.invoices, { ...invoice, status: 'void', next_payment_attempt: null });
      records.emit('customer.subscription.updated', 'subscription', id);
    } else if ((status === 'active' || status === 'past_due') && end <= records.now()) {
      if (subscription.cancel_at_period_end) {
        saveDocument(records.subscriptions, { ...subscription, status: 'canceled', ended_at: end });
        records.emit('customer.subscription.deleted', 'subscription', id);
        return;
      }
      renew(records, subscription);
      continue;
    }
    return;
  }
}

function renew(records: StripeRecords, subscription: SubscriptionRecord): void {
  const months = subscription.months + 1;
  const next = {
    ...subscription,
    months,
    period_start: subscription.period_end,
    period_end: addCalendarMonths(subscription.start_date, months),
  };
  const amounts = priceRegular(priceSubscription(records, next, next.quantity, next.period_start));
  saveDocument(records.subscriptions, { ...next, charged: amounts.subtotal - amounts.discount });
  const invoice = createInvoice(records, subscription.id, 'subscription_cycle', amounts);
  records.emit('customer.subscription.updated', 'subscription', subscription.id);
  const finalizesAt = next.period_start + DRAFT_SECONDS;
  const draft = saveDocument(records.invoices, { ...invoice, finalizes_at: finalizesAt });
  if (finalizesAt <= records.now()) finalise(records, draft);
}
