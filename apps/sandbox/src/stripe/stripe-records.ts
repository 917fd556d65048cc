/** The simulator's objects, with Stripe's names. Times are in seconds, amounts in pence. */
import { randomBytes } from 'node:crypto';
import { toEpochMs, type Clock } from '@portal/domain/clock.ts';
import type { Collection, SimulatorStore } from '../simulator/simulator-store.ts';
import type { Coupon, TieredPrice } from './stripe-arithmetic.ts';

export type PriceRecord = TieredPrice & {
  readonly id: string;
  readonly lookup_key: string | null;
  readonly product: string;
  readonly created: number;
};
export type TaxRateRecord = {
  readonly id: string;
  readonly percentage: number;
  readonly inclusive: boolean;
  readonly metadata: Readonly<Record<string, string>>;
};
export type CouponRecord = Coupon & { readonly id: string; readonly duration: string; readonly duration_in_months: number | null };
export type CustomerRecord = {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  /** Negative if the customer is in credit. */
  readonly balance: number;
  readonly default_payment_method: string | null;
  readonly metadata: Readonly<Record<string, string>>;
};

/** How a payment method behaves when it is charged. Stripe has test numbers for each. */
export const BEHAVIOURS = ['pays', 'declines', 'confirms', 'disputes'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];
export type PaymentMethodRecord = {
  readonly id: string;
  readonly customer: string;
  readonly type: 'card' | 'bacs_debit';
  readonly brand: string;
  readonly last4: string;
  readonly behaviour: Behaviour;
};
export type CheckoutRecord = {
  readonly id: string;
  readonly customer: string;
  readonly type: 'card' | 'bacs_debit';
  readonly success_url: string;
  readonly cancel_url: string;
  readonly status: 'open' | 'complete' | 'expired';
  readonly setup_intent: string;
};
export type SetupIntentRecord = { readonly id: string; readonly status: string; readonly payment_method: string | null };

export type SubscriptionRecord = {
  readonly id: string;
  readonly item: string;
  readonly customer: string;
  readonly status: 'incomplete' | 'incomplete_expired' | 'active' | 'past_due' | 'canceled';
  readonly price: string;
  readonly quantity: number;
  readonly start_date: number;
  readonly period_start: number;
  readonly period_end: number;
  /** Number of whole months from the start to `period_end`. */
  readonly months: number;
  /** The charge for the whole current period, after its discount and without tax. */
  readonly charged: number;
  readonly cancel_at_period_end: boolean;
  readonly ended_at: number | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly default_payment_method: string | null;
  readonly tax_rates: readonly string[];
  readonly discount: { readonly coupon: string; readonly end: number | null } | null;
  readonly latest_invoice: string | null;
};

