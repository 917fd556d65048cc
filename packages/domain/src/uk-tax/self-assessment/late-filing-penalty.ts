import { addDays, countDaysBetween } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { applyRate, pence, ZERO } from '../../money.ts';
import type { Pence } from '../../money.ts';
import { getEndOfPeriodBeginning } from '../calendar/month-arithmetic.ts';
import type { Known } from '../known.ts';
import { toKnownUnderOldRegime } from './old-penalty-regime.ts';

const FIRST_PENALTY = pence(10_000);
const DAILY_PENALTY = pence(1_000);
const MAX_DAILY_PENALTY_DAYS = 90;
const MIN_PROLONGED_PENALTY = pence(30_000);

/** Penalties for a late Self Assessment return and their total, in pence. */
export type LateFilingPenalty = {
  readonly first: Pence;
  readonly daily: Pence;
  readonly six_months: Pence;
  readonly twelve_months: Pence;
  readonly total: Pence;
};

/**
 * Calculates late filing penalties outside Making Tax Digital: 100 pounds from day one; 10 a day for up to 90 days from three months; the
 * greater of 300 pounds and 5% of the tax at six months, and again at twelve. Months count from the day after the due date: a return due on
 * 31 January 2024 and filed on 30 April 2024 costs 100 pounds (GOV.UK's estimator says 110). Unknown, with a forecast, for returns due
 * after 5 April 2027. Source: FA 2009 Sch 55 paras 3-6; SAM61200; Budget 2025.
 */
export function calculateSelfAssessmentFilingPenalty(due: PlainDate, filedOn: PlainDate, tax: Pence): Known<LateFilingPenalty> {
  return toKnownUnderOldRegime(due, calculateFilingPenalty(due, filedOn, tax));
}

function calculateFilingPenalty(due: PlainDate, filedOn: PlainDate, tax: Pence): LateFilingPenalty {
  if (filedOn <= due) return { first: ZERO, daily: ZERO, six_months: ZERO, twelve_months: ZERO, total: ZERO };
  const penaltyDate = addDays(due, 1);
  const dailyPenaltyStart = getEndOfPeriodBeginning(penaltyDate, 3);
  const overdueDays = countDaysBetween(dailyPenaltyStart, filedOn);
  const days = overdueDays < 0 ? 0 : overdueDays > MAX_DAILY_PENALTY_DAYS ? MAX_DAILY_PENALTY_DAYS : overdueDays;
  const isAfter = (months: number): boolean => filedOn > getEndOfPeriodBeginning(penaltyDate, months);
  const dailyPenalty = pence(days * DAILY_PENALTY);
  const sixMonths = isAfter(6) ? sumProlongedPenalties(tax, 1) : ZERO;
  // Rounds the two 5% penalties as one sum, so that a fraction of a penny counts only once.
  const twelveMonths = isAfter(12) ? pence(sumProlongedPenalties(tax, 2) - sixMonths) : ZERO;
  const total = pence(FIRST_PENALTY + dailyPenalty + sixMonths + twelveMonths);
  return { first: FIRST_PENALTY, daily: dailyPenalty, six_months: sixMonths, twelve_months: twelveMonths, total };
}

/** Returns the sum of `times` penalties, each the greater of 5% of the tax and 300 pounds. */
function sumProlongedPenalties(tax: Pence, times: number): Pence {
  const share = applyRate(tax, 500 * times, 'half-away');
  const minimum = pence(MIN_PROLONGED_PENALTY * times);
  return share > minimum ? share : minimum;
}
