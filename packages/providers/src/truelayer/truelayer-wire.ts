/**
 * Shapes sent and accepted by TrueLayer: Payments API v3 (payouts, merchant accounts), its auth server and its webhooks. Sources: fixtures
 * and models from TrueLayer's own truelayer-java, truelayer-dotnet and truelayer-php, and docs.truelayer.com ("Payout webhooks", "Payout
 * and refund returns", "Merchant account webhooks", "Idempotency for payment requests").
 */
import { z } from 'zod';

export const tokenWire = z.object({ access_token: z.string().min(1), expires_in: z.number(), token_type: z.string() });

/** The problem+json of every API error; `errors` lists fields. */
export const problemWire = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string().optional(),
  trace_id: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
});
export type ProblemWire = z.infer<typeof problemWire>;

/** The auth server uses OAuth's error shape instead: {"error":"invalid_client"}. */
export const authErrorWire = z.object({ error: z.string(), error_description: z.string().optional() });

export const ukAccountIdentifierWire = z.object({
  type: z.literal('sort_code_account_number'),
  sort_code: z.string(),
  account_number: z.string(),
});
/** Accounts abroad have others, such as "iban" or "nrb". A payment from or to one must not make the record unreadable. */
const accountIdentifierWire = z.union([ukAccountIdentifierWire, z.object({ type: z.string() })]);
export type AccountIdentifierWire = z.infer<typeof accountIdentifierWire>;

/**
 * The body of POST /v3/payouts to an external account. Amounts are integers in minor units; a Faster Payments reference has at most 18
 * characters.
 */
export const createPayoutWire = z.object({
  merchant_account_id: z.string().min(1),
  amount_in_minor: z.number().int().min(1),
  currency: z.literal('GBP'),
  beneficiary: z.object({
    type: z.literal('external_account'),
    account_holder_name: z.string().min(1).max(140),
    account_identifier: z.object({
      type: z.literal('sort_code_account_number'),
      sort_code: z.string().regex(/^\d{6}$/, 'Value must be 6 digits.'),
      account_number: z.string().regex(/^\d{8}$/, 'Value must be 8 digits.'),
    }),
    reference: z.string().min(1).max(18),
  }),
  scheme_selection: z.object({ type: z.enum(['instant_only', 'instant_preferred', 'preselected']) }).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
});
export type CreatePayoutWire = z.infer<typeof createPayoutWire>;

export const createdPayoutWire = z.object({ id: z.string().min(1) });

/**
 * `account_identifiers` is plural in responses and singular in requests. We only pay to "external_account". In TrueLayer's console, people can
 * also pay to "business_account" (the firm's own bank account, once or regularly) and "payment_source" (who has paid in before).
 */
const payoutBeneficiaryWire = z.object({
  type: z.string(),
  reference: z.string().nullish(),
  account_holder_name: z.string().nullish(),
  account_identifiers: z.array(accountIdentifierWire).nullish(),
});

export const payoutWire = z.object({
  id: z.string(),
  merchant_account_id: z.string(),
  amount_in_minor: z.number().int(),
  currency: z.string(),
  beneficiary: payoutBeneficiaryWire,
  scheme_id: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  status: z.enum(['pending', 'authorized', 'executed', 'failed']),
  created_at: z.string(),
  executed_at: z.string().optional(),
  failed_at: z.string().optional(),
  failure_reason: z.string().optional(),
});
export type PayoutWire = z.infer<typeof payoutWire>;

export const merchantAccountWire = z.object({
  id: z.string(),
  currency: z.string(),
  account_identifiers: z.array(accountIdentifierWire),
  available_balance_in_minor: z.number().int(),
  current_balance_in_minor: z.number().int(),
  account_holder_name: z.string(),
});
export type MerchantAccountWire = z.infer<typeof merchantAccountWire>;

