/** What is known of a client's tax, as its sources said it: the ground that a position is worked out on. */
import type { ObligationStatus } from '../../filing/return-state.ts';
import type { Instant } from '../../clock.ts';
import type { Pence } from '../../money.ts';
import type { PlainDate } from '../../plain-date.ts';

/** Who said a figure: HMRC's API, a statement the practice imported, Companies House, or a date computed by rule. */
export const FIGURE_SOURCES = ['hmrc', 'statement', 'companies_house', 'rule'] as const;
export type FigureSource = (typeof FIGURE_SOURCES)[number];

/** How often an employer pays: each tax month, or each quarter of small payments. */
export type PayeFrequency = 'monthly' | 'quarterly';

/** What one source said, and when. */
export type Read<Facts> = { readonly source: Exclude<FigureSource, 'rule'>; readonly asOf: Instant; readonly facts: Facts };

/** The days that a return or a charge is about, both included. */
export type Period = { readonly start: PlainDate; readonly end: PlainDate };

/** A return that is expected or came. `update` is a quarterly update of Making Tax Digital for Income Tax; anything else is a `return`. */
export type ObligationFact = Period & {
  readonly kind: 'return' | 'update';
  readonly due: PlainDate;
  readonly status: ObligationStatus;
  readonly received?: PlainDate;
};

/** `on_account` is a payment on account of self assessment: interest runs on it, penalties do not. */
export const CHARGE_KINDS = ['tax', 'on_account', 'penalty', 'interest'] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

/** An amount that HMRC wants (positive) or owes (negative); `outstanding` is what is left of `original`, 0 once cleared. */
export type ChargeFact = {
  readonly title: string;
  readonly kind: ChargeKind;
  readonly original: Pence;
  readonly outstanding: Pence;
  readonly due?: PlainDate;
  readonly period?: Period;
  /** The source's own name of the charge, where it has one. */
  readonly reference?: string;
};

/** Money that reached HMRC; negative: that HMRC sent back. */
export type PaymentFact = { readonly amount: Pence; readonly received?: PlainDate; readonly reference?: string };

/** HMRC's own count of penalties: points in force, and what is still to be paid of penalties already charged. */
export type PenaltyFact = {
  readonly points: number;
  readonly threshold?: number;
  readonly lateSubmissionOutstanding: Pence;
  readonly latePaymentOutstanding: Pence;
};

/** Everything known of one client and tax; what nobody said is left out. */
export type TaxFacts = {
  /** HMRC answers nothing about an insolvent client: what was read before stays, nothing more is computed. */
  readonly isInsolvent?: boolean;
  readonly obligations?: Read<readonly ObligationFact[]>;
  readonly charges?: Read<readonly ChargeFact[]>;
  readonly payments?: Read<readonly PaymentFact[]>;
  readonly penalties?: Read<PenaltyFact>;
  /** The end of an accounting period of the company: corporation tax counts from it. */
  readonly yearEndOn?: PlainDate;
  /** How an employer pays; monthly unless told. */
  readonly pays?: PayeFrequency;
};
