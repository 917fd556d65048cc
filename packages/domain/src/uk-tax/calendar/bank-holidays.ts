import type { PlainDate } from '../../plain-date.ts';
import { createUnknown, known } from '../known.ts';
import type { Known } from '../known.ts';
import { PUBLISHED_BANK_HOLIDAYS, PUBLISHED_YEARS } from './bank-holiday-table.ts';
import type { Division } from './bank-holiday-table.ts';
import { getBankHolidaysByRule } from './bank-holidays-by-rule.ts';

/** Days proclaimed before 1995 aren't in our table. */
const FIRST_YEAR_BY_RULE = 1995;

/** The message for dates after the last published year. */
export const UNPUBLISHED_HOLIDAYS = `bank holidays after ${PUBLISHED_YEARS.last}: not yet published on GOV.UK`;

/**
 * Returns a division's bank holidays in a year, in order. England and Wales: as published from 2019, and by rule from 1995 to 2018. Later
 * years are unknown, with the regular days as a forecast, because special days are proclaimed year by year. Scotland and Northern Ireland:
 * published years only. Source: GOV.UK bank holidays data; Banking and Financial Dealings Act 1971.
 */
export function getBankHolidays(year: number, division: Division = 'england-and-wales'): Known<readonly PlainDate[]> {
  const publishedHolidays = PUBLISHED_BANK_HOLIDAYS[division][year];
  if (publishedHolidays !== undefined) return known(publishedHolidays);
  const isForecastable = division === 'england-and-wales' && Number.isInteger(year) && year >= FIRST_YEAR_BY_RULE && year <= 2199;
  if (!isForecastable) return createUnknown(`bank holidays of ${division} in ${year}`);
  return year < PUBLISHED_YEARS.first
    ? known(getBankHolidaysByRule(year))
    : createUnknown(UNPUBLISHED_HOLIDAYS, getBankHolidaysByRule(year));
}
