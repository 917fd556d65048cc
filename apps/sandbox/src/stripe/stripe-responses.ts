/** Formats the records as Stripe's API sends them (API version 2026-10-28.endive). */
import type { Amounts } from './stripe-billing.ts';
import type {
  CheckoutRecord,
  CreditNoteRecord,
  DisputeRecord,
  IntentRecord,
  InvoiceLine,
  InvoiceRecord,
  PaymentMethodRecord,
  RefundRecord,
  StripeRecords,
  SubscriptionRecord,
  TransactionRecord,
} from './stripe-records.ts';

export type Json = { [name: string]: unknown };

export const toListResponse = (url: string, data: readonly Json[], hasMore = false): Json => ({
  object: 'list',
  url,
  has_more: hasMore,
  data,
});

/** Returns any object by its ID, for `expand` and for events. */
export function findObject(records: StripeRecords, publicUrl: string, id: string): Json | undefined {
  const toFoundResponse = <Record>(record: Record | undefined, toResponse: (record: Record) => Json): Json | undefined =>
    record && toResponse(record);
  switch (id.split('_')[0]) {
    case 'in':
      return toFoundResponse(records.invoices.get(id), (invoice) => toInvoiceResponse(invoice, publicUrl));
    case 'sub':
      return toFoundResponse(records.subscriptions.get(id), toSubscriptionResponse);
    case 'pi':
      return toFoundResponse(records.intents.get(id), toIntentResponse);
    case 'ch':
      return toFoundResponse(records.charges.get(id), (charge) => ({
        object: 'charge',
        currency: 'gbp',
        paid: true,
        status: 'succeeded',
        ...charge,
      }));
    case 're':
      return toFoundResponse(records.refunds.get(id), toRefundResponse);
    case 'cn':
      return toFoundResponse(records.creditNotes.get(id), toCreditNoteResponse);
    case 'du':
      return toFoundResponse(records.disputes.get(id), toDisputeResponse);
    case 'po':
      return toFoundResponse(records.payouts.get(id), toPayoutResponse);
    case 'pm':
      return toFoundResponse(records.methods.get(id), toPaymentMethodResponse);
    case 'seti':
      return toFoundResponse(records.setupIntents.get(id), (intent) => ({ object: 'setup_intent', ...intent }));
    case 'cs':
      return toFoundResponse(records.checkouts.get(id), (checkout) => toCheckoutResponse(checkout, publicUrl));
    case 'cus':
      return toFoundResponse(records.customers.get(id), (customer) => ({ object: 'customer', ...customer }));
    default:
      return undefined;
  }
}

export function toIntentResponse(intent: IntentRecord): Json {
  return { object: 'payment_intent', currency: 'gbp', ...intent };
}

export function toDisputeResponse(dispute: DisputeRecord): Json {
  return { object: 'dispute', currency: 'gbp', ...dispute };
}

export function toRefundResponse({ settles_at: _settlesAt, ...refund }: RefundRecord): Json {
  return { object: 'refund', currency: 'gbp', ...refund };
}

export function toCreditNoteResponse({ refund, amount, ...note }: CreditNoteRecord): Json {
  const refunds = refund === null ? [] : [{ amount_refunded: amount, refund, type: 'refund' }];
  const type = refund === null ? 'pre_payment' : 'post_payment';
  return { object: 'credit_note', currency: 'gbp', status: 'issued', type, amount, total: amount, refunds, ...note };
}

export function toPayoutResponse(payout: Json): Json {
  return { object: 'payout', currency: 'gbp', automatic: true, status: 'paid', ...payout };
}

export function toPaymentMethodResponse({ id, customer, type, brand, last4 }: PaymentMethodRecord): Json {
  const details =
    type === 'card' ? { card: { brand, last4, exp_month: 12, exp_year: 2034 } } : { bacs_debit: { last4, sort_code: '108800' } };
  return { object: 'payment_method', id, customer, type, ...details };
}

export function toCheckoutResponse(
  { id, customer, type, status, setup_intent, success_url, cancel_url }: CheckoutRecord,
  publicUrl: string,
): Json {
  const url = status === 'open' ? `${publicUrl}/c/pay/${id}` : null;
  return {
    object: 'checkout.session',
    id,
    mode: 'setup',
    customer,
    payment_method_types: [type],
    status,
    setup_intent,
    success_url,
    cancel_url,
    url,
  };
}

