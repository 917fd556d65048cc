/** Advances: we buy a VAT refund at a discount. Covers the quote, agreement, payout, repayment and settlement. */
import { RULE_OUTCOMES, STAGE_STATUSES } from '@portal/domain/advances/advance-statuses.ts';
import { ADVANCE_STATES } from '@portal/domain/advances/advance-states.ts';
import { ALL_MANDATE_STATUSES } from '@portal/domain/shortfalls/direct-debit.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, doneOutput, idScalar, instantScalar, penceScalar } from './scalars.ts';

export const advanceState = z.enum(ADVANCE_STATES);

/**
 * The result of one eligibility rule. `fail` rules out the advance; `review` needs an operator; `not_judged` shows operators that we can't
 * evaluate the rule yet.
 */
export const ruleOutcome = z.object({
  rule: z.string(),
  outcome: z.enum(RULE_OUTCOMES),
  /** The rule's finding, as a sentence with the figures. */
  finding: z.string(),
  /** How to fix it, or empty if the rule passed. */
  how_to_fix: z.string(),
});
export type RuleOutcomeOutput = z.output<typeof ruleOutcome>;

export const timelineStage = z.object({
  stage: z.string(),
  title: z.string(),
  status: z.enum(STAGE_STATUSES),
  at: z.nullable(instantScalar),
  expected_on: z.nullable(dateScalar),
  detail: z.string(),
});

export const advanceOutput = z.object({
  advance_id: idScalar,
  obligation_id: idScalar,
  period_start: dateScalar,
  period_end: dateScalar,
  /** The day HMRC received a return filed with other software, or null if the return was filed through us. */
  found_on: z.nullable(dateScalar),
  state: advanceState,
  version: z.int(),
  refund_pence: penceScalar,
  fee_pence: penceScalar,
  fee_rate_bps: z.int(),
  net_pence: penceScalar,
  /** The part of `net_pence` kept back for what the trader owes us from earlier refunds or overpayments, instead of being paid out. */
  netted_pence: penceScalar,
  quoted_at: instantScalar,
  valid_until: instantScalar,
  pay_by: instantScalar,
  eligible: z.boolean(),
  rules: z.array(ruleOutcome),
  agreement: z.object({
    text: z.string(),
    hash: z.string(),
    /** The version of the agreement's wording. */
    version: z.int(),
    accepted_at: z.nullable(instantScalar),
    accepted_by: z.nullable(z.string()),
  }),
  /** The account in the trader's name that HMRC must repay into, or null until the trader accepts the agreement. */
  collection_account: z.nullable(
    z.object({
      account_holder: z.string(),
      sort_code: z.string(),
      account_number: z.string(),
      confirmed_at: z.nullable(instantScalar),
      hmrc_service_url: z.string(),
    }),
  ),
  payout_account: z.nullable(z.object({ account_holder: z.string(), sort_code: z.string(), account_number_end: z.string() })),
  /** The payment's reference on the trader's bank statement, or null until the bank has paid. */
  payout_reference: z.nullable(z.string()),
  received_pence: penceScalar,
  /** Whether money from HMRC reached the collection account before a payout. */
  has_hmrc_money: z.boolean(),
  /**
   * The Direct Debit mandate that the payout needs, or null if it doesn't need one. `other_account_ending`: the last digits of the account
   * that the newest one was set up on, if we ended it because it isn't the account that we pay.
   */
  mandate: z.nullable(z.object({ status: z.nullable(z.enum(ALL_MANDATE_STATUSES)), other_account_ending: z.nullable(z.string()) })),
  repayment_expected_on: z.nullable(dateScalar),
  /** Whether we have paid the trader and HMRC hasn't repaid by that day. */
  repayment_late: z.boolean(),
  /** Whether an owner must still verify their identity before the payout. */
  identity_needed: z.boolean(),
  /** When HMRC's figures were last read for this advance, or null before acceptance. `is_stale`: the trader must confirm again. */
  facts: z.object({ read_at: z.nullable(instantScalar), is_stale: z.boolean() }),
  /** Why the payout is on hold, as a sentence, or null if it isn't. */
  waiting_for: z.nullable(z.string()),
  timeline: z.array(timelineStage),
  hours_to_payout: z.nullable(z.number()),
  working_days_ahead_of_hmrc: z.nullable(z.int()),
});
export type AdvanceOutput = z.output<typeof advanceOutput>;

const advanceInput = z.extend(companyInput, { advance_id: idScalar });

export const advancesApi = {
  find: endpoint({
    method: 'GET',
    path: '/instant-vat/advance',
    access: 'company.read',
    summary: 'Get the advance on a filed return, or the company’s newest advance. If there isn’t one, returns null and the reason.',
    input: z.extend(companyInput, { obligation_id: z.optional(idScalar) }),
    output: z.object({ advance: z.nullable(advanceOutput), reason: z.nullable(z.string()) }),
  }),
  quote: endpoint({
    method: 'POST',
    path: '/instant-vat/advance/quote',
    access: 'company.accept_advance',
    summary:
      'Create a quote for the refund of a return that HMRC has received, wherever it was filed. Evaluates the rules again and replaces a void or expired quote.',
    input: z.extend(companyInput, { obligation_id: idScalar }),
    output: z.object({ advance: z.nullable(advanceOutput), reason: z.nullable(z.string()) }),
    callsHmrc: true,
    maxPerPerson: 60,
  }),
  accept: endpoint({
    method: 'POST',
    path: '/instant-vat/advance/accept',
    access: 'company.accept_advance',
    summary:
      'Accept a quote and its agreement, and open the collection account. A return filed with other software is checked with HMRC again first.',
    input: z.extend(advanceInput, {
      version: z.int(),
      agreement_hash: z.string().check(z.minLength(1, 'Reopen the agreement, then accept it')),
    }),
    output: advanceOutput,
    callsHmrc: true,
    needsIdempotencyKey: true,
    maxPerPerson: 60,
  }),
  confirmCollectionAccount: endpoint({
    method: 'POST',
    path: '/instant-vat/advance/confirm-collection-account',
    access: 'company.accept_advance',
    summary: 'Confirm that HMRC now has the collection account for repayments',
    input: advanceInput,
    output: advanceOutput,
    callsHmrc: true,
    maxPerPerson: 60,
  }),
  revokeCollectionAccount: endpoint({
    method: 'POST',
    path: '/instant-vat/advance/revoke-collection-account',
    access: 'company.accept_advance',
    summary: 'Withdraw the confirmation that HMRC has the collection account. Possible until the payout has been sent.',
    input: advanceInput,
    output: advanceOutput,
  }),
  confirmFacts: endpoint({
    method: 'POST',
    path: '/instant-vat/advance/confirm-facts',
    access: 'company.accept_advance',
    summary: 'Refresh HMRC’s figures before the payout, if they are out of date',
    input: advanceInput,
    output: advanceOutput,
    callsHmrc: true,
    maxPerPerson: 60,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/instant-vat/advance/withdraw',
    access: 'company.accept_advance',
    summary: 'Withdraw from a quote or agreement before the payout',
    input: advanceInput,
    output: doneOutput,
  }),
};
