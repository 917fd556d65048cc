import { expect, it } from 'vitest';
import type { Instant } from '../clock.ts';
import { getFirstDayOfAccess } from './new-access.ts';

it.each([
  ['a Tuesday', '2026-11-10T17:00:00.000Z', '2026-11-12'],
  ['a Friday evening', '2026-11-13T23:00:00.000Z', '2026-11-17'],
  ['a Saturday', '2026-11-14T09:00:00.000Z', '2026-11-17'],
  ['Christmas Eve', '2026-12-24T09:00:00.000Z', '2026-12-30'],
  ['midnight in summer', '2026-07-06T23:30:00.000Z', '2026-07-09'],
])('access approved on %s begins after a whole working day', (_day, approvedAt, firstDay) => {
  expect(getFirstDayOfAccess(approvedAt as Instant)).toBe(firstDay);
});
