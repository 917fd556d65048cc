import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  addMonths,
  createPlainDate,
  toDayNumber,
  getDayOfWeek,
  countDaysBetween,
  getDaysInMonth,
  getEndOfMonth,
  formatDate,
  toDateFromDayNumber,
  parsePlainDate,
  toDateParts,
  plainDate,
} from './plain-date.ts';

const FIRST = Temporal.PlainDate.from('1900-01-01');
const LAST = 109_572;
const days = fc.integer({ min: 0, max: LAST });

describe('calendar dates', () => {
  it('agree with Temporal on every day from 1900 to 2199', () => {
    let expected = FIRST;
    for (let day = 0; day <= LAST; day += 1) {
      const date = toDateFromDayNumber(day);
      if (date !== expected.toString() || toDayNumber(date) !== day || getDayOfWeek(date) !== expected.dayOfWeek) {
        expect({ day, date, weekday: getDayOfWeek(date) }).toEqual({ day, date: expected.toString(), weekday: expected.dayOfWeek });
      }
      expected = expected.add({ days: 1 });
    }
    expect(expected.toString()).toBe('2200-01-01');
  }, 60_000);

  it('count and add days as Temporal does', () => {
    fc.assert(
      fc.property(days, days, (from, to) => {
        const [start, end] = [toDateFromDayNumber(from), toDateFromDayNumber(to)];
        expect(countDaysBetween(start, end)).toBe(Temporal.PlainDate.from(start).until(end, { largestUnit: 'days' }).days);
        expect(addDays(start, to - from)).toBe(end);
      }),
    );
  });

  it('add months and find month ends as Temporal does', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -600, max: 600 }), (day, months) => {
        const start = toDateFromDayNumber(day);
        const expected = Temporal.PlainDate.from(start).add({ months }, { overflow: 'constrain' });
        if (expected.year < 1900 || expected.year > 2199) {
          expect(() => addMonths(start, months)).toThrow(RangeError);
        } else {
          expect(addMonths(start, months)).toBe(expected.toString());
        }
        const { year, month } = toDateParts(start);
        expect(getDaysInMonth(year, month)).toBe(new Temporal.PlainYearMonth(year, month).daysInMonth);
        expect(getEndOfMonth(start)).toBe(createPlainDate(year, month, 31));
      }),
    );
  });

  it('limit the day to the length of the month', () => {
    expect(createPlainDate(2024, 2, 31)).toBe('2024-02-29');
    expect(createPlainDate(2023, 2, 31)).toBe('2023-02-28');
    expect(() => createPlainDate(2023, 0, 1)).toThrow(RangeError);
    expect(() => createPlainDate(2023, 1, 0)).toThrow(RangeError);
    expect(() => createPlainDate(2200, 1, 1)).toThrow(RangeError);
  });

  it('reject days that do not exist and text in another form', () => {
    for (const text of [
      '2026-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-1-1',
      '1899-12-31',
      '2200-01-01',
      '',
      '2026-04-31',
      ' 2026-04-30',
    ]) {
      expect(parsePlainDate(text), text).toBeUndefined();
      expect(() => plainDate(text)).toThrow(RangeError);
    }
    expect(parsePlainDate('2024-02-29')).toBe('2024-02-29');
  });

  it('reject any text that Temporal rejects', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const date = parsePlainDate(text);
        return date === undefined || Temporal.PlainDate.from(text).toString() === date;
      }),
    );
  });

  it('throw outside the supported years instead of inventing a date', () => {
    expect(() => addDays(plainDate('2199-12-31'), 1)).toThrow(RangeError);
    expect(() => addDays(plainDate('1900-01-01'), -1)).toThrow(RangeError);
    expect(() => addDays(plainDate('2026-01-01'), 0.5)).toThrow(RangeError);
  });

  it('format for display', () => {
    expect(formatDate(plainDate('2026-03-07'))).toBe('7 March 2026');
    expect(formatDate(plainDate('2026-03-07'), 'short')).toBe('7 Mar 2026');
  });
});
