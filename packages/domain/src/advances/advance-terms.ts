/** The numbers an advance is judged and priced by, dated: a change of terms is one new row, and what was agreed under an old row stays as it was. */
import { pence, type Pence } from '../money.ts';
import { plainDate, type PlainDate } from '../plain-date.ts';

export type AdvanceTerms = {
  readonly from: PlainDate;
  /** How long a quote holds, in days. */
  readonly quoteValidDays: number;
  /** We pay within so many hours of acceptance. */
  readonly payWithinHours: number;
  readonly minimumFeePence: Pence;
  /** A refund above this is reviewed by a person. */
  readonly reviewAbovePence: Pence;
  /** A payout above this is released by two different operators. */
  readonly twoReleasesAbovePence: Pence;
  /** A changed bank account holds the payout so many hours. */
  readonly bankChangeHoldHours: number;
  /** VAT debts at HMRC from this sum on bar an advance: HMRC would set the refund off against them. */
  readonly vatDebtLimitPence: Pence;
  /** A refund above so many times the largest of the past ones is reviewed. */
  readonly historyMultiple: number;
  /** A business registered for fewer days is refused; for fewer than `reviewRegisteredDays`, reviewed. */
  readonly minimumRegisteredDays: number;
  readonly reviewRegisteredDays: number;
  readonly companyExposureLimitPence: Pence;
  readonly totalExposureLimitPence: Pence;
  /** HMRC usually repays within so many days of the filing (reference/hmrc FACTS section 8). */
  readonly hmrcRepaysWithinDays: number;
};

/** Newest last. Fee and speed: specification section 9; the rest is our own underwriting. */
const TERMS: readonly AdvanceTerms[] = [
  {
    from: plainDate('2020-01-01'),
    quoteValidDays: 7,
    payWithinHours: 24,
    minimumFeePence: pence(5_00),
    reviewAbovePence: pence(10_000_00),
    twoReleasesAbovePence: pence(25_000_00),
    bankChangeHoldHours: 24,
    vatDebtLimitPence: pence(500_00),
    historyMultiple: 2,
    minimumRegisteredDays: 90,
    reviewRegisteredDays: 365,
    companyExposureLimitPence: pence(2_000_000_00),
    totalExposureLimitPence: pence(20_000_000_00),
    hmrcRepaysWithinDays: 30,
  },
];

/** The terms in force on a day. */
export function termsOn(today: PlainDate): AdvanceTerms {
  const terms = TERMS.findLast((row) => row.from <= today) ?? TERMS[0];
  if (!terms) throw new RangeError('no advance terms');
  return terms;
}
