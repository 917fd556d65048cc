import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePounds, pence, toPoundsText, sumPence } from '../../money.ts';
import { addDays, plainDate, toDateFromDayNumber, toDayNumber } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { toTaxYear } from '../calendar/tax-year.ts';
import { getValueOrForecast } from '../known.ts';
import type { Known } from '../known.ts';
import { getDatesAfterLateNotice, getSelfAssessmentDates, getSelfAssessmentPaymentDays } from './dates.ts';
import { calculateSelfAssessmentFilingPenalty } from './late-filing-penalty.ts';
import { calculateSelfAssessmentLatePaymentPenalty, getLatePaymentPenaltyDates, getMtdPenaltyRates } from './late-payment-penalty.ts';
import { isMtdMandatory, listMtdQuarterlyUpdates } from './mtd-quarterly-updates.ts';
import { OLD_REGIME_KNOWN_TO } from './old-penalty-regime.ts';
import { calculateBalancingPayments, calculatePaymentsOnAccount } from './payments-on-account.ts';

const readPounds = (text: string) => parsePounds(text) ?? pence(Number.NaN);
const unwrapForecast = <Value>(knownValue: Known<Value>): Value => {
  const value = getValueOrForecast(knownValue);
  if (value === undefined) throw new Error('neither a value nor a forecast');
  return value;
};
const days = fc.integer({ min: toDayNumber(plainDate('2015-01-01')), max: toDayNumber(plainDate('2035-12-31')) });

describe('dates of a tax year', () => {
  it('match SAM60080 for 2024-25', () => {
    expect(getSelfAssessmentDates(toTaxYear(2024))).toEqual({
      tax_year: '2024-25',
      start: '2024-04-06',
      end: '2025-04-05',
      register_by: '2025-10-05',
      paper_return: '2025-10-31',
      online_return: '2026-01-31',
      poa1: '2025-01-31',
      poa2: '2025-07-31',
      balancing: '2026-01-31',
    });
  });

  it('put the paper return in the October after the year, where HMRC’s calculator is a year late', () => {
    expect(getSelfAssessmentDates(toTaxYear(2023)).paper_return).toBe('2024-10-31');
  });

  // Sources: SAM121025, DMBM450110.
  it.each([
    ['2025-07-31', '2025-10-31', '2026-01-31', '2026-01-31'],
    ['2025-08-01', '2025-11-01', '2026-01-31', '2026-01-31'],
    ['2025-10-31', '2026-01-31', '2026-01-31', '2026-01-31'],
    ['2025-11-15', '2026-02-15', '2026-02-15', '2026-02-15'],
    ['2025-11-30', '2026-02-28', '2026-02-28', '2026-02-28'],
  ])('after a notice on %s are paper %s, online %s, balancing %s', (notice, paper, online, balancing) => {
    expect(getDatesAfterLateNotice(toTaxYear(2024), plainDate(notice))).toEqual({ paper_return: paper, online_return: online, balancing });
  });
});

describe('paying Self Assessment', () => {
  it('by Bacs before a Sunday requires the Friday, by card the day itself (GOV.UK)', () => {
    expect(getSelfAssessmentPaymentDays(plainDate('2021-01-31'))).toMatchObject({
      bacs_cleared_by: { known: true, value: '2021-01-29' },
      card_by: { known: true, value: '2021-01-31' },
    });
  });
});

describe('payments on account', () => {
  it.each([
    ['3000.00', '0.00', true, '1500.00', '1500.00', 'examples.json ex-054'],
    ['12345.67', '2345.00', true, '5000.33', '5000.34', 'SAM1100: the odd penny on the second'],
    ['999.99', '0.00', false, '0.00', '0.00', 'under 1,000'],
    ['1000.00', '0.00', true, '500.00', '500.00', 'exactly 1,000 (SAM1110)'],
    ['10000.00', '8000.00', true, '1000.00', '1000.00', 'exactly one fifth: the statute asks for them'],
    ['10000.01', '8000.01', false, '0.00', '0.00', 'just under one fifth'],
    ['1000.00', '1500.00', false, '0.00', '0.00', 'more was taken off than is due'],
  ])('for %s less %s: %s, %s and %s (%s)', (tax, deductedAmount, required, first, second) => {
    const result = calculatePaymentsOnAccount(readPounds(tax), readPounds(deductedAmount));
    expect([result.required, toPoundsText(result.first), toPoundsText(result.second)]).toEqual([required, first, second]);
  });

  it('with the balancing payment are 1,200 + 1,500 and 1,500 (GOV.UK, 2021-22)', () => {
    const result = calculateBalancingPayments(readPounds('3000'), [readPounds('900'), readPounds('900')]);
    expect([result.balancing, result.due_in_january, result.due_in_july].map(toPoundsText)).toEqual(['1200.00', '2700.00', '1500.00']);
  });

  it('give a repayment in January when too much was paid', () => {
    const result = calculateBalancingPayments(readPounds('500'), [readPounds('400'), readPounds('400')]);
    expect([result.balancing, result.first_poa, result.due_in_january].map(toPoundsText)).toEqual(['-300.00', '0.00', '-300.00']);
  });

  it('never lose a penny', () => {
    fc.assert(
      fc.property(fc.nat(99_999_999_999), fc.nat(99_999_999_999), (tax, deductedAmount) => {
        const result = calculatePaymentsOnAccount(pence(tax), pence(deductedAmount));
        return !result.required || (result.first + result.second === tax - deductedAmount && result.second - result.first <= 1);
      }),
    );
  });
});

