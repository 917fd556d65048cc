import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, addMonths, createPlainDate, toDateFromDayNumber, toDayNumber, plainDate } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import {
  getCompliancePeriod,
  getReturnFrequency,
  getLastAwardDay,
  getPointExpiry,
  POINTS_RULES,
  getPointsAfterFrequencyChange,
} from './late-submission-points.ts';
import type { ReturnFrequency } from './late-submission-points.ts';
import { calculatePoints, getResetDay } from './points-history.ts';
import type { ExpectedReturn } from './points-history.ts';

const createLateReturn = (due: string, days = 5): ExpectedReturn => ({ due: plainDate(due), received: addDays(plainDate(due), days) });
const summarisePoints = (frequency: ReturnFrequency, returns: readonly ExpectedReturn[], asOf: string) => {
  const { points, penalties, penalty_amount: amount } = calculatePoints(frequency, returns, plainDate(asOf));
  return { points, penalties, amount };
};

describe('a penalty point', () => {
  it.each([
    ['2024-04-07', '2026-04-30', 'CH192200'],
    ['2024-03-31', '2026-04-30', 'CH192200: the failure is on 1 April'],
    ['2024-01-31', '2026-02-28', 'the failure is on 1 February'],
    ['2022-01-07', '2024-01-31', 'a leap year at the end'],
    ['2024-02-07', '2026-02-28', 'FA 2021 Sch 24 para 7'],
  ])('for a return missed on %s expires at the end of %s (%s)', (due, end) => {
    expect(getPointExpiry(plainDate(due))).toBe(end);
  });

  it('is awarded within 48, 11 or 2 weeks of the failure (CH192180)', () => {
    expect(getLastAwardDay('monthly', plainDate('2026-01-07'))).toBe('2026-01-21');
    expect(getLastAwardDay('quarterly', plainDate('2026-01-07'))).toBe('2026-03-25');
    expect(getLastAwardDay('annual', plainDate('2026-01-07'))).toBe('2026-12-09');
  });
});

describe('a period of compliance', () => {
  it.each<[ReturnFrequency, string, string, string, string]>([
    ['monthly', '2026-01-07', '2026-02-01', '2026-07-31', 'examples.json ex-069'],
    ['quarterly', '2025-11-07', '2025-12-01', '2026-11-30', 'CH192210: missed 7 November'],
    ['quarterly', '2025-08-07', '2025-09-01', '2026-08-31', 'CH192210: missed 7 August'],
    ['annual', '2025-03-31', '2025-05-01', '2027-04-30', 'CH192210: missed 31 March'],
  ])('after a %s return missed on %s runs from %s to %s (%s)', (frequency, due, start, end) => {
    expect(getCompliancePeriod(frequency, plainDate(due))).toEqual({ start, end });
  });
});

describe('a change of frequency', () => {
  // Source: CH192240. Covers all six changes of frequency, the minimum, and zero points.
  it.each([
    ['annual', 'quarterly', 1, 3],
    ['annual', 'monthly', 2, 5],
    ['quarterly', 'annual', 4, 2],
    ['quarterly', 'annual', 1, 0],
    ['quarterly', 'monthly', 3, 4],
    ['monthly', 'annual', 5, 2],
    ['monthly', 'annual', 2, 0],
    ['monthly', 'quarterly', 1, 0],
    ['annual', 'monthly', 0, 0],
    ['quarterly', 'quarterly', 3, 3],
  ] as const)('from %s to %s turns %i points into %i', (from, to, points, expected) => {
    expect(getPointsAfterFrequencyChange(points, from, to)).toBe(expected);
  });

  it('groups a period of unusual length by its weeks (CH192180)', () => {
    const from = plainDate('2026-01-01');
    const group = (days: number): ReturnFrequency => getReturnFrequency(from, addDays(from, days - 1));
    expect([group(56), group(57), group(140), group(141), group(92), group(31), group(366)]).toEqual([
      ...(['monthly', 'quarterly', 'quarterly', 'annual', 'quarterly', 'monthly', 'annual'] as const),
    ]);
  });
});

