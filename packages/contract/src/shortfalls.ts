/** Cases where HMRC repays a refund late, in part or not at all, as the trader and operators see them. */
import { ALL_MANDATE_STATUSES, DIRECT_DEBIT_STATUSES } from '@portal/domain/shortfalls/direct-debit.ts';
import { SHORTFALL_CAUSES } from '@portal/domain/shortfalls/infer-cause.ts';
import { MAX_INSTALMENTS, MIN_INSTALMENTS } from '@portal/domain/shortfalls/instalment-plan.ts';
import { ACTING_PARTIES, SHORTFALL_STATUSES } from '@portal/domain/shortfalls/shortfall-status.ts';
import { z } from 'zod/mini';
import { advanceState } from './advances.ts';
import { requestedOutput } from './approvals.ts';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, doneOutput, idScalar, instantScalar, penceScalar } from './scalars.ts';

const createReasonScalar = (prompt: string) =>
  z.string().check(z.trim(), z.minLength(3, prompt), z.maxLength(500, 'Use at most 500 characters'));

const nextAction = z.object({ by: z.enum(ACTING_PARTIES), text: z.string(), due_on: z.nullable(dateScalar) });

const shortfallOutput = z.object({
  shortfall_id: idScalar,
  advance_id: idScalar,
  obligation_id: idScalar,
  period_start: dateScalar,
  period_end: dateScalar,
  status: z.enum(SHORTFALL_STATUSES),
  cause: z.enum(SHORTFALL_CAUSES),
  /** The known or suspected cause, as a sentence. */
  cause_text: z.string(),
  refund_pence: penceScalar,
  /** The amount received so far from HMRC and the trader. */
  received_pence: penceScalar,
  /** The amount that the trader owes; 0 if nothing is due yet. */
  owed_pence: penceScalar,
  /** The amount that seems to be missing, before it counts as owed by the trader. */
  suspected_pence: penceScalar,
  /** The payment reference for a bank transfer. */
  reference: z.string(),
  opened_at: instantScalar,
  due_on: z.nullable(dateScalar),
  pay_to: z.nullable(z.object({ account_holder: z.string(), sort_code: z.string(), account_number: z.string() })),
  next_payment: z.nullable(z.object({ amount_pence: penceScalar, due_on: dateScalar, number: z.nullable(z.int()) })),
  instalments: z.array(z.object({ number: z.int(), due_on: dateScalar, amount_pence: penceScalar, paid_pence: penceScalar })),
  may_pay_in_instalments: z.boolean(),
  dispute: z.nullable(z.object({ reason: z.string(), at: instantScalar })),
  next_action: z.nullable(nextAction),
  /** The newest Direct Debit mandate; null if the trader doesn't have one. `other_account_ending`: as in an advance. */
  mandate: z.nullable(
    z.object({
      status: z.enum(ALL_MANDATE_STATUSES),
      reference: z.nullable(z.string()),
      other_account_ending: z.nullable(z.string()),
    }),
  ),
  /** True if the trader can set up a Direct Debit here. */
  offers_direct_debit: z.boolean(),
  direct_debits: z.array(
    z.object({
      direct_debit_id: idScalar,
      amount_pence: penceScalar,
      charge_on: dateScalar,
      status: z.enum(DIRECT_DEBIT_STATUSES),
      failure: z.nullable(z.string()),
    }),
  ),
  letters: z.array(z.object({ letter_id: idScalar, heading: z.string(), at: instantScalar })),
  events: z.array(z.object({ at: instantScalar, by: z.string(), text: z.string() })),
});
export type ShortfallOutput = z.output<typeof shortfallOutput>;

const operatorShortfall = z.object({
  company: z.object({ company_id: idScalar, name: z.string(), vrn: z.string() }),
  advance_state: advanceState,
  shortfall: shortfallOutput,
  owner: z.nullable(z.object({ user_id: idScalar, name: z.string() })),
  operators: z.array(z.object({ user_id: idScalar, name: z.string() })),
  write_off_requested: z.boolean(),
  /** The amount and date of the next collection after a failed Direct Debit. Null if it can't be collected again. */
  retry: z.nullable(z.object({ amount_pence: penceScalar, charge_on: dateScalar })),
});
export type OperatorShortfallOutput = z.output<typeof operatorShortfall>;

/** `needs_us`: open cases whose next action is ours. `ended`: settled, written off or closed. */
export const SHORTFALL_LISTS = ['open', 'needs_us', 'watching', 'due', 'disputed', 'ended'] as const;

const traderInput = z.extend(companyInput, { shortfall_id: idScalar });
/** `company_id` is the trader concerned; operators can access every company. */
const operatorInput = z.object({ company_id: idScalar, shortfall_id: idScalar });

