/** A practice's subscription, payment method and invoices (docs/product/specification.md section 7.4, docs/decisions/0057-billing.md). */
import {
  DUNNING_STATES,
  INVOICE_KINDS,
  INVOICE_STATUSES,
  PAYMENT_METHODS,
  SUBSCRIPTION_STATUSES,
} from '@portal/domain/pricing/subscription.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, createNameScalar, dateScalar, doneOutput, emailScalar, idScalar, instantScalar, penceScalar } from './scalars.ts';

/** A PDF, or a CSV file with one row per invoice line. */
export const INVOICE_FILE_PATH = '/open-tax/invoices/file';
export const invoiceFileQuery = z.extend(companyInput, { invoice_id: idScalar, format: z._default(z.enum(['pdf', 'csv']), 'pdf') });

/** The same files for operators. */
export const OPERATOR_INVOICE_FILE_PATH = '/operator/invoices/file';

/** For reconciliation with Stripe's payouts: our invoices, and what Stripe collected, charged and paid out. */
export const BILLING_EXPORT_PATH = '/operator/billing/export';
export const billingExportQuery = z.object({
  file: z.enum(['invoices', 'write_offs', 'payments', 'payouts']),
  /** The first day of the month. */
  month: dateScalar,
});

const promotionCode = z.string().check(z.trim(), z.maxLength(80, 'Enter a promotion code of at most 80 characters'));

const paymentMethod = z.object({
  kind: z.enum(PAYMENT_METHODS),
  /** For display, for example "Visa ending 4242, expires 12/2030" or "Direct Debit from the account ending 2345". */
  label: z.string(),
});

const subscription = z.object({
  status: z.enum(SUBSCRIPTION_STATUSES),
  tier_name: z.string(),
  /** The number of connections currently charged. */
  no_connections: z.int(),
  price_list_version: z.int(),
  subscribed_on: dateScalar,
  /** Null until the provider has confirmed the subscription. */
  renews_on: z.nullable(dateScalar),
  /** The next renewal's total for the connections currently charged. */
  renewal_total_pence: penceScalar,
  promotion: z.nullable(z.object({ promotion_code: z.string(), ends_on: z.nullable(dateScalar) })),
  /** Whether the subscription ends at `renews_on`, when the practice returns to the free tier. */
  ends_at_renewal: z.boolean(),
  /** The state after a failed payment. From `past_due`, every page shows a banner. */
  dunning: z.nullable(
    z.object({
      state: z.enum(DUNNING_STATES),
      since: instantScalar,
      /** The reason in plain words, for example "Your card was declined." */
      reason: z.string(),
      amount_due_pence: penceScalar,
      /** The first day without refreshes. Nothing is deleted. */
      read_only_from: dateScalar,
    }),
  ),
  /** The provider's page where the payer confirms the payment (3-D Secure); null if no confirmation is needed. */
  confirmation_url: z.nullable(z.string()),
  /** Notice of new prices: the monthly price including VAT for the connections currently charged; null if prices aren't changing. */
  price_move: z.nullable(
    z.object({
      price_list_version: z.int(),
      noticed_on: dateScalar,
      /** The renewal from which the new price applies. */
      moves_on: dateScalar,
      from_total_pence: penceScalar,
      to_total_pence: penceScalar,
    }),
  ),
});

const subscriptionOutput = z.object({ subscription: z.nullable(subscription) });

