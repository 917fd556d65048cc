import { addDays, addMonths } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { addMonthsKeepingMonthEnd, getEndOfPeriodBeginning } from '../calendar/month-arithmetic.ts';
import { getCorporationTaxDueDate } from './due-date.ts';

/** An accounting period for corporation tax, with its payment and filing dates. */
export type AccountingPeriod = {
  readonly start: PlainDate;
  readonly end: PlainDate;
  readonly ct_due: PlainDate;
  readonly ct600_due: PlainDate;
};

/**
 * Splits a period of account into accounting periods of at most 12 months: the first 12 months, the next 12, then the remainder. Empty if
 * it ends before it begins. Source: CTA 2009 s10; faqct078; CTM93050.
 */
export function listAccountingPeriods(start: PlainDate, end: PlainDate): readonly AccountingPeriod[] {
  const periods: AccountingPeriod[] = [];
  for (let from = start; from <= end;) {
    const year = getEndOfPeriodBeginning(from, 12);
    const to = year < end ? year : end;
    periods.push({ start: from, end: to, ct_due: getCorporationTaxDueDate(to), ct600_due: getCompanyTaxReturnDueDate(to, { start, end }) });
    from = addDays(to, 1);
  }
  return periods;
}

/**
 * Returns when the CT600 for an accounting period is due. This is the latest of: 12 months after its end; 12 months after the end of a
 * period of account of up to 18 months, or 30 months from the start of a longer one; three months after a notice is served. Month ends are
 * kept: 28 February 2023 -> 29 February 2024. Source: FA 1998 Sch 18 para 14; CTM93030, CTM93040, CTM93050.
 */
export function getCompanyTaxReturnDueDate(
  periodEnd: PlainDate,
  periodOfAccount?: { readonly start: PlainDate; readonly end: PlainDate },
  noticeServedOn?: PlainDate,
): PlainDate {
  const dates = [addMonthsKeepingMonthEnd(periodEnd, 12)];
  if (periodOfAccount !== undefined) {
    const isOver18Months = periodOfAccount.end > getEndOfPeriodBeginning(periodOfAccount.start, 18);
    dates.push(isOver18Months ? getEndOfPeriodBeginning(periodOfAccount.start, 30) : addMonthsKeepingMonthEnd(periodOfAccount.end, 12));
  }
  if (noticeServedOn !== undefined) dates.push(addMonths(noticeServedOn, 3));
  return dates.reduce((latest, date) => (date > latest ? date : latest));
}
