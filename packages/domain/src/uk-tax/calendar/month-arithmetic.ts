import { addDays, addMonths, createPlainDate, getDaysInMonth, getEndOfMonth, toDateParts } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';

// Statutes count months in four ways. Each rule names the one it uses, because they differ only at the ends of months.

/**
 * 1. Limited to the month: 31 January + 1 month = 28 or 29 February. The corresponding date rule of ordinary statutes (Dodds v Walker
 *    [1981]).
 */
export const addMonthsClamped: (date: PlainDate, months: number) => PlainDate = addMonths;

/**
 * 2. Keeping month ends: 30 June + 9 months = 31 March, 28 February 2023 + 12 months = 29 February 2024. Companies Act 2006 s443(3);
 *    CTM93040; CTM92560.
 */
export function addMonthsKeepingMonthEnd(date: PlainDate, months: number): PlainDate {
  const correspondingDay = addMonths(date, months);
  return date === getEndOfMonth(date) ? getEndOfMonth(correspondingDay) : correspondingDay;
}

/**
 * 3. The day after the corresponding day: from a month end, the 1st of the next month; otherwise the day after the same-numbered day;
 * if that month has no such day, the 1st of the next month. 28 February 2000 + 9 months = 29 November; 29 May 2000 + 9 months = 1 March
 * 2001. CTM01800.
 */
export function getDayAfterCorresponding(date: PlainDate, months: number): PlainDate {
  return addDays(addMonthsKeepingMonthEnd(date, months), 1);
}

/**
 * 4. The last day of a period of n months beginning on a day: the day before the corresponding day, or, if that month has no such day,
 * its last day. 1 February + 3 months ends on 30 April; 29 February 2024 + 12 months ends on 28 February 2025.
 */
export function getEndOfPeriodBeginning(first: PlainDate, months: number): PlainDate {
  const { day } = toDateParts(first);
  const correspondingMonth = addMonths(first, months);
  return toDateParts(correspondingMonth).day === day ? addDays(correspondingMonth, -1) : correspondingMonth;
}

/** Returns the first day of the month after the date's month. */
export function getFirstOfNextMonth(date: PlainDate): PlainDate {
  return addDays(getEndOfMonth(date), 1);
}

/** Returns the last day of the month that is this many months after the date's month. */
export function getEndOfMonthAfter(date: PlainDate, months: number): PlainDate {
  const { year, month } = toDateParts(addMonths(createPlainDate(toDateParts(date).year, toDateParts(date).month, 1), months));
  return createPlainDate(year, month, getDaysInMonth(year, month));
}
