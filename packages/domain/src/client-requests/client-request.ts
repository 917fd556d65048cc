/** Requests for documents and information from a client, and when reminders are sent. See docs/decisions/0062-clients-files.md. */
import { addDays, type PlainDate } from '../plain-date.ts';

/** Clients answer a `question` with text, and a `paper` with files or with text explaining why there are none. */
export const REQUEST_ITEM_KINDS = ['question', 'paper'] as const;
export type RequestItemKind = (typeof REQUEST_ITEM_KINDS)[number];

/** `returned`: the practice has asked for the item again. */
export const REQUEST_ITEM_STATES = ['open', 'answered', 'returned', 'accepted'] as const;
export type RequestItemState = (typeof REQUEST_ITEM_STATES)[number];

/** `open`: waiting for the client. `answered`: waiting for the practice. */
export const REQUEST_STATES = ['open', 'answered', 'completed', 'cancelled'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

export const MAX_REQUEST_ITEMS = 30;
/** The maximum number of open or answered requests for one client. */
export const MAX_OPEN_REQUESTS = 20;
export const MAX_REQUEST_TITLE_LENGTH = 120;
export const MAX_ITEM_TEXT_LENGTH = 500;
export const MAX_ANSWER_LENGTH = 4000;
export const MAX_CONVERSATION_TEXT_LENGTH = 4000;

/** Returns true if the client still has to answer the item. */
export const isWaitingForClient = (state: RequestItemState): boolean => state === 'open' || state === 'returned';

export function getRequestState(items: readonly RequestItemState[], isCancelled: boolean): RequestState {
  if (isCancelled) return 'cancelled';
  if (items.some(isWaitingForClient)) return 'open';
  return items.every((state) => state === 'accepted') ? 'completed' : 'answered';
}

/** When reminders are sent: the number of days before (negative) or after the due date. No automatic reminders follow the last one. */
export const REMINDER_DAYS = [-3, 0, 3, 7] as const;

/** The number of reminder days, and how many days before the due date the first one is. */
export const LAST_REMINDER = { count: REMINDER_DAYS.length, earliestDays: -REMINDER_DAYS[0] } as const;

export type RemindedRequest = {
  readonly dueOn: PlainDate;
  readonly askedOn: PlainDate;
  /** The number of reminder days handled so far, whether or not a reminder was sent. */
  readonly reminders: number;
};

/**
 * Returns the number of reminder days that have passed if a reminder is due today, otherwise undefined. Missed reminders are combined into
 * one. Reminder days up to and including the day on which the request was sent don't count.
 */
export function findDueReminder({ dueOn, askedOn, reminders }: RemindedRequest, today: PlainDate): number | undefined {
  const passedReminders = REMINDER_DAYS.filter((days) => addDays(dueOn, days) <= today);
  const [last] = passedReminders.slice(-1);
  if (last === undefined || passedReminders.length <= reminders) return undefined;
  return addDays(dueOn, last) > askedOn ? passedReminders.length : undefined;
}
