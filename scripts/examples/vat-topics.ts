import { toPoundsText, ZERO } from '@portal/domain/money.ts';
import type { Pence } from '@portal/domain/money.ts';
import { parseVatStagger, getVatPeriod } from '@portal/domain/uk-tax/calendar/vat-stagger.ts';
import type { Payment } from '@portal/domain/uk-tax/interest/late-payment-interest.ts';
import {
  getCompliancePeriod,
  getPointExpiry,
  getPointsAfterFrequencyChange,
} from '@portal/domain/uk-tax/penalties/late-submission-points.ts';
import { calculatePoints } from '@portal/domain/uk-tax/penalties/points-history.ts';
import { getAnnualAccountingDueDates } from '@portal/domain/uk-tax/vat/annual-accounting.ts';
import { getVatDueDate, getVatPaymentDays } from '@portal/domain/uk-tax/vat/due-date.ts';
import { calculateVatLatePaymentPenalty, getVatPenaltyRates } from '@portal/domain/uk-tax/vat/late-payment-penalty.ts';
import { computeBoxes3And5 } from '@portal/domain/uk-tax/vat/nine-boxes.ts';
import {
  unwrapParsed,
  Amount,
  toResultValue,
  readDate,
  readFlag,
  hasKey,
  readInteger,
  readList,
  requireKnown,
  readChoice,
  readPounds,
  toRecord,
  readText,
} from './example-input.ts';
import type { ExampleResult, ExampleInput } from './example-input.ts';

const FREQUENCIES = ['annual', 'quarterly', 'monthly'] as const;

/** Topics about VAT. */
export const VAT_TOPICS: Readonly<Record<string, (input: ExampleInput) => ExampleResult>> = {
  vat_due_date: (input) => {
    const days = requireKnown(getVatPaymentDays(readDate(input, 'period_end')));
    return {
      due: days.due,
      faster_payment_by: days.faster_payment_by,
      chaps_by: toResultValue(days.chaps_by),
      bacs_send_by: toResultValue(days.bacs_send_by),
      bacs_cleared_by: toResultValue(days.bacs_cleared_by),
      direct_debit_collected: toResultValue(days.direct_debit_collected),
    };
  },
  vat_nine_box: (input) => {
    const boxes = computeBoxes3And5({ box1: readBox(input, 'box1'), box2: readBox(input, 'box2'), box4: readBox(input, 'box4') });
    return { box3: new Amount(boxes.box3), box5: new Amount(boxes.box5), direction: boxes.direction };
  },
  vat_stagger: (input) => {
    const stagger = unwrapParsed(parseVatStagger(readText(input, 'stagger')), 'stagger');
    const period = getVatPeriod(stagger, readDate(input, 'date'));
    const due = stagger.months === 12 ? getAnnualAccountingDueDates(period.end).two_months : toResultValue(getVatDueDate(period.end));
    return { ...period, due };
  },
  vat_annual_accounting: (input) => {
    const due = getAnnualAccountingDueDates(readDate(input, 'year_end'), readFlag(input, 'first_period_under_4_months'));
    return { two_months: due.two_months, last_working_day: toResultValue(due.last_working_day) };
  },
  vat_late_payment_penalty: (input) => {
    const periodStart = readDate(input, 'period_start');
    const dueDate = readDate(input, 'due');
    const penaltyInput = { due: dueDate, amount: readPounds(input, 'vat_due'), payments: readPayments(input) };
    const penalty = requireKnown(
      calculateVatLatePaymentPenalty(
        periodStart,
        hasKey(input, 'as_of') ? { ...penaltyInput, as_of: readDate(input, 'as_of') } : penaltyInput,
      ),
    );
    const rates = requireKnown(getVatPenaltyRates(periodStart, dueDate));
    const second = toResultValue(penalty.second);
    const total = toResultValue(penalty.total);
    return {
      rates: [rates.after_day_15_bps, rates.after_day_30_bps, rates.yearly_bps].map(formatPercent).join('/'),
      lpp1: new Amount(penalty.first),
      lpp2: typeof second === 'string' ? second : new Amount(second),
      total: typeof total === 'string' ? total : new Amount(total),
    };
  },
  vat_late_submission_points: (input) => {
    const returns = readList(input, 'returns').map((entry) => {
      const submission = toRecord(entry);
      return { due: readDate(submission, 'due'), received: hasKey(submission, 'received') ? readDate(submission, 'received') : null };
    });
    const result = calculatePoints(readChoice(input, 'frequency', FREQUENCIES), returns, readDate(input, 'as_of'));
    return { points: result.points, penalties: result.penalties, penalty_amount: new Amount(result.penalty_amount) };
  },
  vat_point_expiry: (input) => ({ expires_end_of: getPointExpiry(readDate(input, 'missed_due')) }),
  vat_compliance_period: (input) => getCompliancePeriod(readChoice(input, 'frequency', FREQUENCIES), readDate(input, 'last_missed_due')),
  vat_points_frequency_change: (input) => ({
    points: getPointsAfterFrequencyChange(
      readInteger(input, 'points', 0, 99),
      readChoice(input, 'old', FREQUENCIES),
      readChoice(input, 'new', FREQUENCIES),
    ),
  }),
};

/** Reads an input's payments, in pounds. Empty if the key is missing. */
export function readPayments(input: ExampleInput): readonly Payment[] {
  if (!hasKey(input, 'payments')) return [];
  return readList(input, 'payments').map((entry) => ({
    date: readDate(toRecord(entry), 'date'),
    amount: readPounds(toRecord(entry), 'amount'),
  }));
}

/** Returns a box; zero if it is missing. */
function readBox(input: ExampleInput, key: string): Pence {
  return hasKey(input, key) ? readPounds(input, key) : ZERO;
}

/** Formats basis points as "3%" or "2.5%", without trailing zeros. */
function formatPercent(bps: number): string {
  return `${toPoundsText(bps as Parameters<typeof toPoundsText>[0]).replace(/\.?0+$/, '')}%`;
}
