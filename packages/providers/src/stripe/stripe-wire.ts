/**
 * The fields read from Stripe's objects, API version 2026-10-28.endive (docs.stripe.com/api). Times are seconds since 1970, amounts pence.
 */
import { z } from 'zod';

const id = z.string().min(1);
const seconds = z.int().nonnegative();
const amount = z.int();
const list = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), has_more: z.boolean() });

export const idWire = z.object({ id });
export const idListWire = list(idWire);
export const taxRateListWire = list(
  z.object({ id, percentage: z.number(), inclusive: z.boolean(), metadata: z.record(z.string(), z.string()) }),
);

const paymentMethodWire = z.object({
  id,
  type: z.string(),
  card: z.object({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() }).nullish(),
  bacs_debit: z.object({ last4: z.string().nullable(), sort_code: z.string().nullable() }).nullish(),
});
export type PaymentMethodWire = z.infer<typeof paymentMethodWire>;

export const checkoutWire = z.object({ id, url: z.string().nullable(), status: z.enum(['open', 'complete', 'expired']).nullable() });
export const completedCheckoutWire = z.object({
  status: z.enum(['open', 'complete', 'expired']).nullable(),
  setup_intent: z.object({ status: z.string(), payment_method: paymentMethodWire.nullable() }).nullable(),
});

export const subscriptionWire = z.object({
  id,
  status: z.enum(['incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused']),
  cancel_at_period_end: z.boolean(),
  start_date: seconds,
  ended_at: seconds.nullable(),
  metadata: z.record(z.string(), z.string()),
  items: list(z.object({ id, quantity: z.int(), price: z.object({ id }), current_period_start: seconds, current_period_end: seconds })),
});
export type SubscriptionWire = z.infer<typeof subscriptionWire>;
export const subscriptionListWire = list(subscriptionWire);

const chargeWire = z.object({ id, disputed: z.boolean() });
export const intentWire = z.object({
  id,
  status: z.string(),
  last_payment_error: z.object({ message: z.string().nullish(), code: z.string().nullish() }).nullable(),
  latest_charge: chargeWire.nullable(),
});
export type IntentWire = z.infer<typeof intentWire>;

export const disputeListWire = list(z.object({ id, amount, created: seconds, status: z.string() }));
export type DisputeWire = z.infer<typeof disputeListWire>['data'][number];

const lineWire = z.object({
  amount,
  period: z.object({ start: seconds, end: seconds }),
  parent: z.object({ subscription_item_details: z.object({ proration: z.boolean() }).nullable() }).nullable(),
});

export const invoiceWire = z.object({
  id: id.optional(),
  customer: z.string().nullish(),
  status: z.enum(['draft', 'open', 'paid', 'void', 'uncollectible']).nullable(),
  billing_reason: z.string().nullable(),
  subtotal: amount,
  total: amount,
  total_excluding_tax: amount.nullable(),
  total_discount_amounts: z.array(z.object({ amount })).nullable(),
  total_taxes: z.array(z.object({ amount })).nullable(),
  amount_due: amount,
  amount_remaining: amount,
  pre_payment_credit_notes_amount: amount.nullish(),
  hosted_invoice_url: z.string().nullish(),
  status_transitions: z.object({ finalized_at: seconds.nullable(), paid_at: seconds.nullable() }),
  lines: list(lineWire),
  payments: list(z.object({ is_default: z.boolean().optional(), payment: z.object({ payment_intent: z.string().nullish() }) })).nullish(),
});
export type InvoiceWire = z.infer<typeof invoiceWire>;
export const invoiceListWire = list(invoiceWire);

export const refundWire = z.object({
  id,
  amount,
  status: z.string().nullable(),
  failure_reason: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullable(),
  charge: z.string().nullish(),
});
export type RefundWire = z.infer<typeof refundWire>;
export const refundListWire = list(refundWire);

export const creditNoteWire = z.object({
  id,
  metadata: z.record(z.string(), z.string()).nullable(),
  refunds: z.array(z.object({ refund: refundWire })),
});
export type CreditNoteWire = z.infer<typeof creditNoteWire>;
export const creditNoteListWire = list(creditNoteWire);

export const transactionWire = z.object({
  id,
  type: z.string(),
  amount,
  fee: amount,
  net: amount,
  created: seconds,
  source: z.object({ id, object: z.string(), charge: z.string().nullish(), payment_intent: z.string().nullish() }).nullable(),
});
export type TransactionWire = z.infer<typeof transactionWire>;

export const payoutWire = z.object({ id, amount, status: z.string(), created: seconds, arrival_date: seconds });
export const urlWire = z.object({ url: z.string() });

/** An event's object; only the customer concerned is read. */
export const eventObjectWire = z.object({
  object: z.string(),
  id: z.string().optional(),
  customer: z.string().nullish(),
  charge: z.string().nullish(),
});
