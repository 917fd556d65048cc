/** The full details of a client's tax: periods, charges, payments and what is due. */
import { DUE_KINDS, PERIOD_RETURN_STATES, POSITION_STATES } from '@portal/domain/positions/position.ts';
import { CHARGE_KINDS } from '@portal/domain/positions/tax-facts.ts';
import { z } from 'zod/mini';
import { taxScalar } from './practice.ts';
import { dateScalar, figureSource, instantScalar, itemKind, penceScalar } from './scalars.ts';

/** `as_of` is null for figures calculated by rule. */
export const sourceFields = { source: figureSource, as_of: z.nullable(instantScalar) };

/** A return to file, an amount to pay (positive) or a refund to come (negative). The amount is null if unknown. */
export const dueItem = z.object({
  key: z.string(),
  what: z.enum(DUE_KINDS),
  kind: itemKind,
  due_on: dateScalar,
  amount_pence: z.nullable(penceScalar),
  title: z.string(),
  period_start: z.nullable(dateScalar),
  period_end: z.nullable(dateScalar),
  ...sourceFields,
});

export const periodView = z.object({
  key: z.string(),
  start: dateScalar,
  end: dateScalar,
  return_kind: z.nullable(itemKind),
  return_due_on: z.nullable(dateScalar),
  return_state: z.nullable(z.enum(PERIOD_RETURN_STATES)),
  received_on: z.nullable(dateScalar),
  payment_due_on: z.nullable(dateScalar),
  charged_pence: z.nullable(penceScalar),
  outstanding_pence: z.nullable(penceScalar),
  /** Each payment with its own date, earliest first. */
  payments: z.array(
    z.object({
      kind: itemKind,
      due_on: z.nullable(dateScalar),
      charged_pence: z.nullable(penceScalar),
      outstanding_pence: z.nullable(penceScalar),
    }),
  ),
  ...sourceFields,
});

/** A quarterly update of Making Tax Digital for Income Tax. Its period is cumulative. */
export const quarterlyUpdate = z.object({
  key: z.string(),
  start: dateScalar,
  end: dateScalar,
  due_on: dateScalar,
  state: z.enum(PERIOD_RETURN_STATES),
  received_on: z.nullable(dateScalar),
  ...sourceFields,
});

export const chargeView = z.object({
  key: z.string(),
  title: z.string(),
  kind: z.enum([...CHARGE_KINDS, 'credit']),
  period_start: z.nullable(dateScalar),
  period_end: z.nullable(dateScalar),
  due_on: z.nullable(dateScalar),
  original_pence: penceScalar,
  outstanding_pence: penceScalar,
  /** The part of the charge covered by a credit on the same tax. */
  set_off_pence: penceScalar,
  days_late: z.int(),
  /** The penalty to date, as calculated by us. */
  penalty_pence: penceScalar,
  interest_pence: penceScalar,
  ...sourceFields,
});

export const paymentView = z.object({
  amount_pence: penceScalar,
  received_on: z.nullable(dateScalar),
  reference: z.nullable(z.string()),
  ...sourceFields,
});

/** The full details of a client's tax, as stored in tax_positions.detail (domain/positions/position.ts). */
export const positionDetail = z.object({
  tax: taxScalar,
  standing: z.enum(POSITION_STATES),
  computed_on: dateScalar,
  set_off_pence: penceScalar,
  refund_held: z.boolean(),
  late: z.object({
    points: z.nullable(z.int()),
    points_threshold: z.nullable(z.int()),
    points_source: z.nullable(figureSource),
    /** The periods whose late returns earned the points. Lists fewer periods than points if HMRC doesn’t name them all. */
    point_periods: z._default(z.array(z.object({ start: dateScalar, end: dateScalar })), []),
    late_submission_pence: penceScalar,
    late_payment_pence: penceScalar,
    interest_pence: penceScalar,
    is_estimate: z.boolean(),
    estimate_reason: z.nullable(z.string()),
  }),
  periods: z.array(periodView),
  quarterly_updates: z.array(quarterlyUpdate),
  charges: z.array(chargeView),
  payments: z.array(paymentView),
  items: z.array(dueItem),
});
