import { expect, it } from 'vitest';
import type { Instant } from '@portal/domain/clock.ts';
import { describePromise, describeStep, formatDuration } from './desk-labels.ts';

const getTimeOn10November = (time: string): Instant => `2026-11-10T${time}:00.000Z` as Instant;
const row = { state: 'approved', accepted_at: getTimeOn10November('00:00'), pay_by: getTimeOn10November('23:00'), paid_at: null } as const;

it.each([
  [getTimeOn10November('10:00'), '13 h 0 min left', 'quiet'],
  [getTimeOn10November('21:30'), '1 h 30 min left', 'warning'],
  [getTimeOn10November('23:45'), '45 min late', 'error'],
])('counts down to the promised time: at %s it is %s', (now, text, tone) => {
  expect(describePromise(row, now)).toEqual({ text, tone });
});

it('says how long a payout took, and says nothing for an advance that ended unpaid', () => {
  expect(describePromise({ ...row, state: 'settled', paid_at: getTimeOn10November('02:12') }, getTimeOn10November('23:00'))?.text).toBe(
    'Paid in 2 h 12 min',
  );
  expect(describePromise({ ...row, state: 'declined' }, getTimeOn10November('10:00'))).toBeUndefined();
});

it('writes long spans in days', () => {
  expect([formatDuration(30 * 60_000), formatDuration(30 * 3_600_000), formatDuration(100 * 3_600_000)]).toEqual([
    '30 min',
    '30 h',
    '4 days',
  ]);
});

it('counts the operators who must still release', () => {
  expect(describeStep({ step: 'release', releases: 1, releases_needed: 2 })).toBe('1 more operator must release the payout.');
});
