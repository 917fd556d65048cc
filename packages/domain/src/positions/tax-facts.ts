/** The facts about a client's tax, as reported by each source. Positions are calculated from them. */
import type { ObligationStatus } from '../vat-returns/return-state.ts';
import type { Instant } from '../clock.ts';
import type { Pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';

/** The source of a figure: HMRC's API, an imported statement, Companies House, or a date calculated by rule. */
export const FIGURE_SOURCES = ['hmrc', 'statement', 'companies_house', 'rule'] as const;
export type FigureSource = (typeof FIGURE_SOURCES)[number];

/** How often an employer pays: every tax month or, for small payments, every quarter. */
export type PayeFrequency = 'monthly' | 'quarterly';

/** Facts from one source, with the time they were read. */
export type SourcedFacts<Facts> = { readonly source: Exclude<FigureSource, 'rule'>; readonly asOf: Instant; readonly facts: Facts };

/** The period of a return or charge, including both days. */
export type Period = { readonly start: PlainDate; readonly end: PlainDate };

/** An expected or received return. `update` is a quarterly update of Making Tax Digital for Income Tax; everything else is a `return`. */
export type ObligationFact = Period & {
  readonly kind: 'return' | 'update';
  readonly due: PlainDate;
  readonly status: ObligationStatus;
  readonly received?: PlainDate;
};

/**
 * `on_account` and `balancing` are Self Assessment's payments on account and balancing payments (TMA 1970 ss59A, 59B). A late payment on
 * account bears interest but no penalties.
 */
export const CHARGE_KINDS = ['tax', 'on_account', 'balancing', 'penalty', 'interest'] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

/** Returns true if a charge is tax, as opposed to a penalty or interest. */
export function isTaxCharge({ kind }: { readonly kind: ChargeKind }): boolean {
  return kind !== 'penalty' && kind !== 'interest';
}

/** An amount owed to HMRC (positive) or by HMRC (negative); `outstanding` is the part of `original` that remains, 0 once cleared. */
export type ChargeFact = {
  readonly title: string;
  readonly kind: ChargeKind;
  readonly original: Pence;
  readonly outstanding: Pence;
  readonly due?: PlainDate;
  readonly period?: Period;
  /** The source's own reference for the charge, if it has one. */
  readonly reference?: string;
  /** Interest on this charge that HMRC has already charged separately. */
  readonly interestCharged?: Pence;
};

/** A payment that HMRC received; negative if HMRC repaid it. */
export type PaymentFact = { readonly amount: Pence; readonly received?: PlainDate; readonly reference?: string };

/** HMRC's own penalty figures: points in force and penalties charged. A penalty that is still accruing isn't a charge yet. */
export type PenaltyFact = {
  readonly points: number;
  readonly threshold?: number;
  /** The periods whose late returns earned the points, where HMRC names them. */
  readonly pointPeriods?: readonly { readonly start: PlainDate; readonly end: PlainDate }[];
  readonly lateSubmission: readonly ChargeFact[];
  readonly latePayment: readonly ChargeFact[];
};

/** All known facts about one client and tax. Unknown facts are omitted. */
export type TaxFacts = {
  /** HMRC's API returns nothing for an insolvent client, so earlier figures are kept and nothing more is calculated. */
  readonly isInsolvent?: boolean;
  readonly obligations?: SourcedFacts<readonly ObligationFact[]>;
  readonly charges?: SourcedFacts<readonly ChargeFact[]>;
  readonly payments?: SourcedFacts<readonly PaymentFact[]>;
  readonly penalties?: SourcedFacts<PenaltyFact>;
  /** The end of one of the company's accounting periods, from which corporation tax dates are calculated. */
  readonly yearEndOn?: PlainDate;
  /** The first day of the period of account that ends on `yearEndOn`, if known; `isFirst` if it is the company's first period. */
  readonly accountsFrom?: { readonly start: PlainDate; readonly isFirst: boolean };
  /** How often an employer pays; defaults to monthly. */
  readonly pays?: PayeFrequency;
};
