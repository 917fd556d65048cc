/**
 * The port for charging practices. Failures are `ProviderError`. Amounts are in pence; those on an invoice exclude VAT unless stated
 * otherwise.
 */
import type { Instant } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { Discount } from '@portal/domain/pricing/calculate-pricing.ts';
import type { PriceList } from '@portal/domain/pricing/price-list.ts';
import type { PaymentMethodKind } from '@portal/domain/pricing/subscription.ts';

/** Repeating a request with the same key returns the original result, for as long as the provider stores the key (at least 24 hours). */
type IdempotentRequest = { readonly idempotencyKey: string };

export type BillingContact = { readonly name: string; readonly email: string };

/** The provider's page where the payer enters a payment method. */
export type PaymentMethodSetup = { readonly setupId: string; readonly url: string };

export type StoredPaymentMethod = {
  readonly paymentMethodId: string;
  readonly kind: PaymentMethodKind;
  /** For example "Visa ending 4242, expires 12/2030". */
  readonly label: string;
};

/** A promotion code's discount; `months` is null if it lasts as long as the subscription. */
export type CouponTerms = { readonly discount: Discount; readonly months: number | null };

/** Charges the customer's default payment method. */
export type SubscriptionOrder = IdempotentRequest & {
  readonly customerId: string;
  readonly priceId: string;
  readonly taxRateId: string;
  readonly quantity: number;
  readonly couponId: string | undefined;
};

/** `incomplete`: the first payment hasn't been made. `ended`: includes subscriptions whose first payment was never made. */
export type ProviderSubscriptionStatus = 'incomplete' | 'active' | 'past_due' | 'ended';

export type ProviderSubscription = {
  readonly subscriptionId: string;
  readonly itemId: string;
  readonly status: ProviderSubscriptionStatus;
  readonly quantity: number;
  readonly priceId: string;
  readonly startedAt: Instant;
  readonly periodStart: Instant;
  readonly periodEnd: Instant;
  readonly endsAtPeriodEnd: boolean;
  readonly endedAt: Instant | undefined;
};

export type InvoiceReason = 'first' | 'renewal' | 'change';
export type ProviderInvoiceStatus = 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';

export type ProviderInvoice = {
  readonly invoiceId: string;
  readonly reason: InvoiceReason;
  readonly status: ProviderInvoiceStatus;
  readonly finalisedAt: Instant | undefined;
  readonly paidAt: Instant | undefined;
  /** The start of the period that the invoice is for. */
  readonly periodStart: Instant;
  readonly periodEnd: Instant;
  readonly netPence: Pence;
  readonly vatPence: Pence;
  /** Includes VAT. Negative if the customer is credited. */
  readonly totalPence: Pence;
  /** Includes VAT, after the customer's credit. */
  readonly amountDuePence: Pence;
  readonly amountRemainingPence: Pence;
  /** The amount by which credit notes reduced it before it was paid, including VAT. */
  readonly creditedPence: Pence;
  /** Describes why the last payment failed; undefined if it didn't. */
  readonly failure: string | undefined;
  /** Whether the payer must confirm the payment on `payUrl`. */
  readonly needsConfirmation: boolean;
  /** A payment such as a Direct Debit is on its way, but the bank hasn't responded yet. */
  readonly isProcessing: boolean;
  /** The provider's page for paying the invoice. */
  readonly payUrl: string | undefined;
  readonly chargeId: string | undefined;
  /** Undefined if the payer's bank hasn't taken the payment back, or returned it because we won. */
  readonly dispute: ProviderDispute | undefined;
};

/** A payment that the payer's bank took back. `isLost`: the bank has decided for the payer, so we don't get it back. */
export type ProviderDispute = { readonly isLost: boolean; readonly amountPence: Pence; readonly takenAt: Instant };

/** A preview of an invoice. */
export type InvoicePreview = {
  readonly netPence: Pence;
  readonly discountPence: Pence;
  readonly vatPence: Pence;
  readonly totalPence: Pence;
  /** For a change: the credit (negative) and the charge. */
  readonly proration: { readonly creditPence: Pence; readonly chargePence: Pence } | undefined;
};

