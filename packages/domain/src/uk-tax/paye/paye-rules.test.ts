import { describe, expect, it } from 'vitest';
import { parsePounds, pence, toPoundsText } from '../../money.ts';
import { plainDate } from '../../plain-date.ts';
import { toTaxYear } from '../calendar/tax-year.ts';
import { calculatePayeDefaultPenalties, calculatePayeProlongedPenalty } from './default-penalty.ts';
import { getPayeMonthDue, getPayePaymentDays, getPayeQuarterDue, getYearEndPayeDue } from './due-date.ts';
import { getEmployerSummaryDueDate, getLateReportingPenalty, isReportedLate } from './late-reporting-penalty.ts';

const readPounds = (text: string) => parsePounds(text) ?? pence(Number.NaN);

describe('PAYE', () => {
  it.each([
    [2025, 3, '2025-07-05', '2025-07-22', '2025-07-19', '2025-07-22', 'examples.json ex-041'],
    [2024, 8, '2024-12-05', '2024-12-22', '2024-12-19', '2024-12-20', 'GOV.UK Pay employers’ PAYE: 22 December 2024 is a Sunday'],
    [2025, 1, '2025-05-05', '2025-05-22', '2025-05-19', '2025-05-22', 'DMBM520055'],
    [2025, 9, '2026-01-05', '2026-01-22', '2026-01-19', '2026-01-22', 'DMBM520055'],
    [2025, 12, '2026-04-05', '2026-04-22', '2026-04-19', '2026-04-22', 'DMBM520055'],
  ])('for %i month %i ends %s, is due %s, by post %s, Bacs cleared %s (%s)', (year, month, end, electronicDueOn, post, cleared) => {
    const due = getPayeMonthDue(toTaxYear(year), month);
    expect(due).toMatchObject({ period_end: end, electronic_due: electronicDueOn, post_due: post });
    expect(getPayePaymentDays(due).bacs_cleared_by).toEqual({ known: true, value: cleared });
  });

  it.each([
    [1, '2026-04-06', '2026-07-05', '2026-07-22'],
    [2, '2026-07-06', '2026-10-05', '2026-10-22'],
    [3, '2026-10-06', '2027-01-05', '2027-01-22'],
    [4, '2027-01-06', '2027-04-05', '2027-04-22'],
  ])('for quarter %i of 2026-27 runs from %s to %s and is due %s (DMBM520055)', (quarter, start, end, due) => {
    expect(getPayeQuarterDue(toTaxYear(2026), quarter)).toMatchObject({ period_start: start, period_end: end, electronic_due: due });
  });

  it('after the year end is due in July or October', () => {
    expect(getYearEndPayeDue(plainDate('2026-04-05'), 'class_1a')).toEqual({ electronic_due: '2026-07-22', post_due: '2026-07-19' });
    expect(getYearEndPayeDue(plainDate('2026-04-05'), 'settlement_agreement').electronic_due).toBe('2026-10-22');
  });
});

describe('penalties for late PAYE payments', () => {
  const listPenalties = (...amounts: string[]): string[] =>
    calculatePayeDefaultPenalties(amounts.map(readPounds)).penalties.map(toPoundsText);

  it('charge each default at the rate for its number (CH152700, Howard)', () => {
    expect(listPenalties('20000', '20500', '20000', '10000', '17000', '12000')).toEqual([
      '0.00',
      '205.00',
      '200.00',
      '100.00',
      '340.00',
      '240.00',
    ]);
  });

  it('skip the first failure and end at 4% (CH152550; published-examples.json ex-072)', () => {
    const year = calculatePayeDefaultPenalties(Array.from({ length: 12 }, () => readPounds('1000')));
    expect(year.penalties.map((penalty) => penalty / 1000)).toEqual([0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4]);
    expect(toPoundsText(year.total)).toBe('260.00');
  });

  it('ignore shortfalls up to 100 pounds (CH152425, CH152450)', () => {
    expect(listPenalties('100.00', '1000', '100.01')).toEqual(['0.00', '0.00', '1.00']);
    expect(listPenalties()).toEqual([]);
    expect(toPoundsText(calculatePayeProlongedPenalty(readPounds('1234.50')))).toBe('61.73');
  });
});

describe('penalties for late reporting', () => {
  it('depend on the number of employees, with the first month free (avonhurstltd.co.uk)', () => {
    expect([1, 9, 10, 49, 50, 249, 250].map((employees) => getLateReportingPenalty(employees, 2) / 10_000)).toEqual([1, 1, 2, 2, 3, 3, 4]);
    expect([getLateReportingPenalty(300, 1), getLateReportingPenalty(0, 5)]).toEqual([0, 0]);
  });

  it('allow three days', () => {
    expect(isReportedLate(plainDate('2026-05-28'), plainDate('2026-05-31'))).toBe(false);
    expect(isReportedLate(plainDate('2026-05-28'), plainDate('2026-06-01'))).toBe(true);
    expect(getEmployerSummaryDueDate(plainDate('2026-05-05'))).toBe('2026-05-19');
  });
});
