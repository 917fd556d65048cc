/** Collecting money by Direct Debit, in our terms. Failures are `ProviderError`. */
import type { Instant } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { DirectDebitPayoutStatus, PayoutItem } from '@portal/domain/shortfalls/direct-debit-payout.ts';
import type { MANDATE_STATUSES, PAYMENT_STATUSES } from '@portal/domain/shortfalls/direct-debit.ts';

export type MandateRequest = {
  readonly billingRequestId: string;
  /** `pending` until the payer has finished the provider's page. */
  readonly status: 'pending' | 'fulfilled' | 'cancelled';
  readonly mandateId: string | undefined;
};

export type Mandate = {
  readonly mandateId: string;
  readonly status: (typeof MANDATE_STATUSES)[number];
  /** What the payer's bank statement shows. */
  readonly reference: string | undefined;
  /** The first day on which the bank can be charged; undefined if the mandate can't be used. */
  readonly nextChargeOn: PlainDate | undefined;
};

export type DirectDebit = {
  readonly paymentId: string;
  readonly status: (typeof PAYMENT_STATUSES)[number];
  readonly amountPence: Pence;
  readonly chargeOn: PlainDate | undefined;
  /** The idempotency key with which we created it, if the provider shows it. */
  readonly orderId: string | undefined;
};

export type DirectDebitOrder = {
  /** Creating with the same key again gives the same payment, as long as the provider keeps the key. */
  readonly idempotencyKey: string;
  readonly mandateId: string;
  readonly amountPence: Pence;
  readonly chargeOn: PlainDate;
  readonly description: string;
};

/** One transfer of the provider's to our bank account, with what it consists of. */
export type DirectDebitPayout = {
  readonly payoutId: string;
  readonly status: DirectDebitPayoutStatus;
  /** What arrives, after fees and what is withheld. */
  readonly net: Pence;
  /** ISO 4217. */
  readonly currency: string;
  /** What our bank statement shows. */
  readonly reference: string;
  readonly createdAt: Instant;
  readonly arrivesOn: PlainDate | undefined;
};

/** A hint that something changed. The change itself is read from the provider. */
export type DirectDebitEvent = {
  readonly eventId: string;
  readonly createdAt: Instant;
  readonly type: string;
  readonly billingRequestId: string | undefined;
  readonly mandateId: string | undefined;
  readonly paymentId: string | undefined;
  readonly payoutId: string | undefined;
  /** Why a payment or mandate failed, in the provider's words. */
  readonly description: string | undefined;
};

export type DirectDebitWebhook = { readonly rawBody: Buffer; readonly signature: string | undefined };

export type DirectDebitProvider = {
  requestMandate(order: { readonly idempotencyKey: string }): Promise<MandateRequest>;
  /** A page of the provider on which the payer authorises the mandate. */
  startFlow(order: {
    readonly idempotencyKey: string;
    readonly billingRequestId: string;
    readonly returnUrl: string;
    readonly exitUrl: string;
    readonly payer: { readonly companyName: string; readonly email: string };
  }): Promise<{ readonly authorisationUrl: string }>;
  findMandateRequest(billingRequestId: string): Promise<MandateRequest | undefined>;
  findMandate(mandateId: string): Promise<Mandate | undefined>;
  /** Ends the mandate, with payments that aren't at the bank yet. One that has ended already stays as it is. */
  cancelMandate(mandateId: string): Promise<void>;
  /** Ends a request that the payer hasn't finished. One that has ended already stays as it is. */
  cancelMandateRequest(billingRequestId: string): Promise<void>;
  createDirectDebit(order: DirectDebitOrder): Promise<DirectDebit>;
  findDirectDebit(paymentId: string): Promise<DirectDebit | undefined>;
  /** The payment that was created with this key on the mandate, if it exists. */
  findDirectDebitByKey(order: Pick<DirectDebitOrder, 'idempotencyKey' | 'mandateId'>): Promise<DirectDebit | undefined>;
  /** Works only before the payment is sent to the bank. Afterwards the provider refuses, and the payment is returned as it is. */
  cancelDirectDebit(paymentId: string): Promise<DirectDebit>;
  /** Why the payment failed or was charged back, in the provider's words. */
  findFailure(paymentId: string): Promise<string | undefined>;
  /** The payouts created since then, in any order. */
  listPayouts(createdSince: Instant): Promise<DirectDebitPayout[]>;
  /** GoCardless keeps them for six months. */
  listPayoutItems(payoutId: string): Promise<PayoutItem[]>;
  /** Throws `unauthenticated` if the signature doesn't match the bytes. */
  verifyWebhook(webhook: DirectDebitWebhook): DirectDebitEvent[];
};
