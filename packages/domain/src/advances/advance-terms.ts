/**
 * The dated terms under which an advance is evaluated and priced. To change them, add a row; agreements made under earlier rows are
 * unaffected.
 */
import { pence, type Pence } from '../money.ts';
import { plainDate, type PlainDate } from '../plain-date.ts';

export type AdvanceTerms = {
  readonly from: PlainDate;
  /** The number of days for which a quote is valid. */
  readonly quoteValidDays: number;
  /** The number of hours after acceptance within which we pay. */
  readonly payWithinHours: number;
  readonly minimumFeePence: Pence;
  /** Refunds above this amount are reviewed by an operator. */
  readonly reviewAbovePence: Pence;
  /** A refund is also reviewed if, together with what HMRC hasn't repaid us for the company yet, it is above this amount. */
  readonly reviewTotalAbovePence: Pence;
  /** Payouts above this amount must be released by two different operators, neither of whom approved the advance. */
  readonly twoReleasesAbovePence: Pence;
  /** The number of hours that a payout is on hold after the bank account changes. */
  readonly bankChangeHoldHours: number;
  /** The maximum age, in hours, of HMRC's figures for a payout. */
  readonly factsValidHours: number;
  /** Overdue VAT of this amount or more rules out an advance, because HMRC would set the refund off against it. */
  readonly vatDebtLimitPence: Pence;
  /** A refund of more than this many times the largest past refund needs a review. */
  readonly historyMultiple: number;
  /** Minimum number of days since VAT registration. Below this, we reject; below `reviewRegisteredDays`, an operator reviews. */
  readonly minimumRegisteredDays: number;
  readonly reviewRegisteredDays: number;
  readonly companyExposureLimitPence: Pence;
  readonly totalExposureLimitPence: Pence;
  /** A payout for a refund above this amount needs a submitted Direct Debit mandate, as does any payout after an earlier shortfall. */
  readonly mandateAbovePence: Pence;
  /** The number of days between our notice and the day on which a difference is due. */
  readonly shortfallNoticeDays: number;
  /** The number of days after filing within which HMRC usually repays (docs/reference/hmrc.md section 8). */
  readonly hmrcRepaysWithinDays: number;
};

/** Terms in date order, newest last. The fee and speed follow docs/product/specification.md section 9; the rest is our own underwriting. */
const TERMS: readonly AdvanceTerms[] = [
  {
    from: plainDate('2020-01-01'),
    quoteValidDays: 7,
    payWithinHours: 24,
    minimumFeePence: pence(5_00),
    reviewAbovePence: pence(10_000_00),
    reviewTotalAbovePence: pence(25_000_00),
    twoReleasesAbovePence: pence(25_000_00),
    bankChangeHoldHours: 24,
    factsValidHours: 24,
    vatDebtLimitPence: pence(500_00),
    historyMultiple: 2,
    minimumRegisteredDays: 90,
    reviewRegisteredDays: 365,
    companyExposureLimitPence: pence(2_000_000_00),
    totalExposureLimitPence: pence(20_000_000_00),
    mandateAbovePence: pence(50_000_00),
    shortfallNoticeDays: 14,
    hmrcRepaysWithinDays: 30,
  },
];

/** Lists all terms in date order, for rules that PostgreSQL applies to many advances in a single query. */
export function listAdvanceTerms(): readonly AdvanceTerms[] {
  return TERMS;
}

/** Returns the terms in force on a day. */
export function getAdvanceTerms(today: PlainDate): AdvanceTerms {
  const terms = TERMS.findLast((row) => row.from <= today) ?? TERMS[0];
  if (!terms) throw new RangeError('no advance terms');
  return terms;
}
