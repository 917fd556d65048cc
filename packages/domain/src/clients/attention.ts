/** The groups of clients that a practice should check every morning. Each is a filter of the client list. */
import { addDays, type PlainDate } from '../plain-date.ts';

/** In display order, most urgent first. */
export const ATTENTION_GROUPS = [
  'overdue_payment',
  'overdue_return',
  'overdue_update',
  'due_this_week',
  'not_authorised',
  'request_expiring',
  'refresh_failed',
  'not_read',
] as const;
export type AttentionGroup = (typeof ATTENTION_GROUPS)[number];

/** How many days from today "this week" and "about to expire" cover, as in the list's "Due within 7 days". */
export const SOON_DAYS = 7;

/** Returns the client list filters, by name, that show exactly the group's clients. `status` limits them to active clients. */
export function getAttentionFilters(group: AttentionGroup, today: PlainDate) {
  switch (group) {
    case 'overdue_payment':
      return { status: 'in_hand', has: 'overdue' } as const;
    case 'overdue_return':
      return { status: 'in_hand', has: 'overdue_return' } as const;
    case 'overdue_update':
      return { status: 'in_hand', has: 'overdue_update' } as const;
    case 'due_this_week':
      return { status: 'in_hand', due_before: addDays(today, SOON_DAYS) } as const;
    case 'not_authorised':
      return { status: 'in_hand', authorisation: 'missing' } as const;
    case 'request_expiring':
      return { status: 'in_hand', authorisation: 'expiring' } as const;
    case 'refresh_failed':
      return { status: 'in_hand', refresh: 'failed' } as const;
    case 'not_read':
      return { status: 'in_hand', figures: 'incomplete' } as const;
  }
}
