import { countDaysBetween, type PlainDate } from '../plain-date.ts';
import type { CoverageGap } from './books-mapping.ts';

type BooksPeriod = { readonly periodStart: PlainDate; readonly periodEnd: PlainDate };

/** A gap of up to this many days without rows at the start or end of a period is normal, even in a short period. */
const USUAL_GAP_DAYS = 7;
const USUAL_GAP_SHARE = 6;

/**
 * Finds past periods whose rows in a file start late or stop early by more than a week and more than a sixth of the period. Such a file is
 * probably incomplete. `dates` are the dates of its rows, in any order.
 */
export function findCoverageGaps(periods: readonly BooksPeriod[], dates: Iterable<PlainDate>, today: PlainDate): CoverageGap[] {
  const sorted = [...dates].toSorted();
  return periods.flatMap(({ periodStart, periodEnd }) => {
    if (periodEnd >= today) return [];
    const first = sorted.find((date) => date >= periodStart && date <= periodEnd);
    const last = sorted.findLast((date) => date >= periodStart && date <= periodEnd);
    if (first === undefined || last === undefined) return [];
    const usualGapDays = Math.max(USUAL_GAP_DAYS, Math.floor((countDaysBetween(periodStart, periodEnd) + 1) / USUAL_GAP_SHARE));
    const isIncomplete = countDaysBetween(periodStart, first) > usualGapDays || countDaysBetween(last, periodEnd) > usualGapDays;
    return isIncomplete ? [{ periodStart, periodEnd, first, last }] : [];
  });
}
