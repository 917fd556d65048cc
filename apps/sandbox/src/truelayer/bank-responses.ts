/** Formats the bank simulator's records and errors as TrueLayer sends them. */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { AccountRecord, Bank, CreditRecord, PayoutRecord } from './bank-records.ts';
import {
  merchantAccountWire,
  payoutWire,
  transactionsWire,
  type MerchantAccountWire,
  type PayoutWire,
  type ProblemWire,
  type TransactionWire,
} from '@portal/providers/truelayer/truelayer-wire.ts';

const PROBLEM_TYPES = {
  'invalid-parameters': [400, 'Invalid Parameters'],
  unauthenticated: [401, 'Unauthenticated'],
  forbidden: [403, 'Forbidden'],
  'not-found': [404, 'Not Found'],
  'method-not-allowed': [405, 'Method Not Allowed'],
  'idempotency-key-reuse': [422, 'Idempotency-Key Reuse'],
  'rate-limit-exceeded': [429, 'Rate Limit Exceeded'],
  'internal-server-error': [500, 'Internal Server Error'],
} as const;

/** An error response. Handlers throw it to reject a call, and the plugin's error handler sends it. */
export class TrueLayerError extends Error {
  readonly body: ProblemWire;
  constructor(code: keyof typeof PROBLEM_TYPES, detail: string, errors?: Record<string, string[]>) {
    super(detail);
    this.name = 'TrueLayerProblem';
    const [status, title] = PROBLEM_TYPES[code];
    this.body = {
      type: `https://docs.truelayer.com/docs/error-types#${code}`,
      title,
      status,
      detail,
      trace_id: randomBytes(16).toString('hex'),
      ...(errors ? { errors } : {}),
    };
  }
}

/** Handles the plugin's errors. Passes other kinds of error to the host. */
export function sendProblem(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof TrueLayerError)) throw error;
  // Sent as bytes, because Fastify adds a charset to text and TrueLayer doesn't send one.
  return reply
    .code(error.body.status)
    .type('application/problem+json')
    .send(Buffer.from(JSON.stringify(error.body)));
}

/** Formats field errors as TrueLayer does: a list of messages for each path. */
export function toFieldErrors(error: z.ZodError): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const issue of error.issues) (fields[issue.path.join('.') || 'body'] ??= []).push(issue.message);
  return fields;
}

export function toPayoutResponse(payout: PayoutRecord): PayoutWire {
  return payoutWire.parse({
    id: payout.id,
    merchant_account_id: payout.account_id,
    amount_in_minor: payout.amount_pence,
    currency: 'GBP',
    beneficiary: toBeneficiary(payout),
    scheme_id: 'faster_payments_service',
    metadata: payout.metadata,
    status: payout.status,
    created_at: payout.created_at,
    // Like TrueLayer, reports a returned payout as failed and without executed_at.
    ...(payout.status === 'executed' ? { executed_at: payout.executed_at } : {}),
    failed_at: payout.failed_at,
    failure_reason: payout.failure_reason,
  });
}

export function toAccountResponse(account: AccountRecord): MerchantAccountWire {
  return merchantAccountWire.parse({
    id: account.id,
    currency: 'GBP',
    account_identifiers: [toIdentifier(account)],
    available_balance_in_minor: account.available_pence,
    current_balance_in_minor: account.balance_pence,
    account_holder_name: account.account_holder_name,
  });
}

const PAGE_SIZE = 50;

/** Returns one page of an account's transactions between two times. The cursor is the position reached. */
export function toTransactionsResponse(bank: Bank, accountId: string, range: { from: number; to: number }, cursor: number | undefined) {
  const isInRange = (at: string): boolean => Date.parse(at) >= range.from && Date.parse(at) <= range.to;
  const credits = bank.credits.list().flatMap(({ document }) => (document.account_id === accountId ? [toCreditTransaction(document)] : []));
  const payouts = bank.payouts.list().flatMap(({ document }) => (document.account_id === accountId ? toPayoutTransactions(document) : []));
  const allTransactions = [...credits, ...payouts]
    .filter((item) => isInRange(getTime(item)))
    .sort((a, b) => getTime(b).localeCompare(getTime(a)));
  if (cursor === undefined) return transactionsWire.parse({ items: allTransactions });
  const next = cursor + PAGE_SIZE;
  return transactionsWire.parse({
    items: allTransactions.slice(cursor, next),
    pagination: next < allTransactions.length ? { next_cursor: String(next) } : {},
  });
}

function toCreditTransaction(credit: CreditRecord): TransactionWire {
  return {
    type: 'external_payment',
    id: credit.transaction_id,
    currency: credit.currency ?? 'GBP',
    amount_in_minor: credit.amount_pence,
    status: 'settled',
    settled_at: credit.at,
    remitter: { account_holder_name: credit.remitter_name, reference: credit.reference },
    ...(credit.return_for === undefined ? {} : { return_for: { type: 'identified', returned_id: credit.return_for } }),
  };
}

/** A returned payout is a transaction; one that failed before it was sent isn't. */
function toPayoutTransactions(payout: PayoutRecord): TransactionWire[] {
  if (payout.status === 'failed' && payout.returned_by === undefined) return [];
  return [
    {
      type: 'payout',
      id: payout.id,
      currency: 'GBP',
      amount_in_minor: payout.amount_pence,
      status: payout.executed_at === undefined ? 'pending' : 'executed',
      created_at: payout.created_at,
      ...(payout.executed_at === undefined ? {} : { executed_at: payout.executed_at }),
      beneficiary: toBeneficiary(payout),
      context_code: 'withdrawal',
      payout_id: payout.id,
      ...(payout.returned_by === undefined ? {} : { returned_by: payout.returned_by }),
    },
  ];
}

function toBeneficiary(payout: PayoutRecord) {
  return {
    type: payout.beneficiary_type ?? ('external_account' as const),
    reference: payout.reference,
    account_holder_name: payout.beneficiary_name,
    account_identifiers: [toIdentifier(payout)],
  };
}

function toIdentifier({ sort_code, account_number }: { sort_code: string; account_number: string }) {
  return { type: 'sort_code_account_number' as const, sort_code, account_number };
}

function getTime(item: TransactionWire): string {
  return item.type === 'external_payment' ? item.settled_at : item.created_at;
}
