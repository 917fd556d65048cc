/** Rules that remind clients of deadlines. See docs/decisions/0061-notifications.md. */
import type { Duty } from '../clients/client.ts';
import { addDays, type PlainDate } from '../plain-date.ts';
import type { Tax } from '../uk-tax/tax.ts';

/** What a rule reminds of: filing or paying. */
export const REMINDED_ITEMS = ['return', 'payment'] as const;
export type RemindedItem = (typeof REMINDED_ITEMS)[number];

export const MAX_DAYS_BEFORE = 60;
export const MAX_REMINDER_RULES = 40;
export const MAX_MESSAGE_TEMPLATES = 100;
/** How far a preview looks ahead. */
export const PREVIEW_DAYS = 30;

/** The day on which a rule reminds of an item. An item that is already closer is reminded of today; never after it was due. */
export function getReminderDay(dueOn: PlainDate, daysBefore: number, today: PlainDate): PlainDate | undefined {
  if (dueOn < today) return undefined;
  const day = addDays(dueOn, -daysBefore);
  return day < today ? today : day;
}

/** The duty that is responsible for a tax. The manager takes over if no one has the duty. */
export const TAX_DUTIES: Readonly<Record<Tax, Duty>> = { vat: 'vat', paye: 'payroll', ct: 'manager', sa: 'manager' };

/** Why a client gets no reminder. `own_reminders`: the person at the address chose reminders of their own. */
export const REMINDER_GAPS = ['no_email', 'undeliverable', 'missing_fields', 'own_reminders'] as const;
export type ReminderGap = (typeof REMINDER_GAPS)[number];
