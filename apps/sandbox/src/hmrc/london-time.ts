/** London time, as HMRC's services show it. */
import type { Instant } from '@portal/domain/clock.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { addDays, getDayOfWeek, type PlainDate } from '@portal/domain/plain-date.ts';

const LONDON_HOUR_FORMAT = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: '2-digit', hourCycle: 'h23' });
const LONDON_DATE_TIME_FORMAT = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London', dateStyle: 'short', timeStyle: 'medium' });
const LONDON_OFFSET_FORMAT = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', timeZoneName: 'longOffset' });

/** Formats an instant as "2019-07-31T13:43:17+01:00": to the second, with London's offset. */
export function formatLondonTimestamp(instant: Instant): string {
  const date = new Date(instant);
  const zone = LONDON_OFFSET_FORMAT.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return `${LONDON_DATE_TIME_FORMAT.format(date).replace(' ', 'T')}${zone === 'GMT' ? '+00:00' : zone.slice('GMT'.length)}`;
}

/**
 * Returns the day when a return received now is shown as fulfilled: the next morning on weekdays, Tuesday after a Friday evening or a
 * weekend (HMRC's VAT (MTD) service guide).
 */
export function getFulfilmentDay(receivedAt: Instant): PlainDate {
  const day = toLondonDate(receivedAt);
  const weekday = getDayOfWeek(day);
  if (weekday <= 4) return addDays(day, 1);
  const isFridayDaytime = weekday === 5 && Number(LONDON_HOUR_FORMAT.format(new Date(receivedAt))) < 18;
  return addDays(day, isFridayDaytime ? 3 : 9 - weekday);
}

/** Adds weekdays; ignores bank holidays. */
export function addWeekdays(day: PlainDate, count: number): PlainDate {
  let result = day;
  for (let remaining = count; remaining > 0;) {
    result = addDays(result, 1);
    if (getDayOfWeek(result) <= 5) remaining -= 1;
  }
  return result;
}