export type InvoiceLine = {
  readonly description: string;
  readonly amount: number;
  readonly quantity: number;
  readonly proration: boolean;
  readonly start: number;
  readonly end: number;
};
export type InvoiceRecord = {
  readonly id: string;
  readonly customer: string;
  readonly subscription: string;
  readonly billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  readonly status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  readonly created: number;
  /** The time at which a draft is finalised. */
  readonly finalizes_at: number | null;
  readonly finalized_at: number | null;
  readonly paid_at: number | null;
  readonly lines: readonly InvoiceLine[];
  readonly subtotal: number;
  readonly discount: number;
  readonly tax: number;
  readonly total: number;
  readonly starting_balance: number;
  readonly amount_due: number;
  /** The sum of the credit notes issued before it was paid. */
  readonly pre_payment_credit_notes_amount?: number;
  readonly amount_paid: number;
  readonly attempt_count: number;
  readonly next_payment_attempt: number | null;
  readonly payment_intent: string | null;
};
export type IntentRecord = {
  readonly id: string;
  readonly invoice: string;
  readonly customer: string;
  readonly amount: number;
  readonly status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded';
  readonly payment_method: string;
  readonly latest_charge: string | null;
  readonly last_payment_error: { readonly code: string; readonly message: string } | null;
  /** For Bacs, the time at which the bank responds. */
  readonly settles_at: number | null;
};
export type ChargeRecord = {
  readonly id: string;
  readonly customer: string;
  readonly amount: number;
  readonly amount_refunded: number;
  readonly payment_intent: string;
  readonly disputed: boolean;
  readonly created: number;
};
export type TransactionRecord = {
  readonly id: string;
  readonly type: 'charge' | 'payment' | 'refund' | 'refund_failure' | 'adjustment' | 'payout';
  readonly amount: number;
  readonly fee: number;
  readonly created: number;
  readonly available_on: number;
  readonly source: string;
  readonly payout: string | null;
};
export type RefundRecord = {
  readonly id: string;
  readonly charge: string;
  readonly amount: number;
  readonly created: number;
  readonly status: 'pending' | 'succeeded' | 'failed';
  /** For a refund to a bank account, the time at which it arrives. */
  readonly settles_at: number | null;
  readonly failure_reason: string | null;
  readonly metadata: Readonly<Record<string, string>>;
};
export type CreditNoteRecord = {
  readonly id: string;
  readonly customer: string;
  readonly invoice: string;
  readonly amount: number;
  readonly memo: string | null;
  /** Null for an invoice that wasn't paid. */
  readonly refund: string | null;
  readonly created: number;
  readonly metadata: Readonly<Record<string, string>>;
};
/** A dispute, in which the payer's bank takes money back. */
export type DisputeRecord = {
  readonly id: string;
  readonly charge: string;
  readonly amount: number;
  readonly created: number;
  readonly status: 'needs_response' | 'won' | 'lost';
};
export type PayoutRecord = { readonly id: string; readonly amount: number; readonly created: number; readonly arrival_date: number };

export type StripeRecords = {
  readonly prices: Collection<PriceRecord>;
  readonly products: Collection<{ readonly id: string; readonly name: string }>;
  readonly taxRates: Collection<TaxRateRecord>;
  readonly coupons: Collection<CouponRecord>;
  readonly customers: Collection<CustomerRecord>;
  readonly methods: Collection<PaymentMethodRecord>;
  readonly checkouts: Collection<CheckoutRecord>;
  readonly setupIntents: Collection<SetupIntentRecord>;
  readonly subscriptions: Collection<SubscriptionRecord>;
  readonly invoices: Collection<InvoiceRecord>;
  readonly intents: Collection<IntentRecord>;
  readonly charges: Collection<ChargeRecord>;
  readonly refunds: Collection<RefundRecord>;
  readonly creditNotes: Collection<CreditNoteRecord>;
  readonly disputes: Collection<DisputeRecord>;
  readonly transactions: Collection<TransactionRecord>;
  readonly payouts: Collection<PayoutRecord>;
  now(): number;
  /** Queues an event about an object for the portal. */
  emit(type: string, object: string, id: string): void;
};

export const createId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

export function openStripeRecords(store: SimulatorStore, clock: Clock, emit: StripeRecords['emit']): StripeRecords {
  return {
    prices: store.collection('stripe.prices'),
    products: store.collection('stripe.products'),
    taxRates: store.collection('stripe.tax_rates'),
    coupons: store.collection('stripe.coupons'),
    customers: store.collection('stripe.customers'),
    methods: store.collection('stripe.payment_methods'),
    checkouts: store.collection('stripe.checkouts'),
    setupIntents: store.collection('stripe.setup_intents'),
    subscriptions: store.collection('stripe.subscriptions'),
    invoices: store.collection('stripe.invoices'),
    intents: store.collection('stripe.payment_intents'),
    charges: store.collection('stripe.charges'),
    refunds: store.collection('stripe.refunds'),
    creditNotes: store.collection('stripe.credit_notes'),
    disputes: store.collection('stripe.disputes'),
    transactions: store.collection('stripe.transactions'),
    payouts: store.collection('stripe.payouts'),
    now: () => Math.floor(toEpochMs(clock.now()) / 1_000),
    emit,
  };
}

/** Stores a changed object and returns it. */
export function saveDocument<Document extends { readonly id: string }>(collection: Collection<Document>, document: Document): Document {
  collection.put(document.id, document);
  return document;
}
