import { poundsText, ZERO } from '@portal/domain/money.ts';
import type { Pence } from '@portal/domain/money.ts';
import { parseVatStagger, vatPeriodOf } from '@portal/domain/uk-tax/calendar/vat-stagger.ts';
import type { Payment } from '@portal/domain/uk-tax/interest/late-payment-interest.ts';
import {
  compliancePeriod,
  pointExpiresAtEndOf,
  pointsAfterFrequencyChange,
} from '@portal/domain/uk-tax/penalties/late-submission-points.ts';
import { pointsStanding } from '@portal/domain/uk-tax/penalties/points-history.ts';
import { annualAccountingDue } from '@portal/domain/uk-tax/vat/annual-accounting.ts';
import { vatDueDate, vatPaymentDays } from '@portal/domain/uk-tax/vat/due-date.ts';
import { vatLatePaymentPenalty, vatPenaltyRates } from '@portal/domain/uk-tax/vat/late-payment-penalty.ts';
import { computeBoxes3And5 } from '@portal/domain/uk-tax/vat/nine-boxes.ts';
import { accepted, Amount, answered, date, flag, has, integer, list, needed, oneOf, pounds, record, text } from './example-input.ts';
import type { Answer, ExampleInput } from './example-input.ts';

const FREQUENCIES = ['annual', 'quarterly', 'monthly'] as const;

/** Topics on VAT. */
export const VAT_TOPICS: Readonly<Record<string, (input: ExampleInput) => Answer>> = {
  vat_due_date: (input) => {
    const days = needed(vatPaymentDays(date(input, 'period_end')));
    return {
      due: days.due,
      faster_payment_by: days.faster_payment_by,
      chaps_by: answered(days.chaps_by),
      bacs_send_by: answered(days.bacs_send_by),
      bacs_cleared_by: answered(days.bacs_cleared_by),
      direct_debit_collected: answered(days.direct_debit_collected),
    };
  },
  vat_nine_box: (input) => {
    const boxes = computeBoxes3And5({ box1: box(input, 'box1'), box2: box(input, 'box2'), box4: box(input, 'box4') });
    return { box3: new Amount(boxes.box3), box5: new Amount(boxes.box5), direction: boxes.direction };
  },
  vat_stagger: (input) => {
    const stagger = accepted(parseVatStagger(text(input, 'stagger')), 'stagger');
    const period = vatPeriodOf(stagger, date(input, 'date'));
    const due = stagger.months === 12 ? annualAccountingDue(period.end).two_months : answered(vatDueDate(period.end));
    return { ...period, due };
  },
  vat_annual_accounting: (input) => {
    const due = annualAccountingDue(date(input, 'year_end'), flag(input, 'first_period_under_4_months'));
    return { two_months: due.two_months, last_working_day: answered(due.last_working_day) };
  },
  vat_late_payment_penalty: (input) => {
    const periodStart = date(input, 'period_start');
    const due = date(input, 'due');
    const facts = { due, amount: pounds(input, 'vat_due'), payments: paymentsOf(input) };
    const penalty = needed(vatLatePaymentPenalty(periodStart, has(input, 'as_of') ? { ...facts, as_of: date(input, 'as_of') } : facts));
    const rates = needed(vatPenaltyRates(periodStart, due));
    const second = answered(penalty.second);
    const total = answered(penalty.total);
    return {
      rates: [rates.after_day_15_bps, rates.after_day_30_bps, rates.yearly_bps].map(percentText).join('/'),
      lpp1: new Amount(penalty.first),
      lpp2: typeof second === 'string' ? second : new Amount(second),
      total: typeof total === 'string' ? total : new Amount(total),
    };
  },
  vat_late_submission_points: (input) => {
    const returns = list(input, 'returns').map((entry) => {
      const one = record(entry);
      return { due: date(one, 'due'), received: has(one, 'received') ? date(one, 'received') : null };
    });
    const standing = pointsStanding(oneOf(input, 'frequency', FREQUENCIES), returns, date(input, 'as_of'));
    return { points: standing.points, penalties: standing.penalties, penalty_amount: new Amount(standing.penalty_amount) };
  },
  vat_point_expiry: (input) => ({ expires_end_of: pointExpiresAtEndOf(date(input, 'missed_due')) }),
  vat_compliance_period: (input) => compliancePeriod(oneOf(input, 'frequency', FREQUENCIES), date(input, 'last_missed_due')),
  vat_points_frequency_change: (input) => ({
    points: pointsAfterFrequencyChange(integer(input, 'points', 0, 99), oneOf(input, 'old', FREQUENCIES), oneOf(input, 'new', FREQUENCIES)),
  }),
};

/** The payments of an input in pounds; none if the key is missing. */
export function paymentsOf(input: ExampleInput): readonly Payment[] {
  if (!has(input, 'payments')) return [];
  return list(input, 'payments').map((entry) => ({ date: date(record(entry), 'date'), amount: pounds(record(entry), 'amount') }));
}

/** A missing box is zero. */
function box(input: ExampleInput, key: string): Pence {
  return has(input, key) ? pounds(input, key) : ZERO;
}

/** Formats basis points as "3%" or "2.5%", without trailing zeros. */
function percentText(bps: number): string {
  return `${poundsText(bps as Parameters<typeof poundsText>[0]).replace(/\.?0+$/, '')}%`;
}