describe('points over time', () => {
  const fourLateReturns = ['2025-02-07', '2025-05-07', '2025-08-07', '2025-11-07'].map((due) => createLateReturn(due));

  it('bring a penalty at the threshold, then 200 pounds per late return without rising', () => {
    expect(summarisePoints('quarterly', fourLateReturns, '2025-11-08')).toEqual({ points: 4, penalties: 1, amount: 20_000 });
    expect(summarisePoints('quarterly', [...fourLateReturns, createLateReturn('2026-02-07')], '2026-02-08')).toEqual({
      points: 4,
      penalties: 2,
      amount: 40_000,
    });
  });

  it('reset after a year on time (CH192210: 0 points on 1 December 2026), and penalties remain', () => {
    expect(summarisePoints('quarterly', fourLateReturns, '2026-11-30').points).toBe(4);
    expect(summarisePoints('quarterly', fourLateReturns, '2026-12-01')).toEqual({ points: 0, penalties: 1, amount: 20_000 });
  });

  it('are awarded on the day after the due date', () => {
    expect(summarisePoints('monthly', [createLateReturn('2025-03-07', 2)], '2025-03-07').points).toBe(0);
    expect(summarisePoints('monthly', [createLateReturn('2025-03-07', 2)], '2025-03-08').points).toBe(1);
    expect(summarisePoints('monthly', [createLateReturn('2025-03-07', 0)], '2025-03-08').points).toBe(0);
  });

  it('expire individually below the threshold but not at it', () => {
    const threeReturns = fourLateReturns.slice(0, 3);
    // Each further failure restarts the compliance year, so only the 24-month expiry can remove a point.
    const spacedReturns = ['2024-02-07', '2024-11-07', '2025-08-07'].map((due) => createLateReturn(due));
    expect(summarisePoints('quarterly', spacedReturns, '2026-02-28').points).toBe(3);
    expect(summarisePoints('quarterly', spacedReturns, '2026-03-01').points).toBe(2);
    expect(summarisePoints('quarterly', threeReturns, '2026-08-31').points).toBe(3);
    const returnsAtThreshold = ['2024-02-07', '2024-05-07', '2024-11-07', '2025-08-07'].map((due) => createLateReturn(due));
    expect(summarisePoints('quarterly', returnsAtThreshold, '2026-03-01').points).toBe(4);
  });

  it('wait for an outstanding return of the last 24 months, and reset on the day it arrives', () => {
    const returnsWithMissing = fourLateReturns.map((item, index) => (index === 3 ? { ...item, received: null } : item));
    expect(summarisePoints('quarterly', returnsWithMissing, '2026-12-01').points).toBe(4);
    const returnsWithLateArrival = fourLateReturns.map((item, index) =>
      index === 3 ? { ...item, received: plainDate('2027-03-10') } : item,
    );
    expect(summarisePoints('quarterly', returnsWithLateArrival, '2027-03-09').points).toBe(4);
    expect(summarisePoints('quarterly', returnsWithLateArrival, '2027-03-10').points).toBe(0);
    // After 24 months, the missing return no longer counts.
    expect(getResetDay('quarterly', plainDate('2025-11-07'), returnsWithMissing)).toBe('2027-11-08');
  });

  it('are not reset by a period whose last day is missed', () => {
    // Annual accounting, due on 31 August: the failure on 1 September comes before the reset on the same day.
    const returns = [createLateReturn('2023-08-31'), createLateReturn('2024-08-31'), createLateReturn('2026-09-30')];
    expect(getCompliancePeriod('annual', plainDate('2024-08-31'))).toEqual({ start: '2024-10-01', end: '2026-09-30' });
    expect(summarisePoints('annual', returns, '2026-10-01')).toEqual({ points: 2, penalties: 2, amount: 40_000 });
  });

  it('are not awarded for first, final and one-off returns', () => {
    expect(summarisePoints('monthly', [{ ...createLateReturn('2025-03-07'), no_point: true }], '2025-04-01').points).toBe(0);
  });

  it('are not awarded for periods that began before 2023, when the surcharge applied (SI 2022/1278)', () => {
    const threeLateReturns = ['2022-11-07', '2023-02-07', '2023-05-07'].map((due) => createLateReturn(due));
    expect(summarisePoints('quarterly', threeLateReturns, '2023-05-08')).toEqual({ points: 1, penalties: 0, amount: 0 });
  });

  it('do not depend on the order of the returns', () => {
    expect(summarisePoints('quarterly', fourLateReturns.toReversed(), '2026-01-01')).toEqual(
      summarisePoints('quarterly', fourLateReturns, '2026-01-01'),
    );
  });

  it('equal a day-by-day calculation', () => {
    const histories = fc.record({
      frequency: fc.constantFrom<ReturnFrequency>('annual', 'quarterly', 'monthly'),
      delays: fc.array(
        fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: -5, max: 40 }), fc.integer({ min: 1, max: 900 }), fc.constant(null)),
        { maxLength: 40 },
      ),
      endsOnMonthEnd: fc.boolean(),
      asOf: fc.integer({ min: 0, max: 2_400 }),
    });
    fc.assert(
      fc.property(histories, ({ frequency, delays, endsOnMonthEnd, asOf }) => {
        const months = { annual: 12, quarterly: 3, monthly: 1 }[frequency];
        const returns = delays.map((delay, index): ExpectedReturn => {
          const due = addMonths(createPlainDate(2023, 3, endsOnMonthEnd ? 31 : 7), index * months);
          return { due, received: delay === null ? null : addDays(due, delay) };
        });
        const day = addDays(plainDate('2023-03-01'), asOf);
        const { points, penalties } = calculatePoints(frequency, returns, day);
        expect({ points, penalties }).toEqual(calculateDayByDay(frequency, returns, day));
      }),
      { numRuns: 150 },
    );
  });
});

/** A deliberately literal implementation of the rule, day by day. */
function calculateDayByDay(
  frequency: ReturnFrequency,
  returns: readonly ExpectedReturn[],
  asOf: PlainDate,
): { points: number; penalties: number } {
  const { threshold } = POINTS_RULES[frequency];
  let pointsInForce: PlainDate[] = [];
  let latest: PlainDate | undefined;
  let penalties = 0;
  for (let number = toDayNumber(plainDate('2023-03-01')); number <= toDayNumber(asOf); number += 1) {
    const today = toDateFromDayNumber(number);
    if (pointsInForce.length < threshold) pointsInForce = pointsInForce.filter((due) => getPointExpiry(due) >= today);
    for (const item of returns) {
      if (addDays(item.due, 1) !== today || (item.received !== null && item.received <= item.due)) continue;
      if (pointsInForce.length < threshold) pointsInForce.push(item.due);
      if (pointsInForce.length >= threshold) penalties += 1;
      latest = item.due;
    }
    const conditionA = latest !== undefined && getCompliancePeriod(frequency, latest).end < today;
    const conditionB = returns.every(
      (item) => item.due >= today || item.due < addMonths(today, -24) || (item.received !== null && item.received <= today),
    );
    if (conditionA && conditionB) pointsInForce = [];
  }
  return { points: pointsInForce.length, penalties };
}
