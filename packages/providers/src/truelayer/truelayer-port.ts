/** What the product asks of its payments provider, in its own words; `truelayer-client.ts` answers it. */
import type { Instant } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';

/** A UK account: `sortCode` six digits, `accountNumber` eight digits, both without separators. */
export type UkAccount = { readonly sortCode: string; readonly accountNumber: string };

/** One payment to leave. Repeating it with the same `idempotencyKey` is safe and gives the same payout. `reference`: 1 to 18 characters (Faster Payments). */
export type PayoutOrder = {
  readonly idempotencyKey: string;
  readonly amountPence: Pence;
  readonly beneficiary: UkAccount & { readonly name: string };
  readonly reference: string;
};

/**
 * A payout as the provider tells it. `executed` means it left our account, not that it arrived: the beneficiary's bank may still return it,
 * and it then turns from `executed` to `failed` with the reason `returned` (docs.truelayer.com, "Payout and refund returns").
 */
export type Payout = {
  readonly payoutId: string;
  readonly status: 'pending' | 'authorized' | 'executed' | 'failed';
  readonly executedAt?: Instant;
  readonly failedAt?: Instant;
  readonly failureReason?: string;
};

export type CollectionAccount = UkAccount & { readonly accountId: string };

/** One movement of an account held at the provider. `returnsPayoutId` names the payout that this credit brings back. */
export type AccountTransaction =
  | {
      readonly kind: 'credit';
      readonly transactionId: string;
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
      /** The credit that brought the payout back. */
      readonly returnedByTransactionId?: string;
    };

/** What a verified webhook says. The same event can arrive more than once and events can overtake each other: remember `eventId`. */
export type PaymentEvent = { readonly eventId: string } & (
  | { readonly type: 'payout_executed'; readonly payoutId: string; readonly executedAt: Instant }
  | {
      readonly type: 'payout_failed';
      readonly payoutId: string;
      readonly failedAt: Instant;
      readonly failureReason: string;
      /** True where the money had left and came back. */
      readonly returned: boolean;
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
  /** An event we do not act on; acknowledge it. */
  | { readonly type: 'other'; readonly name: string }
);

/** A webhook as it arrived: header names in any case, the body exactly as sent, `path` as the provider called it, without query ("/portal/webhooks/truelayer"). */
export type ReceivedWebhook = {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly rawBody: string | Uint8Array;
  readonly path: string;
};

/** Failures are ProviderError; a write without a usable answer is `unknown`, and repeating it with the same key is safe. */
export type PaymentsProvider = {
  createPayout(order: PayoutOrder): Promise<{ payoutId: string }>;
  /** Undefined where the provider knows no such payout. */
  findPayout(payoutId: string): Promise<Payout | undefined>;
  openCollectionAccount(order: { idempotencyKey: string; accountHolderName: string }): Promise<CollectionAccount>;
  /** Movements settled or created from `from` up to `to`, oldest first. Takes our own paying account's id too. */
  listCollectionAccountTransactions(query: { accountId: string; from: Instant; to: Instant }): Promise<AccountTransaction[]>;
  /** Checks signature and origin; throws AppError `unauthenticated` for anything not signed by the provider, ProviderError `unavailable` where its keys cannot be read. */
  verifyWebhook(webhook: ReceivedWebhook): Promise<PaymentEvent>;
};
