/** Maps Stripe's objects to domain terms, and our price lists to Stripe's. */
import { toInstant, type Instant } from '@portal/domain/clock.ts';
import { pence, type Pence } from '@portal/domain/money.ts';
import type { PriceList, PriceTier } from '@portal/domain/pricing/price-list.ts';
import type {
  BalanceTransaction,
  CouponTerms,
  InvoicePreview,
  InvoiceReason,
  ProviderCreditNote,
  ProviderDispute,
  ProviderInvoice,
  ProviderRefund,
  ProviderSubscription,
  ProviderSubscriptionStatus,
  StoredPaymentMethod,
} from './stripe-port.ts';
import type {
  CreditNoteWire,
  DisputeWire,
  IntentWire,
  InvoiceWire,
  PaymentMethodWire,
  RefundWire,
  SubscriptionWire,
  TransactionWire,
} from './stripe-wire.ts';

export const fromUnixSeconds = (seconds: number): Instant => toInstant(seconds * 1_000);
export const toSeconds = (instant: Instant): number => Math.floor(Date.parse(instant) / 1_000);

export type StripeTier = { readonly up_to: number | 'inf'; readonly unit_amount: number; readonly flat_amount: number };

/**
 * Returns a list's tiers. In a volume list, a tier's flat amount is its base less the price of the included connections. In a graduated
 * list, each included part becomes a separate tier whose connections are free (docs.stripe.com, Set up tiered pricing).
 */
export function toStripeTiers({ mode, tiers }: Pick<PriceList, 'mode' | 'tiers'>): StripeTier[] {
  // A free tier that ends at 0 doesn't cover any connections, and Stripe's tiers end at 1 or more.
  const chargedTiers = tiers.filter(({ to }) => to !== 0);
  return chargedTiers.flatMap((tier) => (mode === 'volume' ? [toVolumeTier(tier)] : toGraduatedTiers(tier)));
}

function toVolumeTier({ to, basePence, unitPence, included }: PriceTier): StripeTier {
  return { up_to: to ?? 'inf', unit_amount: unitPence, flat_amount: basePence - included * unitPence };
}

function toGraduatedTiers({ from, to, basePence, unitPence, included }: PriceTier): StripeTier[] {
  const upTo = to ?? 'inf';
  const includedTo = Math.max(0, from - 1) + included;
  if (included === 0 || unitPence === 0) return [{ up_to: upTo, unit_amount: unitPence, flat_amount: basePence }];
  if (to !== null && includedTo >= to) return [{ up_to: to, unit_amount: 0, flat_amount: basePence }];
  return [
    { up_to: includedTo, unit_amount: 0, flat_amount: basePence },
    { up_to: upTo, unit_amount: unitPence, flat_amount: 0 },
  ];
}

/** The id contains the terms, so that the same coupon is found again. */
export function toCouponId({ discount, months }: CouponTerms): string {
  const value = discount.kind === 'percent' ? `${discount.percent}-percent` : `${discount.pence}-pence`;
  return `portal-${value}-${months === null ? 'forever' : `${months}-months`}`;
}

const STATUSES: Readonly<Record<SubscriptionWire['status'], ProviderSubscriptionStatus>> = {
  incomplete: 'incomplete',
  incomplete_expired: 'ended',
  trialing: 'active',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  paused: 'past_due',
  canceled: 'ended',
};

export function toSubscription(wire: SubscriptionWire): ProviderSubscription {
  const [item] = wire.items.data;
  if (!item) throw new RangeError(`subscription ${wire.id} has no items`);
  return {
    subscriptionId: wire.id,
    itemId: item.id,
    status: STATUSES[wire.status],
    quantity: item.quantity,
    priceId: item.price.id,
    startedAt: fromUnixSeconds(wire.start_date),
    periodStart: fromUnixSeconds(item.current_period_start),
    periodEnd: fromUnixSeconds(item.current_period_end),
    endsAtPeriodEnd: wire.cancel_at_period_end,
    endedAt: wire.ended_at === null ? undefined : fromUnixSeconds(wire.ended_at),
  };
}

const REASONS: Readonly<Record<string, InvoiceReason>> = {
  subscription_create: 'first',
  subscription_cycle: 'renewal',
  subscription_update: 'change',
};

/** Returns the ID of the invoice's payment intent; undefined if it has none, for example because nothing was due. */
export function getIntentId({ payments }: InvoiceWire): string | undefined {
  const found = payments?.data.find((payment) => payment.is_default === true) ?? payments?.data[0];
  return found?.payment.payment_intent ?? undefined;
}

/** Inquiries (`warning_…`) don't take money, and disputes that we won give it back (docs.stripe.com/api/disputes/object). */
const TAKEN_STATUSES: readonly string[] = ['needs_response', 'under_review', 'lost'];

export function toDispute(disputes: readonly DisputeWire[]): ProviderDispute | undefined {
  const taken = disputes.filter(({ status }) => TAKEN_STATUSES.includes(status));
  if (taken.length === 0) return undefined;
  return {
    isLost: taken.every(({ status }) => status === 'lost'),
    amountPence: pence(taken.reduce((sum, { amount }) => sum + amount, 0)),
    takenAt: fromUnixSeconds(Math.min(...taken.map(({ created }) => created))),
  };
}

