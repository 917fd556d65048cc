/** Date formats for files and other services (docs/product/specification.md section 9). Screens write dates in words (ui/date-text.tsx). */
import { addMilliseconds, toEpochMs, type Instant } from '@portal/domain/clock.ts';
import { getDayOfWeek, toDateParts, type PlainDate } from '@portal/domain/plain-date.ts';

export type DateOrder = 'en-GB' | 'year-month-day' | 'day-month-year';

/** Formats a date, for example "07/03/2026" (en-GB), "2026-03-07" or "07-03-2026". */
export function formatNumericDate(date: PlainDate, order: DateOrder): string {
  const { year, month, day } = toDateParts(date);
  const [paddedDay, paddedMonth] = [generateTwoDigits(day), generateTwoDigits(month)];
  if (order === 'year-month-day') return date;
  return order === 'en-GB' ? `${paddedDay}/${paddedMonth}/${year}` : `${paddedDay}-${paddedMonth}-${year}`;
}

/** Ignores bank holidays. The domain's `isWorkingDay` includes them. */
export function isWeekend(date: PlainDate): boolean {
  return getDayOfWeek(date) >= 6;
}

const QUARTER_OF_AN_HOUR_MS = 900_000;

/** Formats the time 15 minutes before `now` in London, such as "11/21/2026 at 09:14AM" (month/day/year). */
export function getQuarterHourBefore(now: Instant): string {
  const { year, month, day, hour, minute } = getLondonParts(addMilliseconds(now, -QUARTER_OF_AN_HOUR_MS));
  const twelveHourHour = hour % 12 === 0 ? 12 : hour % 12;
  return `${generateTwoDigits(month)}/${generateTwoDigits(day)}/${year} at ${generateTwoDigits(twelveHourHour)}:${generateTwoDigits(minute)}${hour < 12 ? 'AM' : 'PM'}`;
}

/** Returns whether it is at least `from` o'clock and before `until` o'clock in London (0 to 24). A range from 22 to 6 spans midnight. */
export function isWithinHours(now: Instant, from: number, until: number): boolean {
  const { hour } = getLondonParts(now);
  return from <= until ? hour >= from && hour < until : hour >= from || hour < until;
}

const LONDON = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  hourCycle: 'h23',
});

function getLondonParts(at: Instant): Record<'year' | 'month' | 'day' | 'hour' | 'minute', number> {
  const parts = Object.fromEntries(LONDON.formatToParts(toEpochMs(at)).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts;
  return { year, month, day, hour, minute };
}

function generateTwoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
