import type { PlainDate } from '../../plain-date.ts';
import { getEndOfMonthAfter } from '../calendar/month-arithmetic.ts';
import { getLastWorkingDayOnOrBefore } from '../calendar/working-days.ts';
import type { Known } from '../known.ts';
import { allocate } from '../../allocate.ts';
import type { Pence } from '../../money.ts';

/**
 * When an annual return and its balance are due: according to guidance, the last day of the second month after the end of the year;
 * according to regulation 50, its last working day.
 */
export type AnnualAccountingDue = { readonly two_months: PlainDate; readonly last_working_day: Known<PlainDate> };

/**
 * Returns the due dates of the return and balance for an annual accounting year, without the extra 7 days. A first period under 4 months
 * gets one month. Source: VAT Regulations 1995 reg 50; VATAAS3400, VATAAS5100; VATAC1300.
 */
export function getAnnualAccountingDueDates(yearEnd: PlainDate, isFirstPeriodUnderFourMonths = false): AnnualAccountingDue {
  const end = getEndOfMonthAfter(yearEnd, isFirstPeriodUnderFourMonths ? 1 : 2);
  return { two_months: end, last_working_day: getLastWorkingDayOnOrBefore(end) };
}

/** Nine monthly payments of 10%, or three quarterly ones of 25%. */
export type InterimPlan = 'monthly' | 'quarterly';

/** An interim payment for the year and the last working day to pay it. Interim payments bear no interest or penalty (CH141120). */
export type InterimPayment = { readonly month_end: PlainDate; readonly due: Known<PlainDate>; readonly amount: Pence };

/**
 * Returns the interim payments, based on the first day of the year and last year's VAT: at the ends of months 4 to 12, or of 4, 7 and 10,
 * on the last working day. Source: VATAAS5100.
 */
export function listAnnualAccountingInterims(yearStart: PlainDate, lastYearsVat: Pence, plan: InterimPlan): readonly InterimPayment[] {
  const months = plan === 'monthly' ? [4, 5, 6, 7, 8, 9, 10, 11, 12] : [4, 7, 10];
  // The balance is the share that the interim payments don't collect (10% or 25%), so that all shares add up to the penny.
  const shares = allocate(lastYearsVat, plan === 'monthly' ? Array.from({ length: 10 }, () => 1) : [1, 1, 1, 1]);
  return months.map((month, index) => {
    const monthEnd = getEndOfMonthAfter(yearStart, month - 1);
    return { month_end: monthEnd, due: getLastWorkingDayOnOrBefore(monthEnd), amount: shares[index] ?? lastYearsVat };
  });
}
