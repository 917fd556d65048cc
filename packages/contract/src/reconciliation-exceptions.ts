/**
 * Reconciliation exceptions: unmatched credits, refunds with a shortfall, and money owed to traders. Matching, returning and paying need
 * two operators: these endpoints make the requests, and those in approvals.ts decide on them.
 */
import { ACCOUNT_CREDIT_KINDS } from '@portal/domain/advances/account-credit-kinds.ts';
import { COLLECTION_PAYOUT_KINDS } from '@portal/domain/advances/collection-payout-kinds.ts';
import { PAYOUT_STATUSES } from '@portal/domain/shortfalls/direct-debit-payout.ts';
import { z } from 'zod/mini';
import { advanceState } from './advances.ts';
import { requestedOutput } from './approvals.ts';
import { endpoint } from './endpoint.ts';
import { dateScalar, doneOutput, idScalar, instantScalar, penceScalar } from './scalars.ts';

/** `company_id` is the trader concerned; operators can access every company. */
const exceptionInput = z.object({ company_id: idScalar });
const reason = z.string().check(z.trim(), z.minLength(3, 'Enter a reason'), z.maxLength(500, 'Use at most 500 characters'));
const creditInput = z.extend(exceptionInput, { credit_id: idScalar, reason });

const positivePence = penceScalar.check(z.refine((amount) => amount > 0, 'Enter an amount above £0'));

/** A part of a credit, allocated to an advance or, if `advance_id` is null, to the trader. */
const allocation = z.object({ advance_id: z.nullable(idScalar), amount_pence: positivePence });

/** An advance that a credit can pay, and the amount still outstanding on it, including what was written off and can still be recovered. */
const allocationTarget = z.object({
  advance_id: idScalar,
  period_start: dateScalar,
  period_end: dateScalar,
  state: advanceState,
  refund_pence: penceScalar,
  outstanding_pence: penceScalar,
  /** The part of that amount that was written off. A payment for it reverses the write-off. */
  written_off_pence: penceScalar,
});

/** The subject of a reconciliation exception. */
export const EXCEPTION_KINDS = [
  'credit',
  'unpostable',
  'shortfall',
  'overdue',
  'surplus',
  'direct_debit_payout',
  'unrecorded_payout',
  'account_credit',
  'collection_payout',
  'refused_payout',
  'failed_refund',
] as const;

/**
 * Explanations for a payment that was missing from our records. `confirmed`: the payout we assumed. `advance`: the payout of the advance it
 * refers to. `overpayment`: the trader owes it to us. `other`: not a trader’s. `discarded`: an order that differs from the one the portal
 * wrote, and wasn’t sent.
 */
export const UNRECORDED_PAYOUT_KINDS = ['confirmed', 'advance', 'overpayment', 'other', 'discarded'] as const;

const pageInput = z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(10_000)), 1);

const reconciliationException = z.object({
  /**
   * An unmatched credit, a credit that can't be posted in pounds, an advance that HMRC repaid in part, an advance whose repayment is late,
   * money that we owe to the trader, a GoCardless payout contradicted by the bank statement or its items, a payment from our account that
   * we didn't order, money on that account from an unknown source, a payment from a collection account, an order that differs from what
   * the portal wrote and isn't sent, or an invoice refund that a bank returned or Stripe rejected.
   */
  kind: z.enum(EXCEPTION_KINDS),
  /** ID of the credit, advance, payout or refund concerned or, for a surplus, of the company. */
  subject_id: idScalar,
  /**
   * GoCardless payouts concern several companies, so they have the nil UUID and the name “GoCardless”. The same applies to a payment that
   * can't be linked to a single company.
   */
  company_id: idScalar,
  company_name: z.string(),
  /** The advance that a payment from our account refers to; null for other kinds. */
  advance_id: z.nullable(idScalar),
  /** The ways to resolve a payment from one of our accounts, or money on the account from which we pay; empty for other kinds. */
  resolutions: z.array(z.enum([...UNRECORDED_PAYOUT_KINDS, ...ACCOUNT_CREDIT_KINDS, ...COLLECTION_PAYOUT_KINDS])),
  /**
   * The amount to decide on, or the amount missing or owed; always positive. For a credit that can't be posted, it is in hundredths of the
   * credit's currency and can have any sign.
   */
  amount_pence: penceScalar,
  /** ISO 4217. */
  currency: z.string(),
  since: instantScalar,
  /** The sender of a credit, or the account that received a payment; null for other kinds. */
  remitter: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  /** Why a credit needs a decision, or why the last payout of a surplus failed, as a sentence. */
  problem: z.nullable(z.string()),
  /** The refund that we bought; null unless the exception concerns an advance. */
  refund_pence: z.nullable(penceScalar),
  expected_on: z.nullable(dateScalar),
  /** The amount of a surplus payout that the provider hasn't finished; 0 if no payout is under way. */
  in_flight_pence: penceScalar,
  /** True if a request about the exception is waiting for a second operator. */
  awaits_approval: z.boolean(),
  notes: z.array(z.object({ text: z.string(), by: z.string(), at: instantScalar })),
});

