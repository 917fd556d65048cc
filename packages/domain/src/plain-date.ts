/**
 * Calendar dates without time or zone, as "YYYY-MM-DD": the same text in JSON, SQL, query keys and sorting.
 * Arithmetic counts whole days since 1 January 1900; a property test compares it with Temporal over every supported year.
 */

declare const plainDateBrand: unique symbol;

/** A real Gregorian date, "YYYY-MM-DD", years 1900 to 2199. Compares and sorts as text. */
export type PlainDate = string & { readonly [plainDateBrand]: true };

const SHAPE = /^(19|20|21)\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** Parses "YYYY-MM-DD"; undefined if the day does not exist ("2026-02-29") or the text has another form. */
export function parsePlainDate(text: string): PlainDate | undefined {
  if (!SHAPE.test(text)) return undefined;
  const day = Number(text.slice(8));
  if (day > daysInMonth(Number(text.slice(0, 4)), Number(text.slice(5, 7)))) return undefined;
  return text as PlainDate;
}

/** Brands text that is known to be a date. Throws a RangeError otherwise, which is a bug. */
export function plainDate(text: string): PlainDate {
  const date = parsePlainDate(text);
  if (date === undefined) throw new RangeError(`not a date: ${text}`);
  return date;
}

/**
 * The date for a year, month (1 to 12) and day; the day is limited to the length of the month. Throws a RangeError outside 1900 to 2199,
 * which is a bug.
 */
export function dateOf(year: number, month: number, day: number): PlainDate {
  const cutMonth = month > 12 ? 12 : month;
  const length = daysInMonth(year, cutMonth);
  return fromDayNumber(dayNumberOf(year, cutMonth, day > length ? length : day));
}

/** Year, month (1 to 12) and day of a date. */
export function partsOf(date: PlainDate): { year: number; month: number; day: number } {
  return { year: yearOf(date), month: monthOf(date), day: digits(date, 8) };
}

/** The number of days in a month (1 to 12). Throws a RangeError for any other month, which is a bug. */
export function daysInMonth(year: number, month: number): number {
  const length = MONTH_LENGTHS[month - 1];
  if (length === undefined) throw new RangeError(`not a month: ${month}`);
  return month === 2 && isLeapYear(year) ? 29 : length;
}

/** Adds whole days; earlier if negative. */
export function addDays(date: PlainDate, days: number): PlainDate {
  return fromDayNumber(dayNumber(date) + days);
}

/** Adds months, limiting the day to the length of the month: 31 January + 1 month = 28 or 29 February. */
export function addMonths(date: PlainDate, months: number): PlainDate {
  const count = yearOf(date) * 12 + monthOf(date) - 1 + months;
  return dateOf(Math.trunc(count / 12), (count % 12) + 1, digits(date, 8));
}

/** Days from one date to another; negative if `to` is earlier. */
export function daysBetween(from: PlainDate, to: PlainDate): number {
  return dayNumber(to) - dayNumber(from);
}

/** The last day of the date's month. */
export function endOfMonth(date: PlainDate): PlainDate {
  const year = yearOf(date);
  const month = monthOf(date);
  return fromDayNumber(dayNumberOf(year, month, daysInMonth(year, month)));
}

/** ISO day of the week: 1 = Monday ... 7 = Sunday. */
export function dayOfWeek(date: PlainDate): number {
  // Day 0, 1 January 1900, was a Monday.
  return (dayNumber(date) % 7) + 1;
}

/** Whole days since 1 January 1900 (day 0); rules count in these. */
export function dayNumber(date: PlainDate): number {
  return dayNumberOf(yearOf(date), monthOf(date), digits(date, 8));
}

/** The date of a day number. Throws a RangeError outside 1900 to 2199, which is a bug. */
export function fromDayNumber(day: number): PlainDate {
  const place = day - FIRST_KEPT;
  if (place >= 0 && place < KEPT.length) {
    const kept = KEPT[place];
    if (kept !== undefined) return kept;
  }
  if (!Number.isInteger(day) || day < 0 || day > LAST_DAY) throw new RangeError(`outside the years 1900 to 2199: day ${day}`);
  const made = textOf(day);
  if (place >= 0 && place < KEPT.length) KEPT[place] = made;
  return made;
}

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
/** Days before each month in a common year. */
const DAYS_BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334] as const;
/** 31 December 2199. */
const LAST_DAY = 109_572;
/** Cache of date texts from 1995 to 2050, because a large portfolio uses the same few hundred dates a million times. */
const FIRST_KEPT = 34_698;
const KEPT: (PlainDate | undefined)[] = Array.from({ length: 20_454 });

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function dayNumberOf(year: number, month: number, day: number): number {
  if (day < 1) throw new RangeError(`not a day of a month: ${day}`);
  const before = DAYS_BEFORE[month - 1] ?? 0;
  const leapDay = month > 2 && isLeapYear(year) ? 1 : 0;
  return daysBeforeYear(year) + before + leapDay + day - 1;
}

/** Days from 1 January 1900 to 1 January of a year; 460 leap days had passed before 1900. */
function daysBeforeYear(year: number): number {
  const past = year - 1;
  return (year - 1900) * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400) - 460;
}

function textOf(day: number): PlainDate {
  let year = 1900 + Math.floor(day / 366);
  while (daysBeforeYear(year + 1) <= day) year += 1;
  let rest = day - daysBeforeYear(year);
  let month = 1;
  for (let length = daysInMonth(year, month); rest >= length; length = daysInMonth(year, month)) {
    rest -= length;
    month += 1;
  }
  return `${year}-${String(month).padStart(2, '0')}-${String(rest + 1).padStart(2, '0')}` as PlainDate;
}

function yearOf(date: PlainDate): number {
  return digits(date, 0) * 100 + digits(date, 2);
}

function monthOf(date: PlainDate): number {
  return digits(date, 5);
}

/** The two digits at an index of the date text. */
function digits(date: PlainDate, place: number): number {
  return (date.charCodeAt(place) - 48) * 10 + date.charCodeAt(place + 1) - 48;
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

/** A date for display: "7 March 2026", or "7 Mar 2026" with `short`. */
export function formatDate(date: PlainDate, style: 'long' | 'short' = 'long'): string {
  const { year, month, day } = partsOf(date);
  const name = MONTHS[month - 1] ?? '';
  return `${day} ${style === 'short' ? name.slice(0, 3) : name} ${year}`;
}
