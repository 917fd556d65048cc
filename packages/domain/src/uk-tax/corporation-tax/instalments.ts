import { addDays, addMonths, countDaysBetween, plainDate } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { pence, calculateShare } from '../../money.ts';
import type { Pence } from '../../money.ts';
import { createUnknown, known, mapKnown } from '../known.ts';
import type { Known } from '../known.ts';
import { addMonthsKeepingMonthEnd, getEndOfPeriodBeginning } from '../calendar/month-arithmetic.ts';

/** Kinds of company that pay corporation tax in instalments. */
export type InstalmentPayer = 'large' | 'very_large';

const VERY_LARGE_FROM = plainDate('2019-04-01');

/**
 * Returns the instalment dates of an accounting period of at most 12 months. Large: 6 months and 13 days after the start, then every 3
 * months, and the last 3 months and 14 days after the end. Very large: 2 months and 13 days, then every 3 months. Month ends are kept from
 * each date to the next. In a shorter period, an earlier date counts only if it is before the last, and there is one instalment for each
 * three months or part of them (CTM92580). Source: SI 1998/3175 regs 5, 5AZA; CTM92560-92590, CTM92805; COM95050.
 */
export function getInstalmentDates(start: PlainDate, end: PlainDate, payer: InstalmentPayer): Known<readonly PlainDate[]> {
  const year = getEndOfPeriodBeginning(start, 12);
  if (end < start) return createUnknown('the instalments of a period that ends before it starts');
  if (end > year) return createUnknown('the instalments of an accounting period longer than 12 months: split it first');
  // In periods that began before 1 April 2019, very large companies follow the rules for large ones (CTM92800).
  if (payer === 'very_large' && start >= VERY_LARGE_FROM) return getVeryLargeDates(start, end, end === year);
  return known(
    listDatesUpTo(addDays(addMonths(start, 6), 13), addDays(addMonthsKeepingMonthEnd(end, 3), 14), countInstalmentMonths(start, end)),
  );
}

/**
 * Returns the length of a period in hundredths of a month: whole months, plus the remaining days over 30 to two decimals (6 months 28 days
 * = 693). Source: CTM92600, CTM92610; COM95020.
 */
export function countInstalmentMonths(start: PlainDate, end: PlainDate): number {
  let months = 0;
  while (getEndOfPeriodBeginning(start, months + 1) <= end) months += 1;
  const spareStart = months === 0 ? start : addDays(getEndOfPeriodBeginning(start, months), 1);
  return months * 100 + calculateShare((countDaysBetween(spareStart, end) + 1) * 100, 1, 30, 'half-away');
}

/**
 * Returns the amount due on each instalment date, in pence: 3 x liability / months, never more than the amount left. The last instalment is
 * the remainder, so that the sum equals the liability. Source: SI 1998/3175 reg 6; CTM92600; COM95020.
 */
export function calculateInstalmentAmounts(
  start: PlainDate,
  end: PlainDate,
  liability: Pence,
  payer: InstalmentPayer,
): Known<readonly Pence[]> {
  return mapKnown(getInstalmentDates(start, end, payer), (dates) => {
    const share = calculateShare(liability, 300, countInstalmentMonths(start, end), 'half-away');
    let remaining: number = liability;
    return dates.map((_, index) => {
      const amount = index === dates.length - 1 || share > remaining ? remaining : share;
      remaining -= amount;
      return pence(amount);
    });
  });
}

/**
 * Lists the first date, every third month after it that is before the last date, and the last date: at most one per 3 months or part of
 * them. `months` is in hundredths.
 */
function listDatesUpTo(first: PlainDate, last: PlainDate, months: number): readonly PlainDate[] {
  const dates: PlainDate[] = [];
  // A date from the 29th to the 31st, moved to the end of a short month, can fall just before the last: six months from 31 August have two
  // instalments, not three.
  for (let date = first; date < last && (dates.length + 1) * 300 < months; date = addMonthsKeepingMonthEnd(date, 3)) dates.push(date);
  return [...dates, last];
}

function getVeryLargeDates(start: PlainDate, end: PlainDate, isWholeYear: boolean): Known<readonly PlainDate[]> {
  const first = addDays(addMonths(start, 2), 13);
  if (isWholeYear) {
    const second = addMonthsKeepingMonthEnd(first, 3);
    const third = addMonthsKeepingMonthEnd(second, 3);
    return known([first, second, third, addMonthsKeepingMonthEnd(third, 3)]);
  }
  // Regulation 5AZA(4): 14 days after the corresponding day of the month before the period's last.
  const last = addDays(addMonthsKeepingMonthEnd(end, -1), 14);
  return last < start
    ? createUnknown('the instalment of a very large company in a period of a few days (SI 1998/3175 reg 5AZA)')
    : known(listDatesUpTo(first, last, countInstalmentMonths(start, end)));
}
