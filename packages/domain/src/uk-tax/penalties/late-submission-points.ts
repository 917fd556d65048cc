import { addDays, addMonths, countDaysBetween } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { pence } from '../../money.ts';
import type { Pence } from '../../money.ts';
import { getFirstOfNextMonth } from '../calendar/month-arithmetic.ts';

/** How often returns are due, as grouped by the points rules. */
export type ReturnFrequency = 'annual' | 'quarterly' | 'monthly';

type PointsRule = { readonly threshold: number; readonly compliance_months: number; readonly award_weeks: number };

/**
 * Threshold, months of compliance before a reset, and weeks within which HMRC must award a point. Source: FA 2021 Sch 24; CH192180,
 * CH192210.
 */
export const POINTS_RULES: Readonly<Record<ReturnFrequency, PointsRule>> = {
  annual: { threshold: 2, compliance_months: 24, award_weeks: 48 },
  quarterly: { threshold: 4, compliance_months: 12, award_weeks: 11 },
  monthly: { threshold: 5, compliance_months: 6, award_weeks: 2 },
};

/** The penalty, in pence, for reaching the threshold and for each late return while at it. Source: FA 2021 Sch 24 paras 9-10. */
export const LATE_SUBMISSION_PENALTY: Pence = pence(20_000);

/**
 * Returns the group for a period: annual if over 20 weeks, quarterly if over 8 and up to 20, monthly if up to 8. Source: CH192180,
 * CH192210.
 */
export function getReturnFrequency(start: PlainDate, end: PlainDate): ReturnFrequency {
  const days = countDaysBetween(start, end) + 1;
  if (days > 140) return 'annual';
  return days > 56 ? 'quarterly' : 'monthly';
}

/** Returns the day of a failure: the day after the missed due date. Source: CH192200. */
export function getFailureDay(missedDue: PlainDate): PlainDate {
  return addDays(missedDue, 1);
}

/**
 * Returns the last day of a point below the threshold: 24 months from the first of the month after the month of failure. For due dates of 7
 * April 2024 and 31 March 2024, points expire on 30 April 2026. Source: FA 2021 Sch 24 para 7; CH192200.
 */
export function getPointExpiry(missedDue: PlainDate): PlainDate {
  return addDays(addMonths(getFirstOfNextMonth(getFailureDay(missedDue)), 24), -1);
}

/**
 * Returns the period in which every return must be on time for the points to reset, from the first of the month after the latest failure.
 * Source: CH192210.
 */
export function getCompliancePeriod(
  frequency: ReturnFrequency,
  lastMissedDue: PlainDate,
): { readonly start: PlainDate; readonly end: PlainDate } {
  const start = getFirstOfNextMonth(getFailureDay(lastMissedDue));
  return { start, end: addDays(addMonths(start, POINTS_RULES[frequency].compliance_months), -1) };
}

/**
 * Returns the last day on which HMRC may award a point for a missed return: 48, 11 or 2 weeks starting with the day of failure. Source: FA
 * 2021 Sch 24 para 6; CH192180.
 */
export function getLastAwardDay(frequency: ReturnFrequency, missedDue: PlainDate): PlainDate {
  return addDays(getFailureDay(missedDue), POINTS_RULES[frequency].award_weeks * 7 - 1);
}

/** Points added when the return frequency changes. Source: CH192240. */
const FREQUENCY_CHANGE: Readonly<Record<ReturnFrequency, Readonly<Record<ReturnFrequency, number>>>> = {
  annual: { annual: 0, quarterly: 2, monthly: 3 },
  quarterly: { annual: -2, quarterly: 0, monthly: 1 },
  monthly: { annual: -3, quarterly: -1, monthly: 0 },
};

/** Returns the points after a change of frequency. Zero stays zero, and the result is never negative. Source: CH192240. */
export function getPointsAfterFrequencyChange(points: number, from: ReturnFrequency, to: ReturnFrequency): number {
  if (points <= 0) return 0;
  const adjustedPoints = points + FREQUENCY_CHANGE[from][to];
  return adjustedPoints < 0 ? 0 : adjustedPoints;
}
