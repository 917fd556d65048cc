import type { Pence } from '@portal/domain/money.ts';
import { bankHolidaysOf } from '@portal/domain/uk-tax/calendar/bank-holidays.ts';
import { taxMonthOf } from '@portal/domain/uk-tax/calendar/paye-tax-month.ts';
import { taxYearOf } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import { addWorkingDays } from '@portal/domain/uk-tax/calendar/working-days.ts';
import { interestRatesOn } from '@portal/domain/uk-tax/interest/interest-rates.ts';
import {
  instalmentInterest,
  interestAtRate,
  latePaymentInterest,
  latePaymentInterestOnParts,
} from '@portal/domain/uk-tax/interest/late-payment-interest.ts';
import { vatRepaymentInterest } from '@portal/domain/uk-tax/interest/repayment-interest.ts';
import { payeDefaultPenalties } from '@portal/domain/uk-tax/paye/default-penalty.ts';
import { payeMonthDue, payePaymentDays, payeQuarterDue } from '@portal/domain/uk-tax/paye/due-date.ts';
import { selfAssessmentPaymentDays } from '@portal/domain/uk-tax/self-assessment/dates.ts';
import { Amount, answered, date, has, integer, list, needed, percent, pounds, poundsOf, question, taxYear, text } from './example-input.ts';
import type { Answer, ExampleInput } from './example-input.ts';
import { paymentsOf } from './vat-topics.ts';

/** Topics on the calendar, interest and PAYE. */
export const CALENDAR_TOPICS: Readonly<Record<string, (input: ExampleInput) => Answer>> = {
  bank_holidays: (input) => ({ dates: answered(bankHolidaysOf(integer(input, 'year', 1900, 2199), divisionOf(input))) }),
  working_days: (input) => ({ date: answered(addWorkingDays(date(input, 'date'), integer(input, 'n', -10_000, 10_000))) }),
  tax_year_label: (input) => ({ label: taxYearOf(date(input, 'date')) }),
  interest_rates: (input) => {
    const rates = needed(interestRatesOn(date(input, 'date')));
    return { late_payment: new Amount(rates.late_payment_bps), repayment: new Amount(rates.repayment_bps), estimate: rates.estimate };
  },
  late_payment_interest: (input) => {
    const amount = pounds(input, 'amount');
    if (has(input, 'rate')) {
      const days = integer(input, 'days', 0, 100_000);
      return { days, interest: new Amount(interestAtRate(amount, days, percent(input, 'rate'))) };
    }
    return interestAnswer(lateInterest(input, amount));
  },
  repayment_interest: (input) =>
    interestAnswer(
      vatRepaymentInterest({
        amount: pounds(input, 'amount'),
        return_due: date(input, 'return_due'),
        return_filed: date(input, 'return_filed'),
        repaid: date(input, 'repaid'),
      }),
    ),
  paye_tax_month: (input) => taxMonthOf(date(input, 'date')),
  paye_due_date: (input) => {
    const year = taxYear(input, 'tax_year');
    const due = has(input, 'quarter')
      ? payeQuarterDue(year, integer(input, 'quarter', 1, 4))
      : payeMonthDue(year, integer(input, 'month', 1, 12));
    return { ...due, bacs_cleared_by: answered(payePaymentDays(due).bacs_cleared_by) };
  },
  paye_default_penalty: (input) => {
    const answer = payeDefaultPenalties(list(input, 'late_amounts').map((amount) => poundsOf(amount, 'late_amounts')));
    return { penalties: answer.penalties.map((penalty) => new Amount(penalty)), total: new Amount(answer.total) };
  },
  sa_payment_day: (input) => ({ bacs_cleared_by: answered(selfAssessmentPaymentDays(date(input, 'deadline')).bacs_cleared_by) }),
};

type InterestAnswer = ReturnType<typeof latePaymentInterest>;

function lateInterest(input: ExampleInput, amount: Pence): InterestAnswer {
  const due = date(input, 'due');
  if (has(input, 'payments'))
    return latePaymentInterestOnParts(amount, due, paymentsOf(input), has(input, 'paid') ? date(input, 'paid') : undefined);
  const paid = date(input, 'paid');
  const isInstalment = has(input, 'tax') && /instalment/i.test(text(input, 'tax')) && !/\bnot\b/i.test(text(input, 'tax'));
  // Instalment interest becomes ordinary interest at the normal due date. An input without that date was paid before it.
  if (isInstalment) return instalmentInterest(amount, due, paid, has(input, 'normal_due') ? date(input, 'normal_due') : paid);
  return latePaymentInterest(amount, due, paid);
}

function interestAnswer(answer: InterestAnswer): Answer {
  const interest = needed(answer);
  return { days: interest.days, interest: new Amount(interest.interest), estimate: interest.estimate };
}

function divisionOf(input: ExampleInput): 'england-and-wales' | 'scotland' | 'northern-ireland' {
  const named = has(input, 'division') ? text(input, 'division') : question(input);
  if (/scotland/i.test(named)) return 'scotland';
  return /northern.ireland/i.test(named) ? 'northern-ireland' : 'england-and-wales';
}
