/** Calendar dates, without time or zone, as "YYYY-MM-DD": the same text in JSON, SQL, query keys and sorting. */
import { Temporal } from 'temporal-polyfill';

declare const plainDateBrand: unique symbol;

/** A date that exists in the Gregorian calendar, "YYYY-MM-DD", years 1900 to 2199. Compares and sorts as text. */
export type PlainDate = string & { readonly [plainDateBrand]: true };

const SHAPE = /^(19|20|21)\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** Reads "YYYY-MM-DD"; undefined where that day does not exist ("2026-02-29") or the text has another shape. */
export function parsePlainDate(text: string): PlainDate | undefined {
  if (!SHAPE.test(text)) return undefined;
  const day = Number(text.slice(8));
  if (day > daysInMonth(Number(text.slice(0, 4)), Number(text.slice(5, 7)))) return undefined;
  return text as PlainDate;
}

/** The date of a text known to be one; throws a RangeError otherwise, which is a bug. */
export function plainDate(text: string): PlainDate {
  const date = parsePlainDate(text);
  if (date === undefined) throw new RangeError(`not a date: ${text}`);
  return date;
}

/** The date of a year, a month (1 to 12) and a day; the day is cut to the month's length. */
export function dateOf(year: number, month: number, day: number): PlainDate {
  return plainDate(Temporal.PlainDate.from({ year, month, day }, { overflow: 'constrain' }).toString());
}

/** Year, month (1 to 12) and day of a date. */
export function partsOf(date: PlainDate): { year: number; month: number; day: number } {
  return { year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)), day: Number(date.slice(8)) };
}

/** The number of days of a month (1 to 12). */
export function daysInMonth(year: number, month: number): number {
  return new Temporal.PlainYearMonth(year, month).daysInMonth;
}

/** The date so many days later (earlier where negative). */
export function addDays(date: PlainDate, days: number): PlainDate {
  return Temporal.PlainDate.from(date).add({ days }).toString() as PlainDate;
}

/** The same day so many months later, cut to the month's length: 31 January + 1 month = 28 or 29 February. */
export function addMonths(date: PlainDate, months: number): PlainDate {
  return Temporal.PlainDate.from(date).add({ months }, { overflow: 'constrain' }).toString() as PlainDate;
}

/** The number of days from one date to another; negative where `to` is earlier. */
export function daysBetween(from: PlainDate, to: PlainDate): number {
  return Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days;
}

/** The last day of the date's month. */
export function endOfMonth(date: PlainDate): PlainDate {
  const { year, month } = partsOf(date);
  return dateOf(year, month, daysInMonth(year, month));
}

/** ISO day of the week: 1 = Monday ... 7 = Sunday. */
export function dayOfWeek(date: PlainDate): number {
  return Temporal.PlainDate.from(date).dayOfWeek;
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

/** A date for running text: "7 March 2026"; `short` for tables: "7 Mar 2026". */
export function formatDate(date: PlainDate, style: 'long' | 'short' = 'long'): string {
  const { year, month, day } = partsOf(date);
  const name = MONTHS[month - 1] ?? '';
  return `${day} ${style === 'short' ? name.slice(0, 3) : name} ${year}`;
}
