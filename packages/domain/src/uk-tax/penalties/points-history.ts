import { addDays, addMonths, plainDate } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { pence } from '../../money.ts';
import type { Pence } from '../../money.ts';
import { getCompliancePeriod, getFailureDay, LATE_SUBMISSION_PENALTY, getPointExpiry, POINTS_RULES } from './late-submission-points.ts';
import type { ReturnFrequency } from './late-submission-points.ts';

/** A return that HMRC expected. `received` is null if it hasn't arrived. */
export type ExpectedReturn = {
  readonly due: PlainDate;
  readonly received: PlainDate | null;
  /** True for the first return after registration, the final return and one-off returns, which earn no points. */
  readonly no_point?: boolean;
};

/**
 * The last regular due date for periods that began before 2023, when points replaced the default surcharge (FA 2021 Sch 24; SI 2022/1278).
 */
const LAST_DUE_BEFORE_POINTS = plainDate('2023-02-07');

/**
 * Points in force at the start of a day, the number of penalties so far and their total. This is our estimate; HMRC's own points take
 * precedence.
 */
export type PointsStatus = {
  readonly points: number;
  readonly penalties: number;
  readonly penalty_amount: Pence;
  /** The missed due dates of the points still in force, oldest first. */
  readonly missed: readonly PlainDate[];
};

/**
 * Calculates points from a taxpayer's returns in one group. Each late return adds a point; reaching the threshold costs 200 pounds, and
 * each further late return costs 200 pounds without adding a point. A point expires after 24 months unless the taxpayer is at the
 * threshold. All points reset once returns have been on time for the whole period of compliance and every return of the last 24 months is
 * in, for any number of points (CH192210; GOV.UK mentions it only for the threshold). Periods that began before 2023 earn none: omit those
 * due after 7 February 2023; the function ignores earlier ones. Source: FA 2021 Sch 24; CH192180-CH192240.
 */
export function calculatePoints(frequency: ReturnFrequency, returns: readonly ExpectedReturn[], asOf: PlainDate): PointsStatus {
  const { threshold } = POINTS_RULES[frequency];
  const sortedReturns = returns.toSorted((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : 0));
  let missedDates: PlainDate[] = [];
  let latestMissedDue: PlainDate | undefined;
  let penalties = 0;
  for (const expectedReturn of sortedReturns) {
    const failedOn = getFailureDay(expectedReturn.due);
    if (failedOn > asOf) break;
    if (expectedReturn.no_point === true || expectedReturn.due <= LAST_DUE_BEFORE_POINTS || !isLate(expectedReturn)) continue;
    // A failure on the day of the reset falls in the period of compliance, so it comes first and restarts the period.
    missedDates = listPointsInForce(failedOn, addDays(failedOn, -1), missedDates, latestMissedDue, frequency, sortedReturns);
    if (missedDates.length < threshold) missedDates.push(expectedReturn.due);
    if (missedDates.length >= threshold) penalties += 1;
    latestMissedDue = expectedReturn.due;
  }
  missedDates = listPointsInForce(asOf, asOf, missedDates, latestMissedDue, frequency, sortedReturns);
  return { points: missedDates.length, penalties, penalty_amount: pence(penalties * LATE_SUBMISSION_PENALTY), missed: missedDates };
}

/**
 * Returns the first day on which all points are gone: the period of compliance after the latest failure is over and no return due in the
 * preceding 24 months is outstanding. Source: FA 2021 Sch 24 para 8; CH192210.
 */
export function getResetDay(frequency: ReturnFrequency, lastMissedDue: PlainDate, returns: readonly ExpectedReturn[]): PlainDate {
  let day = addDays(getCompliancePeriod(frequency, lastMissedDue).end, 1);
  for (;;) {
    const latestClearDay = returns.reduce((latest, expected) => {
      const clearDay = getClearDay(expected, day);
      return clearDay > latest ? clearDay : latest;
    }, day);
    if (latestClearDay === day) return day;
    day = latestClearDay;
  }
}

function isLate(expected: ExpectedReturn): boolean {
  return expected.received === null || expected.received > expected.due;
}

/** Returns the first day from `day` on which a return no longer prevents a reset: it has arrived, or was due over 24 months ago. */
function getClearDay(expected: ExpectedReturn, day: PlainDate): PlainDate {
  const isNotYetDue = expected.due >= day;
  if (isNotYetDue || (expected.received !== null && expected.received <= day) || expected.due < addMonths(day, -24)) return day;
  const ignoredFrom = addDays(addMonths(expected.due, 24), 1);
  return expected.received !== null && expected.received < ignoredFrom ? expected.received : ignoredFrom;
}

/** Lists the points remaining on a day, allowing for expiries up to the day before and a reset on or before `resetDeadline`. */
function listPointsInForce(
  day: PlainDate,
  resetDeadline: PlainDate,
  missedDates: readonly PlainDate[],
  latestMissedDue: PlainDate | undefined,
  frequency: ReturnFrequency,
  returns: readonly ExpectedReturn[],
): PlainDate[] {
  if (latestMissedDue === undefined || missedDates.length === 0) return [...missedDates];
  if (getResetDay(frequency, latestMissedDue, returns) <= resetDeadline) return [];
  // Points at the threshold don't expire. Below it, only a reset or these expiries reduce them before the next failure.
  if (missedDates.length >= POINTS_RULES[frequency].threshold) return [...missedDates];
  return missedDates.filter((due) => getPointExpiry(due) >= day);
}
