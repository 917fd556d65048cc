import { selfAssessmentDates } from '@portal/domain/uk-tax/self-assessment/dates.ts';
import { selfAssessmentFilingPenalty } from '@portal/domain/uk-tax/self-assessment/late-filing-penalty.ts';
import { latePaymentPenaltyDates, selfAssessmentLatePaymentPenalty } from '@portal/domain/uk-tax/self-assessment/late-payment-penalty.ts';
import { mtdQuarterlyUpdates } from '@portal/domain/uk-tax/self-assessment/mtd-quarterly-updates.ts';
import { balancingPayments, paymentsOnAccount } from '@portal/domain/uk-tax/self-assessment/payments-on-account.ts';
import { ZERO } from '@portal/domain/money.ts';
import { Amount, date, flag, has, integer, list, needed, pounds, poundsOf, question, taxYear } from './example-input.ts';
import type { Answer, ExampleInput } from './example-input.ts';
import { paymentsOf } from './vat-topics.ts';

/** Topics on Self Assessment. */
export const SELF_ASSESSMENT_TOPICS: Readonly<Record<string, (input: ExampleInput) => Answer>> = {
  sa_dates: (input) => selfAssessmentDates(taxYear(input, 'tax_year')),
  sa_payments_on_account: (input) => {
    const tax = pounds(input, has(input, 'tax_and_class4') ? 'tax_and_class4' : 'tax');
    const answer = paymentsOnAccount(tax, has(input, 'deducted_at_source') ? pounds(input, 'deducted_at_source') : ZERO);
    return { required: answer.required, first: new Amount(answer.first), second: new Amount(answer.second) };
  },
  sa_balancing: (input) => {
    const paid = list(input, 'poa_paid').map((amount) => poundsOf(amount, 'poa_paid'));
    const atSource = has(input, 'deducted_at_source') ? pounds(input, 'deducted_at_source') : ZERO;
    const answer = balancingPayments(pounds(input, 'liability'), paid, atSource);
    return {
      balancing: new Amount(answer.balancing),
      first_poa: new Amount(answer.first_poa),
      second_poa: new Amount(answer.second_poa),
      // The keys of the expected answer contain the year, which no input names, so YYYY matches any year.
      due_31_jan_YYYY: new Amount(answer.due_in_january),
      due_31_jul_YYYY: new Amount(answer.due_in_july),
    };
  },
  sa_late_filing_penalty: (input) => {
    const tax = has(input, 'tax') ? pounds(input, 'tax') : ZERO;
    return { penalty: new Amount(needed(selfAssessmentFilingPenalty(date(input, 'due'), date(input, 'filed'), tax)).total) };
  },
  sa_late_payment_penalty: (input) => {
    const due = date(input, 'due');
    if (!has(input, 'tax')) return { dates: latePaymentPenaltyDates(due) };
    const tax = pounds(input, 'tax');
    const payments = has(input, 'paid') ? [{ date: date(input, 'paid'), amount: tax }] : paymentsOf(input);
    const penalty = needed(selfAssessmentLatePaymentPenalty(due, tax, payments));
    return { dates: latePaymentPenaltyDates(due), penalty: new Amount(penalty.total) };
  },
  mtd_income_tax: (input) => {
    const inCalendarPeriods = flag(input, 'calendar_periods') || /calendar (?:period|quarter|update)/i.test(question(input));
    const updates = needed(mtdQuarterlyUpdates(taxYear(input, 'tax_year'), inCalendarPeriods));
    if (!has(input, 'update')) return { updates };
    const update = updates[integer(input, 'update', 1, 4) - 1];
    return { start: update?.start, end: update?.end, due: update?.due };
  },
};
