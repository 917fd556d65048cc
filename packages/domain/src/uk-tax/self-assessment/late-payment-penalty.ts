import { addDays } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { pence, sumShares } from '../../money.ts';
import type { Pence } from '../../money.ts';
import { getEndOfPeriodBeginning } from '../calendar/month-arithmetic.ts';
import { getTaxYearStart } from '../calendar/tax-year.ts';
import type { TaxYear } from '../calendar/tax-year.ts';
import { createUnknown, known } from '../known.ts';
import type { Known } from '../known.ts';
import { toKnownUnderOldRegime } from './old-penalty-regime.ts';
import type { Payment } from '../interest/late-payment-interest.ts';
import type { PenaltyRates } from '../penalties/late-payment-penalty.ts';

/**
 * Returns the days on which 5% of the unpaid tax is charged: the penalty date, 31 days after the due date (3 March, or 2 March in a leap
 * year), and the day after the 5 and 11 months that begin with it (3 August, 3 February). Doesn't apply to payments on account. Source: FA
 * 2009 Sch 56 para 3; CH155010; SAM61390.
 */
export function getLatePaymentPenaltyDates(due: PlainDate): readonly [PlainDate, PlainDate, PlainDate] {
  const penaltyDate = addDays(due, 31);
  return [penaltyDate, addDays(getEndOfPeriodBeginning(penaltyDate, 5), 1), addDays(getEndOfPeriodBeginning(penaltyDate, 11), 1)];
}

/** Each penalty so far and their total, in pence. */
export type SelfAssessmentLatePenalty = { readonly penalties: readonly Pence[]; readonly total: Pence };

/**
 * Calculates penalties on a late balancing payment outside Making Tax Digital: 5% of the amount unpaid at the start of each penalty day; a
 * payment on that day is too late. The total is rounded once, and the penalties add up to it. `asOf` limits the days counted. Unknown, with
 * a forecast, for tax due after 5 April 2027: penalties of 3%, 3% and 10% will replace these, but the first tax year isn't confirmed.
 * Source: FA 2009 Sch 56 para 3; CH155010; Budget 2025.
 */
export function calculateSelfAssessmentLatePaymentPenalty(
  due: PlainDate,
  tax: Pence,
  payments: readonly Payment[],
  asOf?: PlainDate,
): Known<SelfAssessmentLatePenalty> {
  const penalties: Pence[] = [];
  const terms: [number, number][] = [];
  let total: number = 0;
  for (const day of getLatePaymentPenaltyDates(due)) {
    if (asOf !== undefined && day > asOf) break;
    const unpaidAmount = payments.reduce(
      (remaining, payment) => (payment.date < day ? remaining - payment.amount : remaining),
      tax as number,
    );
    if (unpaidAmount <= 0) break;
    terms.push([unpaidAmount, 500]);
    const sum = sumShares(terms, 10_000, 'half-away');
    penalties.push(pence(sum - total));
    total = sum;
  }
  return toKnownUnderOldRegime(due, { penalties, total: pence(total) });
}

/** Rates for people in Making Tax Digital: 2%, 2% and 4% for 2024-25; 3%, 3% and 10% from 2025-26. Source: SI 2025/589 reg 1(3)(a). */
const MTD_PENALTY_RATES: readonly (PenaltyRates & { readonly from_tax_year: number; readonly source: string })[] = [
  { from_tax_year: 2024, after_day_15_bps: 200, after_day_30_bps: 200, yearly_bps: 400, source: 'FA 2021 Sch 26; SI 2024/440' },
  { from_tax_year: 2025, after_day_15_bps: 300, after_day_30_bps: 300, yearly_bps: 1000, source: 'SI 2025/589 reg 1(3)(a)' },
];

/**
 * Returns the late payment penalty rates in Making Tax Digital for Income Tax, for `calculateLatePaymentPenalty`. Unknown before 2024-25. Source: FA
 * 2021 Sch 26; SI 2025/589 reg 1(3)(a).
 */
export function getMtdPenaltyRates(taxYear: TaxYear): Known<PenaltyRates> {
  const row = MTD_PENALTY_RATES.findLast((candidate) => getTaxYearStart(taxYear) >= candidate.from_tax_year);
  return row === undefined ? createUnknown('Making Tax Digital penalties before 2024-25') : known(row);
}
