import { addDays, addMonths, createPlainDate } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { pence } from '../../money.ts';
import type { Pence } from '../../money.ts';
import { getTaxYearStart } from '../calendar/tax-year.ts';
import type { TaxYear } from '../calendar/tax-year.ts';
import { createUnknown, known } from '../known.ts';
import type { Known } from '../known.ts';

/** A quarterly update, cumulative from the start of the tax year. */
export type QuarterlyUpdate = { readonly start: PlainDate; readonly end: PlainDate; readonly due: PlainDate };

/** The first tax year in which cumulative updates are mandatory. */
const FIRST_TAX_YEAR = 2026;

/**
 * Returns the four updates for a tax year, due on 7 August, 7 November, 7 February and 7 May. If the taxpayer elects for calendar periods,
 * they run from 1 April to month ends; the due dates stay the same. Unknown before 2026-27. Source: SI 2021/1076 as amended; GOV.UK "Use
 * Making Tax Digital for Income Tax" (secondary: easymtdvat.com).
 */
export function listMtdQuarterlyUpdates(taxYear: TaxYear, usesCalendarPeriods = false): Known<readonly QuarterlyUpdate[]> {
  const year = getTaxYearStart(taxYear);
  if (year < FIRST_TAX_YEAR) return createUnknown('Making Tax Digital updates before 2026-27');
  const start = createPlainDate(year, 4, usesCalendarPeriods ? 1 : 6);
  const dueDates = [
    createPlainDate(year, 8, 7),
    createPlainDate(year, 11, 7),
    createPlainDate(year + 1, 2, 7),
    createPlainDate(year + 1, 5, 7),
  ];
  return known(dueDates.map((date, index) => ({ start, end: addDays(addMonths(start, index * 3 + 3), -1), due: date })));
}

/**
 * Gross trade and property income, in pence, above which taxpayers must join, by first tax year. Add new limits at the end. Source
 * (secondary): trinityaccountancy.com, hunterfds.co.uk.
 */
export const MTD_INCOME_LIMITS: readonly { readonly from_tax_year: number; readonly above: Pence; readonly income_year: string }[] = [
  { from_tax_year: 2026, above: pence(5_000_000), income_year: '2024-25' },
  { from_tax_year: 2027, above: pence(3_000_000), income_year: '2025-26' },
  { from_tax_year: 2028, above: pence(2_000_000), income_year: '2026-27' },
];

/** Returns true if gross income makes Making Tax Digital mandatory in a tax year. Source: SI 2021/1076; the limits above. */
export function isMtdMandatory(taxYear: TaxYear, grossIncome: Pence): boolean {
  const row = MTD_INCOME_LIMITS.findLast((candidate) => getTaxYearStart(taxYear) >= candidate.from_tax_year);
  return row !== undefined && grossIncome > row.above;
}
