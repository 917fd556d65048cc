/** Rules that remind clients of deadlines. See docs/decisions/0061-notifications.md. */
import type { Duty } from '../clients/client.ts';
import { addDays, type PlainDate } from '../plain-date.ts';
import type { Tax } from '../uk-tax/tax.ts';

/** The kinds of deadline that a rule can send reminders about: returns or payments. */
export const REMINDED_ITEMS = ['return', 'payment'] as const;
export type RemindedItem = (typeof REMINDED_ITEMS)[number];

export const MAX_DAYS_BEFORE = 60;
export const MAX_REMINDER_RULES = 40;
export const MAX_MESSAGE_TEMPLATES = 100;
/** The number of days that a preview covers. */
export const PREVIEW_DAYS = 30;

/** Returns the day on which a rule sends its reminder about an item: today if that day has passed, and never after the due date. */
export function getReminderDay(dueOn: PlainDate, daysBefore: number, today: PlainDate): PlainDate | undefined {
  if (dueOn < today) return undefined;
  const day = addDays(dueOn, -daysBefore);
  return day < today ? today : day;
}

/** The duty responsible for a tax. The manager takes over if no one has the duty. */
export const TAX_DUTIES: Readonly<Record<Tax, Duty>> = { vat: 'vat', paye: 'payroll', ct: 'manager', sa: 'manager' };

/** Why a client doesn't get a reminder. `own_reminders`: the user with that email address chose their own reminders. */
export const REMINDER_BLOCKERS = ['no_email', 'undeliverable', 'missing_fields', 'own_reminders'] as const;
export type ReminderBlocker = (typeof REMINDER_BLOCKERS)[number];
