/** The calendar of VAT periods as the double hands them out. */
import { addDays, addMonths, dateOf, endOfMonth, partsOf, type PlainDate } from '@portal/domain/plain-date.ts';
import type { Stagger } from './hmrc-records.ts';

export type Period = { readonly start: PlainDate; readonly end: PlainDate };

/** The period of the stagger that a day lies in. */
export function periodContaining(stagger: Stagger, day: PlainDate): Period {
  let end = endOfMonth(day);
  while (stagger !== 'monthly' && staggerEndingIn(end) !== stagger) end = endOfMonth(addMonths(end, 1));
  return periodEnding(stagger, end);
}

export function nextPeriod(stagger: Stagger, period: Period): Period {
  return periodContaining(stagger, addDays(period.end, 1));
}

export function previousPeriod(stagger: Stagger, period: Period): Period {
  return periodEnding(stagger, addDays(period.start, -1));
}

/** The stagger whose quarter ended last before today: its return is never overdue yet, being due five weeks after the month's end. */
export function staggerEndedLast(today: PlainDate): 1 | 2 | 3 {
  const { year, month } = partsOf(today);
  return staggerEndingIn(addDays(dateOf(year, month, 1), -1));
}

/** One month and seven days after the period's end, counted in whole months: 30 April -> 7 June. */
export function dueAfter(end: PlainDate): PlainDate {
  return addDays(endOfMonth(addMonths(end, 1)), 7);
}

/**
 * Four characters of HMRC's form. Year and number are shifted per trader, because HMRC's own examples contradict every reading of them:
 * whoever computes a key instead of taking it from the obligation fails here as he would there.
 */
export function periodKeyOf(vrn: string, stagger: Stagger, period: Period): string {
  const { year, month } = partsOf(period.end);
  const shift = Number(vrn.slice(-2));
  const years = String((year + (shift % 2)) % 100).padStart(2, '0');
  if (stagger === 'monthly') return `${years}A${'ABCDEFGHIJKL'[(month + shift) % 12]}`;
  const quarter = Math.floor((month - 1) / 3);
  return `${years}${{ 1: 'C', 2: 'A', 3: 'B' }[stagger]}${((quarter + shift) % 4) + 1}`;
}

function periodEnding(stagger: Stagger, end: PlainDate): Period {
  const { year, month } = partsOf(addMonths(end, stagger === 'monthly' ? 0 : -2));
  return { start: dateOf(year, month, 1), end };
}

function staggerEndingIn(day: PlainDate): 1 | 2 | 3 {
  const remainder = partsOf(day).month % 3;
  return remainder === 0 ? 1 : remainder === 1 ? 2 : 3;
}
