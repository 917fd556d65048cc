/** The operators' desk: advances by what they are waiting for, assignees, saved views, and the promise to pay within a day. */
import { DESK_QUEUES, DESK_SORTS, DESK_STEPS } from '@portal/domain/operators/desk-steps.ts';
import { z } from 'zod/mini';
import { advanceState } from './advances.ts';
import { endpoint } from './endpoint.ts';
import { savedView, savedViewInput } from './saved-views.ts';
import { dateScalar, doneOutput, idScalar, instantScalar, penceScalar } from './scalars.ts';

const createOptionalNumberSchema = (minimum: number, maximum: number) =>
  z.optional(z.coerce.number().check(z.int(), z.minimum(minimum), z.maximum(maximum)));

/** Filters of the desk, shared by the list, the counts and the page's URL. */
export const deskFilters = z.object({
  queue: z._default(z.enum(DESK_QUEUES), 'needs_us'),
  /** Words in the company's name, or the start of its VAT number, company number or advance ID. */
  q: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  /** Limits the list to unpaid advances whose promised time ends within this many hours or has passed. */
  due_within_hours: createOptionalNumberSchema(0, 1000),
  /** Limits the list to refunds above this amount. */
  above_pence: createOptionalNumberSchema(0, 1_000_000_000_00),
  /** `new`: we have never paid this company before. */
  trader: z.optional(z.enum(['new', 'known'])),
  /** An operator's id; `me`, or `nobody`. */
  assigned: z.optional(z.union([z.enum(['me', 'nobody']), idScalar])),
  /** `late`: paid after the promised time, or still unpaid after it. */
  promise: z.optional(z.enum(['late'])),
});

const deskRow = z.object({
  company_id: idScalar,
  advance_id: idScalar,
  company_name: z.string(),
  vrn: z.nullable(z.string()),
  state: advanceState,
  step: z.enum(DESK_STEPS),
  period_start: dateScalar,
  period_end: dateScalar,
  refund_pence: penceScalar,
  net_pence: penceScalar,
  /** The amount HMRC or the trader still owes us; 0 before the payout. */
  outstanding_pence: penceScalar,
  since: instantScalar,
  accepted_at: z.nullable(instantScalar),
  /** When the promised time ends; null before acceptance. */
  pay_by: z.nullable(instantScalar),
  paid_at: z.nullable(instantScalar),
  /** The day by which HMRC was expected to repay. */
  repayment_expected_on: dateScalar,
  releases: z.int(),
  releases_needed: z.int(),
  is_new_trader: z.boolean(),
  assigned_to: z.nullable(z.object({ user_id: idScalar, name: z.string() })),
  notes: z.int(),
});
export type DeskRow = z.output<typeof deskRow>;

const advanceInput = z.object({ company_id: idScalar, advance_id: idScalar });

/** Performance against the promise, for advances accepted within a range of days. */
const promiseOutput = z.object({
  days: z.int(),
  accepted: z.int(),
  paid: z.int(),
  paid_in_time: z.int(),
  /** The number that are unpaid and past the promised time. */
  overdue: z.int(),
  /** Hours from acceptance to payout, for paid advances; null if there are no paid advances. */
  median_hours: z.nullable(z.number()),
  slowest_tenth_hours: z.nullable(z.number()),
});

export const deskApi = {
  list: endpoint({
    method: 'GET',
    path: '/operator/desk',
    access: 'operator',
    summary: 'List advances, filtered and sorted, one page at a time',
    input: z.extend(deskFilters, {
      sort: z._default(z.enum(DESK_SORTS), 'due'),
      direction: z._default(z.enum(['asc', 'desc']), 'asc'),
      cursor: z.optional(z.string().check(z.maxLength(400))),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
    }),
    output: z.object({ advances: z.array(deskRow), next_cursor: z.nullable(z.string()) }),
  }),
  summary: endpoint({
    method: 'GET',
    path: '/operator/desk/summary',
    access: 'operator',
    summary: 'Count the advances that match the filters and those in each standard view, with their exposure',
    input: deskFilters,
    output: z.object({
      /** The number of matching advances, with the totals of their refunds and payouts. */
      matched: z.int(),
      matched_refund_pence: penceScalar,
      matched_net_pence: penceScalar,
      views: z.object({
        needs_us: z.int(),
        due_soon: z.int(),
        large: z.int(),
        new_trader: z.int(),
        exceptions: z.int(),
        mine: z.int(),
        in_progress: z.int(),
      }),
      exposure_pence: penceScalar,
      exposure_limit_pence: penceScalar,
      now: instantScalar,
    }),
  }),
  promise: endpoint({
    method: 'GET',
    path: '/operator/desk/promise',
    access: 'operator',
    summary: 'Measure how many refunds were paid within the promised time, overall and by day of acceptance',
    input: z.object({ days: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(366)), 30) }),
    output: z.object({
      total: promiseOutput,
      by_day: z.array(
        z.object({ on: dateScalar, accepted: z.int(), paid: z.int(), paid_in_time: z.int(), median_hours: z.nullable(z.number()) }),
      ),
    }),
  }),
  operators: endpoint({
    method: 'GET',
    path: '/operator/desk/operators',
    access: 'operator',
    summary: 'List the operators that work can be assigned to',
    input: z.object({}),
    output: z.object({ operators: z.array(z.object({ user_id: idScalar, name: z.string(), is_you: z.boolean() })) }),
  }),
  assign: endpoint({
    method: 'POST',
    path: '/operator/desk/assign',
    access: 'operator',
    summary: 'Assign up to 200 advances to an operator, or unassign them',
    input: z.object({
      advances: z.array(advanceInput).check(z.minLength(1, 'Choose an advance'), z.maxLength(200, 'Choose at most 200 advances')),
      operator_id: z.nullable(idScalar),
    }),
    output: z.object({ assigned: z.int() }),
  }),
  notes: endpoint({
    method: 'GET',
    path: '/operator/desk/notes',
    access: 'operator',
    summary: 'List the notes on an advance or a company, oldest first',
    input: z.object({ company_id: idScalar, subject_id: idScalar }),
    output: z.object({ notes: z.array(z.object({ note_id: idScalar, text: z.string(), by: z.string(), at: instantScalar })) }),
  }),
  addNote: endpoint({
    method: 'POST',
    path: '/operator/desk/notes',
    access: 'operator',
    summary: 'Add a note to an advance or a company. Repeating a `note_id` changes nothing.',
    input: z.object({
      company_id: idScalar,
      subject_id: idScalar,
      note_id: idScalar,
      text: z.string().check(z.trim(), z.minLength(3, 'Enter a note'), z.maxLength(1000, 'Use at most 1,000 characters')),
    }),
    output: doneOutput,
  }),
  views: endpoint({
    method: 'GET',
    path: '/operator/desk/views',
    access: 'operator',
    summary: 'List the operator’s own saved desk views and those shared by other operators',
    input: z.object({}),
    output: z.object({ views: z.array(savedView) }),
  }),
  saveView: endpoint({
    method: 'POST',
    path: '/operator/desk/views',
    access: 'operator',
    summary: 'Save the desk’s filters and sort order under a name. Replaces the operator’s view of the same name.',
    input: savedViewInput,
    output: savedView,
  }),
  removeView: endpoint({
    method: 'POST',
    path: '/operator/desk/views/remove',
    access: 'operator',
    summary: 'Delete one of your own saved views',
    input: z.object({ view_id: idScalar }),
    output: doneOutput,
  }),
};
