import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { addDays, dayNumber, endOfMonth, fromDayNumber, plainDate } from '../plain-date.ts';
import type { PlainDate } from '../plain-date.ts';
import { bankHolidaysOf } from './calendar/bank-holidays.ts';
import { taxMonthOf } from './calendar/paye-tax-month.ts';
import { paymentDays } from './calendar/payment-days.ts';
import { taxYearOf } from './calendar/tax-year.ts';
import { parseVatStagger, vatPeriodOf } from './calendar/vat-stagger.ts';
import { addWorkingDays, isWorkingDay, lastWorkingDayOnOrBefore, workingDaysBetween } from './calendar/working-days.ts';
import { accountingPeriods } from './corporation-tax/accounting-periods.ts';
import { accountsDue, confirmationStatement, firstAccountsDue, lateAccountsPenalty } from './corporation-tax/companies-house.ts';
import { instalmentAmounts } from './corporation-tax/instalments.ts';
import { companyTaxReturnPenalty, taxRelatedPenalty } from './corporation-tax/late-filing-penalty.ts';
import { interestRatesOn } from './interest/interest-rates.ts';
import { instalmentInterest, latePaymentInterest } from './interest/late-payment-interest.ts';
import { vatRepaymentInterest } from './interest/repayment-interest.ts';
import type { Known } from './known.ts';
import { payeMonthDue, payePaymentDays } from './paye/due-date.ts';
import { compliancePeriod, pointExpiresAtEndOf } from './penalties/late-submission-points.ts';
import { pointsStanding } from './penalties/points-history.ts';
import { datesAfterLateNotice, selfAssessmentDates } from './self-assessment/dates.ts';
import { selfAssessmentFilingPenalty } from './self-assessment/late-filing-penalty.ts';
import { mtdPenaltyRates, latePaymentPenaltyDates, selfAssessmentLatePaymentPenalty } from './self-assessment/late-payment-penalty.ts';
import { mtdQuarterlyUpdates } from './self-assessment/mtd-quarterly-updates.ts';
import { annualAccountingDue, annualAccountingInterims } from './vat/annual-accounting.ts';
import { finalVatReturnDue, vatDueDate, vatPaymentDays } from './vat/due-date.ts';
import { vatLatePaymentPenalty } from './vat/late-payment-penalty.ts';
import { vatPaymentsOnAccount } from './vat/payments-on-account.ts';

const AMOUNT = pence(1_234_567);
const FIRST = dayNumber(plainDate('2015-01-01'));
const LAST = dayNumber(plainDate('2035-12-31'));
const everyDay = Array.from({ length: LAST - FIRST + 1 }, (_, index) => fromDayNumber(FIRST + index));
const later = (date: PlainDate): PlainDate => addDays(date, 40);
const payments = (date: PlainDate) => [{ date, amount: AMOUNT }];

/** Every rule that takes a date, by name, with typical arguments. */
const RULES: Readonly<Record<string, (date: PlainDate) => unknown>> = {
  isWorkingDay,
  addWorkingDays: (date) => [addWorkingDays(date, 3), addWorkingDays(date, -3)],
  workingDaysBetween: (date) => workingDaysBetween(date, later(date)),
  lastWorkingDayOnOrBefore,
  bankHolidaysOf: (date) => bankHolidaysOf(Number(date.slice(0, 4))),
  paymentDays,
  taxYearOf,
  taxMonthOf,
  vatPeriodOf: (date) =>
    ['1', '2', '3', 'MM', 'YD'].map((code) => {
      const stagger = parseVatStagger(code);
      return stagger.ok && vatPeriodOf(stagger.value, date);
    }),
  vatDueDate,
  vatPaymentDays: (date) => vatPaymentDays(endOfMonth(date)),
  finalVatReturnDue,
  annualAccountingDue,
  annualAccountingInterims: (date) => annualAccountingInterims(date, AMOUNT, 'monthly'),
  vatPaymentsOnAccount: (date) => vatPaymentsOnAccount(date, AMOUNT),
  vatLatePaymentPenalty: (date) =>
    vatLatePaymentPenalty(addDays(date, -127), { due: date, amount: AMOUNT, payments: payments(later(date)) }),
  pointExpiresAtEndOf,
  compliancePeriod: (date) => compliancePeriod('annual', date),
  pointsStanding: (date) => pointsStanding('quarterly', [{ due: date, received: null }], later(date)),
  interestRatesOn,
  latePaymentInterest: (date) => latePaymentInterest(AMOUNT, date, later(date)),
  instalmentInterest: (date) => instalmentInterest(AMOUNT, date, later(date), addDays(date, 20)),
  vatRepaymentInterest: (date) => vatRepaymentInterest({ amount: AMOUNT, return_due: date, return_filed: date, repaid: later(date) }),
  payeMonthDue: (date) => {
    const { tax_year: taxYear, month } = taxMonthOf(date);
    return payePaymentDays(payeMonthDue(taxYear, month));
  },
  accountingPeriods: (date) => accountingPeriods(date, addDays(date, 500)),
  instalmentAmounts: (date) => [
    instalmentAmounts(date, addDays(date, 300), AMOUNT, 'large'),
    instalmentAmounts(date, addDays(date, 300), AMOUNT, 'very_large'),
  ],
  companyTaxReturnPenalty: (date) => companyTaxReturnPenalty(date, later(date), true),
  taxRelatedPenalty: (date) => taxRelatedPenalty(date, addDays(date, 365), addDays(date, 700), AMOUNT),
  accountsDue,
  firstAccountsDue: (date) => firstAccountsDue(date, addDays(date, 400)),
  lateAccountsPenalty: (date) => lateAccountsPenalty(date, later(date)),
  confirmationStatement,
  selfAssessmentDates: (date) => [selfAssessmentDates(taxYearOf(date)), datesAfterLateNotice(taxYearOf(date), date)],
  selfAssessmentFilingPenalty: (date) => selfAssessmentFilingPenalty(date, later(date), AMOUNT),
  latePaymentPenaltyDates,
  selfAssessmentLatePaymentPenalty: (date) => selfAssessmentLatePaymentPenalty(date, AMOUNT, payments(later(date))),
  mtdQuarterlyUpdates: (date) => [mtdQuarterlyUpdates(taxYearOf(date)), mtdPenaltyRates(taxYearOf(date))],
};

/** Finds every `Known` inside a value. */
function knownsIn(value: unknown): Known<unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('known' in value) {
    const answer = value as Known<unknown>;
    return [answer, ...knownsIn(answer.known ? answer.value : answer.forecast)];
  }
  return Object.values(value).flatMap(knownsIn);
}

describe('every day from 2015 to 2035', () => {
  it.each(Object.entries(RULES))('%s answers and names anything it does not know', (_, rule) => {
    for (const date of everyDay) {
      const answer = rule(date);
      if (answer === undefined || answer === null) throw new Error(`no answer on ${date}`);
      for (const part of knownsIn(answer)) {
        if (!part.known && part.notKnown.length < 10) throw new Error(`an unnamed gap on ${date}`);
        if (part.known && part.value === undefined) throw new Error(`an empty answer on ${date}`);
      }
    }
    expect(everyDay).toHaveLength(7_670);
  });
});
