/** The advance: we buy a VAT refund at a discount. Quote, agreement, payout, repayment, settlement. */
import { STAGE_STATUSES } from '@portal/domain/advances/advance-timeline.ts';
import { RULE_OUTCOMES } from '@portal/domain/advances/judge-eligibility.ts';
import { ADVANCE_STATES } from '@portal/domain/advances/advance-states.ts';
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, doneOutput, idScalar, instantScalar, penceScalar } from './scalars.ts';

export const advanceState = z.enum(ADVANCE_STATES);

/** What a rule said: `fail` bars the advance, `review` wants a person, `not_judged` says that we cannot judge it yet and an operator sees so. */
export const ruleOutcome = z.object({
  rule: z.string(),
  outcome: z.enum(RULE_OUTCOMES),
  /** What was found, in a sentence with the figures. */
  finding: z.string(),
  /** How to mend it; empty when it passed. */
  mend: z.string(),
});
export type RuleOutcomeOutput = z.output<typeof ruleOutcome>;

export const timelineStage = z.object({
  stage: z.string(),
  title: z.string(),
  status: z.enum(STAGE_STATUSES),
  at: instantScalar.nullable(),
  expected_on: dateScalar.nullable(),
  detail: z.string(),
});

export const advanceOutput = z.object({
  advance_id: idScalar,
  obligation_id: idScalar,
  period_start: dateScalar,
  period_end: dateScalar,
  /** The day HMRC received the return, where it was filed with other software and found there; null where it was filed through us. */
  found_on: dateScalar.nullable(),
  state: advanceState,
  version: z.int(),
  refund_pence: penceScalar,
  fee_pence: penceScalar,
  fee_rate_bps: z.int(),
  net_pence: penceScalar,
  quoted_at: instantScalar,
  valid_until: instantScalar,
  pay_by: instantScalar,
  eligible: z.boolean(),
  rules: z.array(ruleOutcome),
  agreement: z.object({
    text: z.string(),
    hash: z.string(),
    accepted_at: instantScalar.nullable(),
    accepted_by: z.string().nullable(),
  }),
  /** The account in the trader's name that HMRC must repay into; null until the agreement is accepted. */
  collection_account: z
    .object({
      account_holder: z.string(),
      sort_code: z.string(),
      account_number: z.string(),
      confirmed_at: instantScalar.nullable(),
      hmrc_service_url: z.string(),
    })
    .nullable(),
  payout_account: z.object({ account_holder: z.string(), sort_code: z.string(), account_number_end: z.string() }).nullable(),
  received_pence: penceScalar,
  repayment_expected_on: dateScalar.nullable(),
  /** Why the payout waits, in a sentence; null when it does not. */
  waiting_for: z.string().nullable(),
  timeline: z.array(timelineStage),
  hours_to_payout: z.number().nullable(),
  working_days_ahead_of_hmrc: z.int().nullable(),
});
export type AdvanceOutput = z.output<typeof advanceOutput>;

const advanceInput = companyInput.extend({ advance_id: idScalar });

export const advancesApi = {
  find: endpoint({
    method: 'GET',
    path: '/instant-vat/advance',
    access: 'company.read',
    summary: 'The advance on one filed return, or the newest of the company; null when there is none and why.',
    input: companyInput.extend({ obligation_id: idScalar.optional() }),
    output: z.object({ advance: advanceOutput.nullable(), reason: z.string().nullable() }),
  }),
  quote: endpoint({
    method: 'POST',
    path: '/instant-vat/advance/quote',
    access: 'company.accept_advance',
    summary:
      'Prices the refund of a return that HMRC holds, filed here or elsewhere, and judges the rules again; a void or expired quote is replaced.',
    input: companyInput.extend({ obligation_id: idScalar }),
    output: z.object({ advance: advanceOutput.nullable(), reason: z.string().nullable() }),
    callsHmrc: true,
  }),
  accept: endpoint({
    method: 'POST',
    path: '/instant-vat/advance/accept',
    access: 'company.accept_advance',
    summary: 'Accepts a quote and its agreement; opens the collection account. A return filed elsewhere is read at HMRC once more before.',
    input: advanceInput.extend({ version: z.int(), agreement_hash: z.string().min(1, 'Open the agreement again') }),
    output: advanceOutput,
    callsHmrc: true,
    needsIdempotencyKey: true,
  }),
  confirmCollectionAccount: endpoint({
    method: 'POST',
    path: '/instant-vat/advance/confirm-collection-account',
    access: 'company.accept_advance',
    summary: 'The trader states that HMRC now holds the collection account for repayments.',
    input: advanceInput,
    output: advanceOutput,
    callsHmrc: true,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/instant-vat/advance/withdraw',
    access: 'company.accept_advance',
    summary: 'Withdraws from a quote or an agreement before it is paid.',
    input: advanceInput,
    output: doneOutput,
  }),
};