const companyCredit = z.object({
  credit_id: idScalar,
  amount_pence: penceScalar,
  currency: z.string(),
  remitter: z.string(),
  reference: z.string(),
  received_at: instantScalar,
  returned_at: z.nullable(instantScalar),
  /** The amount returned to the sender. */
  returned_pence: penceScalar,
  /** The credit's current allocations. `recovered_pence`: the part that reversed a write-off. */
  allocations: z.array(z.extend(allocation, { recovered_pence: penceScalar })),
  unallocated_pence: penceScalar,
  awaits_approval: z.boolean(),
});

const directDebitPayout = z.object({
  payout_id: idScalar,
  /** The reference on the bank statement. */
  reference: z.string(),
  status: z.enum(PAYOUT_STATUSES),
  /** The amount GoCardless collected, less payments that failed or were charged back after an earlier payout. */
  gross_pence: penceScalar,
  fee_pence: penceScalar,
  net_pence: penceScalar,
  created_at: instantScalar,
  arrives_on: z.nullable(dateScalar),
  /** Why the payout isn’t in the ledger, as a sentence; null if there's no problem. */
  problem: z.nullable(z.string()),
  /** The amount that an operator found on the bank statement; null until an operator has checked. */
  check: z.nullable(z.object({ statement_pence: penceScalar, statement_on: dateScalar, by: z.string(), at: instantScalar })),
  items: z.array(
    z.object({
      /** GoCardless’s type, for example "payment_paid_out". */
      type: z.string(),
      /** Rounded to the penny; positive means in our favour. */
      amount_pence: penceScalar,
      payment_id: z.nullable(z.string()),
      /** The case that the Direct Debit belongs to; null if the payment isn’t ours. */
      debit: z.nullable(z.object({ company_id: idScalar, company_name: z.string(), shortfall_id: idScalar })),
    }),
  ),
});

