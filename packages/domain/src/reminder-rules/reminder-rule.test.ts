import { expect, it } from 'vitest';
import type { PlainDate } from '../plain-date.ts';
import { getReminderDay } from './reminder-rule.ts';

it.each([
  ['2026-12-07', 14, '2026-11-10', '2026-11-23'],
  ['2026-11-20', 14, '2026-11-10', '2026-11-10'],
  ['2026-11-10', 0, '2026-11-10', '2026-11-10'],
  ['2026-11-09', 14, '2026-11-10', undefined],
])('an item due on %s is reminded of %i days before, seen on %s: %s', (dueOn, daysBefore, today, day) => {
  expect(getReminderDay(dueOn as PlainDate, daysBefore, today as PlainDate)).toBe(day);
});
