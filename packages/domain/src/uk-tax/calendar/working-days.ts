import { plainDate, toDateFromDayNumber, toDayNumber } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { getValueOrForecast, known, createUnknown } from '../known.ts';
import type { Known } from '../known.ts';
import { PUBLISHED_YEARS } from './bank-holiday-table.ts';
import { UNPUBLISHED_HOLIDAYS, getBankHolidays } from './bank-holidays.ts';

// A working day is Monday to Friday, except bank holidays in England and Wales. Source: Bills of Exchange Act 1882 s92; SI 2009/2978 reg 5.
// The index of days is built once, on first use, because a large portfolio uses the same years a million times.

/**
 * Returns true for a working day. Weekends are known for every year, but weekdays only for years with known bank holidays. Source: Bills of
 * Exchange Act 1882 s92.
 */
export function isWorkingDay(date: PlainDate): Known<boolean> {
  const day = toDayNumber(date);
  if (day % 7 > 4) return known(false);
  return toKnownWithinRange(day, day, () => findWorkingDayOnOrBefore(day) === day);
}

/**
 * Returns the nth working day after a date, or before it if n is negative. For n = 0, returns the date itself, even if it isn't a working
 * day.
 */
export function addWorkingDays(date: PlainDate, n: number): Known<PlainDate> {
  const day = toDayNumber(date);
  if (n === 0) return known(date);
  const dayIndex = getDayIndex();
  const countsBefore = dayIndex.countsBefore[day - dayIndex.first];
  if (countsBefore === undefined || !Number.isInteger(n)) return createUnknown(OUTSIDE_RANGE);
  // Going back, the first step lands on the previous working day, whether or not the start is a working day.
  const workingDayIndex =
    n > 0 ? countsBefore + (dayIndex.countsBefore[day - dayIndex.first + 1] === countsBefore ? n - 1 : n) : countsBefore + n;
  const foundDay = dayIndex.workingDays[workingDayIndex];
  if (foundDay === undefined) return createUnknown(OUTSIDE_RANGE);
  return toKnownWithinRange(Math.min(day, foundDay), Math.max(day, foundDay), () => toDateFromDayNumber(foundDay));
}

/** Counts working days after `from` up to and including `to`; negative if `to` is earlier. */
export function countWorkingDaysBetween(from: PlainDate, to: PlainDate): Known<number> {
  const [start, end] = [toDayNumber(from), toDayNumber(to)];
  return toKnownWithinRange(
    Math.min(start, end),
    Math.max(start, end),
    () => countWorkingDaysThrough(end) - countWorkingDaysThrough(start),
  );
}

/**
 * Returns the date itself if it is a working day, otherwise the last one before it: the deadline for payments other than Faster Payments.
 */
export function getLastWorkingDayOnOrBefore(date: PlainDate): Known<PlainDate> {
  const day = toDayNumber(date);
  const foundDay = isInRange(day) ? findWorkingDayOnOrBefore(day) : undefined;
  return foundDay === undefined ? createUnknown(OUTSIDE_RANGE) : toKnownWithinRange(foundDay, day, () => toDateFromDayNumber(foundDay));
}

/** Returns the date itself if it is a working day, otherwise the first one after it. */
export function getFirstWorkingDayOnOrAfter(date: PlainDate): Known<PlainDate> {
  const day = toDayNumber(date);
  return isInRange(day) && findWorkingDayOnOrBefore(day) === day ? toKnownWithinRange(day, day, () => date) : addWorkingDays(date, 1);
}

const FIRST_YEAR = 1995;
const LAST_YEAR = 2099;
const FIRST_DAY = toDayNumber(plainDate(`${FIRST_YEAR}-01-01`));
const LAST_DAY = toDayNumber(plainDate(`${LAST_YEAR}-12-31`));
const LAST_PUBLISHED_DAY = toDayNumber(plainDate(`${PUBLISHED_YEARS.last}-12-31`));
const OUTSIDE_RANGE = `bank holidays before ${FIRST_YEAR} and after ${LAST_YEAR}`;

/** `countsBefore[i]` is the number of working days before day `first + i`; `workingDays` lists them as day numbers. */
type DayIndex = { readonly first: number; readonly countsBefore: Int32Array; readonly workingDays: Int32Array };
let dayIndex: DayIndex | undefined;

function getDayIndex(): DayIndex {
  dayIndex ??= buildDayIndex();
  return dayIndex;
}

function buildDayIndex(): DayIndex {
  const holidays = new Set<number>();
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1) {
    for (const date of getValueOrForecast(getBankHolidays(year)) ?? []) holidays.add(toDayNumber(date));
  }
  const countsBefore = new Int32Array(LAST_DAY - FIRST_DAY + 2);
  const workingDays: number[] = [];
  for (let day = FIRST_DAY; day <= LAST_DAY; day += 1) {
    countsBefore[day - FIRST_DAY] = workingDays.length;
    // Day 0 was a Monday, so 5 and 6 are the weekend.
    if (day % 7 < 5 && !holidays.has(day)) workingDays.push(day);
  }
  countsBefore[LAST_DAY - FIRST_DAY + 1] = workingDays.length;
  return { first: FIRST_DAY, countsBefore, workingDays: Int32Array.from(workingDays) };
}

function countWorkingDaysThrough(day: number): number {
  return getDayIndex().countsBefore[day - FIRST_DAY + 1] ?? 0;
}

function findWorkingDayOnOrBefore(day: number): number | undefined {
  return getDayIndex().workingDays[countWorkingDaysThrough(day) - 1];
}

function isInRange(day: number): boolean {
  return day >= FIRST_DAY && day <= LAST_DAY;
}

/** Wraps a result that depends on the days from `first` to `last`: known only if the bank holidays for all of them are. */
function toKnownWithinRange<Value>(first: number, last: number, createValue: () => Value): Known<Value> {
  if (!isInRange(first) || !isInRange(last)) return createUnknown(OUTSIDE_RANGE);
  return last <= LAST_PUBLISHED_DAY ? known(createValue()) : createUnknown(UNPUBLISHED_HOLIDAYS, createValue());
}
