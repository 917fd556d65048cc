/** Client for TrueLayer's payouts and accounts. */
import { randomUUID } from 'node:crypto';
import { parseInstant, type Instant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { z } from 'zod';
import { ProviderError } from '../http/provider-error.ts';
import { describePayoutFailure } from './payout-failure.ts';
import { createTrueLayerHttp, type TrueLayerHttp, type TrueLayerHttpSettings } from './truelayer-http.ts';
import type { AccountTransaction, CollectionAccount, PaymentsProvider, Payout, PayoutOrder, UkAccount } from './truelayer-port.ts';
import { createWebhookVerifier } from './truelayer-webhook.ts';
import {
  COLLECTION_ACCOUNTS_PATH,
  createdPayoutWire,
  externalPaymentWire,
  merchantAccountWire,
  payoutTransactionWire,
  payoutWire,
  transactionsWire,
  ukAccountIdentifierWire,
  type AccountIdentifierWire,
  type CreatePayoutWire,
  type MerchantAccountWire,
  type PayoutWire,
} from './truelayer-wire.ts';

/** `webhookJwksUrls` is the allow-list for the `jku` of webhook signatures: "https://webhooks.truelayer.com/.well-known/jwks". */
export type TrueLayerSettings = TrueLayerHttpSettings & {
  readonly merchantAccountId: string;
  readonly webhookJwksUrls: readonly string[];
};

/**
 * Ends a read whose pages never end. Far more than a busy fortnight, because no payout is sent while the record can't be read, and anyone who
 * knows an account's number can add thousands of pennies to it.
 */
const PAGE_LIMIT = 2_000;

/** The member of a payout's metadata that contains our idempotency key. */
const ORDER_KEY = 'order_id';

export function createTrueLayerClient(settings: TrueLayerSettings): PaymentsProvider {
  const http = createTrueLayerHttp(settings);
  const findPayout = async (payoutId: string): Promise<Payout | undefined> => {
    try {
      const path = `/v3/payouts/${encodeURIComponent(payoutId)}`;
      return toPayout(await http.read({ operation: 'get_payout', path, schema: payoutWire }));
    } catch (error) {
      if (error instanceof ProviderError && error.facts.status === 404) return undefined;
      throw error;
    }
  };
  return {
    checkSignature: async () => {
      // TrueLayer's endpoint for testing signatures, which returns 204 and has no effect (github.com/TrueLayer/truelayer-signing, issue
      // 51).
      const call = { operation: 'test_signature', path: '/test-signature', body: { purpose: 'test' }, schema: z.undefined() };
      await http.write({ ...call, idempotencyKey: randomUUID() });
    },
    createPayout: async (order) => {
      const { id } = await http.write({
        operation: 'create_payout',
        path: '/v3/payouts',
        body: toPayoutBody(settings.merchantAccountId, order),
        idempotencyKey: order.idempotencyKey,
        schema: createdPayoutWire,
      });
      return { payoutId: id };
    },
    findPayout,
    findPayoutByKey: async ({ idempotencyKey, from, to }) => {
      // Movements don't contain the metadata, so each payout from that time is read.
      for (const movement of await listTransactions(http, settings.merchantAccountId, from, to)) {
        if (movement.kind !== 'payout') continue;
        const payout = await findPayout(movement.payoutId);
        if (payout?.idempotencyKey === idempotencyKey) return payout;
      }
      return undefined;
    },
    listPayouts: async ({ from, to }) => {
      const movements = await listTransactions(http, settings.merchantAccountId, from, to);
      const ids = movements.flatMap((movement) => {
        if (movement.kind === 'payout') return movement.returnedByTransactionId === undefined ? [] : [movement.payoutId];
        return movement.returnsPayoutId === undefined ? [] : [movement.returnsPayoutId];
      });
      const sentPayouts = movements.flatMap((movement) => (movement.kind === 'payout' ? [movement] : []));
      const otherCredits = movements.flatMap((movement) =>
        movement.kind === 'credit' && movement.returnsPayoutId === undefined ? [movement] : [],
      );
      return { sent: sentPayouts, returned: [...new Set(ids)].map((payoutId) => ({ payoutId })), otherCredits };
    },
    readPayingAccount: () => readAccount(http, settings.merchantAccountId),
    openCollectionAccount: async ({ idempotencyKey, accountHolderName }) => {
      const account = await http.write({
        operation: 'collection_account',
        path: COLLECTION_ACCOUNTS_PATH,
        body: { currency: 'GBP', account_holder_name: accountHolderName },
        idempotencyKey,
        schema: merchantAccountWire,
      });
      return toCollectionAccount(account);
    },
    listCollectionAccountTransactions: ({ accountId, from, to }) => listTransactions(http, accountId, from, to),
    verifyWebhook: createWebhookVerifier(settings),
  };
}

async function readAccount(http: TrueLayerHttp, accountId: string): Promise<UkAccount> {
  const account = await http.read({
    operation: 'merchant_account',
    path: `/v3/merchant-accounts/${encodeURIComponent(accountId)}`,
    schema: merchantAccountWire,
  });
  const ukAccount = findUkAccount(account.account_identifiers);
  if (ukAccount) return ukAccount;
  throw createUnusableResponseError('unavailable', 'merchant_account', 'The account has no sort code and account number.');
}

async function listTransactions(http: TrueLayerHttp, accountId: string, from: Instant, to: Instant): Promise<AccountTransaction[]> {
  const foundTransactions: AccountTransaction[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGE_LIMIT; page += 1) {
    const query = new URLSearchParams({ from, to, ...(cursor ? { cursor } : {}) });
    const payoutBody = await http.read({
      operation: 'transactions',
      path: `/v3/merchant-accounts/${encodeURIComponent(accountId)}/transactions?${query}`,
      headers: { 'tl-enable-pagination': 'true' },
      schema: transactionsWire,
    });
    foundTransactions.push(...payoutBody.items.flatMap((item) => toTransaction(item)));
    cursor = payoutBody.pagination?.next_cursor ?? undefined;
    if (!cursor) return foundTransactions.sort((a, b) => compareText(getTime(a), getTime(b)));
  }
  throw new RangeError(`More than ${PAGE_LIMIT} pages of transactions. Query a shorter period.`);
}

function toPayoutBody(merchantAccountId: string, { idempotencyKey, amountPence, beneficiary, reference }: PayoutOrder): CreatePayoutWire {
  return {
    merchant_account_id: merchantAccountId,
    amount_in_minor: amountPence,
    currency: 'GBP',
    beneficiary: {
      type: 'external_account',
      account_holder_name: beneficiary.name,
      account_identifier: { type: 'sort_code_account_number', sort_code: beneficiary.sortCode, account_number: beneficiary.accountNumber },
      reference,
    },
    // We promise the refund within a day; a scheme slower than Faster Payments could break that promise unnoticed.
    scheme_selection: { type: 'instant_only' },
    // Identifies the payout if the response with its id was lost.
    metadata: { [ORDER_KEY]: idempotencyKey },
  };
}

function toPayout(wire: PayoutWire): Payout {
  return {
    payoutId: wire.id,
    status: wire.status,
    ...(wire.executed_at ? { executedAt: parseResponseInstant(wire.executed_at, 'get_payout') } : {}),
    ...(wire.failed_at ? { failedAt: parseResponseInstant(wire.failed_at, 'get_payout') } : {}),
    ...(wire.failure_reason ? { failureReason: describePayoutFailure(wire.failure_reason) } : {}),
    ...(wire.metadata?.[ORDER_KEY] ? { idempotencyKey: wire.metadata[ORDER_KEY] } : {}),
  };
}

function toCollectionAccount(wire: MerchantAccountWire): CollectionAccount {
  const ukAccount = findUkAccount(wire.account_identifiers);
  // The account may exist by now. Repeating the request with the same key returns it.
  if (!ukAccount) throw createUnusableResponseError('unknown', 'collection_account', 'The account has no sort code and account number.');
  return { accountId: wire.id, ...ukAccount };
}

function findUkAccount(identifiers: readonly AccountIdentifierWire[]): UkAccount | undefined {
  const ukAccount = identifiers.map((identifier) => ukAccountIdentifierWire.safeParse(identifier).data).find(Boolean);
  return ukAccount && { sortCode: ukAccount.sort_code, accountNumber: ukAccount.account_number };
}

function toTransaction(item: z.infer<typeof transactionsWire>['items'][number]): AccountTransaction[] {
  const credit = externalPaymentWire.safeParse(item);
  if (credit.success) {
    const { id, currency, amount_in_minor, settled_at, remitter, return_for } = credit.data;
    return [
      {
        kind: 'credit',
        transactionId: id,
        currency,
        amountPence: pence(amount_in_minor),
        settledAt: parseResponseInstant(settled_at, 'transactions'),
        remitterName: remitter.account_holder_name,
        ...(remitter.reference ? { reference: remitter.reference } : {}),
        ...(return_for?.type === 'identified' ? { returnsPayoutId: return_for.returned_id } : {}),
      },
    ];
  }
  const payout = payoutTransactionWire.safeParse(item);
  if (payout.success) {
    const { id, payout_id, amount_in_minor, status, created_at, executed_at, returned_by, beneficiary } = payout.data;
    const ukAccount = findUkAccount(beneficiary.account_identifiers ?? []);
    return [
      {
        kind: 'payout',
        transactionId: id,
        payoutId: payout_id,
        amountPence: pence(amount_in_minor),
        status,
        createdAt: parseResponseInstant(created_at, 'transactions'),
        reference: beneficiary.reference ?? '',
        beneficiaryName: beneficiary.account_holder_name ?? describeBeneficiary(beneficiary.type),
        ...(ukAccount ? { beneficiary: ukAccount } : {}),
        ...(executed_at ? { executedAt: parseResponseInstant(executed_at, 'transactions') } : {}),
        ...(returned_by ? { returnedByTransactionId: returned_by } : {}),
      },
    ];
  }
  // A known transaction type with an unreadable shape must not disappear from a reconciliation.
  if (item.type === 'external_payment' || item.type === 'payout') {
    throw createUnusableResponseError(
      'unavailable',
      'transactions',
      `A transaction of type ${item.type} doesn’t match the published format.`,
    );
  }
  return [];
}

/** TrueLayer doesn't promise a name for its transfers to the firm's own bank account. */
function describeBeneficiary(type: string): string {
  return type === 'business_account' ? 'Our business account at TrueLayer' : 'An account without a name';
}

function parseResponseInstant(text: string, operation: string): Instant {
  const parsed = parseInstant(text);
  if (!parsed) throw createUnusableResponseError('unavailable', operation, 'A time in the response isn’t valid.');
  return parsed;
}

function createUnusableResponseError(failure: 'unknown' | 'unavailable', operation: string, detail: string): ProviderError {
  return new ProviderError(failure, { provider: 'truelayer', operation, detail });
}

function getTime(transaction: AccountTransaction): Instant {
  return transaction.kind === 'credit' ? transaction.settledAt : transaction.createdAt;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
