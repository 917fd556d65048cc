/** Determines when an item is due as of today, and which deadlines a tax card shows. */
import { addDays, type PlainDate } from '../plain-date.ts';
import type { DueItem } from './position.ts';

/** How many days ahead an item counts as due soon. */
export const SOON_DAYS = 7;

/** Status of an unfinished item: `overdue` from the day after its due date, `due` within seven days. */
export const OPEN_STATUSES = ['overdue', 'due', 'upcoming'] as const;
export type OpenStatus = (typeof OPEN_STATUSES)[number];

/** Returns an open item's status on a day. */
export function getOpenStatus({ due_on: due }: Pick<DueItem, 'due_on'>, today: PlainDate): OpenStatus {
  if (due < today) return 'overdue';
  return due <= addDays(today, SOON_DAYS) ? 'due' : 'upcoming';
}

/** Returns overdue items and, separately, all items due on the next date. Refunds aren't deadlines. */
export function splitDeadlines<Item extends Pick<DueItem, 'due_on' | 'what'>>(
  items: readonly Item[],
  today: PlainDate,
): { readonly overdue: readonly Item[]; readonly next: readonly Item[] } {
  const deadlines = items
    .filter(({ what }) => what !== 'refund')
    .toSorted((a, b) => (a.due_on < b.due_on ? -1 : a.due_on > b.due_on ? 1 : 0));
  const comingDeadlines = deadlines.filter(({ due_on: due }) => due >= today);
  return {
    overdue: deadlines.filter(({ due_on: due }) => due < today),
    next: comingDeadlines.filter(({ due_on: due }) => due === comingDeadlines[0]?.due_on),
  };
}
