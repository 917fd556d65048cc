import { toEpochMs, toInstant, toLondonDate, type Instant } from '../clock.ts';
import { addMonths, plainDate, toDateParts, type PlainDate } from '../plain-date.ts';

/**
 * Returns the next renewal after today. Each is counted from the first day, so a subscription that starts on 31 January renews on 28 or 29
 * February and on 31 March (docs.stripe.com, Setting the subscription billing cycle date).
 */
export function getNextRenewal(subscribedOn: PlainDate, today: PlainDate): PlainDate {
  const [first, now] = [toDateParts(subscribedOn), toDateParts(today)];
  const months = Math.max(0, (now.year - first.year) * 12 + now.month - first.month);
  const renewalThisMonth = addMonths(subscribedOn, months);
  return renewalThisMonth > today && months > 0 ? renewalThisMonth : addMonths(subscribedOn, months + 1);
}

/** Returns the same time of day some months later, in UTC as the provider counts, or on the last day of a shorter month. */
export function addMonthsInUtc(from: Instant, months: number): Instant {
  const day = plainDate(from.slice(0, 10));
  const timeOfDay = toEpochMs(from) - Date.parse(day);
  return toInstant(Date.parse(addMonths(day, months)) + timeOfDay);
}

/**
 * Returns the London day of the first renewal on or after a day. Between midnight and one o'clock in summer, the London day isn't the
 * provider's, so the renewal may be on another day of the month than the subscription began on.
 */
export function getRenewalDayFrom(startedAt: Instant, first: PlainDate): PlainDate {
  for (let months = 1; ; months += 1) {
    const day = toLondonDate(addMonthsInUtc(startedAt, months));
    if (day >= first) return day;
  }
}
