import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countDaysBetween, toDateFromDayNumber, toDayNumber, plainDate } from '../../plain-date.ts';
import { getValueOrForecast } from '../known.ts';
import {
  addWorkingDays,
  countWorkingDaysBetween,
  getFirstWorkingDayOnOrAfter,
  getLastWorkingDayOnOrBefore,
  isWorkingDay,
} from './working-days.ts';

const first = toDayNumber(plainDate('1995-01-10'));
const last = toDayNumber(plainDate('2028-12-20'));
const dates = fc.integer({ min: first, max: last - 120 }).map(toDateFromDayNumber);

describe('working days', () => {
  it.each([
    ['2026-04-02', 3, '2026-04-09', 'examples.json ex-059: over Easter'],
    ['2026-04-02', 1, '2026-04-07', 'Good Friday and Easter Monday 2026'],
    ['2025-12-24', 1, '2025-12-29', 'Christmas 2025'],
    ['2027-12-24', 1, '2027-12-29', 'Christmas 2027: both substitutes'],
    ['2026-01-05', 0, '2026-01-05', 'none is the day itself'],
    ['2026-04-04', 0, '2026-04-04', 'even if it is not a working day'],
    ['2026-04-04', -1, '2026-04-02', 'back over Good Friday from a Saturday'],
    ['2026-04-07', -1, '2026-04-02', 'back over Easter'],
    ['2023-04-06', -2, '2023-04-04', 'VAT-calc: Bacs is sent two working days before it clears'],
  ])('%s plus %i of them is %s (%s)', (from, n, expected) => {
    expect(addWorkingDays(plainDate(from), n)).toEqual({ known: true, value: expected });
  });

  it('are counted as they are added', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: 1, max: 60 }), (date, n) => {
        const laterDate = getValueOrForecast(addWorkingDays(date, n));
        if (laterDate === undefined) throw new Error('within the table');
        expect(countWorkingDaysBetween(date, laterDate)).toEqual({ known: true, value: n });
        expect(isWorkingDay(laterDate)).toEqual({ known: true, value: true });
        const earlierDate = getValueOrForecast(addWorkingDays(laterDate, -n));
        expect(earlierDate !== undefined && earlierDate <= date && countDaysBetween(earlierDate, date) < 6).toBe(true);
      }),
    );
  });

  it('are found before and after a non-working day', () => {
    fc.assert(
      fc.property(dates, (date) => {
        const isWorking = isWorkingDay(date).known && getValueOrForecast(isWorkingDay(date));
        const [before, after] = [
          getValueOrForecast(getLastWorkingDayOnOrBefore(date)),
          getValueOrForecast(getFirstWorkingDayOnOrAfter(date)),
        ];
        if (isWorking) expect([before, after]).toEqual([date, date]);
        else expect(before !== undefined && after !== undefined && before < date && after > date).toBe(true);
      }),
    );
    expect(getLastWorkingDayOnOrBefore(plainDate('2027-01-01'))).toEqual({ known: true, value: '2026-12-31' });
    expect(getFirstWorkingDayOnOrAfter(plainDate('2027-01-01'))).toEqual({ known: true, value: '2027-01-04' });
  });

  it('are unknown after the last published year, except weekends', () => {
    expect(isWorkingDay(plainDate('2030-06-04'))).toMatchObject({
      known: false,
      notKnown: expect.stringContaining('bank holidays after 2028'),
      forecast: true,
    });
    expect(isWorkingDay(plainDate('2030-06-01'))).toEqual({ known: true, value: false });
    expect(getLastWorkingDayOnOrBefore(plainDate('2028-12-31'))).toEqual({ known: true, value: '2028-12-29' });
    expect(getLastWorkingDayOnOrBefore(plainDate('2029-01-07'))).toMatchObject({ known: false, forecast: '2029-01-05' });
    expect(addWorkingDays(plainDate('2028-12-29'), 1)).toMatchObject({ known: false, forecast: '2029-01-02' });
  });

  it('have no forecast far from the table', () => {
    for (const date of ['1994-12-31', '1900-01-01', '2100-01-01', '2199-12-31'].map(plainDate)) {
      expect(addWorkingDays(date, 1)).not.toHaveProperty('forecast');
      expect(addWorkingDays(date, -1)).not.toHaveProperty('value');
      expect(countWorkingDaysBetween(date, date)).toMatchObject({ known: false });
    }
    expect(addWorkingDays(plainDate('2026-01-01'), 0.5)).toMatchObject({ known: false });
    expect(addWorkingDays(plainDate('2026-01-01'), 1_000_000)).toMatchObject({ known: false });
  });
});
