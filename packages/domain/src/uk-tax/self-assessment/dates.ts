import { addMonths, createPlainDate } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { getPaymentDays } from '../calendar/payment-days.ts';
import type { PaymentDays } from '../calendar/payment-days.ts';
import { getTaxYearDates, getTaxYearStart } from '../calendar/tax-year.ts';
import type { TaxYear } from '../calendar/tax-year.ts';

/** Self Assessment dates for a tax year. They don't move for weekends. */
export type SelfAssessmentDates = {
  readonly tax_year: TaxYear;
  readonly start: PlainDate;
  readonly end: PlainDate;
  readonly register_by: PlainDate;
  readonly paper_return: PlainDate;
  readonly online_return: PlainDate;
  /** The payments on account: 31 January in the tax year, and 31 July after it. */
  readonly poa1: PlainDate;
  readonly poa2: PlainDate;
  readonly balancing: PlainDate;
};

/**
 * Returns the dates for a tax year: register by 5 October, paper return by 31 October, online return and balancing payment by the following
 * 31 January. Source: TMA 1970 ss7, 8, 59A, 59B; SAM60080; GOV.UK. HMRC's own calculator gives two paper deadlines that are a year too
 * late.
 */
export function getSelfAssessmentDates(taxYear: TaxYear): SelfAssessmentDates {
  const year = getTaxYearStart(taxYear);
  const { start, end } = getTaxYearDates(taxYear);
  return {
    tax_year: taxYear,
    start,
    end,
    register_by: createPlainDate(year + 1, 10, 5),
    paper_return: createPlainDate(year + 1, 10, 31),
    online_return: createPlainDate(year + 2, 1, 31),
    poa1: createPlainDate(year + 1, 1, 31),
    poa2: createPlainDate(year + 1, 7, 31),
    balancing: createPlainDate(year + 2, 1, 31),
  };
}

/**
 * Returns the dates if HMRC issues a late notice to file: the later of the normal date and three months after the notice. This applies to
 * the return if the notice came after 31 July, and to the balancing payment if it came after 31 October. HMRC itself allows 7 days more.
 * Source: TMA 1970 ss8(1F)-(1G), 59B(3); SAM121025, DMBM450110.
 */
export function getDatesAfterLateNotice(
  taxYear: TaxYear,
  noticeGivenOn: PlainDate,
): Pick<SelfAssessmentDates, 'paper_return' | 'online_return' | 'balancing'> {
  const normalDates = getSelfAssessmentDates(taxYear);
  const year = getTaxYearStart(taxYear) + 1;
  const threeMonthsLater = addMonths(noticeGivenOn, 3);
  const isAfterJuly = noticeGivenOn > createPlainDate(year, 7, 31);
  const isAfterOctober = noticeGivenOn > createPlainDate(year, 10, 31);
  return {
    paper_return: isAfterJuly ? getLaterDate(normalDates.paper_return, threeMonthsLater) : normalDates.paper_return,
    online_return: isAfterJuly ? getLaterDate(normalDates.online_return, threeMonthsLater) : normalDates.online_return,
    balancing: isAfterOctober ? getLaterDate(normalDates.balancing, threeMonthsLater) : normalDates.balancing,
  };
}

/**
 * Returns the last days to pay a Self Assessment amount due on a date; a card payment counts on the day it is made. Source: GOV.UK "Pay
 * your Self Assessment tax bill".
 */
export function getSelfAssessmentPaymentDays(due: PlainDate): PaymentDays {
  return getPaymentDays(due, 'on_the_day');
}

function getLaterDate(a: PlainDate, b: PlainDate): PlainDate {
  return a > b ? a : b;
}
