import { addMonths, dateOf } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { paymentDays } from '../calendar/payment-days.ts';
import type { PaymentDays } from '../calendar/payment-days.ts';
import { startYear, taxYearDates } from '../calendar/tax-year.ts';
import type { TaxYear } from '../calendar/tax-year.ts';

/** The dates of a tax year in self assessment. They do not move for weekends. */
export type SelfAssessmentDates = {
  readonly tax_year: TaxYear;
  readonly start: PlainDate;
  readonly end: PlainDate;
  readonly register_by: PlainDate;
  readonly paper_return: PlainDate;
  readonly online_return: PlainDate;
  /** 31 January in the tax year and 31 July after it. */
  readonly poa1: PlainDate;
  readonly poa2: PlainDate;
  readonly balancing: PlainDate;
};

/**
 * The dates of a tax year: register by 5 October, paper return 31 October, online return and balancing payment 31 January after it.
 * Authority: TMA 1970 ss7, 8, 59A, 59B; SAM60080; GOV.UK. HMRC's own calculator prints two paper deadlines a year too late.
 */
export function selfAssessmentDates(taxYear: TaxYear): SelfAssessmentDates {
  const year = startYear(taxYear);
  const { start, end } = taxYearDates(taxYear);
  return {
    tax_year: taxYear,
    start,
    end,
    register_by: dateOf(year + 1, 10, 5),
    paper_return: dateOf(year + 1, 10, 31),
    online_return: dateOf(year + 2, 1, 31),
    poa1: dateOf(year + 1, 1, 31),
    poa2: dateOf(year + 1, 7, 31),
    balancing: dateOf(year + 2, 1, 31),
  };
}

/**
 * The dates when HMRC asked for the return late: the later of the normal date and three months after the day of the notice, for the return if that day
 * was after 31 July, for the balancing payment if after 31 October. HMRC itself allows 7 days more. Authority: TMA 1970 ss8(1F)-(1G), 59B(3); SAM121025, DMBM450110.
 */
export function datesAfterLateNotice(
  taxYear: TaxYear,
  noticeGiven: PlainDate,
): Pick<SelfAssessmentDates, 'paper_return' | 'online_return' | 'balancing'> {
  const normal = selfAssessmentDates(taxYear);
  const year = startYear(taxYear) + 1;
  const threeMonths = addMonths(noticeGiven, 3);
  const afterJuly = noticeGiven > dateOf(year, 7, 31);
  const afterOctober = noticeGiven > dateOf(year, 10, 31);
  return {
    paper_return: afterJuly ? later(normal.paper_return, threeMonths) : normal.paper_return,
    online_return: afterJuly ? later(normal.online_return, threeMonths) : normal.online_return,
    balancing: afterOctober ? later(normal.balancing, threeMonths) : normal.balancing,
  };
}

/** By when to pay self assessment that is due on a date; a card counts on the day it is used. Authority: GOV.UK "Pay your Self Assessment tax bill". */
export function selfAssessmentPaymentDays(due: PlainDate): PaymentDays {
  return paymentDays(due, 'on_the_day');
}

function later(a: PlainDate, b: PlainDate): PlainDate {
  return a > b ? a : b;
}
