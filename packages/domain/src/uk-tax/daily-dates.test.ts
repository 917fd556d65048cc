import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { addDays, getEndOfMonth, plainDate, toDateFromDayNumber, toDayNumber } from '../plain-date.ts';
import type { PlainDate } from '../plain-date.ts';
import { getBankHolidays } from './calendar/bank-holidays.ts';
import { getTaxMonth } from './calendar/paye-tax-month.ts';
import { getPaymentDays } from './calendar/payment-days.ts';
import { getTaxYear } from './calendar/tax-year.ts';
import { parseVatStagger, getVatPeriod } from './calendar/vat-stagger.ts';
import { addWorkingDays, countWorkingDaysBetween, getLastWorkingDayOnOrBefore, isWorkingDay } from './calendar/working-days.ts';
import { listAccountingPeriods } from './corporation-tax/accounting-periods.ts';
import {
  getAccountsDueDate,
  getConfirmationStatementDates,
  getFirstAccountsDueDate,
  getLateAccountsPenalty,
} from './corporation-tax/companies-house.ts';
import { calculateInstalmentAmounts } from './corporation-tax/instalments.ts';
import { getCompanyTaxReturnPenalty, getTaxRelatedPenalty } from './corporation-tax/late-filing-penalty.ts';
import { getInterestRates } from './interest/interest-rates.ts';
import { calculateInstalmentInterest, calculateLatePaymentInterest } from './interest/late-payment-interest.ts';
import { calculateVatRepaymentInterest } from './interest/repayment-interest.ts';
import type { Known } from './known.ts';
import { getPayeMonthDue, getPayePaymentDays } from './paye/due-date.ts';
import { getCompliancePeriod, getPointExpiry } from './penalties/late-submission-points.ts';
import { calculatePoints } from './penalties/points-history.ts';
import { getDatesAfterLateNotice, getSelfAssessmentDates } from './self-assessment/dates.ts';
import { calculateSelfAssessmentFilingPenalty } from './self-assessment/late-filing-penalty.ts';
import {
  getMtdPenaltyRates,
  getLatePaymentPenaltyDates,
  calculateSelfAssessmentLatePaymentPenalty,
} from './self-assessment/late-payment-penalty.ts';
import { listMtdQuarterlyUpdates } from './self-assessment/mtd-quarterly-updates.ts';
import { getAnnualAccountingDueDates, listAnnualAccountingInterims } from './vat/annual-accounting.ts';
import { getFinalVatReturnDueDate, getVatDueDate, getVatPaymentDays } from './vat/due-date.ts';
import { calculateVatLatePaymentPenalty } from './vat/late-payment-penalty.ts';
import { listVatPaymentsOnAccount } from './vat/payments-on-account.ts';

const AMOUNT = pence(1_234_567);
const FIRST = toDayNumber(plainDate('2015-01-01'));
const LAST = toDayNumber(plainDate('2035-12-31'));
const everyDay = Array.from({ length: LAST - FIRST + 1 }, (_, index) => toDateFromDayNumber(FIRST + index));
const getLaterDate = (date: PlainDate): PlainDate => addDays(date, 40);
const createPayments = (date: PlainDate) => [{ date, amount: AMOUNT }];