export const shortfallsApi = {
  find: endpoint({
    method: 'GET',
    path: '/instant-vat/shortfall',
    access: 'company.read',
    summary: 'Get the case for an advance whose refund is late or short, or null if there is none',
    input: z.extend(companyInput, { advance_id: idScalar }),
    output: z.object({ shortfall: z.nullable(shortfallOutput) }),
  }),
  letter: endpoint({
    method: 'GET',
    path: '/instant-vat/shortfall/letter',
    access: 'company.read',
    summary: 'Get a letter about a shortfall, as it was sent',
    input: z.extend(companyInput, { letter_id: idScalar }),
    output: z.object({
      company_name: z.string(),
      heading: z.string(),
      at: instantScalar,
      paragraphs: z.array(z.string()),
      facts: z.array(z.object({ label: z.string(), value: z.string() })),
    }),
  }),
  planInstalments: endpoint({
    method: 'POST',
    path: '/instant-vat/shortfall/plan',
    access: 'company.accept_advance',
    summary: 'Agree to pay a shortfall in two or three monthly instalments without interest. For limited companies and LLPs.',
    input: z.extend(traderInput, {
      count: z
        .int()
        .check(
          z.minimum(MIN_INSTALMENTS, 'Choose two or three instalments'),
          z.maximum(MAX_INSTALMENTS, 'Choose two or three instalments'),
        ),
    }),
    output: doneOutput,
    needsIdempotencyKey: true,
  }),
  dispute: endpoint({
    method: 'POST',
    path: '/instant-vat/shortfall/dispute',
    access: 'company.accept_advance',
    summary: 'Dispute a shortfall. Collection stops until an operator has replied.',
    input: z.extend(traderInput, { reason: createReasonScalar('Tell us why you disagree') }),
    output: doneOutput,
  }),
  startMandate: endpoint({
    method: 'POST',
    path: '/instant-vat/direct-debit/start',
    access: 'company.accept_advance',
    summary: 'Start setting up a Direct Debit. Returns the URL of the provider’s page.',
    input: z.extend(companyInput, { obligation_id: idScalar }),
    output: z.object({ authorisation_url: z.string() }),
  }),
  operatorList: endpoint({
    method: 'GET',
    path: '/operator/shortfalls',
    access: 'operator',
    summary: 'List cases with their owner and next action, one page at a time. Of the open cases, those waiting for us come first.',
    input: z.object({
      show: z._default(z.enum(SHORTFALL_LISTS), 'open'),
      owner: z.optional(z.enum(['me', 'nobody'])),
      q: z.optional(z.string().check(z.trim(), z.maxLength(100))),
      page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 1),
    }),
    output: z.object({
      shortfalls: z.array(
        z.object({
          company_id: idScalar,
          shortfall_id: idScalar,
          company_name: z.string(),
          status: z.enum(SHORTFALL_STATUSES),
          cause: z.enum(SHORTFALL_CAUSES),
          refund_pence: penceScalar,
          /** The amount still outstanding, or 0 once the case has ended. */
          missing_pence: penceScalar,
          opened_at: instantScalar,
          owner: z.nullable(z.string()),
          next_action: z.nullable(nextAction),
        }),
      ),
      /** The total number of matching cases. */
      count: z.int(),
      pages: z.int(),
      missing_pence: penceScalar,
      counts: z.object({ open: z.int(), needs_us: z.int(), watching: z.int(), due: z.int(), disputed: z.int() }),
    }),
  }),
  operatorGet: endpoint({
    method: 'GET',
    path: '/operator/shortfall',
    access: 'operator',
    summary: 'Get a case with its amounts, history, letters and next action',
    input: operatorInput,
    output: operatorShortfall,
  }),
  assign: endpoint({
    method: 'POST',
    path: '/operator/shortfall/assign',
    access: 'operator.finance',
    summary: 'Assign a case to an operator',
    input: z.extend(operatorInput, { owner_id: idScalar }),
    output: operatorShortfall,
  }),
  claim: endpoint({
    method: 'POST',
    path: '/operator/shortfall/claim',
    access: 'operator.finance',
    summary: 'Claim the shortfall from the trader, once HMRC won’t pay any more. Posts it to the ledger and sends the notice.',
    input: z.extend(operatorInput, { amount_pence: penceScalar, reason: createReasonScalar('Enter a reason') }),
    output: operatorShortfall,
    needsIdempotencyKey: true,
  }),
  close: endpoint({
    method: 'POST',
    path: '/operator/shortfall/close',
    access: 'operator.finance',
    summary: 'Close a case with nothing owed. It reopens if HMRC’s figures change.',
    input: z.extend(operatorInput, { reason: createReasonScalar('Enter a reason') }),
    output: operatorShortfall,
  }),
  answerDispute: endpoint({
    method: 'POST',
    path: '/operator/shortfall/answer-dispute',
    access: 'operator.finance',
    summary: 'Reply to a dispute. The shortfall remains due, on a new date, and the reply is emailed to the trader.',
    input: z.extend(operatorInput, {
      answer: z.string().check(z.trim(), z.minLength(3, 'Enter your reply'), z.maxLength(2000, 'Use at most 2,000 characters')),
    }),
    output: operatorShortfall,
  }),
  retryDirectDebit: endpoint({
    method: 'POST',
    path: '/operator/shortfall/retry-direct-debit',
    access: 'operator.finance',
    summary: 'Collect again after a Direct Debit failed or was charged back, giving the trader new notice',
    input: z.extend(operatorInput, { amount_pence: penceScalar }),
    output: operatorShortfall,
    needsIdempotencyKey: true,
  }),
  requestWriteOff: endpoint({
    method: 'POST',
    path: '/operator/shortfall/write-off',
    access: 'operator.finance',
    summary: 'Ask a second person to write off the amount owed',
    input: z.extend(operatorInput, { reason: createReasonScalar('Enter a reason') }),
    output: requestedOutput,
  }),
};
