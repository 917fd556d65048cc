/** Formats the simulator's records and errors as GoCardless sends them. */
import { randomUUID } from 'node:crypto';
import {
  billingRequestWire,
  customerBankAccountWire,
  flowWire,
  mandateWire,
  paymentWire,
  payoutItemListWire,
  payoutListWire,
  type PaymentWire,
} from '@portal/providers/gocardless/gocardless-wire.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { PayoutRecord } from './gocardless-payouts.ts';
import type { BillingRequestRecord, FlowRecord, GoCardlessRecords, MandateRecord, PaymentRecord } from './gocardless-records.ts';

type ErrorType = 'gocardless' | 'invalid_api_usage' | 'invalid_state' | 'validation_failed';
type ErrorItem = { reason?: string; field?: string; message?: string; request_pointer?: string; links?: object };

/** An error response. Handlers throw it to reject a call. */
export class GoCardlessError extends Error {
  readonly status: number;
  readonly body: object;
  constructor(status: number, type: ErrorType, message: string, errors: ErrorItem[] = [{ message }]) {
    super(message);
    this.name = 'GoCardlessError';
    this.status = status;
    const documentation_url = 'https://developer.gocardless.com/api-reference#errors';
    this.body = { error: { type, code: status, message, errors, request_id: randomUUID(), documentation_url } };
  }
}

export function sendGoCardlessError(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof GoCardlessError)) throw error;
  return reply.code(error.status).send(error.body);
}

export const createNotFoundError = (): GoCardlessError =>
  new GoCardlessError(404, 'invalid_api_usage', 'Resource not found', [{ reason: 'resource_not_found' }]);

export function requireFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw createNotFoundError();
  return found;
}

export const createCannotCancelError = (status: string): GoCardlessError =>
  new GoCardlessError(422, 'invalid_state', `It is ${status}.`, [{ reason: 'cancellation_failed', message: status }]);

export function createValidationError(error: z.ZodError): GoCardlessError {
  const items = error.issues.map(({ path, message }) => ({
    field: String(path.at(-1) ?? ''),
    message,
    request_pointer: `/${path.join('/')}`,
  }));
  return new GoCardlessError(422, 'validation_failed', 'Validation failed', items);
}

export function createInvalidFieldError(field: string, message: string): GoCardlessError {
  return new GoCardlessError(422, 'validation_failed', 'Validation failed', [{ field, message, request_pointer: `/payments/${field}` }]);
}

export function toBillingRequestResponse({ id, status, mandate_id }: BillingRequestRecord) {
  return billingRequestWire.parse({
    billing_requests: { id, status, links: mandate_id === undefined ? {} : { mandate_request_mandate: mandate_id } },
  });
}

export function toFlowResponse({ id }: FlowRecord, publicUrl: string) {
  return flowWire.parse({
    billing_request_flows: { id, authorisation_url: `${publicUrl}/billing/static/flow?id=${id}`, expires_at: null },
  });
}

export function toMandateResponse(mandate: MandateRecord, records: GoCardlessRecords) {
  const { id, status, reference, created_at } = mandate;
  const canBeCharged = status === 'pending_submission' || status === 'submitted' || status === 'active';
  return mandateWire.parse({
    mandates: {
      id,
      status,
      scheme: 'bacs',
      reference,
      created_at,
      next_possible_charge_date: canBeCharged ? records.nextChargeDate() : null,
      links: { customer_bank_account: toBankAccountId(id) },
    },
  });
}

/** Each mandate has a bank account of its own, with the mandate's ID after the prefix. */
const toBankAccountId = (mandateId: string): string => mandateId.replace(/^MD/, 'BA');
export const toMandateId = (bankAccountId: string): string => bankAccountId.replace(/^BA/, 'MD');

export const toBankAccountResponse = ({ id, account_number }: MandateRecord) =>
  customerBankAccountWire.parse({
    customer_bank_accounts: { id: toBankAccountId(id), account_number_ending: account_number.slice(-2) },
  });

export const toPayment = ({
  id,
  status,
  amount,
  charge_date,
  description,
  metadata,
  created_at,
  mandate_id,
}: PaymentRecord): PaymentWire => ({
  id,
  status,
  amount,
  currency: 'GBP',
  charge_date,
  ...(description === undefined ? {} : { description }),
  metadata: { ...metadata },
  created_at,
  links: { mandate: mandate_id },
});

const LAST_PAGE = { cursors: { before: null, after: null }, limit: 500 };

export function toPayoutListResponse(payouts: readonly PayoutRecord[]) {
  return payoutListWire.parse({
    payouts: payouts.map(({ items, ...payout }) => {
      const fees = items.filter(({ type }) => type === 'gocardless_fee').reduce((sum, { tenths }) => sum - tenths, 0);
      return { ...payout, currency: 'GBP', deducted_fees: Math.round(fees / 10), payout_type: 'merchant' };
    }),
    meta: LAST_PAGE,
  });
}

/** Six months. */
const ITEMS_TTL_MS = 183 * 24 * 3_600_000;

export function toPayoutItemsResponse({ items, created_at }: PayoutRecord, now: string) {
  if (Date.parse(created_at) < Date.parse(now) - ITEMS_TTL_MS)
    throw new GoCardlessError(410, 'invalid_api_usage', 'Payout items are only available for payouts of the last 6 months');
  return payoutItemListWire.parse({
    payout_items: items.map(({ type, payment_id, tenths }) => ({
      type,
      amount: (tenths / 10).toFixed(1),
      links: { payment: payment_id },
    })),
    meta: LAST_PAGE,
  });
}

export const toPaymentResponse = (payment: PaymentRecord) => paymentWire.parse({ payments: toPayment(payment) });
