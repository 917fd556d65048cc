/** The operators' reviews, releases and ledger. */
import { LEDGER_ACCOUNTS, type LedgerAccount } from '@portal/domain/ledger/ledger.ts';
import { pence } from '@portal/domain/money.ts';
import { z } from 'zod/mini';
import { advanceOutput, advanceState } from './advances.ts';
import { endpoint } from './endpoint.ts';
import { dateScalar, idScalar, instantScalar, penceScalar } from './scalars.ts';

/** `company_id` is the trader who owns the advance; operators can access every company. */
const advanceInput = z.object({ company_id: idScalar, advance_id: idScalar });

const operatorAdvance = z.object({
  company: z.object({ company_id: idScalar, name: z.string(), vrn: z.string() }),
  advance: advanceOutput,
  history: z.array(
    z.object({ from: z.nullable(advanceState), to: advanceState, at: instantScalar, actor: z.string(), reason: z.string() }),
  ),
  releases: z.array(z.object({ operator_id: idScalar, operator: z.string(), at: instantScalar })),
  /** How many operators other than the approver must release the payout. */
  releases_needed: z.int(),
  /** Who approved the advance after a review and therefore can't release it; null if the rules approved it. */
  approved_by: z.nullable(z.object({ operator_id: idScalar, operator: z.string() })),
  /** The account that a release must confirm; null if there is no account. */
  bank_account_id: z.nullable(idScalar),
  /** Why the signed-in operator may not act on this company, as a sentence; null if they may. */
  conflict_of_interest: z.nullable(z.string()),
  /** The company’s people. An operator can view the portal as any of them. */
  people: z.array(z.object({ user_id: idScalar, full_name: z.string(), email: z.string() })),
  payout: z.nullable(
    z.object({
      payout_id: idScalar,
      status: z.string(),
      /** The reference on the bank's record and the trader's statement. */
      reference: z.string(),
      provider_payout_id: z.nullable(z.string()),
      /** When the last submission with an unknown outcome was sent; null if no outcome is unknown. */
      unknown_at: z.nullable(instantScalar),
      failure: z.nullable(z.string()),
    }),
  ),
  /** When the payout hold after a change of bank account ends; null if the payout isn't on hold. */
  held_until: z.nullable(instantScalar),
  /** Why HMRC's figures put an approved payout on hold, as a sentence; null if they don't. */
  payout_hold: z.nullable(z.string()),
  /** HMRC payments that put the payout on hold until two people have decided what they pay; empty once the payout has left. */
  early_credits: z.array(
    z.object({
      credit_id: idScalar,
      amount_pence: penceScalar,
      /** The part that hasn't been decided yet. */
      unallocated_pence: penceScalar,
      remitter: z.string(),
      reference: z.string(),
      received_at: instantScalar,
    }),
  ),
});

/** Filters of the ledger. The trial balance ignores the account and text filters, which would unbalance it. */
export const ledgerFilters = z.object({
  company_id: z.optional(idScalar),
  account: z.optional(z.enum(Object.keys(LEDGER_ACCOUNTS) as [LedgerAccount, ...LedgerAccount[]])),
  from: z.optional(dateScalar),
  to: z.optional(dateScalar),
  /** Words in the description or the company's name. */
  q: z.optional(z.string().check(z.trim(), z.maxLength(100))),
});

/** The filtered postings as a CSV file. */
export const LEDGER_EXPORT_PATH = '/operator/ledger/export';

export const operatorsApi = {
  advance: endpoint({
    method: 'GET',
    path: '/operator/advance',
    access: 'operator',
    summary: 'Get an advance with its rules, history and payout',
    input: advanceInput,
    output: operatorAdvance,
  }),
  decide: endpoint({
    method: 'POST',
    path: '/operator/advance/decide',
    access: 'operator.underwrite',
    summary: 'Approve an advance in review, or decline one that hasn’t been paid, with a reason',
    input: z.extend(advanceInput, {
      decision: z.enum(['approve', 'decline']),
      reason: z.string().check(z.trim(), z.minLength(3, 'Enter a reason'), z.maxLength(500, 'Use at most 500 characters')),
      /** The findings of the rules not passed, as the operator saw them. An approval is rejected if there is another one now. */
      seen_findings: z.optional(z.array(z.string().check(z.maxLength(5_000))).check(z.maxLength(100))),
    }),
    output: operatorAdvance,
  }),
  release: endpoint({
    method: 'POST',
    path: '/operator/advance/release',
    access: 'operator.release',
    summary:
      'Release a payout, stating the details the operator saw. Rejected if any of them has changed, or if the operator approved the advance. Above the limit, two different operators must release it.',
    input: z.extend(advanceInput, {
      /** The price after our fee. */
      net_pence: penceScalar,
      /** The amount deducted for earlier differences and overpayments. The bank receives `net_pence` less this. */
      netted_pence: z._default(penceScalar, pence(0)),
      version: z.int(),
      bank_account_id: idScalar,
    }),
    output: operatorAdvance,
    needsIdempotencyKey: true,
  }),
  retryPayout: endpoint({
    method: 'POST',
    path: '/operator/advance/retry-payout',
    access: 'operator.release',
    summary: 'Return an advance to `approved` after its payout has definitely failed, so that it can be released again',
    input: z.extend(advanceInput, {
      reason: z.string().check(z.trim(), z.minLength(3, 'Enter a reason'), z.maxLength(500, 'Use at most 500 characters')),
    }),
    output: operatorAdvance,
  }),
  ledger: endpoint({
    method: 'GET',
    path: '/operator/ledger',
    access: 'operator',
    summary: 'Get the trial balance and the newest postings, filtered by company, account, dates and text',
    input: z.extend(ledgerFilters, { before: z.optional(z.coerce.number().check(z.int(), z.positive())) }),
    output: z.object({
      accounts: z.array(
        z.object({
          account: z.string(),
          name: z.string(),
          debit_pence: penceScalar,
          credit_pence: penceScalar,
          balance_pence: penceScalar,
        }),
      ),
      total_debit_pence: penceScalar,
      total_credit_pence: penceScalar,
      difference_pence: penceScalar,
      postings: z.array(
        z.object({
          position: z.int(),
          posted_at: instantScalar,
          on: dateScalar,
          company_id: idScalar,
          company_name: z.string(),
          /** The advance that the posting belongs to, or null. */
          advance_id: z.nullable(idScalar),
          description: z.string(),
          lines: z.array(z.object({ account: z.string(), debit_pence: penceScalar, credit_pence: penceScalar })),
        }),
      ),
      next_before: z.nullable(z.int()),
    }),
  }),
};
export type OperatorAdvanceOutput = z.output<typeof operatorAdvance>;
