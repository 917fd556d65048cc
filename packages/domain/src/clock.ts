/** The one door through which time enters the product. Rules take `today` as an argument and never ask a clock themselves. */
import { Temporal } from 'temporal-polyfill';
import { formatDate, type PlainDate } from './plain-date.ts';

declare const instantBrand: unique symbol;

/** A moment as a UTC ISO text with milliseconds, "2026-11-21T09:14:00.000Z"; made only by a Clock or read from storage. */
export type Instant = string & { readonly [instantBrand]: true };

/** Tells the time. `today` is the calendar date in Europe/London, where the tax office keeps its days. */
export type Clock = { now(): Instant; today(): PlainDate };

/** The instant of milliseconds since 1970. */
export function instantOf(epochMilliseconds: number): Instant {
  return new Date(epochMilliseconds).toISOString() as Instant;
}

/** Reads an ISO text with a zone; undefined where it is none. */
export function parseInstant(text: string): Instant | undefined {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) || !/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? undefined : instantOf(milliseconds);
}

/** Milliseconds since 1970 of an instant. */
export function epochOf(instant: Instant): number {
  return Date.parse(instant);
}

/** The instant so many milliseconds later. */
export function addMilliseconds(instant: Instant, milliseconds: number): Instant {
  return instantOf(epochOf(instant) + milliseconds);
}

/** The calendar date in Europe/London of an instant. */
export function londonDate(instant: Instant): PlainDate {
  return Temporal.Instant.from(instant).toZonedDateTimeISO('Europe/London').toPlainDate().toString() as PlainDate;
}

/** A clock over any source of milliseconds (the system's, a test's, the sandbox's). */
export function clockFrom(epochMilliseconds: () => number): Clock {
  const now = (): Instant => instantOf(epochMilliseconds());
  return { now, today: () => londonDate(now()) };
}

/** The computer's own time. */
export const systemClock: Clock = clockFrom(() => Date.now());

/** A moment for people, in UK time: "7 March 2026, 09:14". */
export function formatInstant(instant: Instant): string {
  const local = Temporal.Instant.from(instant).toZonedDateTimeISO('Europe/London');
  const time = `${String(local.hour).padStart(2, '0')}:${String(local.minute).padStart(2, '0')}`;
  return `${formatDate(local.toPlainDate().toString() as PlainDate)}, ${time}`;
}
