/** Practices' subscriptions, invoices, refunds and revenue, for operators (docs/decisions/0069-refunds-and-price-moves.md). */
import {
  INVOICE_KINDS,
  INVOICE_STATUSES,
  REFUND_KINDS,
  REFUND_STATUSES,
  SUBSCRIPTION_STATUSES,
  WRITE_OFF_STATUSES,
} from '@portal/domain/pricing/subscription.ts';
import { z } from 'zod/mini';
import { requestedOutput } from './approvals.ts';
import { endpoint } from './endpoint.ts';
import { dateScalar, doneOutput, idScalar, instantScalar, penceScalar } from './scalars.ts';

const search = z.optional(z.string().check(z.trim(), z.maxLength(100)));
const page = z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(10_000)), 1);
const reason = z.string().check(z.trim(), z.minLength(3, 'Enter a reason'), z.maxLength(500, 'Use at most 500 characters'));
const amount = penceScalar.check(z.minimum(1, 'Enter an amount above £0'), z.maximum(100_000_00, 'Enter an amount of at most £100,000'));

const practice = { company_id: idScalar, practice: z.string() };

const refund = z.object({
  ...practice,
  refund_id: idScalar,
  invoice_id: idScalar,
  invoice_number: z.string(),
  /** `reduction`: the invoice was unpaid, so no money moved. */
  kind: z.enum(REFUND_KINDS),
  /** Null until the provider has accepted the refund. */
  credit_note_id: z.nullable(idScalar),
  credit_note_number: z.nullable(z.string()),
  status: z.enum(REFUND_STATUSES),
  total_pence: penceScalar,
  reason: z.string(),
  /** Why the refund was rejected or failed. */
  failure: z.nullable(z.string()),
  /** The day and reference on our bank statement, if we paid the refund from our bank account after it was returned. */
  transfer: z.nullable(z.object({ transferred_on: dateScalar, reference: z.string() })),
  /** How many times the refund has been sent. */
  attempt: z.int(),
  ordered_at: instantScalar,
});

const writeOff = z.object({
  status: z.enum(WRITE_OFF_STATUSES),
  /** The amount including VAT, and the VAT in it. */
  amount_pence: penceScalar,
  vat_pence: penceScalar,
  /** The first and last day on which bad debt relief can be claimed. */
  relief_from: dateScalar,
  relief_until: dateScalar,
  reason: z.string(),
  /** Why the write-off was rejected. */
  failure: z.nullable(z.string()),
  written_off_on: z.nullable(dateScalar),
  /** The day on which the invoice was paid after all. */
  reversed_on: z.nullable(dateScalar),
});

