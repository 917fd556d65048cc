/** The simulator's VAT periods. */
import { addDays, addMonths, createPlainDate, getEndOfMonth, toDateParts, type PlainDate } from '@portal/domain/plain-date.ts';
import type { Stagger } from './hmrc-records.ts';

export type Period = { readonly start: PlainDate; readonly end: PlainDate };

/** Returns the stagger's period that contains a day. */
export function getPeriodContaining(stagger: Stagger, day: PlainDate): Period {
  let end = getEndOfMonth(day);
  while (stagger !== 'monthly' && getStaggerEndingIn(end) !== stagger) end = getEndOfMonth(addMonths(end, 1));
  return getPeriodEnding(stagger, end);
}

export function getNextPeriod(stagger: Stagger, period: Period): Period {
  return getPeriodContaining(stagger, addDays(period.end, 1));
}

export function getPreviousPeriod(stagger: Stagger, period: Period): Period {
  return getPeriodEnding(stagger, addDays(period.start, -1));
}

/**
 * Returns the stagger whose quarter ended most recently. Its return is never overdue, because it is due over five weeks after the month
 * end.
 */
export function getLastEndedStagger(today: PlainDate): 1 | 2 | 3 {
  const { year, month } = toDateParts(today);
  return getStaggerEndingIn(addDays(createPlainDate(year, month, 1), -1));
}

/** Returns the due date, one calendar month and seven days after the period end: 30 April -> 7 June. */
export function getDueDateAfter(end: PlainDate): PlainDate {
  return addDays(getEndOfMonth(addMonths(end, 1)), 7);
}

/**
 * Returns a four-character key in HMRC's format. The year and number are shifted for each trader, because HMRC's own examples don't follow
 * a rule. Code that computes a key instead of reading it from the obligation fails here as it would at HMRC.
 */
export function toPeriodKey(vrn: string, stagger: Stagger, period: Period): string {
  const { year, month } = toDateParts(period.end);
  const shift = Number(vrn.slice(-2));
  const years = String((year + (shift % 2)) % 100).padStart(2, '0');
  if (stagger === 'monthly') return `${years}A${'ABCDEFGHIJKL'[(month + shift) % 12]}`;
  const quarter = Math.floor((month - 1) / 3);
  return `${years}${{ 1: 'C', 2: 'A', 3: 'B' }[stagger]}${((quarter + shift) % 4) + 1}`;
}

function getPeriodEnding(stagger: Stagger, end: PlainDate): Period {
  const { year, month } = toDateParts(addMonths(end, stagger === 'monthly' ? 0 : -2));
  return { start: createPlainDate(year, month, 1), end };
}

function getStaggerEndingIn(day: PlainDate): 1 | 2 | 3 {
  const remainder = toDateParts(day).month % 3;
  return remainder === 0 ? 1 : remainder === 1 ? 2 : 3;
}