/**
 * Our private agreement with the provider, NOT TrueLayer's public API: an account in a trader's name under our client ID. The public API
 * has one merchant account per currency and client ID, and no call that opens one (docs.truelayer.com, "Merchant accounts"). The response
 * is a merchant account, so that all later calls use TrueLayer's published API.
 */
export const openCollectionAccountWire = z.object({
  currency: z.literal('GBP'),
  account_holder_name: z.string().min(1).max(140),
});
export const COLLECTION_ACCOUNTS_PATH = '/agreements/collection-accounts/v1/accounts';

const remitterWire = z.object({
  account_holder_name: z.string(),
  account_identifiers: z.array(accountIdentifierWire).optional(),
  reference: z.string().optional(),
});

const returnForWire = z.discriminatedUnion('type', [
  z.object({ type: z.literal('identified'), returned_id: z.string() }),
  z.object({ type: z.literal('unknown') }),
]);

export const externalPaymentWire = z.object({
  type: z.literal('external_payment'),
  id: z.string(),
  currency: z.string(),
  amount_in_minor: z.number().int(),
  status: z.literal('settled'),
  settled_at: z.string(),
  remitter: remitterWire,
  return_for: returnForWire.nullish(),
});

/** The payout and its transaction have the same ID. A failed payout has no transaction. */
export const payoutTransactionWire = z.object({
  type: z.literal('payout'),
  id: z.string(),
  currency: z.string(),
  amount_in_minor: z.number().int(),
  status: z.enum(['pending', 'executed']),
  created_at: z.string(),
  executed_at: z.string().optional(),
  beneficiary: payoutBeneficiaryWire,
  context_code: z.string(),
  payout_id: z.string(),
  returned_by: z.string().nullish(),
});
export type TransactionWire = z.infer<typeof externalPaymentWire> | z.infer<typeof payoutTransactionWire>;

/**
 * Other transaction types (pay-ins, refunds) are accepted: we never start them, but must not fail on them. Pagination needs the
 * `tl-enable-pagination` header.
 */
export const transactionsWire = z.object({
  items: z.array(z.union([externalPaymentWire, payoutTransactionWire, z.object({ type: z.string() })])),
  pagination: z.object({ next_cursor: z.string().nullish() }).optional(),
});

const eventHead = { event_id: z.string().min(1), event_version: z.union([z.number(), z.string()]) };

export const payoutExecutedEventWire = z.object({
  type: z.literal('payout_executed'),
  ...eventHead,
  payout_id: z.string(),
  merchant_account_id: z.string().optional(),
  executed_at: z.string(),
  scheme_id: z.string().optional(),
});

/** A returned payout was executed first; its `failure_reason` is "returned". */
export const payoutFailedEventWire = z.object({
  type: z.literal('payout_failed'),
  ...eventHead,
  payout_id: z.string(),
  merchant_account_id: z.string().optional(),
  failed_at: z.string(),
  failure_reason: z.string(),
});

/**
 * The published table of this event's fields wasn't accessible, so the names follow those of the same payment's transaction. Confirm the
 * content by reading the account's transactions.
 */
export const externalPaymentReceivedEventWire = z.object({
  type: z.literal('external_payment_received'),
  ...eventHead,
  transaction_id: z.string(),
  merchant_account_id: z.string(),
  currency: z.string(),
  amount_in_minor: z.number().int(),
  settled_at: z.string(),
  remitter: remitterWire.optional(),
});

export const otherEventWire = z.object({ type: z.string(), ...eventHead });

export type KnownEventWire =
  | z.infer<typeof payoutExecutedEventWire>
  | z.infer<typeof payoutFailedEventWire>
  | z.infer<typeof externalPaymentReceivedEventWire>;

/** Public keys at the `jku` of a webhook's signature. */
export const jwksWire = z.object({
  keys: z.array(z.object({ kid: z.string(), kty: z.string(), crv: z.string(), x: z.string(), y: z.string(), alg: z.string().optional() })),
});
