import { describe, expect, it } from 'vitest';
import { plainDate } from '../../plain-date.ts';
import {
  addMonthsClamped,
  addMonthsKeepingMonthEnd,
  getDayAfterCorresponding,
  getEndOfMonthAfter,
  getEndOfPeriodBeginning,
  getFirstOfNextMonth,
} from './month-arithmetic.ts';

describe('four kinds of month arithmetic', () => {
  it.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2025-06-30', 9, '2026-03-30'],
  ])('1. limits the day to the month: %s + %i = %s (Dodds v Walker [1981])', (from, months, to) => {
    expect(addMonthsClamped(plainDate(from), months)).toBe(to);
  });

  it.each([
    ['2025-06-30', 9, '2026-03-31', 'Companies Act 2006 s443(3)'],
    ['2025-06-05', 9, '2026-03-05', 'Companies Act 2006 s443(2)'],
    ['2025-02-28', 9, '2025-11-30', 'Companies Act 2006 s443(3)'],
    ['2023-02-28', 12, '2024-02-29', 'CTM93040'],
    ['2024-02-29', 12, '2025-02-28', 'CTM93040'],
    ['2024-02-28', 12, '2025-02-28', 'not a month end'],
  ])('2. keeps month ends: %s + %i = %s (%s)', (from, months, to) => {
    expect(addMonthsKeepingMonthEnd(plainDate(from), months)).toBe(to);
  });

  it.each([
    ['1999-03-31', '2000-01-01'],
    ['1999-07-01', '2000-04-02'],
    ['2000-02-28', '2000-11-29'],
    ['1999-02-28', '1999-12-01'],
    ['2000-02-29', '2000-12-01'],
    ['2000-05-28', '2001-03-01'],
    ['2000-05-29', '2001-03-01'],
    ['2000-05-30', '2001-03-01'],
    ['2000-05-31', '2001-03-01'],
    ['2025-06-30', '2026-04-01'],
  ])('3. takes the day after the corresponding one, nine months on: %s -> %s (CTM01800)', (from, to) => {
    expect(getDayAfterCorresponding(plainDate(from), 9)).toBe(to);
  });

  it.each([
    ['2026-02-01', 3, '2026-04-30'],
    ['2021-01-01', 12, '2021-12-31'],
    ['2018-05-01', 30, '2020-10-31'],
    ['2023-03-01', 12, '2024-02-29'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2025-08-31', 6, '2026-02-28'],
    ['2025-12-31', 2, '2026-02-28'],
  ])('4. ends a period beginning with %s after %i months on %s', (from, months, to) => {
    expect(getEndOfPeriodBeginning(plainDate(from), months)).toBe(to);
  });

  it('finds the first of the next month and the end of a later one', () => {
    expect(getFirstOfNextMonth(plainDate('2025-12-31'))).toBe('2026-01-01');
    expect(getEndOfMonthAfter(plainDate('2023-12-31'), 2)).toBe('2024-02-29');
    expect(getEndOfMonthAfter(plainDate('2026-01-31'), -1)).toBe('2025-12-31');
  });
});
