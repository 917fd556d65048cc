/** The port for collecting money by Direct Debit. Failures are `ProviderError`. */
import type { Instant } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { DirectDebitPayoutStatus, PayoutItem } from '@portal/domain/shortfalls/direct-debit-payout.ts';
import type { MANDATE_STATUSES, PAYMENT_STATUSES } from '@portal/domain/shortfalls/direct-debit.ts';

export type MandateRequest = {
  readonly billingRequestId: string;
  /** `pending` until the payer has completed the provider's page. */
  readonly status: 'pending' | 'fulfilled' | 'cancelled';
  readonly mandateId: string | undefined;
};

export type Mandate = {
  readonly mandateId: string;
  readonly status: (typeof MANDATE_STATUSES)[number];
  /** The reference on the payer's bank statement. */
  readonly reference: string | undefined;
  /** The first day on which the account can be charged; undefined if the mandate can't be used. */
  readonly nextChargeOn: PlainDate | undefined;
  /** The provider's ID of the payer's bank account. */
  readonly payerAccountId: string;
};

export type DirectDebit = {
  readonly paymentId: string;
  readonly status: (typeof PAYMENT_STATUSES)[number];
  readonly amountPence: Pence;
  readonly chargeOn: PlainDate | undefined;
  /** The idempotency key that we created it with, if the provider returns it. */
  readonly orderId: string | undefined;
};

export type DirectDebitOrder = {
  /** Repeating a request with the same key returns the original payment, for as long as the provider stores the key. */
  readonly idempotencyKey: string;
  readonly mandateId: string;
  readonly amountPence: Pence;
  readonly chargeOn: PlainDate;
  readonly description: string;
};

/** A transfer from the provider to our bank account, with its items. */
export type DirectDebitPayout = {
  readonly payoutId: string;
  readonly status: DirectDebitPayoutStatus;
  /** The amount that arrives in our account, after fees and deductions. */
  readonly net: Pence;
  /** ISO 4217. */
  readonly currency: string;
  /** The reference on our bank statement. */
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
  /** Returns the URL of the provider's page where the payer authorises the mandate. */
  startFlow(order: {
    readonly idempotencyKey: string;
    readonly billingRequestId: string;
    readonly returnUrl: string;
    readonly exitUrl: string;
    readonly payer: { readonly companyName: string; readonly email: string };
  }): Promise<{ readonly authorisationUrl: string }>;
  findMandateRequest(billingRequestId: string): Promise<MandateRequest | undefined>;
  findMandate(mandateId: string): Promise<Mandate | undefined>;
  /** Returns the last digits of the number of a payer's bank account. */
  findAccountEnding(payerAccountId: string): Promise<string>;
  /** Cancels the mandate and any payments not yet at the bank. A mandate that has already ended is left unchanged. */
  cancelMandate(mandateId: string): Promise<void>;
  /** Cancels a request that the payer hasn't completed. A request that has already ended is left unchanged. */
  cancelMandateRequest(billingRequestId: string): Promise<void>;
  createDirectDebit(order: DirectDebitOrder): Promise<DirectDebit>;
  findDirectDebit(paymentId: string): Promise<DirectDebit | undefined>;
  /** Returns the payment created with this key on the mandate, if there is one. */
  findDirectDebitByKey(order: Pick<DirectDebitOrder, 'idempotencyKey' | 'mandateId'>): Promise<DirectDebit | undefined>;
  /** Works only before the payment is sent to the bank. After that, the provider rejects it, and the payment is returned unchanged. */
  cancelDirectDebit(paymentId: string): Promise<DirectDebit>;
  /** Returns the reason for the failure or charge-back, in the provider's words. */
  findFailure(paymentId: string): Promise<string | undefined>;
  /** Lists the payouts created since a time, in any order. */
  listPayouts(createdSince: Instant): Promise<DirectDebitPayout[]>;
  /** GoCardless keeps the items for six months. */
  listPayoutItems(payoutId: string): Promise<PayoutItem[]>;
  /** Throws `unauthenticated` if the signature doesn't match the bytes. */
  verifyWebhook(webhook: DirectDebitWebhook): DirectDebitEvent[];
};
