import { addMonths, createPlainDate, toDateParts } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { getTaxYearStart, getTaxYear } from './tax-year.ts';
import type { TaxYear } from './tax-year.ts';

/** A PAYE tax month: 1 = 6 April to 5 May ... 12 = 6 March to 5 April. */
export type TaxMonth = { readonly tax_year: TaxYear; readonly month: number };

/** Returns the tax month that contains a date: months since April, plus one from the 6th. Source: DMBM520055. */
export function getTaxMonth(date: PlainDate): TaxMonth {
  const { month, day } = toDateParts(date);
  const monthsSinceApril = (month + 8) % 12;
  const count = day >= 6 ? monthsSinceApril + 1 : monthsSinceApril;
  return { tax_year: getTaxYear(date), month: count === 0 ? 12 : count };
}

/** Returns the first and last day of a tax month. Throws a RangeError unless `month` is 1 to 12, which is a bug. Source: DMBM520055. */
export function getTaxMonthDates(taxYear: TaxYear, month: number): { readonly start: PlainDate; readonly end: PlainDate } {
  if (!Number.isInteger(month) || month < 1 || month > 12) throw new RangeError(`not a tax month: ${month}`);
  const year = getTaxYearStart(taxYear);
  return { start: addMonths(createPlainDate(year, 4, 6), month - 1), end: addMonths(createPlainDate(year, 4, 5), month) };
}

/**
 * Returns the tax month that ends a PAYE quarter (1 to 4); quarters end on 5 July, 5 October, 5 January and 5 April. Source: DMBM520055.
 */
export function getLastTaxMonthOfQuarter(quarter: number): number {
  if (!Number.isInteger(quarter) || quarter < 1 || quarter > 4) throw new RangeError(`not a quarter: ${quarter}`);
  return quarter * 3;
}
