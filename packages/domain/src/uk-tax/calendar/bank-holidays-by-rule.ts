import { addDays, createPlainDate, getDayOfWeek, toDateFromDayNumber, toDayNumber, plainDate } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';

/**
 * Proclaimed changes to the regular bank holidays of England and Wales since 1995. Add a line for each change. Source: royal proclamations
 * under s1 of the Banking and Financial Dealings Act 1971; those since 2020 agree with the GOV.UK data.
 */
const PROCLAIMED_CHANGES: readonly {
  readonly added: readonly PlainDate[];
  readonly removed: readonly PlainDate[];
  readonly reason: string;
}[] = [
  { added: [plainDate('1995-05-08')], removed: [plainDate('1995-05-01')], reason: 'fifty years since VE Day' },
  { added: [plainDate('1999-12-31')], removed: [], reason: 'millennium' },
  { added: [plainDate('2002-06-03'), plainDate('2002-06-04')], removed: [plainDate('2002-05-27')], reason: 'Golden Jubilee' },
  { added: [plainDate('2011-04-29')], removed: [], reason: 'royal wedding' },
  { added: [plainDate('2012-06-04'), plainDate('2012-06-05')], removed: [plainDate('2012-05-28')], reason: 'Diamond Jubilee' },
  { added: [plainDate('2020-05-08')], removed: [plainDate('2020-05-04')], reason: 'seventy-five years since VE Day' },
  { added: [plainDate('2022-06-02'), plainDate('2022-06-03')], removed: [plainDate('2022-05-30')], reason: 'Platinum Jubilee' },
  { added: [plainDate('2022-09-19')], removed: [], reason: 'funeral of Queen Elizabeth II' },
  { added: [plainDate('2023-05-08')], removed: [], reason: 'coronation of King Charles III' },
];

/**
 * Returns the bank holidays of England and Wales in a year according to the rules, in order: New Year, Good Friday, Easter Monday, the
 * first and last Mondays in May, the last Monday in August, Christmas and Boxing Day, with substitutes and the proclaimed changes above.
 * Source: Banking and Financial Dealings Act 1971 Sch 1; New Year since 1974 and early May since 1978 by yearly proclamation.
 */
export function getBankHolidaysByRule(year: number): readonly PlainDate[] {
  const easterSunday = getEasterSunday(year);
  const newYearsDay = createPlainDate(year, 1, 1);
  const regularHolidays = [
    isWeekend(newYearsDay) ? getMondayOnOrAfter(newYearsDay) : newYearsDay,
    addDays(easterSunday, -2),
    addDays(easterSunday, 1),
    getMondayOnOrAfter(createPlainDate(year, 5, 1)),
    getMondayOnOrAfter(createPlainDate(year, 5, 25)),
    getMondayOnOrAfter(createPlainDate(year, 8, 25)),
    ...getChristmasHolidays(year),
  ];
  const isInYear = (date: PlainDate): boolean => date.startsWith(String(year));
  const removedHolidays = PROCLAIMED_CHANGES.flatMap((change) => change.removed);
  const addedHolidays = PROCLAIMED_CHANGES.flatMap((change) => change.added).filter(isInYear);
  return [...regularHolidays.filter((date) => !removedHolidays.includes(date)), ...addedHolidays].sort();
}

/** Returns the date of Easter Sunday in the Gregorian calendar, using the anonymous algorithm of 1876 (integers only). */
export function getEasterSunday(year: number): PlainDate {
  const goldenNumber = year % 19;
  const century = divideWhole(year, 100);
  const yearOfCentury = year % 100;
  const skipped = divideWhole(century, 4);
  const correction = divideWhole(century - divideWhole(century + 8, 25) + 1, 3);
  const epact = (19 * goldenNumber + century - skipped - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * divideWhole(yearOfCentury, 4) - epact - (yearOfCentury % 4)) % 7;
  const lateTerm = divideWhole(goldenNumber + 11 * epact + 22 * weekday, 451);
  const count = epact + weekday - 7 * lateTerm + 114;
  return createPlainDate(year, divideWhole(count, 31), (count % 31) + 1);
}

/**
 * Returns Christmas and Boxing Day with substitutes: Saturday and Sunday -> 27 and 28; Friday and Saturday -> 25 and 28; Sunday and Monday
 * -> 26 and 27.
 */
function getChristmasHolidays(year: number): readonly PlainDate[] {
  const day = createPlainDate(year, 12, 25);
  const toDecemberDates = (...days: readonly number[]): readonly PlainDate[] =>
    days.map((dayOfMonth) => createPlainDate(year, 12, dayOfMonth));
  switch (getDayOfWeek(day)) {
    case 5:
      return toDecemberDates(25, 28);
    case 6:
      return toDecemberDates(27, 28);
    case 7:
      return toDecemberDates(26, 27);
    default:
      return toDecemberDates(25, 26);
  }
}

function getMondayOnOrAfter(date: PlainDate): PlainDate {
  const day = toDayNumber(date);
  return toDateFromDayNumber(day + ((7 - (day % 7)) % 7));
}

function isWeekend(date: PlainDate): boolean {
  return getDayOfWeek(date) > 5;
}

function divideWhole(dividend: number, divisor: number): number {
  return (dividend - (dividend % divisor)) / divisor;
}
