/** The practice's own date before HMRC's: a margin for questions, approvals and banks. */
import type { Deadline, DueKind } from './positions/position.ts';
import type { PlainDate } from '../plain-date.ts';
import { addWorkingDays } from '../uk-tax/calendar/working-days.ts';
import { bestOf } from '../uk-tax/known.ts';
import type { Tax } from '../uk-tax/tax.ts';

/** Working days before HMRC's day, by `vat_return`, `vat_payment` and so on. */
export type LeadDays = Readonly<Partial<Record<`${Tax}_${Deadline}`, number | undefined>>>;

/** So many working days (Monday to Friday, no bank holiday in England and Wales) before HMRC's day; undefined where the practice has no date of its own, and for refunds. */
export function ownDayOf(leadDays: LeadDays, tax: Tax, what: DueKind, dueOn: PlainDate): PlainDate | undefined {
  const days = what === 'refund' ? undefined : leadDays[`${tax}_${what}`];
  return days === undefined || days < 1 ? undefined : bestOf(addWorkingDays(dueOn, -days));
}
