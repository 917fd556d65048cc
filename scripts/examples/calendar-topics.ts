import type { Pence } from '@portal/domain/money.ts';
import { getBankHolidays } from '@portal/domain/uk-tax/calendar/bank-holidays.ts';
import { getTaxMonth } from '@portal/domain/uk-tax/calendar/paye-tax-month.ts';
import { getTaxYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import { addWorkingDays } from '@portal/domain/uk-tax/calendar/working-days.ts';
import { getInterestRates } from '@portal/domain/uk-tax/interest/interest-rates.ts';
import {
  calculateInstalmentInterest,
  calculateInterestAtRate,
  calculateInterestWithPartPayments,
  calculateLatePaymentInterest,
} from '@portal/domain/uk-tax/interest/late-payment-interest.ts';
import { calculateVatRepaymentInterest } from '@portal/domain/uk-tax/interest/repayment-interest.ts';
import { calculatePayeDefaultPenalties } from '@portal/domain/uk-tax/paye/default-penalty.ts';
import { getPayeMonthDue, getPayePaymentDays, getPayeQuarterDue } from '@portal/domain/uk-tax/paye/due-date.ts';
import { getSelfAssessmentPaymentDays } from '@portal/domain/uk-tax/self-assessment/dates.ts';
import {
  Amount,
  toResultValue,
  readDate,
  hasKey,
  readInteger,
  readList,
  requireKnown,
  readPercent,
  readPounds,
  toPounds,
  readQuestion,
  readTaxYear,
  readText,
} from './example-input.ts';
import type { ExampleResult, ExampleInput } from './example-input.ts';
import { readPayments } from './vat-topics.ts';

/** Topics about the calendar, interest and PAYE. */
export const CALENDAR_TOPICS: Readonly<Record<string, (input: ExampleInput) => ExampleResult>> = {
  bank_holidays: (input) => ({ dates: toResultValue(getBankHolidays(readInteger(input, 'year', 1900, 2199), readDivision(input))) }),
  working_days: (input) => ({ date: toResultValue(addWorkingDays(readDate(input, 'date'), readInteger(input, 'n', -10_000, 10_000))) }),
  tax_year_label: (input) => ({ label: getTaxYear(readDate(input, 'date')) }),
  interest_rates: (input) => {
    const rates = requireKnown(getInterestRates(readDate(input, 'date')));
    return { late_payment: new Amount(rates.late_payment_bps), repayment: new Amount(rates.repayment_bps), estimate: rates.estimate };
  },
  late_payment_interest: (input) => {
    const amount = readPounds(input, 'amount');
    if (hasKey(input, 'rate')) {
      const days = readInteger(input, 'days', 0, 100_000);
      return { days, interest: new Amount(calculateInterestAtRate(amount, days, readPercent(input, 'rate'))) };
    }
    return toInterestResult(calculateLateInterest(input, amount));
  },
  repayment_interest: (input) =>
    toInterestResult(
      calculateVatRepaymentInterest({
        amount: readPounds(input, 'amount'),
        return_due: readDate(input, 'return_due'),
        return_filed: readDate(input, 'return_filed'),
        repaid: readDate(input, 'repaid'),
      }),
    ),
  paye_tax_month: (input) => getTaxMonth(readDate(input, 'date')),
  paye_due_date: (input) => {
    const year = readTaxYear(input, 'tax_year');
    const dueDate = hasKey(input, 'quarter')
      ? getPayeQuarterDue(year, readInteger(input, 'quarter', 1, 4))
      : getPayeMonthDue(year, readInteger(input, 'month', 1, 12));
    return { ...dueDate, bacs_cleared_by: toResultValue(getPayePaymentDays(dueDate).bacs_cleared_by) };
  },
  paye_default_penalty: (input) => {
    const defaultPenalties = calculatePayeDefaultPenalties(
      readList(input, 'late_amounts').map((amount) => toPounds(amount, 'late_amounts')),
    );
    return { penalties: defaultPenalties.penalties.map((penalty) => new Amount(penalty)), total: new Amount(defaultPenalties.total) };
  },
  sa_payment_day: (input) => ({
    bacs_cleared_by: toResultValue(getSelfAssessmentPaymentDays(readDate(input, 'deadline')).bacs_cleared_by),
  }),
};

type InterestResult = ReturnType<typeof calculateLatePaymentInterest>;

function calculateLateInterest(input: ExampleInput, amount: Pence): InterestResult {
  const dueDate = readDate(input, 'due');
  if (hasKey(input, 'payments'))
    return calculateInterestWithPartPayments(
      amount,
      dueDate,
      readPayments(input),
      hasKey(input, 'paid') ? readDate(input, 'paid') : undefined,
    );
  const paidOn = readDate(input, 'paid');
  const isInstalment = hasKey(input, 'tax') && /instalment/i.test(readText(input, 'tax')) && !/\bnot\b/i.test(readText(input, 'tax'));
  // Instalment interest becomes ordinary interest at the normal due date. An input without that date was paid before it.
  if (isInstalment)
    return calculateInstalmentInterest(amount, dueDate, paidOn, hasKey(input, 'normal_due') ? readDate(input, 'normal_due') : paidOn);
  return calculateLatePaymentInterest(amount, dueDate, paidOn);
}

function toInterestResult(interestResult: InterestResult): ExampleResult {
  const interest = requireKnown(interestResult);
  return { days: interest.days, interest: new Amount(interest.interest), estimate: interest.estimate };
}

function readDivision(input: ExampleInput): 'england-and-wales' | 'scotland' | 'northern-ireland' {
  const source = hasKey(input, 'division') ? readText(input, 'division') : readQuestion(input);
  if (/scotland/i.test(source)) return 'scotland';
  return /northern.ireland/i.test(source) ? 'northern-ireland' : 'england-and-wales';
}