export function toInvoice(wire: InvoiceWire, intent: IntentWire | undefined, dispute: ProviderDispute | undefined): ProviderInvoice {
  const lines = wire.lines.data;
  const line = lines.find(({ parent }) => parent?.subscription_item_details?.proration !== true) ?? lines[0];
  if (!line || wire.id === undefined) throw new RangeError('an invoice must have an ID and a line');
  const { status_transitions: at } = wire;
  return {
    invoiceId: wire.id,
    reason: REASONS[wire.billing_reason ?? ''] ?? 'change',
    status: wire.status ?? 'draft',
    finalisedAt: at.finalized_at === null ? undefined : fromUnixSeconds(at.finalized_at),
    paidAt: at.paid_at === null ? undefined : fromUnixSeconds(at.paid_at),
    periodStart: fromUnixSeconds(line.period.start),
    periodEnd: fromUnixSeconds(line.period.end),
    ...toTotals(wire),
    amountDuePence: pence(wire.amount_due),
    amountRemainingPence: pence(wire.amount_remaining),
    creditedPence: pence(wire.pre_payment_credit_notes_amount ?? 0),
    failure: intent?.last_payment_error?.message ?? undefined,
    needsConfirmation: intent?.status === 'requires_action',
    isProcessing: intent?.status === 'processing',
    payUrl: wire.hosted_invoice_url ?? undefined,
    chargeId: intent?.latest_charge?.id,
    dispute,
  };
}

export function toPreview(wire: InvoiceWire): InvoicePreview {
  const proratedLines = wire.lines.data.filter(({ parent }) => parent?.subscription_item_details?.proration === true);
  const sum = (amounts: readonly number[]): Pence => pence(amounts.reduce((total, amount) => total + amount, 0));
  const sumSide = (sign: 1 | -1) => sum(proratedLines.map(({ amount }) => amount).filter((amount) => amount * sign > 0));
  return {
    ...toTotals(wire),
    discountPence: pence(0 - sum((wire.total_discount_amounts ?? []).map(({ amount }) => amount))),
    proration: proratedLines.length === 0 ? undefined : { creditPence: sumSide(-1), chargePence: sumSide(1) },
  };
}

function toTotals(wire: InvoiceWire): { netPence: Pence; vatPence: Pence; totalPence: Pence } {
  const vat = (wire.total_taxes ?? []).reduce((total, { amount }) => total + amount, 0);
  return { netPence: pence(wire.total_excluding_tax ?? wire.total - vat), vatPence: pence(vat), totalPence: pence(wire.total) };
}

const BRANDS: Readonly<Record<string, string>> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' };

export function toPaymentMethod(wire: PaymentMethodWire): StoredPaymentMethod {
  const { card, bacs_debit: bacs } = wire;
  if (card) {
    const expiry = `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`;
    return {
      paymentMethodId: wire.id,
      kind: 'card',
      label: `${BRANDS[card.brand] ?? 'Card'} ending ${card.last4}, expires ${expiry}`,
    };
  }
  return { paymentMethodId: wire.id, kind: 'bacs_debit', label: `Direct Debit from the account ending ${bacs?.last4 ?? ''}` };
}

/** A refund or dispute names the charge that it reverses. */
export function toTransaction(wire: TransactionWire, payoutId: string | undefined): BalanceTransaction {
  const { source } = wire;
  const isCharge = source?.object === 'charge';
  return {
    transactionId: wire.id,
    type: wire.type,
    amountPence: pence(wire.amount),
    feePence: pence(wire.fee),
    netPence: pence(wire.net),
    createdAt: fromUnixSeconds(wire.created),
    chargeId: isCharge ? source.id : (source?.charge ?? undefined),
    refundId: source?.object === 'refund' ? source.id : undefined,
    payoutId: source?.object === 'payout' ? source.id : payoutId,
  };
}

/** docs.stripe.com/api/refunds/object: failure_reason */
const FAILURES: Readonly<Record<string, string>> = {
  lost_or_stolen_card: 'The card was lost or stolen.',
  expired_or_canceled_card: 'The card has expired or was cancelled.',
  charge_for_pending_refund_disputed: 'The payer disputed the payment with their bank.',
  insufficient_funds: 'Our Stripe balance was too low.',
  declined: 'The bank declined the refund.',
  merchant_request: 'It was cancelled at Stripe.',
};

export function toRefund({ id, amount, status, failure_reason: reason }: RefundWire): ProviderRefund {
  const isFailed = status === 'failed' || status === 'canceled';
  return {
    refundId: id,
    amountPence: pence(amount),
    status: isFailed ? 'failed' : status === 'succeeded' ? 'succeeded' : 'pending',
    failure: isFailed ? (FAILURES[reason ?? ''] ?? 'The bank returned the refund.') : undefined,
  };
}

/** For the credit note of a paid invoice. Throws a RangeError if nothing is refunded, which we never request. */
export function toCreditNote({ id, refunds }: CreditNoteWire): ProviderCreditNote {
  const [first] = refunds;
  if (!first) throw new RangeError(`credit note ${id} has no refund`);
  return { creditNoteId: id, refund: toRefund(first.refund) };
}
