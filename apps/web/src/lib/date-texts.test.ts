// Tests docs/product/specification.md section 9: "Dates: en-GB, year-month-day or day-month-year", weekends, the time 15 minutes ago, and
// the hour range.
import type { Instant } from '@portal/domain/clock.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { getCorporationTaxFinancialYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import { describe, expect, it } from 'vitest';
import { formatNumericDate, getQuarterHourBefore, isWeekend, isWithinHours } from './date-texts.ts';

describe('a numeric date', () => {
  it.each([
    ['en-GB', '07/03/2026'],
    ['year-month-day', '2026-03-07'],
    ['day-month-year', '07-03-2026'],
  ] as const)('in the order %s is %s', (order, text) => {
    expect(formatNumericDate(plainDate('2026-03-07'), order)).toBe(text);
  });

  it('is formatted like the browser’s en-GB', () => {
    expect(formatNumericDate(plainDate('2026-11-21'), 'en-GB')).toBe(new Date(2026, 10, 21).toLocaleDateString('en-GB'));
  });
});

describe('a weekend', () => {
  it.each([
    ['2026-11-20', false],
    ['2026-11-21', true],
    ['2026-11-22', true],
    ['2026-11-23', false],
    // A bank holiday on a Friday doesn't make it a weekend.
    ['2026-12-25', false],
  ])('on %s: %s', (date, expected) => {
    expect(isWeekend(plainDate(date))).toBe(expected);
  });
});

describe('the financial year', () => {
  it.each([
    ['2026-03-31', 2025],
    ['2026-04-01', 2026],
    ['2026-12-31', 2026],
  ])('of %s is %i', (date, year) => {
    expect(getCorporationTaxFinancialYear(plainDate(date))).toBe(year);
  });
});

describe('quarterHourBefore', () => {
  it.each([
    ['in the morning', '2026-11-21T09:29:00.000Z', '11/21/2026 at 09:14AM'],
    ['in the afternoon', '2026-11-21T15:05:59.000Z', '11/21/2026 at 02:50PM'],
    ['at noon', '2026-11-21T12:15:00.000Z', '11/21/2026 at 12:00PM'],
    ['before midnight', '2027-01-01T00:10:00.000Z', '12/31/2026 at 11:55PM'],
    ['after midnight', '2026-11-21T00:20:00.000Z', '11/21/2026 at 12:05AM'],
    ['in summer, an hour ahead', '2026-06-01T08:15:00.000Z', '06/01/2026 at 09:00AM'],
  ])('%s', (_name, now, text) => {
    expect(getQuarterHourBefore(now as Instant)).toBe(text);
  });
});

describe('isWithinHours', () => {
  it.each([
    ['2026-11-21T08:59:59.000Z', 9, 17, false],
    ['2026-11-21T09:00:00.000Z', 9, 17, true],
    ['2026-11-21T16:59:59.000Z', 9, 17, true],
    ['2026-11-21T17:00:00.000Z', 9, 17, false],
    ['2026-06-01T08:00:00.000Z', 9, 17, true],
    ['2026-11-21T23:00:00.000Z', 22, 6, true],
    ['2026-11-21T05:59:00.000Z', 22, 6, true],
    ['2026-11-21T06:00:00.000Z', 22, 6, false],
    ['2026-11-21T23:59:00.000Z', 0, 24, true],
  ])('at %s from %i to %i: %s', (now, from, until, expected) => {
    expect(isWithinHours(now as Instant, from, until)).toBe(expected);
  });
});