export const billingApi = {
  get: endpoint({
    method: 'GET',
    path: '/open-tax/billing',
    access: 'practice.manage',
    summary: 'Get the practice’s billing details: contact, payment method, saved promotion code and subscription',
    input: companyInput,
    output: z.object({
      /** False if payments aren’t set up. In that case, only the free tier is available. */
      is_available: z.boolean(),
      billing_name: z.string(),
      billing_email: z.string(),
      /** Shown on the invoice; empty if not given. */
      billing_address: z.string(),
      /** Saved during set-up but not used yet. */
      promotion_code: z.string(),
      payment_method: z.nullable(paymentMethod),
      /** The number of connections selected and linked. Differs from the subscription's number until the change is confirmed. */
      no_selected_connections: z.int(),
      /** From `ends_on`, only the connections in the plan are refreshed. Null if the practice has no such limit. */
      trial: z.nullable(z.object({ ends_on: dateScalar, has_ended: z.boolean() })),
      subscription: z.nullable(subscription),
    }),
  }),
  notice: endpoint({
    method: 'GET',
    path: '/open-tax/billing/notice',
    access: 'practice.read',
    summary: 'Get the banners about a failed payment and about connections outside the plan; null if there is none',
    input: companyInput,
    output: z.object({
      notice: z.nullable(z.object({ state: z.enum(DUNNING_STATES), read_only_from: dateScalar })),
      /** The trial ends soon, or has ended, and the plan doesn't cover all connections that are linked. */
      trial: z.nullable(
        z.object({
          /** The first day on which connections outside the plan aren't refreshed. */
          ends_on: dateScalar,
          has_ended: z.boolean(),
          /** The number of linked connections outside the plan. */
          no_connections_outside: z.int(),
        }),
      ),
    }),
  }),
  saveDetails: endpoint({
    method: 'POST',
    path: '/open-tax/billing/details',
    access: 'practice.manage',
    summary: 'Save the billing contact, and a promotion code to use when the subscription starts. Saving a code doesn’t use it up.',
    input: z.extend(companyInput, {
      billing_name: createNameScalar('the billing contact’s name'),
      billing_email: emailScalar,
      billing_address: z
        .string()
        .check(
          z.trim(),
          z.minLength(1, 'Enter the address to show on invoices'),
          z.maxLength(400, 'Enter an address of at most 400 characters'),
        ),
      promotion_code: promotionCode,
    }),
    output: doneOutput,
  }),
  startPaymentMethod: endpoint({
    method: 'POST',
    path: '/open-tax/billing/payment-method',
    access: 'practice.manage',
    summary:
      'Start adding a payment method on Stripe’s page. Stripe then redirects to the given page with ?payment_method=entered or =cancelled.',
    input: z.extend(companyInput, {
      kind: z.enum(PAYMENT_METHODS),
      return_to: z.enum(['setup', 'settings']),
    }),
    output: z.object({ url: z.string() }),
  }),
  readPaymentMethod: endpoint({
    method: 'POST',
    path: '/open-tax/billing/payment-method/read',
    access: 'practice.manage',
    summary: 'Get the payment method that was added on Stripe’s page. Safe to repeat.',
    input: companyInput,
    output: z.object({ payment_method: z.nullable(paymentMethod) }),
  }),
  subscribe: endpoint({
    method: 'POST',
    path: '/open-tax/billing/subscription',
    access: 'practice.manage',
    summary: 'Start the subscription for the saved selection, with the saved contact, promotion code and payment method',
    needsIdempotencyKey: true,
    input: z.extend(companyInput, {
      /** The total of the first invoice as the user saw it. If it has changed, the request is rejected with `billing.price_changed`. */
      expected_total_pence: penceScalar,
    }),
    output: subscriptionOutput,
  }),
  change: endpoint({
    method: 'POST',
    path: '/open-tax/billing/subscription/connections',
    access: 'practice.manage',
    summary: 'Change the subscription to the saved selection, with a charge or credit for the rest of the month',
    needsIdempotencyKey: true,
    input: z.extend(companyInput, {
      /** The monthly price including VAT, as the user saw it, for the new number of connections. */
      expected_total_pence: penceScalar,
    }),
    output: subscriptionOutput,
  }),
  applyCode: endpoint({
    method: 'POST',
    path: '/open-tax/billing/subscription/promotion-code',
    access: 'practice.manage',
    summary: 'Apply a promotion code to the subscription from the next renewal',
    needsIdempotencyKey: true,
    input: z.extend(companyInput, { promotion_code: promotionCode.check(z.minLength(1, 'Enter a promotion code')) }),
    output: subscriptionOutput,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/open-tax/billing/subscription/cancel',
    access: 'practice.manage',
    summary: 'Cancel the subscription at its next renewal, when the practice moves to the free tier',
    needsIdempotencyKey: true,
    input: companyInput,
    output: subscriptionOutput,
  }),
  resume: endpoint({
    method: 'POST',
    path: '/open-tax/billing/subscription/resume',
    access: 'practice.manage',
    summary: 'Keep a subscription that was set to end at its next renewal',
    needsIdempotencyKey: true,
    input: companyInput,
    output: subscriptionOutput,
  }),
  pay: endpoint({
    method: 'POST',
    path: '/open-tax/billing/subscription/pay',
    access: 'practice.manage',
    summary: 'Retry the payment of an unpaid invoice with the current payment method',
    needsIdempotencyKey: true,
    input: companyInput,
    output: subscriptionOutput,
  }),
  portal: endpoint({
    method: 'POST',
    path: '/open-tax/billing/portal',
    access: 'practice.manage',
    summary: 'Open Stripe’s customer portal to manage payment methods',
    input: companyInput,
    output: z.object({ url: z.string() }),
  }),
  invoices: endpoint({
    method: 'GET',
    path: '/open-tax/invoices',
    access: 'practice.manage',
    summary: 'List the practice’s VAT invoices and credit notes, newest first',
    input: companyInput,
    output: z.object({
      invoices: z.array(
        z.object({
          invoice_id: idScalar,
          number: z.string(),
          kind: z.enum(INVOICE_KINDS),
          issued_on: dateScalar,
          period_start: dateScalar,
          period_end: dateScalar,
          lines: z.array(z.object({ description: z.string(), quantity: z.nullable(z.int()), amount_pence: penceScalar })),
          net_pence: penceScalar,
          vat_rate_bps: z.int(),
          vat_pence: penceScalar,
          /** Negative for a credit note. */
          total_pence: penceScalar,
          status: z.enum(INVOICE_STATUSES),
          /** The number of the invoice that a credit note corrects; null for an invoice. */
          corrects_number: z.nullable(z.string()),
          /** The reason for a credit note. */
          reason: z.nullable(z.string()),
          /** For a credit note whose refund no card accepted: when we paid it from our bank account, and the payment's reference. */
          transfer: z.nullable(z.object({ transferred_on: dateScalar, reference: z.string() })),
          /** When an unpaid invoice was written off as a bad debt; null otherwise. */
          written_off_on: z.nullable(dateScalar),
        }),
      ),
    }),
  }),
};