export const reconciliationExceptionsApi = {
  list: endpoint({
    method: 'GET',
    path: '/operator/matters',
    access: 'operator',
    summary: 'List reconciliation exceptions, oldest first: unmatched credits, shortfalls, late HMRC repayments and money owed to traders',
    input: z.object({ kind: z.optional(z.enum(EXCEPTION_KINDS)), page: pageInput }),
    output: z.object({
      matters: z.array(reconciliationException),
      /** The number of payouts of the chosen kind. */
      count: z.int(),
      pages: z.int(),
      counts: z.record(z.enum(EXCEPTION_KINDS), z.int()),
    }),
  }),
  directDebitPayouts: endpoint({
    method: 'GET',
    path: '/operator/direct-debit-payouts',
    access: 'operator',
    summary: 'List GoCardless’s payouts to our bank account with their items, those not yet found on the bank statement first',
    input: z.object({ page: pageInput }),
    output: z.object({
      payouts: z.array(directDebitPayout),
      count: z.int(),
      pages: z.int(),
      /** The number paid out but not yet found on the bank statement. */
      unchecked_count: z.int(),
      /** The amount GoCardless holds: collected but not yet paid out, less what it will withhold. */
      in_transit_pence: penceScalar,
    }),
  }),
  checkDirectDebitPayout: endpoint({
    method: 'POST',
    path: '/operator/direct-debit-payouts/check',
    access: 'operator.finance',
    summary: 'Record the amount of a payout on the bank statement. A different amount creates a reconciliation exception.',
    input: z.object({
      payout_id: idScalar,
      statement_pence: penceScalar.check(
        z.refine((amount) => amount >= 0, 'Enter the amount on the statement, or 0 if the payout isn’t on it'),
      ),
      statement_on: dateScalar,
    }),
    output: doneOutput,
  }),
  credits: endpoint({
    method: 'GET',
    path: '/operator/credits',
    access: 'operator',
    summary: 'List a company’s credits, newest first, with what each one pays, and the advances it could pay',
    input: exceptionInput,
    output: z.object({ credits: z.array(companyCredit), targets: z.array(allocationTarget) }),
  }),
  allocate: endpoint({
    method: 'POST',
    path: '/operator/matters/allocate',
    access: 'operator.finance',
    summary:
      'Request a new allocation of a credit to exactly these advances, or to the trader: match, split, unmatch (no allocations) or rematch. A second person must approve it.',
    input: z.extend(creditInput, { allocations: z.array(allocation).check(z.maxLength(20, 'Split the credit into at most 20 parts')) }),
    output: requestedOutput,
  }),
  recordReturn: endpoint({
    method: 'POST',
    path: '/operator/matters/record-return',
    access: 'operator.finance',
    summary:
      'Ask a second person to approve recording that a credit, or an unmatched part of it, was returned to its sender, with the bank’s payment reference. No payment is made.',
    input: z.extend(creditInput, {
      /** The unmatched part that was returned. Omit it if the whole credit was returned, which must then be entirely unmatched. */
      amount_pence: z.optional(positivePence),
      return_reference: z
        .string()
        .check(z.trim(), z.minLength(3, 'Enter the bank’s reference for the payment'), z.maxLength(100, 'Use at most 100 characters')),
    }),
    output: requestedOutput,
  }),
  paySurplus: endpoint({
    method: 'POST',
    path: '/operator/matters/pay-surplus',
    access: 'operator.finance',
    summary: 'Request a payout of money that we owe to a trader, to their bank account. A second person must approve it.',
    input: z.extend(exceptionInput, { amount_pence: positivePence, reason }),
    output: requestedOutput,
  }),
  resolvePayout: endpoint({
    method: 'POST',
    path: '/operator/matters/resolve-payout',
    access: 'operator.finance',
    summary:
      'Ask a second person to approve recording the purpose of a payment from our account that no payout order explains (an advance’s payout, an overpayment, or something else), or discarding an order that has been altered outside the portal. No payment is made.',
    input: z.extend(exceptionInput, { subject_id: idScalar, as: z.enum(UNRECORDED_PAYOUT_KINDS), reason }),
    output: requestedOutput,
  }),
  resolveAccountCredit: endpoint({
    method: 'POST',
    path: '/operator/matters/resolve-account-credit',
    access: 'operator.finance',
    summary: 'Ask a second person to approve recording what money on the account we pay from is. No payment is made.',
    input: z.object({ subject_id: idScalar, as: z.enum(ACCOUNT_CREDIT_KINDS), reason }),
    output: requestedOutput,
  }),
  resolveCollectionPayout: endpoint({
    method: 'POST',
    path: '/operator/matters/resolve-collection-payout',
    access: 'operator.finance',
    summary: 'Ask a second person to approve recording what a payment from a collection account was. No payment is made.',
    input: z.extend(exceptionInput, { subject_id: idScalar, as: z.enum(COLLECTION_PAYOUT_KINDS), reason }),
    output: requestedOutput,
  }),
  note: endpoint({
    method: 'POST',
    path: '/operator/matters/note',
    access: 'operator',
    summary: 'Add a note to a reconciliation exception. Repeating a `note_id` changes nothing.',
    input: z.extend(exceptionInput, {
      subject_id: idScalar,
      note_id: idScalar,
      text: z.string().check(z.trim(), z.minLength(3, 'Enter a note'), z.maxLength(1000, 'Use at most 1,000 characters')),
    }),
    output: doneOutput,
  }),
};
