import { describe, expect, it } from 'vitest';
import { getUrgency } from './urgency.ts';

describe('the urgency of a task', () => {
  it.each([
    [{ overdue: true, working_days_left: 0 }, 'Overdue'],
    [{ overdue: false, working_days_left: 0 }, 'Due soon'],
    [{ overdue: false, working_days_left: 5 }, 'Due soon'],
    [{ overdue: false, working_days_left: 6 }, undefined],
    [{ overdue: false, working_days_left: null }, undefined],
  ])('%j: %s', (task, label) => {
    expect(getUrgency(task)?.label).toBe(label);
  });
});
