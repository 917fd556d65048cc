/** Lists a practice's requests to all of its clients. */
import { addDays, type PlainDate } from '../plain-date.ts';
import { REMINDER_DAYS } from './client-request.ts';

/** `current`: open or answered. `overdue`: open and past the due date. */
export const REQUEST_FILTERS = ['current', 'open', 'overdue', 'answered', 'completed'] as const;
export type RequestFilter = (typeof REQUEST_FILTERS)[number];

export const REQUEST_FILTER_NAMES: Readonly<Record<RequestFilter, string>> = {
  current: 'Not completed',
  open: 'Waiting for client',
  overdue: 'Overdue',
  answered: 'To check',
  completed: 'Completed',
};

/** Returns the reminder day on which the client was last reminded; null if there hasn't been a reminder. */
export function getLastReminderDay({ dueOn, reminders }: { readonly dueOn: PlainDate; readonly reminders: number }): PlainDate | null {
  const days = REMINDER_DAYS[reminders - 1];
  return days === undefined ? null : addDays(dueOn, days);
}
