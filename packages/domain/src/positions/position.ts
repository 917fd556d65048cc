/**
 * The amounts that a client owes and will receive for one tax, and its obligations. Lists, totals, the calendar and client pages all use
 * this shape.
 */
import type { Instant } from '../clock.ts';
import type { Pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import type { Tax } from '../uk-tax/tax.ts';
import type { ChargeKind, FigureSource } from './tax-facts.ts';

/** A figure's source and time; `as_of` is null for figures calculated by rule, which are always current. */
export type FigureOrigin = { readonly source: FigureSource; readonly as_of: Instant | null };

/** Kinds of deadline: a return to file or a payment to make. */
export const DEADLINES = ['return', 'payment'] as const;
export type Deadline = (typeof DEADLINES)[number];

/** The names of a next deadline. HMRC's penalties and interest are payments, but a client needs to see what the money is for. */
export const NEXT_DUE_KINDS = [...DEADLINES, 'penalty', 'interest'] as const;
export type NextDueKind = (typeof NEXT_DUE_KINDS)[number];

/** Kinds of dated item: a deadline or an expected refund. */
export const DUE_KINDS = [...DEADLINES, 'refund'] as const;
export type DueKind = (typeof DUE_KINDS)[number];

/**
 * The legal type of an item. Self Assessment: payments on account and the balancing payment (TMA 1970 ss59A, 59B), and the quarterly
 * updates and final declaration of Making Tax Digital (SI 2021/1076).
 */
export const ITEM_KINDS = [
  'return',
  'quarterly_update',
  'final_declaration',
  'payment',
  'balancing_payment',
  'payment_on_account',
  'penalty',
  'interest',
  'refund',
] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** Returns the action required for a kind of item. */
export function getDueKind(kind: ItemKind): DueKind {
  if (kind === 'refund') return 'refund';
  return kind === 'return' || kind === 'quarterly_update' || kind === 'final_declaration' ? 'return' : 'payment';
}

/** Returns what the next deadline is called; null for a refund, which isn't one. */
export function getNextDueKind(kind: ItemKind): NextDueKind | null {
  if (kind === 'penalty' || kind === 'interest') return kind;
  const dueKind = getDueKind(kind);
  return dueKind === 'refund' ? null : dueKind;
}

/** Status of the return for a period. */
export const PERIOD_RETURN_STATES = ['not_due', 'due', 'overdue', 'filed'] as const;
export type PeriodReturnState = (typeof PERIOD_RETURN_STATES)[number];

/** The basis of a position: figures as last read (including for `insolvent`), dates by rule alone, or nothing. */
export const POSITION_STATES = ['read', 'rule_only', 'no_data', 'insolvent'] as const;
export type PositionState = (typeof POSITION_STATES)[number];

/**
 * A return to file, an amount to pay (positive) or a refund to come (negative). `amount_pence` is null if unknown. `key` is unique within
 * the client and tax.
 */
export type DueItem = FigureOrigin & {
  readonly key: string;
  readonly what: DueKind;
  readonly kind: ItemKind;
  readonly due_on: PlainDate;
  readonly amount_pence: Pence | null;
  readonly title: string;
  readonly period_start: PlainDate | null;
  readonly period_end: PlainDate | null;
};

/** One payment for a period, or a refund (negative). Amounts are null if no charge is known. */
export type PeriodPayment = {
  readonly kind: ItemKind;
  readonly due_on: PlainDate | null;
  readonly charged_pence: Pence | null;
  readonly outstanding_pence: Pence | null;
};

/**
 * One period with its return and payments, earliest first. Amounts are null if no charge is known; `outstanding_pence` is the amount left
 * after set-off. `payment_due_on` is the date of the first unsettled payment, otherwise of the last one.
 */
export type PeriodView = FigureOrigin & {
  readonly key: string;
  readonly start: PlainDate;
  readonly end: PlainDate;
  /** A final declaration of Making Tax Digital, or any other return. */
  readonly return_kind: ItemKind | null;
  readonly return_due_on: PlainDate | null;
  readonly return_state: PeriodReturnState | null;
  readonly received_on: PlainDate | null;
  readonly payment_due_on: PlainDate | null;
  readonly charged_pence: Pence | null;
  readonly outstanding_pence: Pence | null;
  readonly payments: readonly PeriodPayment[];
};

/** A quarterly update of Making Tax Digital for Income Tax. Its period is cumulative, so it isn't a period of the tax itself. */
export type QuarterlyUpdateView = FigureOrigin & {
  readonly key: string;
  readonly start: PlainDate;
  readonly end: PlainDate;
  readonly due_on: PlainDate;
  readonly state: PeriodReturnState;
  readonly received_on: PlainDate | null;
};

/**
 * One charge as reported by its source, with the cost of lateness so far under our rules. `set_off_pence` is the part covered by a credit
 * for the same tax.
 */
export type ChargeView = FigureOrigin & {
  readonly key: string;
  readonly title: string;
  readonly kind: ChargeKind | 'credit';
  readonly period_start: PlainDate | null;
  readonly period_end: PlainDate | null;
  readonly due_on: PlainDate | null;
  readonly original_pence: Pence;
  readonly outstanding_pence: Pence;
  readonly set_off_pence: Pence;
  readonly days_late: number;
  readonly penalty_pence: Pence;
  readonly interest_pence: Pence;
};

/** A payment that HMRC received or, if negative, repaid. */
export type PaymentView = FigureOrigin & {
  readonly amount_pence: Pence;
  readonly received_on: PlainDate | null;
  readonly reference: string | null;
};

/** Penalties and interest calculated to date, with HMRC's own points if known. */
export type LateView = {
  readonly points: number | null;
  readonly points_threshold: number | null;
  readonly points_source: FigureSource | null;
  /** The periods whose late returns earned the points, where known. */
  readonly point_periods: readonly { readonly start: PlainDate; readonly end: PlainDate }[];
  readonly late_submission_pence: Pence;
  readonly late_payment_pence: Pence;
  readonly interest_pence: Pence;
  readonly is_estimate: boolean;
  readonly estimate_reason: string | null;
};

/**
 * Full detail for a client and tax. `standing` is the basis of its figures: `read` from a source; `insolvent`: as last read; `rule_only`:
 * dates only; `no_data`: nothing.
 */
export type PositionDetail = {
  readonly tax: Tax;
  readonly standing: PositionState;
  readonly computed_on: PlainDate;
  readonly set_off_pence: Pence;
  /** A refund has been claimed, but HMRC is holding it until overdue returns are filed. */
  readonly refund_held: boolean;
  readonly late: LateView;
  readonly periods: readonly PeriodView[];
  readonly quarterly_updates: readonly QuarterlyUpdateView[];
  readonly charges: readonly ChargeView[];
  readonly payments: readonly PaymentView[];
  readonly items: readonly DueItem[];
};

/** The figures stored for lists and totals. Amounts are in pence, positive = owed to HMRC; `refund` is positive and owed by HMRC. */
export type Position = {
  readonly tax: Tax;
  readonly owed: Pence;
  readonly overdue: Pence;
  readonly overdueSince: PlainDate | null;
  readonly refund: Pence;
  readonly overdueReturns: number;
  /** Quarterly updates of Making Tax Digital. They aren't returns, and late ones in 2026-27 earn no points (docs/reference/uk-tax.md). */
  readonly overdueUpdates: number;
  readonly points: number | null;
  readonly pointsThreshold: number | null;
  readonly penalty: Pence;
  readonly interest: Pence;
  readonly isEstimate: boolean;
  /** The earliest open item, overdue or not; refunds don't count. */
  readonly nextDue: DueItem | null;
  readonly items: readonly DueItem[];
  /** Filed returns, and charges that have been paid in full. */
  readonly done: readonly DueItem[];
  readonly source: FigureSource;
  /** When the oldest figure of the position was read. */
  readonly asOf: Instant | null;
  readonly detail: PositionDetail;
};
