/** Calculates the practice's internal deadline before HMRC's, to leave time for questions, approvals and bank transfers. */
import type { Deadline, DueKind } from '../positions/position.ts';
import type { PlainDate } from '../plain-date.ts';
import { addWorkingDays } from '../uk-tax/calendar/working-days.ts';
import { getValueOrForecast } from '../uk-tax/known.ts';
import type { Tax } from '../uk-tax/tax.ts';

/** Working days before HMRC's date, by tax and kind of deadline, for example `vat_return`. */
export type LeadDays = Readonly<Partial<Record<`${Tax}_${Deadline}`, number | undefined>>>;

/** Returns the due date less the practice's lead time in working days (England and Wales); undefined for refunds or without a lead time. */
export function getInternalDeadline(leadDays: LeadDays, tax: Tax, kind: DueKind, dueOn: PlainDate): PlainDate | undefined {
  const days = kind === 'refund' ? undefined : leadDays[`${tax}_${kind}`];
  return days === undefined || days < 1 ? undefined : getValueOrForecast(addWorkingDays(dueOn, -days));
}
