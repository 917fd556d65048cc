/** The payments provider as the portal uses it. Implemented by `truelayer-client.ts`. */
import type { Instant } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';

/** A UK bank account: a six-digit `sortCode` and an eight-digit `accountNumber`, both without separators. */
export type UkAccount = { readonly sortCode: string; readonly accountNumber: string };

/**
 * A payment to send. Repeating it with the same `idempotencyKey` is safe and returns the same payout. `reference`: 1 to 18 characters
 * (Faster Payments).
 */
export type PayoutOrder = {
  readonly idempotencyKey: string;
  readonly amountPence: Pence;
  readonly beneficiary: UkAccount & { readonly name: string };
  readonly reference: string;
};

/**
 * A payout as reported by the provider. `executed` means that the money has left our account, not that it has arrived: the beneficiary's
 * bank may still return it. The payout then changes from `executed` to `failed` with the reason `returned` (docs.truelayer.com, "Payout and
 * refund returns").
 */
export type Payout = {
  readonly payoutId: string;
  readonly status: 'pending' | 'authorized' | 'executed' | 'failed';
  readonly executedAt?: Instant;
  readonly failedAt?: Instant;
  /** In words, for operators. */
  readonly failureReason?: string;
  /** The idempotency key of the order that created the payout. */
  readonly idempotencyKey?: string;
};

export type CollectionAccount = UkAccount & { readonly accountId: string };

/** A movement on an account at the provider. `returnsPayoutId` is the payout that this credit returns. */
export type AccountTransaction =
  | {
      readonly kind: 'credit';
      readonly transactionId: string;
      /** ISO 4217. */
      readonly currency: string;
      /** In hundredths of the currency. Zero or negative if the provider reports a correction. */
      readonly amountPence: Pence;
      readonly settledAt: Instant;
      readonly remitterName: string;
      readonly reference?: string;
      readonly returnsPayoutId?: string;
    }
  | {
      readonly kind: 'payout';
      readonly transactionId: string;
      readonly payoutId: string;
      readonly amountPence: Pence;
      readonly status: 'pending' | 'executed';
      readonly createdAt: Instant;
      readonly executedAt?: Instant;
      readonly reference: string;
      readonly beneficiaryName: string;
      /** Undefined for an account outside the UK, which we never pay into. */
      readonly beneficiary?: UkAccount;
      /** The credit that returned the payout. */
      readonly returnedByTransactionId?: string;
    };

/** A credit to an account. */
export type AccountCredit = Extract<AccountTransaction, { kind: 'credit' }>;

/** A payout from our account, as recorded by the provider. */
export type SentPayout = Extract<AccountTransaction, { kind: 'payout' }>;

/** The content of a verified webhook. Events may arrive more than once and out of order, so store `eventId`. */
export type PaymentEvent = { readonly eventId: string } & (
  | { readonly type: 'payout_executed'; readonly payoutId: string; readonly executedAt: Instant }
  | {
      readonly type: 'payout_failed';
      readonly payoutId: string;
      readonly failedAt: Instant;
      /** In words, for operators. */
      readonly failureReason: string;
      /** True if the money had been sent and was returned. */
      readonly wasReturned: boolean;
    }
  | {
      readonly type: 'credit_received';
      readonly accountId: string;
      readonly transactionId: string;
      readonly amountPence: Pence;
      readonly settledAt: Instant;
      readonly remitterName?: string;
      readonly reference?: string;
    }
  /** An event that has no effect; just acknowledge it. */
  | { readonly type: 'other'; readonly name: string }
);

/**
 * A webhook as received: header names in any case, the body exactly as sent, and `path` as the provider called it, without the query
 * ("/portal/webhooks/truelayer").
 */
export type ReceivedWebhook = {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly rawBody: string | Uint8Array;
  readonly path: string;
};

/** Failures are ProviderErrors. A write without a usable response fails as `unknown`; repeating it with the same key is safe. */
export type PaymentsProvider = {
  /** Sends a signed request that does nothing. Fails if the provider doesn't accept our signing key. */
  checkSignature(): Promise<void>;
  createPayout(order: PayoutOrder): Promise<{ payoutId: string }>;
  /** Returns undefined if the provider doesn't know the payout. */
  findPayout(payoutId: string): Promise<Payout | undefined>;
  /**
   * Returns the payout that an order with this key created between `from` and `to`, based on our account's movements. Undefined if no money
   * moved: it was never created, or failed before it was sent.
   */
  findPayoutByKey(query: { idempotencyKey: string; from: Instant; to: Instant }): Promise<Payout | undefined>;
  /**
   * Lists the payouts from our account created between `from` and `to`, oldest first, those returned by the beneficiary's bank, either in
   * that period or, if they were created in it, later, and the credits settled in that period that return no payout.
   */
  listPayouts(query: {
    from: Instant;
    to: Instant;
  }): Promise<{ sent: SentPayout[]; returned: { payoutId: string }[]; otherCredits: AccountCredit[] }>;
  /** The account from which we pay. */
  readPayingAccount(): Promise<UkAccount>;
  openCollectionAccount(order: { idempotencyKey: string; accountHolderName: string }): Promise<CollectionAccount>;
  /** Lists movements settled or created from `from` up to `to`, oldest first. */
  listCollectionAccountTransactions(query: { accountId: string; from: Instant; to: Instant }): Promise<AccountTransaction[]>;
  /**
   * Checks the signature and origin. Throws AppError `unauthenticated` if the provider didn't sign it, and ProviderError `unavailable` if
   * its keys can't be read.
   */
  verifyWebhook(webhook: ReceivedWebhook): Promise<PaymentEvent>;
};
