/**
 * Calendar dates without a time or time zone, as "YYYY-MM-DD": the same text in JSON, SQL, query keys and sorting. Arithmetic counts whole
 * days since 1 January 1900; a property test compares it with Temporal over every supported year.
 */

declare const plainDateBrand: unique symbol;

/** A valid Gregorian date, "YYYY-MM-DD", in the years 1900 to 2199. Compares and sorts as text. */
export type PlainDate = string & { readonly [plainDateBrand]: true };

const DATE_PATTERN = /^(19|20|21)\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** Parses "YYYY-MM-DD"; undefined if the day doesn't exist ("2026-02-29") or the text has another format. */
export function parsePlainDate(text: string): PlainDate | undefined {
  if (!DATE_PATTERN.test(text)) return undefined;
  const day = Number(text.slice(8));
  if (day > getDaysInMonth(Number(text.slice(0, 4)), Number(text.slice(5, 7)))) return undefined;
  return text as PlainDate;
}

/** Brands text that is known to be a date. Throws a RangeError otherwise, which is a bug. */
export function plainDate(text: string): PlainDate {
  const date = parsePlainDate(text);
  if (date === undefined) throw new RangeError(`not a date: ${text}`);
  return date;
}

/**
 * Returns the date for a year, month (1 to 12) and day; a day beyond the end of the month becomes its last day. Throws a RangeError outside
 * 1900 to 2199, which is a bug.
 */
export function createPlainDate(year: number, month: number, day: number): PlainDate {
  const clampedMonth = month > 12 ? 12 : month;
  const length = getDaysInMonth(year, clampedMonth);
  return toDateFromDayNumber(computeDayNumber(year, clampedMonth, day > length ? length : day));
}

/** Returns a date's year, month (1 to 12) and day. */
export function toDateParts(date: PlainDate): { year: number; month: number; day: number } {
  return { year: getYear(date), month: getMonth(date), day: readDigits(date, 8) };
}

/** Returns the number of days in a month (1 to 12). Throws a RangeError for any other month, which is a bug. */
export function getDaysInMonth(year: number, month: number): number {
  const length = MONTH_LENGTHS[month - 1];
  if (length === undefined) throw new RangeError(`not a month: ${month}`);
  return month === 2 && isLeapYear(year) ? 29 : length;
}

/** Adds whole days; a negative number gives an earlier date. */
export function addDays(date: PlainDate, days: number): PlainDate {
  return toDateFromDayNumber(toDayNumber(date) + days);
}

/** Adds months. A day beyond the end of the month becomes its last day: 31 January + 1 month = 28 or 29 February. */
export function addMonths(date: PlainDate, months: number): PlainDate {
  const count = getYear(date) * 12 + getMonth(date) - 1 + months;
  return createPlainDate(Math.trunc(count / 12), (count % 12) + 1, readDigits(date, 8));
}

/** Returns the number of days from one date to another; negative if `to` is earlier. */
export function countDaysBetween(from: PlainDate, to: PlainDate): number {
  return toDayNumber(to) - toDayNumber(from);
}

/** Returns the last day of the date's month. */
export function getEndOfMonth(date: PlainDate): PlainDate {
  const year = getYear(date);
  const month = getMonth(date);
  return toDateFromDayNumber(computeDayNumber(year, month, getDaysInMonth(year, month)));
}

/** Returns the ISO day of the week: 1 = Monday ... 7 = Sunday. */
export function getDayOfWeek(date: PlainDate): number {
  // Day 0, 1 January 1900, was a Monday.
  return (toDayNumber(date) % 7) + 1;
}

/** Returns the number of whole days since 1 January 1900 (day 0). Rules calculate with these numbers. */
export function toDayNumber(date: PlainDate): number {
  return computeDayNumber(getYear(date), getMonth(date), readDigits(date, 8));
}

/** Returns the date for a day number. Throws a RangeError outside 1900 to 2199, which is a bug. */
export function toDateFromDayNumber(day: number): PlainDate {
  const index = day - FIRST_CACHED_DAY;
  if (index >= 0 && index < DATE_CACHE.length) {
    const cachedDate = DATE_CACHE[index];
    if (cachedDate !== undefined) return cachedDate;
  }
  if (!Number.isInteger(day) || day < 0 || day > LAST_DAY) throw new RangeError(`outside the years 1900 to 2199: day ${day}`);
  const createdDate = formatDayNumber(day);
  if (index >= 0 && index < DATE_CACHE.length) DATE_CACHE[index] = createdDate;
  return createdDate;
}

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
/** Days before each month in a common year. */
const DAYS_BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334] as const;
/** 31 December 2199. */
const LAST_DAY = 109_572;
/** Caches the text of dates from 1995 to 2050, because a large portfolio uses the same few hundred dates a million times. */
const FIRST_CACHED_DAY = 34_698;
const DATE_CACHE: (PlainDate | undefined)[] = Array.from({ length: 20_454 });

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function computeDayNumber(year: number, month: number, day: number): number {
  if (day < 1) throw new RangeError(`not a day of a month: ${day}`);
  const daysBefore = DAYS_BEFORE[month - 1] ?? 0;
  const leapDay = month > 2 && isLeapYear(year) ? 1 : 0;
  return countDaysBeforeYear(year) + daysBefore + leapDay + day - 1;
}

/** Returns the number of days from 1 January 1900 to 1 January of a year; 460 leap days had passed before 1900. */
function countDaysBeforeYear(year: number): number {
  const yearBefore = year - 1;
  return (year - 1900) * 365 + Math.floor(yearBefore / 4) - Math.floor(yearBefore / 100) + Math.floor(yearBefore / 400) - 460;
}

function formatDayNumber(day: number): PlainDate {
  let year = 1900 + Math.floor(day / 366);
  while (countDaysBeforeYear(year + 1) <= day) year += 1;
  let daysLeft = day - countDaysBeforeYear(year);
  let month = 1;
  for (let length = getDaysInMonth(year, month); daysLeft >= length; length = getDaysInMonth(year, month)) {
    daysLeft -= length;
    month += 1;
  }
  return `${year}-${String(month).padStart(2, '0')}-${String(daysLeft + 1).padStart(2, '0')}` as PlainDate;
}

function getYear(date: PlainDate): number {
  return readDigits(date, 0) * 100 + readDigits(date, 2);
}

function getMonth(date: PlainDate): number {
  return readDigits(date, 5);
}

/** Returns the two digits at an index in the date text. */
function readDigits(date: PlainDate, index: number): number {
  return (date.charCodeAt(index) - 48) * 10 + date.charCodeAt(index + 1) - 48;
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** Formats a date for display: "7 March 2026", or "7 Mar 2026" with `short`. */
export function formatDate(date: PlainDate, style: 'long' | 'short' = 'long'): string {
  const { year, month, day } = toDateParts(date);
  const name = MONTHS[month - 1] ?? '';
  return `${day} ${style === 'short' ? name.slice(0, 3) : name} ${year}`;
}

/** Formats a period: "1 July to 30 September 2026". The first year is shown only if the two differ. */
export function formatPeriod(start: PlainDate, end: PlainDate, style: 'long' | 'short' = 'long'): string {
  const first = formatDate(start, style);
  const isSameYear = toDateParts(start).year === toDateParts(end).year;
  return `${isSameYear ? first.replace(/ \d{4}$/, '') : first} to ${formatDate(end, style)}`;
}
