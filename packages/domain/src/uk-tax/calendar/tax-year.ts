import { createPlainDate, toDateParts } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { createRejection, parsed } from '../../parsed.ts';
import type { Parsed } from '../../parsed.ts';

declare const taxYearBrand: unique symbol;

/**
 * A tax year's label, "2025-26" for 6 April 2025 to 5 April 2026; a century ends in 00 ("1999-00"). Source:
 * hmrc/national-insurance-des-stub TaxYear.scala.
 */
export type TaxYear = string & { readonly [taxYearBrand]: true };

/** Returns the tax year that begins on 6 April of the year. */
export function toTaxYear(startYear: number): TaxYear {
  return `${startYear}-${String((startYear + 1) % 100).padStart(2, '0')}` as TaxYear;
}

/** Returns the tax year that contains a date. */
export function getTaxYear(date: PlainDate): TaxYear {
  return toTaxYear(getStartYear(date));
}

/** Parses a label: four digits, a hyphen and the last two digits of the following year. */
export function parseTaxYear(text: string): Parsed<TaxYear> {
  const match = /^(\d{4})-(\d{2})$/.exec(text.trim());
  if (!match) return createRejection('Enter the tax year with a hyphen, for example 2025-26.');
  const startYear = Number(match[1]);
  if (startYear < 1900 || startYear > 2190) return createRejection('Enter a tax year from 1900-01 to 2190-91.');
  const label = toTaxYear(startYear);
  return label === match[0]
    ? parsed(label)
    : createRejection(`The tax year that starts in ${startYear} ends the following year: enter ${label}.`);
}

/** Returns the calendar year in which the tax year begins. */
export function getTaxYearStart(taxYear: TaxYear): number {
  return Number(taxYear.slice(0, 4));
}

/** Returns the first and last day of a tax year: 6 April to 5 April. Source: ITA 2007 s4. */
export function getTaxYearDates(taxYear: TaxYear): { readonly start: PlainDate; readonly end: PlainDate } {
  const year = getTaxYearStart(taxYear);
  return { start: createPlainDate(year, 4, 6), end: createPlainDate(year + 1, 4, 5) };
}

/**
 * Returns the financial year for corporation tax, by the calendar year in which it starts: 2025 = 1 April 2025 to 31 March 2026. Source:
 * CTA 2010 s1119.
 */
export function getCorporationTaxFinancialYear(date: PlainDate): number {
  const { year, month } = toDateParts(date);
  return month >= 4 ? year : year - 1;
}

function getStartYear(date: PlainDate): number {
  const { year, month, day } = toDateParts(date);
  return month > 4 || (month === 4 && day >= 6) ? year : year - 1;
}
