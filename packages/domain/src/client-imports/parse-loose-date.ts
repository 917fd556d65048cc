/** Parses dates as users, practice software and spreadsheets write them in a client list. */
import { addDays, getDaysInMonth, getEndOfMonth, parsePlainDate, plainDate, type PlainDate } from '../plain-date.ts';

/** Excel's serial numbers for days from 1 April 1973 to 31 December 2199. A smaller number in a date column isn't a date. */
const FIRST_SERIAL = 26_755;
const LAST_SERIAL = 109_574;
const FIRST_SERIAL_DATE = plainDate('1973-04-01');

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const;
const MONTH_NAMES =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/;

/**
 * Parses a whole date: 2026-03-31, 31/03/2026, 31.3.26, 31 March 2026, 31-Mar-26, March 31, 2026, or an Excel serial number. Numeric dates
 * are day first, as in Britain. A date that makes sense only with the month first is rejected, because the other dates in the file would be
 * misread.
 */
export function parseDateInAnyFormat(text: string): PlainDate | undefined {
  const trimmed = normaliseDateText(text);
  if (/^\d{5}(?:\.\d+)?$/.test(trimmed)) return parseSerialDate(Math.floor(Number(trimmed)));
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[t ]\d.*)?$/.exec(trimmed) ?? [];
  if (isoYear !== undefined) return toDate(isoYear, Number(isoMonth), isoDay);
  const [, day, month, year] = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})(?: \d{1,2}:.*)?$/.exec(trimmed) ?? [];
  if (day !== undefined) return toDate(year, Number(month), day);
  const [, namedDay, name, namedYear] = /^(\d{1,2})[-/. ]?([a-z]+)[-/. ]?(\d{4}|\d{2})$/.exec(trimmed) ?? [];
  if (namedDay !== undefined) return toDate(namedYear, parseMonth(name), namedDay);
  const [, firstName, dayAfterMonth, yearAfterMonth] = /^([a-z]+)[-/. ](\d{1,2})[-/. ](\d{4})$/.exec(trimmed) ?? [];
  return firstName === undefined ? undefined : toDate(yearAfterMonth, parseMonth(firstName), dayAfterMonth);
}

/**
 * Parses the end of an accounting period. If the year is missing (31/03, 31 March, 31-Mar, March), it is the latest such date up to
 * `today`; without `today` it is rejected.
 */
export function parseYearEnd(text: string, today?: PlainDate): PlainDate | undefined {
  const wholeDate = parseDateInAnyFormat(text);
  if (wholeDate !== undefined) return wholeDate;
  const trimmed = normaliseDateText(text);
  const [, monthName, year] = /^([a-z]+)[-/. ](\d{4})$/.exec(trimmed) ?? [];
  if (monthName !== undefined) {
    const first = toDate(year, parseMonth(monthName), '1');
    return first && getEndOfMonth(first);
  }
  const parts = parseDayAndMonth(trimmed);
  if (parts === undefined || today === undefined) return undefined;
  const thisYear = Number(today.slice(0, 4));
  const [latestDate] = [thisYear, thisYear - 1]
    .map((candidate) => toDateInYear(candidate, parts))
    .filter((date) => date !== undefined && date <= today);
  return latestDate;
}

type DayAndMonth = { readonly day: number | 'last'; readonly month: number };

function parseDayAndMonth(text: string): DayAndMonth | undefined {
  const [, day, numberedMonth] = /^(\d{1,2})[-/. ](\d{1,2})$/.exec(text) ?? [];
  if (day !== undefined) return { day: Number(day), month: Number(numberedMonth) };
  const [, namedDay, name] = /^(\d{1,2})[-/. ]?([a-z]+)$/.exec(text) ?? [];
  const month = parseMonth(name);
  if (namedDay !== undefined && month !== undefined) return { day: Number(namedDay), month };
  const [, firstName, dayAfterMonth] = /^([a-z]+)(?:[-/. ](\d{1,2}))?$/.exec(text) ?? [];
  const firstMonth = parseMonth(firstName);
  if (firstMonth === undefined) return undefined;
  if (dayAfterMonth === undefined) return { day: 'last', month: firstMonth };
  // A spreadsheet writes March 2026 as Mar-26, so the number is certainly a day only if it's the last of the month.
  return Number(dayAfterMonth) === getDaysInMonth(2023, firstMonth) ? { day: Number(dayAfterMonth), month: firstMonth } : undefined;
}

/** Returns the date in a given year. 29 February means the last day of February in every year. */
function toDateInYear(year: number, { day, month }: DayAndMonth): PlainDate | undefined {
  if (month < 1 || month > 12) return undefined;
  const last = getDaysInMonth(year, month);
  return toDate(String(year), month, String(day === 'last' || (month === 2 && day === 29) ? last : day));
}

function normaliseDateText(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? /, '')
    .replaceAll(/(\d)(?:st|nd|rd|th)\b/g, '$1')
    .replaceAll(/\s*([-/.])\s*/g, '$1')
    .replaceAll(/,?\s+(?:of\s+)?/g, ' ');
}

function parseSerialDate(serial: number): PlainDate | undefined {
  return serial >= FIRST_SERIAL && serial <= LAST_SERIAL ? addDays(FIRST_SERIAL_DATE, serial - FIRST_SERIAL) : undefined;
}

function parseMonth(name: string | undefined): number | undefined {
  if (name === undefined || !MONTH_NAMES.test(name)) return undefined;
  return MONTHS.findIndex((month) => name.startsWith(month)) + 1;
}

function toDate(year: string | undefined, month: number | undefined, day: string | undefined): PlainDate | undefined {
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const fullYear = year.length === 2 ? `${Number(year) >= 70 ? '19' : '20'}${year}` : year;
  if (Number(fullYear) < 1900 || Number(fullYear) > 2199) return undefined;
  return parsePlainDate(`${fullYear}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`);
}
