import { getSelfAssessmentDates } from '@portal/domain/uk-tax/self-assessment/dates.ts';
import { calculateSelfAssessmentFilingPenalty } from '@portal/domain/uk-tax/self-assessment/late-filing-penalty.ts';
import {
  calculateSelfAssessmentLatePaymentPenalty,
  getLatePaymentPenaltyDates,
} from '@portal/domain/uk-tax/self-assessment/late-payment-penalty.ts';
import { listMtdQuarterlyUpdates } from '@portal/domain/uk-tax/self-assessment/mtd-quarterly-updates.ts';
import { calculateBalancingPayments, calculatePaymentsOnAccount } from '@portal/domain/uk-tax/self-assessment/payments-on-account.ts';
import { ZERO } from '@portal/domain/money.ts';
import {
  Amount,
  readDate,
  readFlag,
  hasKey,
  readInteger,
  readList,
  requireKnown,
  readPounds,
  toPounds,
  readQuestion,
  readTaxYear,
} from './example-input.ts';
import type { ExampleResult, ExampleInput } from './example-input.ts';
import { readPayments } from './vat-topics.ts';

/** Topics about Self Assessment. */
export const SELF_ASSESSMENT_TOPICS: Readonly<Record<string, (input: ExampleInput) => ExampleResult>> = {
  sa_dates: (input) => getSelfAssessmentDates(readTaxYear(input, 'tax_year')),
  sa_payments_on_account: (input) => {
    const tax = readPounds(input, hasKey(input, 'tax_and_class4') ? 'tax_and_class4' : 'tax');
    const paymentsOnAccount = calculatePaymentsOnAccount(
      tax,
      hasKey(input, 'deducted_at_source') ? readPounds(input, 'deducted_at_source') : ZERO,
    );
    return {
      required: paymentsOnAccount.required,
      first: new Amount(paymentsOnAccount.first),
      second: new Amount(paymentsOnAccount.second),
    };
  },
  sa_balancing: (input) => {
    const paidAmounts = readList(input, 'poa_paid').map((amount) => toPounds(amount, 'poa_paid'));
    const deductedAtSource = hasKey(input, 'deducted_at_source') ? readPounds(input, 'deducted_at_source') : ZERO;
    const balancingPayments = calculateBalancingPayments(readPounds(input, 'liability'), paidAmounts, deductedAtSource);
    return {
      balancing: new Amount(balancingPayments.balancing),
      first_poa: new Amount(balancingPayments.first_poa),
      second_poa: new Amount(balancingPayments.second_poa),
      // The keys in the expected answer contain the year, which no input states, so YYYY matches any year.
      due_31_jan_YYYY: new Amount(balancingPayments.due_in_january),
      due_31_jul_YYYY: new Amount(balancingPayments.due_in_july),
    };
  },
  sa_late_filing_penalty: (input) => {
    const tax = hasKey(input, 'tax') ? readPounds(input, 'tax') : ZERO;
    return {
      penalty: new Amount(requireKnown(calculateSelfAssessmentFilingPenalty(readDate(input, 'due'), readDate(input, 'filed'), tax)).total),
    };
  },
  sa_late_payment_penalty: (input) => {
    const dueDate = readDate(input, 'due');
    if (!hasKey(input, 'tax')) return { dates: getLatePaymentPenaltyDates(dueDate) };
    const tax = readPounds(input, 'tax');
    const payments = hasKey(input, 'paid') ? [{ date: readDate(input, 'paid'), amount: tax }] : readPayments(input);
    const penalty = requireKnown(calculateSelfAssessmentLatePaymentPenalty(dueDate, tax, payments));
    return { dates: getLatePaymentPenaltyDates(dueDate), penalty: new Amount(penalty.total) };
  },
  mtd_income_tax: (input) => {
    const usesCalendarPeriods = readFlag(input, 'calendar_periods') || /calendar (?:period|quarter|update)/i.test(readQuestion(input));
    const updates = requireKnown(listMtdQuarterlyUpdates(readTaxYear(input, 'tax_year'), usesCalendarPeriods));
    if (!hasKey(input, 'update')) return { updates };
    const update = updates[readInteger(input, 'update', 1, 4) - 1];
    return { start: update?.start, end: update?.end, due: update?.due };
  },
};