export function toSubscriptionResponse(subscription: SubscriptionRecord): Json {
  const { id, item, price, quantity, period_start: start, period_end: end, tax_rates: rates, discount, ...rest } = subscription;
  const data = [
    {
      object: 'subscription_item',
      id: item,
      price: { object: 'price', id: price },
      quantity,
      current_period_start: start,
      current_period_end: end,
    },
  ];
  return {
    object: 'subscription',
    id,
    customer: rest.customer,
    status: rest.status,
    currency: 'gbp',
    collection_method: 'charge_automatically',
    billing_cycle_anchor: rest.start_date,
    cancel_at_period_end: rest.cancel_at_period_end,
    created: rest.start_date,
    start_date: rest.start_date,
    ended_at: rest.ended_at,
    metadata: rest.metadata,
    default_payment_method: rest.default_payment_method,
    default_tax_rates: rates,
    discounts: discount ? [`di_${id}`] : [],
    latest_invoice: rest.latest_invoice,
    items: toListResponse(`/v1/subscription_items?subscription=${id}`, data),
  };
}

export function toInvoiceResponse(invoice: InvoiceRecord, publicUrl: string): Json {
  const { id, payment_intent: intent } = invoice;
  const payments =
    intent === null
      ? []
      : [{ object: 'invoice_payment', invoice: id, is_default: true, payment: { type: 'payment_intent', payment_intent: intent } }];
  return {
    id,
    customer: invoice.customer,
    billing_reason: invoice.billing_reason,
    status: invoice.status,
    created: invoice.created,
    parent: { type: 'subscription_details', subscription_details: { subscription: invoice.subscription } },
    attempt_count: invoice.attempt_count,
    next_payment_attempt: invoice.next_payment_attempt,
    starting_balance: invoice.starting_balance,
    amount_due: invoice.amount_due,
    amount_paid: invoice.amount_paid,
    pre_payment_credit_notes_amount: invoice.pre_payment_credit_notes_amount ?? 0,
    amount_remaining: invoice.status === 'paid' ? 0 : invoice.amount_due,
    hosted_invoice_url: invoice.finalized_at === null ? null : `${publicUrl}/i/${id}`,
    status_transitions: { finalized_at: invoice.finalized_at, paid_at: invoice.paid_at },
    payments: toListResponse(`/v1/invoice_payments?invoice=${id}`, payments),
    ...toAmountsResponse(invoice),
  };
}

export function toPreviewResponse(amounts: Amounts): Json {
  return {
    id: 'upcoming_in_preview',
    billing_reason: 'upcoming',
    status: 'draft',
    amount_due: Math.max(0, amounts.total),
    amount_remaining: Math.max(0, amounts.total),
    status_transitions: { finalized_at: null, paid_at: null },
    ...toAmountsResponse(amounts),
  };
}

function toAmountsResponse({ lines, subtotal, discount, tax, total }: Amounts): Json {
  return {
    object: 'invoice',
    currency: 'gbp',
    subtotal,
    subtotal_excluding_tax: subtotal,
    total_discount_amounts: discount === 0 ? [] : [{ amount: discount }],
    total_excluding_tax: total - tax,
    total_taxes: tax === 0 ? [] : [{ amount: tax, tax_behavior: 'exclusive', type: 'tax_rate_details' }],
    total,
    lines: toListResponse('/v1/invoices/lines', lines.map(toLineResponse)),
  };
}

function toLineResponse({ description, amount, quantity, proration, start, end }: InvoiceLine): Json {
  return {
    object: 'line_item',
    description,
    amount,
    currency: 'gbp',
    quantity,
    discountable: !proration,
    period: { start, end },
    parent: { type: 'subscription_item_details', subscription_item_details: { proration } },
  };
}

export function toTransactionResponse({ id, type, amount, fee, created, available_on, source }: TransactionRecord): Json {
  const net = amount - fee;
  return { object: 'balance_transaction', id, type, amount, fee, net, currency: 'gbp', created, available_on, source };
}
