import { toLondonDate, type Instant } from '../clock.ts';
import { addDays, type PlainDate } from '../plain-date.ts';
import { addWorkingDays } from '../uk-tax/calendar/working-days.ts';
import { getValueOrForecast } from '../uk-tax/known.ts';

const WORKING_DAYS = 2;

/**
 * Returns the first day on which operators may use access that administrators approved at this time: a whole working day lies in between,
 * in which everyone who was emailed can object.
 */
export function getFirstDayOfAccess(approvedAt: Instant): PlainDate {
  const day = toLondonDate(approvedAt);
  return getValueOrForecast(addWorkingDays(day, WORKING_DAYS)) ?? addDays(day, WORKING_DAYS);
}