export type PreviewOrder = {
  readonly priceId: string;
  readonly taxRateId: string;
  readonly quantity: number;
  readonly couponId: string | undefined;
  /** A change to this subscription at that moment; undefined for a new one. */
  readonly change: { readonly subscriptionId: string; readonly itemId: string; readonly at: Instant } | undefined;
};

/** `amountPence` includes VAT. `memo` is for the payer. */
export type RefundOrder = IdempotentRequest & { readonly invoiceId: string; readonly amountPence: Pence; readonly memo: string };

/** `failed`: the payer's bank returned the payment to us, or the provider cancelled the refund. */
export type ProviderRefundStatus = 'pending' | 'succeeded' | 'failed';
export type ProviderRefund = {
  readonly refundId: string;
  readonly amountPence: Pence;
  readonly status: ProviderRefundStatus;
  /** Describes why it failed. */
  readonly failure: string | undefined;
};
/** The provider's credit note with its refund. */
export type ProviderCreditNote = { readonly creditNoteId: string; readonly refund: ProviderRefund };

/** A movement of our balance at the provider. */
export type BalanceTransaction = {
  readonly transactionId: string;
  /** charge, payment, refund, adjustment (a dispute), payout, stripe_fee ... */
  readonly type: string;
  readonly amountPence: Pence;
  readonly feePence: Pence;
  readonly netPence: Pence;
  readonly createdAt: Instant;
  /** The charge whose amount is moved, including by a refund or dispute. */
  readonly chargeId: string | undefined;
  /** Set for a refund, including a returned one. */
  readonly refundId: string | undefined;
  /** The payout that contains the transaction, or that the transaction pays out. */
  readonly payoutId: string | undefined;
};

export type ProviderPayout = {
  readonly payoutId: string;
  readonly amountPence: Pence;
  readonly status: string;
  readonly createdAt: Instant;
  readonly arrivesAt: Instant;
};

/** A hint that a customer's data has changed. The change itself is read from the provider. */
export type BillingEvent = {
  readonly eventId: string;
  readonly type: string;
  readonly customerId: string | undefined;
  readonly chargeId: string | undefined;
};

export type BillingWebhook = { readonly rawBody: Buffer; readonly signature: string | undefined; readonly now: Instant };

