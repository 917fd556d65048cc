import { describe, expect, it } from 'vitest';
import { addDays, plainDate } from '../plain-date.ts';
import { findDueReminder, getRequestState } from './client-request.ts';

describe('the state of a request', () => {
  it.each([
    [['open', 'answered'], false, 'open'],
    [['returned', 'accepted'], false, 'open'],
    [['answered', 'accepted'], false, 'answered'],
    [['accepted', 'accepted'], false, 'completed'],
    [['open'], true, 'cancelled'],
  ] as const)('with items %j, cancelled %j, is %s', (items, isCancelled, state) => {
    expect(getRequestState(items, isCancelled)).toBe(state);
  });
});

describe('reminders', () => {
  const dueOn = plainDate('2026-12-10');
  const simulateReminders = (requestedOn: typeof dueOn, days: number, isAwake: (day: typeof dueOn) => boolean = () => true): string[] => {
    let reminders = 0;
    const sentTexts: string[] = [];
    for (let day = requestedOn; day <= addDays(requestedOn, days); day = addDays(day, 1)) {
      const due = isAwake(day) ? findDueReminder({ dueOn, askedOn: requestedOn, reminders }, day) : undefined;
      if (due === undefined) continue;
      reminders = due;
      sentTexts.push(day);
    }
    return sentTexts;
  };

  it('are sent three days before, on the day, and three and seven days after, and then stop', () => {
    expect(simulateReminders(plainDate('2026-11-20'), 365)).toEqual(['2026-12-07', '2026-12-10', '2026-12-13', '2026-12-17']);
  });

  it('aren’t sent on the day of the request itself', () => {
    expect(simulateReminders(plainDate('2026-12-10'), 30)).toEqual(['2026-12-13', '2026-12-17']);
    expect(simulateReminders(plainDate('2026-12-08'), 30)).toEqual(['2026-12-10', '2026-12-13', '2026-12-17']);
  });

  it('that were missed become one', () => {
    expect(simulateReminders(plainDate('2026-11-20'), 60, (day) => day >= plainDate('2026-12-15'))).toEqual(['2026-12-15', '2026-12-17']);
  });
});