describe('penalties for a late return', () => {
  const describePenalty = (due: string, filedOn: string, tax: string): string =>
    toPoundsText(unwrapForecast(calculateSelfAssessmentFilingPenalty(plainDate(due), plainDate(filedOn), readPounds(tax))).total);

  it.each([
    ['2021-01-31', '2021-01-31', '1000', '0.00', 'on time'],
    ['2021-01-31', '2021-02-01', '1000', '100.00', 'FA 2009 Sch 55 para 3'],
    ['2021-01-31', '2021-04-30', '1000', '100.00', 'the last day of three months'],
    ['2021-01-31', '2021-05-01', '1000', '110.00', 'SA-calc test'],
    ['2021-01-31', '2021-08-01', '1000', '1300.00', 'SA-calc test'],
    ['2021-01-31', '2022-02-01', '1000', '1600.00', 'SA-calc test'],
    ['2024-01-31', '2024-04-30', '1000', '100.00', 'months, not days: GOV.UK’s estimator says 110'],
    ['2023-01-31', '2023-05-03', '5000', '130.00', 'examples.json ex-055'],
    ['2023-01-31', '2023-07-29', '5000', '1000.00', 'ninety days'],
    ['2023-01-31', '2023-07-31', '5000', '1000.00', 'the last day of six months'],
    ['2023-01-31', '2023-08-01', '20000', '2000.00', '5% of the tax'],
    ['2023-01-31', '2024-01-31', '20000', '2000.00', 'the last day of twelve months'],
    ['2023-01-31', '2024-02-01', '20000', '3000.00', 'a second 5%'],
    ['2023-01-31', '2024-02-01', '12345.67', '2234.57', '1,000 and 10% of the tax, rounded once'],
    ['2022-10-31', '2023-02-01', '0', '110.00', 'a paper return'],
  ])('due %s, filed %s, on tax of %s are %s (%s)', (due, filedOn, tax, expected) => {
    expect(describePenalty(due, filedOn, tax)).toBe(expected);
  });

  it('never decrease with later filing, and their parts make up the total', () => {
    fc.assert(
      fc.property(days, fc.nat(500), fc.nat(100), fc.nat(99_999_999), (day, after, furtherDays, tax) => {
        const calculatePenaltyFor = (length: number) =>
          unwrapForecast(calculateSelfAssessmentFilingPenalty(toDateFromDayNumber(day), toDateFromDayNumber(day + length), pence(tax)));
        const now = calculatePenaltyFor(after);
        expect(now.first + now.daily + now.six_months + now.twelve_months).toBe(now.total);
        expect(calculatePenaltyFor(after + furtherDays).total).toBeGreaterThanOrEqual(now.total);
      }),
    );
  });
});

