import { describe, expect, it } from 'vitest';
import { plainDate } from '../plain-date.ts';
import { getDeletionDay, getRetentionCutOff } from './retention-periods.ts';

describe('the time for which data is kept', () => {
  it.each([
    ['records', '2026-11-10', '2032-11-10'],
    ['identity', '2026-11-10', '2031-11-10'],
    ['records', '2024-02-29', '2030-02-28'],
  ] as const)('of %s that ended on %s lasts until %s', (period, endedOn, day) => {
    expect(getDeletionDay(period, plainDate(endedOn))).toBe(day);
  });

  it('ends on the day itself', () => {
    expect(getRetentionCutOff('records', plainDate('2032-11-10'))).toBe('2026-11-10');
  });
});