export const operatorBillingApi = {
  subscriptions: endpoint({
    method: 'GET',
    path: '/operator/subscriptions',
    access: 'operator',
    summary: 'List practices’ subscriptions, unpaid ones first, one page at a time, with the total they pay',
    input: z.object({ q: search, status: z._default(z.enum(['live', 'past_due', 'ended']), 'live'), page }),
    output: z.object({
      subscriptions: z.array(
        z.object({
          ...practice,
          status: z.enum(SUBSCRIPTION_STATUSES),
          tier_name: z.string(),
          no_connections: z.int(),
          price_list_version: z.int(),
          /** The monthly price after the discount, excluding VAT. */
          monthly_net_pence: penceScalar,
          promotion_code: z.nullable(z.string()),
          subscribed_on: dateScalar,
          renews_on: z.nullable(dateScalar),
          ends_at_renewal: z.boolean(),
          ended_on: z.nullable(dateScalar),
          amount_due_pence: penceScalar,
          /** When the first unpaid payment was due. */
          unpaid_since: z.nullable(dateScalar),
        }),
      ),
      count: z.int(),
      pages: z.int(),
      /** Totals of all subscriptions that have begun and haven't ended. */
      totals: z.object({ practices: z.int(), monthly_net_pence: penceScalar, past_due: z.int(), past_due_pence: penceScalar }),
    }),
  }),
  revenue: endpoint({
    method: 'GET',
    path: '/operator/revenue',
    access: 'operator',
    summary: 'Get revenue by month from our VAT invoices and credit notes, newest first',
    input: z.object({ months: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(60)), 12) }),
    output: z.object({
      months: z.array(
        z.object({
          /** The first day of the month. */
          month: dateScalar,
          practices: z.int(),
          invoices: z.int(),
          /** The month's invoices, excluding VAT. */
          invoiced_net_pence: penceScalar,
          /** Excluding VAT, zero or negative: credits towards later payments, and refunds. */
          credited_net_pence: penceScalar,
          refunded_net_pence: penceScalar,
          /** The sum of the three amounts above. */
          net_pence: penceScalar,
          vat_pence: penceScalar,
          total_pence: penceScalar,
          /** The part of the month's invoices that has been written off as bad debts, including VAT. */
          written_off_pence: penceScalar,
          /** The part of the month's invoices that is unpaid or was reversed by the payer's bank, including VAT. */
          unpaid_pence: penceScalar,
        }),
      ),
    }),
  }),
  invoices: endpoint({
    method: 'GET',
    path: '/operator/invoices',
    access: 'operator',
    summary: 'List practices’ VAT invoices and credit notes, newest first, one page at a time',
    input: z.object({ q: search, page }),
    output: z.object({
      invoices: z.array(
        z.object({
          ...practice,
          invoice_id: idScalar,
          number: z.string(),
          kind: z.enum(INVOICE_KINDS),
          issued_on: dateScalar,
          total_pence: penceScalar,
          status: z.enum(INVOICE_STATUSES),
          /** The write-off as a bad debt, if any. */
          write_off: z.nullable(writeOff),
          /** The amount of an invoice that operators refunded or credited, or are refunding, including VAT. */
          refunded_pence: penceScalar,
          corrects_number: z.nullable(z.string()),
        }),
      ),
      count: z.int(),
      pages: z.int(),
    }),
  }),
  invoice: endpoint({
    method: 'GET',
    path: '/operator/invoice',
    access: 'operator',
    summary: 'Get how much of an invoice can be refunded, or credited if it’s unpaid, in total and for each line',
    input: z.object({ company_id: idScalar, invoice_id: idScalar }),
    output: z.object({
      ...practice,
      invoice_id: idScalar,
      number: z.string(),
      issued_on: dateScalar,
      status: z.enum(INVOICE_STATUSES),
      net_pence: penceScalar,
      vat_rate_bps: z.int(),
      vat_pence: penceScalar,
      total_pence: penceScalar,
      /** The amount collected: less than the total if a credit paid part of it. */
      paid_pence: penceScalar,
      /** What can still be refunded, or credited if it's unpaid, including VAT. */
      left_pence: penceScalar,
      lines: z.array(
        z.object({
          position: z.int(),
          description: z.string(),
          /** The line's amount and what is left of it, both excluding VAT. */
          amount_pence: penceScalar,
          left_pence: penceScalar,
        }),
      ),
      /** Why nothing can be refunded; null if a refund is possible. */
      problem: z.nullable(z.string()),
      refunds: z.array(refund),
    }),
  }),
  requestRefund: endpoint({
    method: 'POST',
    path: '/operator/refunds',
    access: 'operator.finance',
    summary:
      'Ask a second operator to refund an invoice, or to credit it if it’s unpaid: the whole remaining amount, an amount including VAT, or amounts per line excluding VAT',
    input: z.object({
      company_id: idScalar,
      invoice_id: idScalar,
      /** Including VAT. Null, together with `lines`, to refund everything that is left. */
      total_pence: z.nullable(amount),
      /** Excluding VAT, which is added on top. */
      lines: z.nullable(z.array(z.object({ position: z.int().check(z.minimum(0)), amount_pence: amount })).check(z.maxLength(20))),
      /** Shown to the practice on the credit note. */
      reason,
    }),
    output: requestedOutput,
  }),
  requestWriteOff: endpoint({
    method: 'POST',
    path: '/operator/invoices/write-off',
    access: 'operator.finance',
    summary: 'Ask a second operator to write off an unpaid invoice as a bad debt',
    input: z.object({ company_id: idScalar, invoice_id: idScalar, reason }),
    output: requestedOutput,
  }),
  refunds: endpoint({
    method: 'GET',
    path: '/operator/refunds',
    access: 'operator',
    summary: 'List refunds, those needing attention first, then newest first',
    input: z.object({ page }),
    output: z.object({ refunds: z.array(refund), count: z.int(), pages: z.int() }),
  }),
  retryRefund: endpoint({
    method: 'POST',
    path: '/operator/refunds/retry',
    access: 'operator.finance',
    summary: 'Resend a refund that the payer’s bank returned',
    input: z.object({ company_id: idScalar, refund_id: idScalar, reason }),
    output: doneOutput,
  }),
  requestTransfer: endpoint({
    method: 'POST',
    path: '/operator/refunds/transfer',
    access: 'operator.finance',
    summary: 'Ask a second operator to record that a returned refund was paid from our bank account. No payment is made.',
    input: z.object({
      company_id: idScalar,
      refund_id: idScalar,
      /** The amount on our bank statement, which must equal the refund. */
      amount_pence: amount,
      transferred_on: dateScalar,
      reference: z
        .string()
        .check(z.trim(), z.minLength(3, 'Enter the reference on our bank statement'), z.maxLength(80, 'Use at most 80 characters')),
      /** The evidence of the payment, saved as the request's reason. */
      evidence: z
        .string()
        .check(z.trim(), z.minLength(3, 'Enter the evidence of the payment'), z.maxLength(500, 'Use at most 500 characters')),
    }),
    output: requestedOutput,
  }),
};