describe('penalties for late payment', () => {
  it.each([
    ['2026-01-31', ['2026-03-03', '2026-08-03', '2027-02-03'], 'examples.json ex-056'],
    ['2024-01-31', ['2024-03-02', '2024-08-02', '2025-02-02'], 'CH155010: 2 March in a leap year'],
    ['2025-08-30', ['2025-09-30', '2026-03-01', '2026-08-30'], 'no 30 February'],
  ])('on tax due %s fall on %j (%s)', (due, dates) => {
    expect(getLatePaymentPenaltyDates(plainDate(due))).toEqual(dates);
  });

  it.each([
    ['2026-03-02', '0.00', 'examples.json ex-084'],
    ['2026-03-03', '500.00', 'on the penalty date it is too late'],
    ['2026-08-02', '500.00', 'before the second'],
    ['2026-08-03', '1000.00', 'on the second'],
    ['2027-02-03', '1500.00', 'on the third'],
  ])('on 10,000 due 31 January 2026 paid %s are %s (%s)', (paid, expected) => {
    const knownPenalty = calculateSelfAssessmentLatePaymentPenalty(plainDate('2026-01-31'), readPounds('10000'), [
      { date: plainDate(paid), amount: readPounds('10000') },
    ]);
    expect(toPoundsText(unwrapForecast(knownPenalty).total)).toBe(expected);
  });

  it('are only a forecast, like late filing penalties, where the new regime may have replaced them (Budget 2025)', () => {
    const due = addDays(OLD_REGIME_KNOWN_TO, 1);
    const listResultsFrom = (from: typeof due) => [
      calculateSelfAssessmentFilingPenalty(from, addDays(from, 1), readPounds('1000')),
      calculateSelfAssessmentLatePaymentPenalty(from, readPounds('1000'), []),
    ];
    expect(listResultsFrom(OLD_REGIME_KNOWN_TO)).toMatchObject([{ known: true }, { known: true }]);
    const unconfirmedResult = { known: false, notKnown: expect.stringContaining('isn’t confirmed') };
    expect(listResultsFrom(due)).toMatchObject([
      { ...unconfirmedResult, forecast: { total: 10_000 } },
      { ...unconfirmedResult, forecast: { total: 15_000 } },
    ]);
  });

  it('are 5% of the amount still unpaid each time, rounded as one sum', () => {
    const due = plainDate('2026-01-31');
    const parts = [
      { date: plainDate('2026-02-15'), amount: readPounds('4000') },
      { date: plainDate('2026-05-01'), amount: readPounds('1000') },
    ];
    const calculatePenaltyForTax = (tax: string, ...rest: [typeof parts, PlainDate?]) =>
      unwrapForecast(calculateSelfAssessmentLatePaymentPenalty(due, readPounds(tax), ...rest));
    expect(calculatePenaltyForTax('10000', parts).penalties.map(toPoundsText)).toEqual(['300.00', '250.00', '250.00']);
    const oddPenny = calculatePenaltyForTax('12345.67', []);
    expect([oddPenny.penalties.map(toPoundsText), toPoundsText(oddPenny.total)]).toEqual([['617.28', '617.29', '617.28'], '1851.85']);
    expect(calculatePenaltyForTax('10000', [], plainDate('2026-08-02')).penalties).toHaveLength(1);
  });

  it('never decrease with later payment, do not change when it is split, and add up', () => {
    fc.assert(
      fc.property(days, fc.nat(99_999_999), fc.nat(99_999_999), fc.nat(450), fc.nat(100), (day, tax, paid, after, furtherDays) => {
        const due = toDateFromDayNumber(day);
        const sumFor = (...payments: [number, number][]) =>
          unwrapForecast(
            calculateSelfAssessmentLatePaymentPenalty(
              due,
              pence(tax),
              payments.map(([daysLater, amount]) => ({ date: addDays(due, daysLater), amount: pence(amount) })),
            ),
          );
        const now = sumFor([after, paid]);
        expect(sumPence(now.penalties)).toBe(now.total);
        expect(sumFor([after + furtherDays, paid]).total).toBeGreaterThanOrEqual(now.total);
        expect(sumFor([after, paid - (paid % 7)], [after, paid % 7])).toEqual(now);
      }),
    );
  });
});

describe('Making Tax Digital for Income Tax', () => {
  it('requires four updates, each from the start of the year', () => {
    expect(listMtdQuarterlyUpdates(toTaxYear(2027))).toEqual({
      known: true,
      value: [
        { start: '2027-04-06', end: '2027-07-05', due: '2027-08-07' },
        { start: '2027-04-06', end: '2027-10-05', due: '2027-11-07' },
        { start: '2027-04-06', end: '2028-01-05', due: '2028-02-07' },
        { start: '2027-04-06', end: '2028-04-05', due: '2028-05-07' },
      ],
    });
  });

  it('ends calendar periods with the month, at the same due dates', () => {
    const updates = listMtdQuarterlyUpdates(toTaxYear(2026), true);
    expect(updates.known && updates.value.map((update) => [update.start, update.end, update.due])).toEqual([
      ['2026-04-01', '2026-06-30', '2026-08-07'],
      ['2026-04-01', '2026-09-30', '2026-11-07'],
      ['2026-04-01', '2026-12-31', '2027-02-07'],
      ['2026-04-01', '2027-03-31', '2027-05-07'],
    ]);
    expect(listMtdQuarterlyUpdates(toTaxYear(2025))).toMatchObject({ known: false, notKnown: expect.stringContaining('2026-27') });
  });

  it.each([
    [2025, '99999.00', false],
    [2026, '50000.00', false],
    [2026, '50000.01', true],
    [2027, '30000.01', true],
    [2028, '20000.00', false],
    [2030, '20000.01', true],
  ])('in the tax year from %i at an income of %s is mandatory: %s', (year, income, isMandatory) => {
    expect(isMtdMandatory(toTaxYear(year), readPounds(income))).toBe(isMandatory);
  });

  it('has penalty rates by tax year (SI 2025/589 reg 1(3)(a))', () => {
    expect(getMtdPenaltyRates(toTaxYear(2023))).toMatchObject({ known: false });
    expect(getMtdPenaltyRates(toTaxYear(2024))).toMatchObject({ value: { yearly_bps: 400 } });
    expect(getMtdPenaltyRates(toTaxYear(2025))).toMatchObject({ value: { after_day_15_bps: 300, yearly_bps: 1000 } });
  });
});