export type BillingProvider = {
  /** Finds or creates the price for a price list. */
  ensurePrice(list: PriceList): Promise<string>;
  /** Finds or creates the UK VAT rate, which is added to the price. */
  ensureVatRate(rateBps: number): Promise<string>;
  /** Finds or creates a coupon with these terms. */
  ensureCoupon(terms: CouponTerms): Promise<string>;
  createCustomer(order: IdempotentRequest & { readonly companyId: string; readonly contact: BillingContact }): Promise<string>;
  updateCustomer(order: IdempotentRequest & { readonly customerId: string; readonly contact: BillingContact }): Promise<void>;
  startSetup(
    order: IdempotentRequest & {
      readonly customerId: string;
      readonly kind: PaymentMethodKind;
      readonly returnUrl: string;
      readonly cancelUrl: string;
    },
  ): Promise<PaymentMethodSetup>;
  /** Returns the payment method that was entered; undefined if there isn't one. */
  findEnteredMethod(setupId: string): Promise<StoredPaymentMethod | undefined>;
  /** Makes it the default method for future charges. */
  setDefaultMethod(order: IdempotentRequest & { readonly customerId: string; readonly paymentMethodId: string }): Promise<void>;
  /** Returns the subscription created with this key; undefined if there isn't one. */
  findSubscriptionByKey(customerId: string, idempotencyKey: string): Promise<ProviderSubscription | undefined>;
  createSubscription(order: SubscriptionOrder): Promise<ProviderSubscription>;
  getSubscription(subscriptionId: string): Promise<ProviderSubscription>;
  /**
   * Changes the number of connections and invoices the difference from that moment. `priceId`: the current period's price, if another has
   * already been set. `endsDiscount`: the coupon ends at the same moment.
   */
  changeQuantity(
    order: IdempotentRequest & {
      readonly subscriptionId: string;
      readonly itemId: string;
      readonly quantity: number;
      readonly at: Instant;
      readonly priceId: string | undefined;
      readonly endsDiscount?: boolean;
    },
  ): Promise<ProviderSubscription>;
  /** Sets the price for future periods. Nothing is charged or credited now. */
  changePrice(
    order: IdempotentRequest & { readonly subscriptionId: string; readonly itemId: string; readonly priceId: string },
  ): Promise<ProviderSubscription>;
  applyCoupon(order: IdempotentRequest & { readonly subscriptionId: string; readonly couponId: string }): Promise<ProviderSubscription>;
  setEndsAtPeriodEnd(order: IdempotentRequest & { readonly subscriptionId: string; readonly ends: boolean }): Promise<ProviderSubscription>;
  /** Ends it immediately. A subscription that has already ended is left unchanged. */
  endSubscription(subscriptionId: string): Promise<void>;
  previewInvoice(order: PreviewOrder): Promise<InvoicePreview>;
  getInvoice(invoiceId: string): Promise<ProviderInvoice>;
  /** Marks an open invoice as a bad debt, so payment isn't retried. The payer can still pay it. */
  markUncollectible(order: IdempotentRequest & { readonly invoiceId: string }): Promise<ProviderInvoice>;
  /** Oldest first. */
  listInvoices(subscriptionId: string): Promise<ProviderInvoice[]>;
  /** Attempts the payment. A declined payment isn't an error; the invoice shows it. */
  payInvoice(order: IdempotentRequest & { readonly invoiceId: string; readonly paymentMethodId: string }): Promise<void>;
  /** Refunds all or part of a paid invoice, with a credit note from the provider that isn't emailed. */
  refund(order: RefundOrder): Promise<ProviderCreditNote>;
  /** Returns the credit note created with this key; undefined if there isn't one. */
  findCreditNote(invoiceId: string, idempotencyKey: string): Promise<ProviderCreditNote | undefined>;
  /** Reduces an open invoice with a credit note from the provider that isn't emailed. Returns its ID. */
  creditUnpaid(order: RefundOrder): Promise<string>;
  /** Returns the ID of the credit note that reduced an unpaid invoice, created with this key; undefined if there isn't one. */
  findUnpaidCredit(invoiceId: string, idempotencyKey: string): Promise<string | undefined>;
  /** Retries a failed refund. */
  refundAgain(order: IdempotentRequest & { readonly chargeId: string; readonly amountPence: Pence }): Promise<ProviderRefund>;
  /** Lists all refunds for a charge, including those made manually at the provider. `key`: set for refunds created by `refundAgain`. */
  listRefunds(chargeId: string): Promise<(ProviderRefund & { readonly key: string | undefined })[]>;
  /** Lists all the account's refunds created since a time, oldest first. `chargeId`: undefined for a refund without a charge. */
  listRefundsSince(since: Instant): Promise<(ProviderRefund & { readonly chargeId: string | undefined })[]>;
  getRefund(refundId: string): Promise<ProviderRefund>;
  createPortalSession(order: IdempotentRequest & { readonly customerId: string; readonly returnUrl: string }): Promise<string>;
  listBalanceTransactions(from: Instant, before: Instant): Promise<BalanceTransaction[]>;
  /** Lists the payouts created in a period. */
  listPayouts(from: Instant, before: Instant): Promise<ProviderPayout[]>;
  /** Lists a payout's transactions. */
  listPayoutTransactions(payoutId: string): Promise<BalanceTransaction[]>;
  /** Throws `unauthenticated` for a wrong signature. */
  verifyWebhook(webhook: BillingWebhook): BillingEvent;
};
