import { describe, expect, it } from 'vitest';
import { getDayOfWeek } from '../../plain-date.ts';
import { PUBLISHED_BANK_HOLIDAYS, PUBLISHED_YEARS } from './bank-holiday-table.ts';
import type { Division } from './bank-holiday-table.ts';
import { getBankHolidays } from './bank-holidays.ts';
import { getBankHolidaysByRule, getEasterSunday } from './bank-holidays-by-rule.ts';

const listYears = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('bank holidays of England and Wales', () => {
  it.each(listYears(PUBLISHED_YEARS.first, PUBLISHED_YEARS.last))('calculated by rule match those GOV.UK published for %i', (year) => {
    expect(getBankHolidaysByRule(year)).toEqual(PUBLISHED_BANK_HOLIDAYS['england-and-wales'][year]);
  });

  // Source: GOV.UK's pages for those years, and its data for substitute days.
  it.each([
    [1995, '01-02 04-14 04-17 05-08 05-29 08-28 12-25 12-26'],
    [1999, '01-01 04-02 04-05 05-03 05-31 08-30 12-27 12-28 12-31'],
    [2000, '01-03 04-21 04-24 05-01 05-29 08-28 12-25 12-26'],
    [2002, '01-01 03-29 04-01 05-06 06-03 06-04 08-26 12-25 12-26'],
    [2011, '01-03 04-22 04-25 04-29 05-02 05-30 08-29 12-26 12-27'],
    [2012, '01-02 04-06 04-09 05-07 06-04 06-05 08-27 12-25 12-26'],
    [2015, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
    [2016, '01-01 03-25 03-28 05-02 05-30 08-29 12-26 12-27'],
  ])('of %i were %s', (year, days) => {
    expect(getBankHolidays(year)).toEqual({ known: true, value: days.split(' ').map((day) => `${year}-${day}`) });
  });

  it('after the last published year are unknown, with the regular days as forecast', () => {
    const knownHolidays = getBankHolidays(2029);
    expect(knownHolidays).toMatchObject({ known: false, notKnown: expect.stringContaining('2028') });
    expect(knownHolidays.known ? [] : knownHolidays.forecast).toHaveLength(8);
  });

  it('before 1995 and in invalid years are unknown, without a forecast', () => {
    for (const year of [1994, 1066, 2500, 2026.5, Number.NaN]) expect(getBankHolidays(year)).not.toHaveProperty('forecast');
  });

  it('never fall on a weekend', () => {
    for (const year of listYears(1995, 2099)) expect(getBankHolidaysByRule(year).every((date) => getDayOfWeek(date) < 6)).toBe(true);
  });
});

describe('other divisions', () => {
  it('have their own days in published years and none by rule', () => {
    // 15 June 2026 (World Cup) applies only in Scotland; 17 March and 13 July 2026 only in Northern Ireland.
    const isHoliday = (division: Division, day: string): boolean =>
      PUBLISHED_BANK_HOLIDAYS[division][2026]?.some((date) => date === day) ?? false;
    expect([
      isHoliday('scotland', '2026-06-15'),
      isHoliday('northern-ireland', '2026-06-15'),
      isHoliday('england-and-wales', '2026-06-15'),
    ]).toEqual([true, false, false]);
    expect([isHoliday('northern-ireland', '2026-03-17'), isHoliday('northern-ireland', '2026-07-13')]).toEqual([true, true]);
    expect(getBankHolidays(2018, 'scotland')).toMatchObject({ known: false });
  });
});

describe('Easter Sunday', () => {
  // Source: the Book of Common Prayer's table, as printed in Whitaker's.
  it.each([
    [1999, '1999-04-04'],
    [2000, '2000-04-23'],
    [2008, '2008-03-23'],
    [2011, '2011-04-24'],
    [2019, '2019-04-21'],
    [2035, '2035-03-25'],
    [2038, '2038-04-25'],
  ])('of %i is %s', (year, date) => {
    expect(getEasterSunday(year)).toBe(date);
  });
});