/** Every rule that takes a date, by name, with typical arguments. */
const RULES: Readonly<Record<string, (date: PlainDate) => unknown>> = {
  isWorkingDay,
  addWorkingDays: (date) => [addWorkingDays(date, 3), addWorkingDays(date, -3)],
  workingDaysBetween: (date) => countWorkingDaysBetween(date, getLaterDate(date)),
  lastWorkingDayOnOrBefore: getLastWorkingDayOnOrBefore,
  getBankHolidays: (date) => getBankHolidays(Number(date.slice(0, 4))),
  paymentDays: getPaymentDays,
  taxYearOf: getTaxYear,
  taxMonthOf: getTaxMonth,
  getVatPeriod: (date) =>
    ['1', '2', '3', 'MM', 'YD'].map((code) => {
      const stagger = parseVatStagger(code);
      return stagger.ok && getVatPeriod(stagger.value, date);
    }),
  vatDueDate: getVatDueDate,
  vatPaymentDays: (date) => getVatPaymentDays(getEndOfMonth(date)),
  finalVatReturnDue: getFinalVatReturnDueDate,
  annualAccountingDue: getAnnualAccountingDueDates,
  annualAccountingInterims: (date) => listAnnualAccountingInterims(date, AMOUNT, 'monthly'),
  vatPaymentsOnAccount: (date) => listVatPaymentsOnAccount(date, AMOUNT),
  vatLatePaymentPenalty: (date) =>
    calculateVatLatePaymentPenalty(addDays(date, -127), { due: date, amount: AMOUNT, payments: createPayments(getLaterDate(date)) }),
  pointExpiresAtEndOf: getPointExpiry,
  getCompliancePeriod: (date) => getCompliancePeriod('annual', date),
  calculatePoints: (date) => calculatePoints('quarterly', [{ due: date, received: null }], getLaterDate(date)),
  interestRatesOn: getInterestRates,
  latePaymentInterest: (date) => calculateLatePaymentInterest(AMOUNT, date, getLaterDate(date)),
  instalmentInterest: (date) => calculateInstalmentInterest(AMOUNT, date, getLaterDate(date), addDays(date, 20)),
  vatRepaymentInterest: (date) =>
    calculateVatRepaymentInterest({ amount: AMOUNT, return_due: date, return_filed: date, repaid: getLaterDate(date) }),
  payeMonthDue: (date) => {
    const { tax_year: taxYear, month } = getTaxMonth(date);
    return getPayePaymentDays(getPayeMonthDue(taxYear, month));
  },
  accountingPeriods: (date) => listAccountingPeriods(date, addDays(date, 500)),
  instalmentAmounts: (date) => [
    calculateInstalmentAmounts(date, addDays(date, 300), AMOUNT, 'large'),
    calculateInstalmentAmounts(date, addDays(date, 300), AMOUNT, 'very_large'),
  ],
  companyTaxReturnPenalty: (date) => getCompanyTaxReturnPenalty(date, getLaterDate(date), true),
  taxRelatedPenalty: (date) => getTaxRelatedPenalty(date, addDays(date, 365), addDays(date, 700), AMOUNT),
  accountsDue: getAccountsDueDate,
  firstAccountsDue: (date) => getFirstAccountsDueDate(date, addDays(date, 400)),
  lateAccountsPenalty: (date) => getLateAccountsPenalty(date, getLaterDate(date)),
  confirmationStatement: getConfirmationStatementDates,
  selfAssessmentDates: (date) => [getSelfAssessmentDates(getTaxYear(date)), getDatesAfterLateNotice(getTaxYear(date), date)],
  selfAssessmentFilingPenalty: (date) => calculateSelfAssessmentFilingPenalty(date, getLaterDate(date), AMOUNT),
  latePaymentPenaltyDates: getLatePaymentPenaltyDates,
  selfAssessmentLatePaymentPenalty: (date) => calculateSelfAssessmentLatePaymentPenalty(date, AMOUNT, createPayments(getLaterDate(date))),
  mtdQuarterlyUpdates: (date) => [listMtdQuarterlyUpdates(getTaxYear(date)), getMtdPenaltyRates(getTaxYear(date))],
};

/** Finds every `Known` within a value. */
function collectKnownResults(value: unknown): Known<unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('known' in value) {
    const knownValue = value as Known<unknown>;
    return [knownValue, ...collectKnownResults(knownValue.known ? knownValue.value : knownValue.forecast)];
  }
  return Object.values(value).flatMap(collectKnownResults);
}

describe('every day from 2015 to 2035', () => {
  it.each(Object.entries(RULES))('%s returns a result and names anything it doesn’t know', (_, rule) => {
    for (const date of everyDay) {
      const ruleResult = rule(date);
      if (ruleResult === undefined || ruleResult === null) throw new Error(`no answer on ${date}`);
      for (const part of collectKnownResults(ruleResult)) {
        if (!part.known && part.notKnown.length < 10) throw new Error(`an unnamed gap on ${date}`);
        if (part.known && part.value === undefined) throw new Error(`an empty answer on ${date}`);
      }
    }
    expect(everyDay).toHaveLength(7_670);
  });
});
