import type { Pence } from '@portal/domain/money.ts';
import { getBankHolidays } from '@portal/domain/uk-tax/calendar/bank-holidays.ts';
import { getTaxMonth } from '@portal/domain/uk-tax/calendar/paye-tax-month.ts';
import { getTaxYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import { addWorkingDays } from '@portal/domain/uk-tax/calendar/working-days.ts';
import { getInterestRates } from '@portal/domain/uk-tax/interest/interest-rates.ts';
import {
  instalmentInterest,
  interestAtRate,
  latePaymentInterest,
  latePaymentInterestWithParts,
} from '@portal/domain/uk-tax/interest/late-payment-interest.ts';
import { vatRepaymentInterest } from '@portal/domain/uk-tax/interest/repayment-interest.ts';
import { payeDefaultPenalties } from '@portal/domain/uk-tax/paye/default-penalty.ts';
import { payeMonthDue, payePaymentDays, payeQuarterDue } from '@portal/domain/uk-tax/paye/due-date.ts';
import { selfAssessmentPaymentDays } from '@portal/domain/uk-tax/self-assessment/dates.ts';
import {
  Amount,
  toAnswerValue,
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
import type { Answer, ExampleInput } from './example-input.ts';
import { readPayments } from './vat-topics.ts';

/** Topics on the calendar, interest and PAYE. */
export const CALENDAR_TOPICS: Readonly<Record<string, (input: ExampleInput) => Answer>> = {
  bank_holidays: (input) => ({ dates: toAnswerValue(getBankHolidays(readInteger(input, 'year', 1900, 2199), readDivision(input))) }),
  working_days: (input) => ({ date: toAnswerValue(addWorkingDays(readDate(input, 'date'), readInteger(input, 'n', -10_000, 10_000))) }),
  tax_year_label: (input) => ({ label: getTaxYear(readDate(input, 'date')) }),
  interest_rates: (input) => {
    const rates = requireKnown(getInterestRates(readDate(input, 'date')));
    return { late_payment: new Amount(rates.late_payment_bps), repayment: new Amount(rates.repayment_bps), estimate: rates.estimate };
  },
  late_payment_interest: (input) => {
    const amount = readPounds(input, 'amount');
    if (hasKey(input, 'rate')) {
      const days = readInteger(input, 'days', 0, 100_000);
      return { days, interest: new Amount(interestAtRate(amount, days, readPercent(input, 'rate'))) };
    }
    return toInterestAnswer(calculateLateInterest(input, amount));
  },
  repayment_interest: (input) =>
    toInterestAnswer(
      vatRepaymentInterest({
        amount: readPounds(input, 'amount'),
        return_due: readDate(input, 'return_due'),
        return_filed: readDate(input, 'return_filed'),
        repaid: readDate(input, 'repaid'),
      }),
    ),
  paye_tax_month: (input) => getTaxMonth(readDate(input, 'date')),
  paye_due_date: (input) => {
    const year = readTaxYear(input, 'tax_year');
    const due = hasKey(input, 'quarter')
      ? payeQuarterDue(year, readInteger(input, 'quarter', 1, 4))
      : payeMonthDue(year, readInteger(input, 'month', 1, 12));
    return { ...due, bacs_cleared_by: toAnswerValue(payePaymentDays(due).bacs_cleared_by) };
  },
  paye_default_penalty: (input) => {
    const answer = payeDefaultPenalties(readList(input, 'late_amounts').map((amount) => toPounds(amount, 'late_amounts')));
    return { penalties: answer.penalties.map((penalty) => new Amount(penalty)), total: new Amount(answer.total) };
  },
  sa_payment_day: (input) => ({ bacs_cleared_by: toAnswerValue(selfAssessmentPaymentDays(readDate(input, 'deadline')).bacs_cleared_by) }),
};

type InterestAnswer = ReturnType<typeof latePaymentInterest>;

function calculateLateInterest(input: ExampleInput, amount: Pence): InterestAnswer {
  const due = readDate(input, 'due');
  if (hasKey(input, 'payments'))
    return latePaymentInterestWithParts(amount, due, readPayments(input), hasKey(input, 'paid') ? readDate(input, 'paid') : undefined);
  const paid = readDate(input, 'paid');
  const isInstalment = hasKey(input, 'tax') && /instalment/i.test(readText(input, 'tax')) && !/\bnot\b/i.test(readText(input, 'tax'));
  // Instalment interest becomes ordinary interest at the normal due date. An input without that date was paid before it.
  if (isInstalment) return instalmentInterest(amount, due, paid, hasKey(input, 'normal_due') ? readDate(input, 'normal_due') : paid);
  return latePaymentInterest(amount, due, paid);
}

function toInterestAnswer(answer: InterestAnswer): Answer {
  const interest = requireKnown(answer);
  return { days: interest.days, interest: new Amount(interest.interest), estimate: interest.estimate };
}

function readDivision(input: ExampleInput): 'england-and-wales' | 'scotland' | 'northern-ireland' {
  const source = hasKey(input, 'division') ? readText(input, 'division') : readQuestion(input);
  if (/scotland/i.test(source)) return 'scotland';
  return /northern.ireland/i.test(source) ? 'northern-ireland' : 'england-and-wales';
}
